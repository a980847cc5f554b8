// What one pass over a trace remembers of its times.

import Testing
import TraceModel

@testable import TracePipeline

struct TraceSurveyTests {
  @Test(arguments: [[-20, -5], [-20, 5], [0, 15], [7, 9, 8]] as [[Int64]])
  func theLastEventIsTheLatestWhereverTheClockBegins(times: [Int64]) {
    var assembler = BatchAssembler()
    let kind = assembler.kind(named: "trace.marker")
    for time in times {
      assembler.begin(kind, .instant, thread: 1, timeNanoseconds: time)
      assembler.endEvent()
    }
    var survey = TraceSurvey(TraceHeader())
    survey.take(assembler.batch)
    #expect(survey.firstNanoseconds == times.min())
    #expect(survey.lastNanoseconds == times.max())
    #expect(survey.view.lastNanoseconds == times.max())
  }
}
