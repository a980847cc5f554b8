// What `info` says of the times of a trace.

import Testing
import TraceModel

@testable import TraceCheckKit

struct TraceContentTests {
  @Test(arguments: [[-20, -5], [7, 9, 8], [9, 7]] as [[Int64]], [1, 3])
  func timesReachFromTheEarliestToTheLatest(times: [Int64], eventsPerBatch: Int) {
    var content = TraceContent(header: TraceHeader())
    var assembler = BatchAssembler()
    let kind = assembler.kind(named: "trace.marker")
    for time in times {
      assembler.begin(kind, .instant, thread: 1, timeNanoseconds: time)
      assembler.endEvent()
      if assembler.batch.count == eventsPerBatch { Self.move(&assembler, to: &content) }
    }
    Self.move(&assembler, to: &content)
    #expect(content.firstNanoseconds == times.min())
    #expect(content.lastNanoseconds == times.max())
    #expect(content.eventCount == times.count)
  }

  private static func move(_ assembler: inout BatchAssembler, to content: inout TraceContent) {
    var batch = EventBatch()
    assembler.take(into: &batch)
    content.add(batch)
  }
}
