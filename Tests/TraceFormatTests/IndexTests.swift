// The index is advice: right when it is there, and nothing is lost without it.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct IndexTests {
  private func index(_ bytes: [UInt8]) -> LctraceIndex? {
    LctraceIndex(byteCount: UInt64(bytes.count)) { offset, count in
      guard offset <= UInt64(bytes.count), count <= bytes.count - Int(offset) else { return nil }
      return Array(bytes[Int(offset)..<Int(offset) + count])
    }
  }

  /// Every entry leads to its block, in any order.
  private func blocks(_ bytes: [UInt8], _ index: LctraceIndex) throws -> [PlainEvent] {
    var reader = LctraceBlockReader(codec: .stored)
    var batch = EventBatch()
    var events: [[PlainEvent]] = []
    for entry in index.entries.reversed() {
      let record = Array(bytes[Int(entry.offset)..<Int(entry.offset) + entry.recordByteCount])
      let summary = try reader.read(record.span, at: entry.offset, into: &batch)
      #expect(summary == entry.summary)
      events.append(
        (0..<batch.count).map { PlainEvent(batch, $0, ordinal: batch.ordinal(at: $0)) })
    }
    return events.reversed().flatMap { $0 }
  }

  @Test func oneBlockHasNoIndex() {
    #expect(self.index(Golden.small(blocks: 1).bytes) == nil)
    var decoder = LctraceDecoder(codec: .stored)
    _ = steps(Golden.small(blocks: 1).bytes, decoder: &decoder)
    #expect(decoder.statistics.indexRecordCount == 0)
  }

  @Test(arguments: [2, 5, 255, 256, 257, 600])
  func indexedBlocks(count: Int) throws {
    let golden = Golden.small(blocks: count)
    let index = try #require(self.index(golden.bytes))
    #expect(index.entries.count == count)
    #expect(try blocks(golden.bytes, index) == golden.steps.events)
  }

  @Test func concatenatedTraces() throws {
    let golden = Golden.small(seed: 1, blocks: 3)
    let other = Golden.small(seed: 2, blocks: 300)
    let bytes = golden.bytes + other.bytes
    let index = try #require(self.index(bytes))
    #expect(index.traceStarts == [0, UInt64(golden.bytes.count)])
    #expect(
      index.entries.map(\.traceIndex) == Array(repeating: 0, count: 3)
        + Array(repeating: 1, count: 300))
    #expect(try blocks(bytes, index) == golden.steps.events + other.steps.events)
    // One of them has no index: the whole file has none.
    #expect(self.index(bytes + Golden.small(blocks: 1).bytes) == nil)
  }

  @Test func wrongOrMissingIndex() {
    let golden = Golden.small(blocks: 300)
    let record = golden.records[golden.records.count - 1]
    #expect(steps(Array(golden.bytes[..<record.lowerBound])) == golden.steps)
    #expect(self.index(Array(golden.bytes[..<record.lowerBound])) == nil)
    for place in record {
      var bytes = golden.bytes
      bytes[place] ^= 0x10
      #expect(self.index(bytes) == nil)
    }
    for count in record.lowerBound + 1..<golden.bytes.count {
      #expect(self.index(Array(golden.bytes[..<count])) == nil)
    }
  }

  @Test func hostileIndexRecords() throws {
    let golden = Golden.small(blocks: 4)
    let last = golden.records[golden.records.count - 1]
    guard case .present(let frame) = RecordFrame.probe(golden.bytes.span, at: last.lowerBound)
    else {
      Issue.record("the last record is the index")
      return
    }
    let body = Array(golden.bytes[frame.body])
    for place in 0..<body.count {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = body
        changed[place] = value
        var bytes = Array(golden.bytes[..<last.lowerBound])
        RecordFrame.append(
          type: RecordType.index, sequence: frame.sequence, body: changed.span, to: &bytes)
        // Whatever it says, sequential reading doesn't listen, and entries stay inside the file.
        #expect(steps(bytes) == golden.steps)
        for entry in index(bytes)?.entries ?? [] {
          #expect(entry.offset + UInt64(entry.recordByteCount) <= UInt64(bytes.count))
        }
      }
    }
  }

  private func map(_ bytes: [UInt8]) -> LctraceMap? {
    LctraceMap(byteCount: UInt64(bytes.count)) { offset, count in
      guard offset <= UInt64(bytes.count), count <= bytes.count - Int(offset) else { return nil }
      return Array(bytes[Int(offset)..<Int(offset) + count])
    }
  }

  @Test func mapsSayWhatTheFileHolds() throws {
    let golden = Golden.small(seed: 1, blocks: 3, columnEventsMin: 1)
    let other = Golden.small(seed: 2, blocks: 300)
    let bytes = golden.bytes + other.bytes
    let map = try #require(self.map(bytes))
    #expect(map.traces.map(\.header) == golden.steps.headers + other.steps.headers)
    #expect(map.traces.flatMap(\.blocks) == (try #require(index(bytes))).entries)
    #expect(self.map(Golden.small(blocks: 1).bytes) == nil)
    #expect(self.map(bytes + [0]) == nil)
    #expect(self.map([0] + bytes) == nil)
  }

  /// Every field of the index, with a right checksum: the truth or nothing.
  @Test func mapsBelieveNoLie() throws {
    let golden = Golden.small(blocks: 4, columnEventsMin: 1)
    let blocks = try #require(map(golden.bytes)).traces.flatMap(\.blocks)
    let last = golden.records[golden.records.count - 1]
    guard case .present(let frame) = RecordFrame.probe(golden.bytes.span, at: last.lowerBound)
    else {
      Issue.record("the last record is the index")
      return
    }
    let body = Array(golden.bytes[frame.body])
    var lieCount = 0
    for place in 0..<body.count {
      for value in [0, 1, 0x7F, 0x80, 0xFF, body[place] ^ 1, body[place] ^ 8] as [UInt8] {
        var changed = body
        changed[place] = value
        var bytes = Array(golden.bytes[..<last.lowerBound])
        RecordFrame.append(
          type: RecordType.index, sequence: frame.sequence, body: changed.span, to: &bytes)
        guard let map = map(bytes) else {
          lieCount += 1
          continue
        }
        #expect(map.traces.flatMap(\.blocks) == blocks, "byte \(place) is \(value)")
      }
    }
    #expect(lieCount > body.count)
  }

  /// Blocks whose own header is damaged, that are missing, or stand twice.
  @Test func mapsAreComparedWithTheFile() throws {
    let golden = Golden.small(blocks: 4, columnEventsMin: 1)
    for (number, record) in golden.records.enumerated() where (2...4).contains(number) {
      // The flags stand before the checksum is known, and readers ignore them.
      for place in 0..<12 where place != 5 {
        var bytes = golden.bytes
        bytes[record.lowerBound + place] ^= 0x10
        #expect(map(bytes) == nil, "record \(number), byte \(place)")
      }
      var without = golden.bytes
      without.removeSubrange(record)
      #expect(map(without) == nil)
      var twice = golden.bytes
      twice.insert(contentsOf: golden.bytes[record], at: record.upperBound)
      #expect(map(twice) == nil)
    }
  }

  @Test func summariesSayWhatBlocksHold() throws {
    var assembler = BatchAssembler()
    let events: [(EventKind, Phase, Int64, Int64)] = [
      (.workSpan, .enter, 1, 10), (.workSpan, .enter, 1, 20), (.workSpan, .return, 1, 20),
      (.workSpan, .return, 2, 20), (.workTimerFire, .enter, 2, 30),
    ]
    for (kind, phase, thread, time) in events {
      assembler.begin(kind, phase, thread: thread, timeNanoseconds: time)
      assembler.endEvent()
    }
    let summary = BlockSummary(of: assembler.batch)
    #expect(summary.eventCount == 5)
    #expect(summary.earliestTicks == 10)
    #expect(summary.latestTicks == 30)
    #expect(summary.threadCount == 2)
    #expect(summary.kinds == KindSet([.workSpan, .workTimerFire]))
    #expect(summary.quality.isNonDecreasing)
    #expect(summary.quality.isSorted)
    #expect(!summary.quality.isNumbered)
    #expect(summary.quality.unmatchedEnterCount == 2)
    #expect(summary.quality.unmatchedReturnCount == 1)
    #expect(summary.quality.unknownKindCount == 0)
  }
}
