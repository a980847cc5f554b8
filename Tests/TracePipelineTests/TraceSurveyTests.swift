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

  @Test func othersPrintTheTimesThatACaptureShows() {
    var header = TraceHeader()
    header.origin.setBacksNanoseconds = [0, 300]
    var assembler = BatchAssembler()
    func append(_ kind: EventKind, at time: Int64) {
      assembler.begin(kind, .instant, thread: 1, timeNanoseconds: time)
      if kind == .bgtaskBegin { assembler.add(.token, .integer(7)) }
      assembler.endEvent()
    }
    append(.bgtaskBegin, at: 500)
    append(.traceClockStep, at: 500)
    append(.bgtaskBegin, at: 500)
    append(.procKill, at: 600)
    var survey = TraceSurvey(header)
    survey.take(assembler.batch)
    #expect(survey.marks.map(\.shownNanoseconds) == [500, 200])
    #expect(survey.ends.map(\.timeNanoseconds) == [600])
    #expect(survey.view.endNanoseconds == [300])
    #expect(survey.lives.map(\.lastShownNanoseconds) == [500])
  }
}
