// Blocks of columns whose checksum is right and whose content lies.

import Testing
import TraceCodecs
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct ColumnHostileTests {
  /// A block of columns taken apart: its header, and the content of every column.
  private struct Parts {
    var summary: BlockSummary
    var columns: [[UInt8]]

    init(_ batch: EventBatch) throws {
      var writer = BlockWriter(codec: .stored, columnEventsMin: 1)
      var body: [UInt8] = []
      summary = try #require(writer.append(batch, firstOrdinal: 0, traceTag: 0, to: &body))
      let chunk = Array(body.suffix(summary.storedByteCount))
      columns = []
      var codec = ChunkCodec.stored
      for (place, size) in summary.columns.enumerated() {
        let range = ColumnLayout.range(of: place, summary.columns)
        var raw: [UInt8] = []
        if place == Column.lowBits {
          raw = Array(chunk[range])
        } else {
          let frame = Array(chunk[range])
          try codec.decompress(frame.span, rawByteCount: size.rawByteCount, into: &raw)
        }
        columns.append(raw)
      }
    }

    /// The block as a trace, with sizes that match the columns.
    var trace: [UInt8] {
      var summary = summary
      var chunk: [UInt8] = []
      summary.columns = []
      for (place, column) in columns.enumerated() {
        let stored = place == Column.lowBits ? column : HostileTests.stored(column)
        chunk += stored
        summary.columns.append(
          ColumnSize(rawByteCount: column.count, storedByteCount: stored.count))
      }
      summary.rawByteCount = columns.reduce(0) { $0 + $1.count }
      return HostileTests.trace(summary, chunk: chunk)
    }
  }

  private static func batch(_ seed: UInt64) -> EventBatch {
    if seed % 2 == 0 { return ColumnRoundTripTests.lively(count: 24, seed: seed) }
    var random = SeededGenerator(seed: seed)
    return RandomTrace.batch(count: 6, using: &random)
  }

  /// A bit of every byte of every column; all of them are for the sweeps.
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func flippedBits(seed: UInt64) throws {
    let parts = try Parts(Self.batch(seed))
    #expect(HostileTests.outcome(parts.trace)?.batches == 1)
    var accepted = 0
    for column in parts.columns.indices {
      for place in parts.columns[column].indices {
        for bit in [UInt8(place % 8)] {
          var changed = parts
          changed.columns[column][place] ^= 1 << bit
          let result = try #require(
            HostileTests.outcome(changed.trace), "seed \(seed), column \(column), byte \(place)")
          #expect(result.batches + result.problems.count == 1)
          accepted += result.batches
        }
      }
    }
    // A changed text or number is still a block; the test would be idle if nothing were accepted.
    #expect(accepted > 0)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func mutatedColumns(seed: UInt64) throws {
    let parts = try Parts(Self.batch(seed))
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var changed = parts
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let column = Int.random(in: 0..<changed.columns.count, using: &random)
        if changed.columns[column].isEmpty || Int.random(in: 0..<8, using: &random) == 0 {
          changed.columns[column].append(UInt8.random(in: .min ... .max, using: &random))
          continue
        }
        let place = Int.random(in: 0..<changed.columns[column].count, using: &random)
        if Int.random(in: 0..<8, using: &random) == 0 {
          changed.columns[column].remove(at: place)
        } else {
          changed.columns[column][place] =
            [0, 1, 0x7F, 0x80, 0xFF, .random(in: .min ... .max, using: &random)][
              Int.random(in: 0..<6, using: &random)]
        }
      }
      let result = try #require(HostileTests.outcome(changed.trace), "seed \(seed)")
      #expect(result.batches + result.problems.count == 1, "seed \(seed)")
    }
  }

  @Test func cutColumns() throws {
    let parts = try Parts(Self.batch(2))
    for column in parts.columns.indices {
      for count in 0..<parts.columns[column].count {
        var changed = parts
        changed.columns[column] = Array(parts.columns[column][..<count])
        let result = try #require(HostileTests.outcome(changed.trace))
        #expect(result.batches == 0, "column \(column), \(count) bytes")
        #expect(result.problems.count == 1)
      }
    }
  }

  @Test func liesAboutColumns() throws {
    let parts = try Parts(Self.batch(2))
    let lies: [(inout BlockSummary) -> Void] = [
      { $0.columns.removeLast() }, { $0.columns = [] },
      { $0.columns.append(ColumnSize()) }, { $0.columns += $0.columns },
      { $0.columns[0].rawByteCount += 1 }, { $0.columns[1].storedByteCount += 1 },
      { $0.columns[3].rawByteCount += 1 }, { $0.columns[5].storedByteCount -= 1 },
      { $0.rawByteCount += 1 }, { $0.eventCount += 1 }, { $0.eventCount -= 1 },
      { $0.eventCount = 65_536 }, { $0.earliestTicks -= 1 }, { $0.latestTicks += 1 },
      { $0.kinds = KindSet() }, { $0.threadCount += 1 }, { $0.encoding = 1 }, { $0.codec = 9 },
      { $0.columns[4].rawByteCount = Int.max / 2 }, { $0.columns[0].storedByteCount = Int.max / 2 },
    ]
    var writer = BlockWriter(codec: .stored, columnEventsMin: 1)
    var body: [UInt8] = []
    let summary = try #require(
      writer.append(Self.batch(2), firstOrdinal: 0, traceTag: 0, to: &body))
    let chunk = Array(body.suffix(summary.storedByteCount))
    #expect(HostileTests.outcome(HostileTests.trace(summary, chunk: chunk))?.batches == 1)
    #expect(summary == parts.summary)
    for (index, lie) in lies.enumerated() {
      var changed = summary
      lie(&changed)
      let result = try #require(HostileTests.outcome(HostileTests.trace(changed, chunk: chunk)))
      #expect(result.batches == 0, "lie \(index)")
      #expect(result.problems.count == 1, "lie \(index)")
    }
  }

  /// The bound of a column, below, at and above.
  @Test(arguments: [(-1, true), (0, true), (1, false)])
  func columnBound(distance: Int, isAllowed: Bool) {
    let size = FormatLimits.columnRawBytesMax + distance
    let columns = [size, 1, 1, 1, 1, 1].map { ColumnSize(rawByteCount: $0, storedByteCount: $0) }
    var bytes: [UInt8] = []
    ColumnLayout.append(columns, to: &bytes)
    var offset = 0
    let read = try? ColumnLayout.read(bytes.span, &offset, rawByteCount: size + 5)
    #expect((read == columns) == isAllowed)
  }

  @Test(arguments: [(5, false), (6, true), (9, true), (10, false)])
  func columnCounts(count: Int, isAllowed: Bool) {
    let columns = [ColumnSize](
      repeating: ColumnSize(rawByteCount: 1, storedByteCount: 1), count: count)
    var bytes: [UInt8] = []
    ColumnLayout.append(columns, to: &bytes)
    var offset = 0
    #expect(
      ((try? ColumnLayout.read(bytes.span, &offset, rawByteCount: count)) != nil) == isAllowed)
  }

  /// Constants take no bytes: only their number bounds what a small block may become.
  @Test(arguments: [(FormatLimits.argumentsMax / 64, 1), (FormatLimits.argumentsMax / 64 + 1, 0)])
  func constantArguments(eventCount: Int, batches: Int) throws {
    var batch = EventBatch()
    batch.threads = [ThreadEntry(id: 1)]
    batch.slots = (0..<64).map { _ in ArgumentSlot(name: .id, type: .unsigned) }
    batch.templates = [
      EventTemplate(kind: .workSpan, phase: .instant, thread: 0, slotCount: 64, firstSlot: 0)
    ]
    for event in 0..<4 {
      batch.templateIndices.append(0)
      batch.timesNanoseconds.append(0)
      batch.argumentStarts.append(UInt32(event * 64))
      batch.argumentBits += [UInt64](repeating: 7, count: 64)
    }
    var parts = try Parts(batch)
    // All times are the same: the symbols and groups of any number of events are known.
    parts.summary.eventCount = eventCount
    parts.columns[Column.templates] = [UInt8](repeating: 0, count: eventCount)
    parts.columns[Column.symbols] = [UInt8](
      repeating: UInt8(TimeSymbols.centreByte), count: eventCount)
    let groupCount = (eventCount + 511) / 512
    parts.columns[Column.groups] = [UInt8](repeating: 0, count: groupCount * 2)
    let result = try #require(HostileTests.outcome(parts.trace))
    #expect(result.batches == batches)
    #expect(result.problems.count == 1 - batches)
  }

  /// Constants that name a long text: only the sum of the texts bounds what events stand for.
  @Test(arguments: [true, false])
  func textsOfAllEvents(areColumns: Bool) throws {
    let limit = FormatLimits.eventTextBytesMax / FormatLimits.stringBytesMax
    for (eventCount, batches) in [(limit, 1), (limit + 1, 0)] {
      var batch = EventBatch()
      batch.threads = [ThreadEntry(id: 1)]
      batch.slots = [ArgumentSlot(name: .text, type: .string)]
      batch.strings.append([UInt8](repeating: 65, count: FormatLimits.stringBytesMax).span)
      batch.templates = [
        EventTemplate(kind: .traceMarker, phase: .instant, thread: 0, slotCount: 1, firstSlot: 0)
      ]
      for event in 0..<eventCount {
        batch.templateIndices.append(0)
        batch.timesNanoseconds.append(0)
        batch.argumentStarts.append(UInt32(event))
        batch.argumentBits.append(0)
      }
      var trace: [UInt8]
      if areColumns {
        // The writer refuses what the reader has to: it gets a few events, which are repeated.
        var first = batch
        first.templateIndices = [0, 0, 0, 0]
        first.timesNanoseconds = [0, 0, 0, 0]
        first.argumentStarts = [0, 1, 2, 3]
        first.argumentBits = [0, 0, 0, 0]
        var parts = try Parts(first)
        parts.summary.eventCount = eventCount
        parts.columns[Column.templates] = [UInt8](repeating: 0, count: eventCount)
        parts.columns[Column.symbols] = [UInt8](
          repeating: UInt8(TimeSymbols.centreByte), count: eventCount)
        parts.columns[Column.groups] = [UInt8](repeating: 0, count: (eventCount + 511) / 512 * 2)
        trace = parts.trace
      } else {
        var raw: [UInt8] = []
        BlockDictionary.append(batch, to: &raw)
        raw.appendVarint(eventCount)
        RowCoding.append(batch, ticks: batch.timesNanoseconds.span, from: 0, to: &raw)
        var summary = BlockSummary(of: batch)
        summary.codec = 1
        summary.rawByteCount = raw.count
        trace = HostileTests.trace(summary, chunk: HostileTests.stored(raw))
      }
      let result = try #require(HostileTests.outcome(trace))
      #expect(result.batches == batches, "\(eventCount) events")
      #expect(result.problems.count == 1 - batches)
      #expect(
        result.problems.allSatisfy { $0.message.contains("texts of its events take more than") })
    }
  }

  /// A thousand bytes that ask for 4 MiB in every column are refused without decoding more.
  @Test func bombs() throws {
    let parts = try Parts(Self.batch(2))
    var zstd = ChunkCodec.zstd()
    for column in parts.columns.indices where column != Column.lowBits {
      var summary = parts.summary
      summary.codec = 2
      summary.columns = []
      var chunk: [UInt8] = []
      for (place, content) in parts.columns.enumerated() {
        let raw =
          place == column
          ? [UInt8](repeating: 0, count: FormatLimits.columnRawBytesMax) : content
        let start = chunk.count
        if place == Column.lowBits { chunk += raw } else { zstd.compress(raw.span, into: &chunk) }
        summary.columns.append(
          ColumnSize(rawByteCount: raw.count, storedByteCount: chunk.count - start))
      }
      summary.rawByteCount = summary.columns.reduce(0) { $0 + $1.rawByteCount }
      let result = try #require(HostileTests.outcome(HostileTests.trace(summary, chunk: chunk)))
      #expect(result.batches == 0, "column \(column)")
      #expect(result.problems.count == 1, "column \(column)")
      // And one byte more than the bound isn't even looked at.
      summary.columns[column].rawByteCount += 1
      summary.rawByteCount += 1
      let above = try #require(HostileTests.outcome(HostileTests.trace(summary, chunk: chunk)))
      #expect(above.problems.first?.message.contains("more than 4194304") == true)
    }
  }
}
