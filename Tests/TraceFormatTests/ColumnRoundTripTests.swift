// Blocks of columns give back what was written, exactly, and only where they should are they used.

import Testing
import TraceCodecs
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct ColumnRoundTripTests {
  /// The headers of all blocks of a trace.
  static func summaries(_ bytes: [UInt8]) -> [BlockSummary] {
    var decoder = LctraceDecoder(codec: .zstd())
    var batch = EventBatch()
    var summaries: [BlockSummary] = []
    decoder.feed(bytes.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .batch: if let block = decoder.lastBlock { summaries.append(block.summary) }
      case .end: return summaries
      default: break
      }
    }
  }

  /// Events with what rules and predictors look at: spans, tokens, a period, words that decide.
  static func lively(count: Int, seed: UInt64 = 1, step: Int64 = 1) -> EventBatch {
    var random = SeededGenerator(seed: seed)
    var assembler = BatchAssembler()
    var time: Int64 = 5_000_000
    var token: Int64 = 70_000
    while assembler.batch.count < count {
      time += Int64.random(in: 1...40_000, using: &random) * step
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        token += 1
        assembler.begin(.bgtaskBegin, .instant, thread: 1, timeNanoseconds: time)
        assembler.add(.token, .integer(token))
        assembler.add(.name, .string("task \(token % 7)"))
      case 1:
        assembler.begin(.workSpan, .enter, thread: 2, timeNanoseconds: time)
        assembler.add(.id, .integer(token))
        assembler.endEvent()
        time += 17 * step
        assembler.begin(.workSpan, .return, thread: 2, timeNanoseconds: time)
        assembler.add(.id, .integer(token))
      case 2:
        assembler.begin(.glCall, .instant, thread: 3, timeNanoseconds: time)
        let isDraw = assembler.batch.count % 2 == 0
        assembler.add(.kind, .string(isDraw ? "draw" : "present"))
        assembler.add(.submitId, .integer(isDraw ? 5 : Int64(assembler.batch.count)))
      default:
        assembler.begin(.uiTouch, .instant, thread: 1, timeNanoseconds: time)
        assembler.add(.x, .number(Double(Int.random(in: 0..<400, using: &random)) / 2))
        assembler.add(.y, .unsigned(UInt64.random(in: 0..<800, using: &random)))
      }
      assembler.endEvent()
    }
    return assembler.batch
  }

  @Test(arguments: [1, 2] as [UInt8], 1...10 as ClosedRange<UInt64>)
  func randomBatches(codec: UInt8, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let counts = [1, 2, 300, 17, 513]
    let golden = Golden(
      header: TraceHeader(),
      batches: counts.map {
        RandomTrace.batch(count: $0, using: &random, longTexts: seed % 4 == 0)
      },
      codec: try #require(RoundTripTests.codecs[codec]), columnEventsMin: 1)
    let encodings = Self.summaries(golden.bytes).map(\.encoding)
    #expect(encodings == counts.map { _ in 2 }, "seed \(seed)")
    #expect(steps(golden.bytes, codec: .zstd()) == golden.steps, "seed \(seed)")
  }

  @Test(arguments: [511, 512, 513, 2_047, 2_048, 9_000])
  func livelyBatches(count: Int) {
    let batch = Self.lively(count: count)
    let golden = Golden(header: TraceHeader(), batches: [batch], codec: .zstd())
    let summary = Self.summaries(golden.bytes)[0]
    #expect(summary.encoding == (batch.count >= FormatLimits.columnEventsMin ? 2 : 1))
    #expect(steps(golden.bytes, codec: .zstd()) == golden.steps)
  }

  @Test func columnsAreSmallerThanRows() {
    let batch = Self.lively(count: 9_000)
    let columns = Golden(header: TraceHeader(), batches: [batch], codec: .zstd())
    let rows = Golden(
      header: TraceHeader(), batches: [batch], codec: .zstd(), columnEventsMin: .max)
    #expect(columns.bytes.count < rows.bytes.count)
  }

  /// More templates than a byte can name, up to the limit of a block.
  @Test(arguments: [254, 255, 256, 257, 4_096])
  func manyTemplates(count: Int) {
    var assembler = BatchAssembler()
    for event in 0..<count * 2 where assembler.batch.count < 6_000 {
      assembler.begin(
        .workSpan, .enter, thread: Int64(event % count), timeNanoseconds: Int64(event))
      assembler.add(.id, .integer(Int64(event)))
      assembler.endEvent()
      if assembler.isFull { break }
    }
    let golden = Golden(
      header: TraceHeader(), batches: [assembler.batch], columnEventsMin: 1)
    #expect(Self.summaries(golden.bytes).map(\.encoding) == [2])
    #expect(steps(golden.bytes) == golden.steps)
  }

  /// Rows where columns would exceed their bound: arguments that no mode makes small.
  @Test func tooManyBytesOfArgumentsAreRows() {
    var random = SeededGenerator(seed: 2)
    var batch = EventBatch()
    batch.threads = [ThreadEntry(id: 1)]
    batch.slots = (0..<64).map { _ in ArgumentSlot(name: .id, type: .unsigned) }
    batch.templates = [
      EventTemplate(kind: .workSpan, phase: .instant, thread: 0, slotCount: 64, firstSlot: 0)
    ]
    for event in 0..<8_000 {
      batch.templateIndices.append(0)
      batch.timesNanoseconds.append(Int64(event))
      batch.argumentStarts.append(UInt32(event * 64))
      for _ in 0..<64 { batch.argumentBits.append(random.next() | 1 << 63) }
    }
    let golden = Golden(header: TraceHeader(), batches: [batch])
    #expect(Self.summaries(golden.bytes).map(\.encoding) == [1])
    var decoder = LctraceDecoder(codec: .stored)
    var read = EventBatch()
    decoder.feed(golden.bytes.span)
    while true {
      if case .batch = decoder.next(into: &read) { break }
    }
    #expect(read.argumentBits == batch.argumentBits)
  }

  @Test(arguments: [(1_000_000, 1), (1_000, 1), (125, 3), (1, 1)] as [(UInt64, UInt64)])
  func usualClocks(numerator: UInt64, denominator: UInt64) throws {
    var batch = Self.lively(count: 3_000)
    let rate = try #require(TickRate(numerator: numerator, denominator: denominator))
    for index in batch.timesNanoseconds.indices {
      batch.timesNanoseconds[index] = rate.nanoseconds(batch.timesNanoseconds[index] - 50_000_000)
    }
    for count in [1, Int.max] {
      let golden = Golden(header: TraceHeader(), batches: [batch], columnEventsMin: count)
      #expect(Self.summaries(golden.bytes)[0].tickRate == rate)
      #expect(steps(golden.bytes) == golden.steps)
    }
  }

  @Test func partsOfABlock() throws {
    let batch = Self.lively(count: 3_000)
    let golden = Golden(header: TraceHeader(), batches: [batch])
    var reader = LctraceBlockReader(codec: .stored)
    let record = Array(golden.bytes[golden.records[2]])
    var whole = EventBatch()
    _ = try reader.read(record.span, at: 0, into: &whole)
    for parts in [BlockParts.templates, .times, .arguments] {
      var part = EventBatch()
      _ = try reader.read(record.span, at: 0, parts: parts, into: &part)
      #expect(part.templateIndices == whole.templateIndices)
      #expect(part.timesNanoseconds == (parts.contains(.times) ? whole.timesNanoseconds : []))
      #expect(part.argumentBits == (parts.contains(.arguments) ? whole.argumentBits : []))
    }
  }

  @Test func symbolsOfTimes() {
    for number in [0, 1, 7, 8, 9, 15, 16, 1_000, 1 << 57, 1 << 63, UInt64.max] {
      let symbol = TimeSymbols.symbol(of: number)
      let bits = UInt64(TimeSymbols.lowBitCounts[symbol])
      #expect(symbol < TimeSymbols.count)
      #expect(TimeSymbols.bases[symbol] + number & (1 << bits - 1) == number)
    }
    #expect(TimeSymbols.symbol(of: .max) == TimeSymbols.count - 1)
  }
}
