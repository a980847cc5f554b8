// Traces that were cut off inside a block: they begin as a compressed file does.

import Testing
import TraceCodecs
import TraceExport
import TraceFormat
import TraceModel
import TraceTestSupport

@testable import TracePipeline

struct CutTraceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A trace of blocks that hardly compress, one of them with a single large frame.
  private func trace(columnEventsMin: Int, eventCounts: [Int]) -> [UInt8] {
    var random = SeededGenerator(seed: 5)
    var encoder = LctraceEncoder(codec: .zstd(level: 1), columnEventsMin: columnEventsMin)
    encoder.begin(TraceHeader())
    for count in eventCounts {
      var assembler = BatchAssembler()
      for event in 0..<count {
        assembler.begin(
          .traceMarker, .instant, thread: 1,
          timeNanoseconds: Int64(event) * 1_000_000 + .random(in: 0..<900_000, using: &random))
        assembler.add(.text, .integer(.random(in: .min ... .max, using: &random)))
        assembler.endEvent()
      }
      encoder.consume(assembler.batch)
    }
    encoder.end()
    return encoder.output
  }

  private func firstFrame(_ bytes: [UInt8], from start: Int = 0) -> Int? {
    (start..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual([0x28, 0xB5, 0x2F, 0xFD]) }
  }

  private func eventCount(_ path: String, _ format: CaptureFormat?) throws -> Int {
    try CaptureExamination(path: path, format: format).eventCount
  }

  @Test(arguments: [nil, CaptureFormat.lctrace.name], [1, Int.max])
  func blocksBehindAFrameAreRead(format: String?, columnEventsMin: Int) throws {
    let format = format.flatMap(CaptureFormats.named)
    // The frame alone is larger than what recognition sees.
    for count in [5_000, 30_000] {
      let bytes = trace(columnEventsMin: columnEventsMin, eventCounts: [count, 70, 30])
      var start = try #require(firstFrame(bytes))
      var reached = 0
      while start < bytes.count / 2 {
        let path = try folder.file("cut-\(start).lctrace", Array(bytes[start...]))
        #expect(try eventCount(path, format) == 100, "from byte \(start) of \(bytes.count)")
        // And where that is compressed as a whole.
        let packed = try folder.file("cut.zst", Folder.zstd(Array(bytes[start...])))
        #expect(try eventCount(packed, format) == 100)
        reached += 1
        guard let next = firstFrame(bytes, from: start + 4) else { break }
        start = next
      }
      #expect(reached > 0)
    }
  }

  @Test func aCompressedCaptureIsNone() throws {
    let bytes = trace(columnEventsMin: 1, eventCounts: [30_000, 70])
    let packed = try folder.file("whole.lctrace.zst", Folder.zstd(bytes))
    #expect(try eventCount(packed, nil) == 30_070)
    #expect(try eventCount(packed, .lctrace) == 30_070)
    // What is no capture is searched in vain, and told as what it is.
    var random = SeededGenerator(seed: 6)
    let noise = (0..<300_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let foreign = try folder.file("noise.zst", Folder.zstd(noise))
    #expect(throws: CaptureFailure.self) { try eventCount(foreign, nil) }
  }
}
