// How many rows a capture may have for its bytes.

import Testing
import TraceExport
import TraceModel

@testable import TraceCheckKit

struct QueryBulkTests {
  /// As many events as a block may have, without arguments.
  private static let batch: EventBatch = {
    var assembler = BatchAssembler()
    while !assembler.isFull {
      assembler.begin(.traceMarker, .instant, thread: 1, timeNanoseconds: 0)
      assembler.endEvent()
    }
    return assembler.batch
  }()

  @Test func aMillionEventsAreReadFromAnyFile() throws {
    var bulk = QueryBulk()
    for _ in 0..<16 { try bulk.add(Self.batch) }
    #expect(throws: CaptureFailure.self) { try bulk.add(Self.batch) }
  }

  @Test func moreAreReadFromALargerOne() throws {
    var bulk = QueryBulk()
    bulk.readByteCount = 10_000
    for _ in 0..<18 { try bulk.add(Self.batch) }
    #expect(throws: CaptureFailure.self) { try bulk.add(Self.batch) }
    bulk.readByteCount = .max
    for _ in 0..<100 { try bulk.add(Self.batch) }
  }

  @Test func textsCount() throws {
    var assembler = BatchAssembler()
    for _ in 0..<900 {
      assembler.begin(.traceMarker, .instant, thread: 1, timeNanoseconds: 0)
      assembler.add(.text, .string(String(repeating: "x", count: BatchLimits.stringBytesMax)))
      assembler.endEvent()
    }
    var bulk = QueryBulk()
    try bulk.add(assembler.batch)
    #expect(throws: CaptureFailure.self) { try bulk.add(assembler.batch) }
  }
}
