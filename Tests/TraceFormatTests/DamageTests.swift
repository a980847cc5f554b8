// Every event of every undamaged block is returned, whatever is wrong elsewhere.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct DamageTests {
  let golden = Golden.small()
  /// Blocks as rows and as columns.
  static let goldens = [Golden.small(), Golden.small(blocks: 2, columnEventsMin: 1)]

  /// The events of each record of the golden trace; nil for records that aren't blocks.
  private func expected(_ golden: Golden) -> [[PlainEvent]?] {
    var blocks = golden.steps.compactMap { step -> [PlainEvent]? in
      if case .events(let events, _) = step { events } else { nil }
    }
    return golden.records.map { record in
      guard case .present(let frame) = RecordFrame.probe(golden.bytes.span, at: record.lowerBound),
        frame.type == RecordType.block
      else { return nil }
      return blocks.removeFirst()
    }
  }

  @Test(arguments: [0, 1]) func everyTruncation(form: Int) {
    let golden = Self.goldens[form]
    let blocks = expected(golden)
    for count in 0..<golden.bytes.count {
      let result = steps(Array(golden.bytes[..<count]))
      let whole = zip(golden.records, blocks).filter { $0.0.upperBound <= count }
      #expect(result.events == whole.flatMap { $0.1 ?? [] }, "cut at \(count)")
      let isAtBoundary = count > 0 && golden.boundaries.contains(count)
      #expect(
        result.problems.map(\.consequence) == (isAtBoundary ? [] : [.truncated]), "cut at \(count)")
    }
  }

  @Test(arguments: [0, 1]) func flippedBytes(form: Int) {
    let golden = Self.goldens[form]
    let blocks = expected(golden)
    for (place, byte) in golden.bytes.enumerated() {
      for value in [byte ^ 0x01, byte ^ 0x80, 0xFF, 0, 0xFE] where value != byte {
        var bytes = golden.bytes
        bytes[place] = value
        let result = steps(bytes)
        let intact = zip(golden.records, blocks).filter { !$0.0.contains(place) }
        #expect(result.events == intact.flatMap { $0.1 ?? [] }, "byte \(place) is \(value)")
        #expect(!result.problems.isEmpty, "byte \(place) is \(value)")
        #expect(
          result.problems.allSatisfy { $0.consequence != .refused }, "byte \(place) is \(value)")
      }
    }
  }

  @Test func zeroedRecords() {
    let blocks = expected(golden)
    for (index, record) in golden.records.enumerated() {
      var bytes = golden.bytes
      for place in record { bytes[place] = 0 }
      let result = steps(bytes)
      let intact = blocks.enumerated().filter { $0.offset != index }
      #expect(result.events == intact.flatMap { $0.element ?? [] }, "record \(index)")
      let range = UInt64(record.lowerBound)..<UInt64(record.upperBound)
      #expect(result.problems.first?.location == .bytes(range), "record \(index)")
    }
  }

  @Test func deletedRecords() {
    let blocks = expected(golden)
    for (index, record) in golden.records.enumerated() {
      var bytes = golden.bytes
      bytes.removeSubrange(record)
      let result = steps(bytes)
      let intact = blocks.enumerated().filter { $0.offset != index }
      #expect(result.events == intact.flatMap { $0.element ?? [] }, "record \(index)")
      if index < golden.records.count - 1 {
        #expect(!result.problems.isEmpty, "record \(index)")
      }
    }
  }

  @Test func duplicatedRecords() {
    for (index, record) in golden.records.enumerated() where index > 0 {
      var bytes = golden.bytes
      bytes.insert(contentsOf: golden.bytes[record], at: record.upperBound)
      let result = steps(bytes)
      let place = UInt64(record.upperBound)..<UInt64(record.upperBound + record.count)
      #expect(result.filter { !$0.isProblem } == golden.steps, "record \(index)")
      #expect(result.problems.map(\.location) == [.bytes(place)], "record \(index)")
    }
  }

  @Test func swappedBlocks() {
    let blocks = expected(golden)
    for index in 2..<golden.records.count - 1 {
      let (first, second) = (golden.records[index], golden.records[index + 1])
      var bytes = Array(golden.bytes[..<first.lowerBound])
      bytes += golden.bytes[second]
      bytes += golden.bytes[first]
      bytes += golden.bytes[second.upperBound...]
      let result = steps(bytes)
      var swapped = blocks
      swapped.swapAt(index, index + 1)
      #expect(result.events == swapped.flatMap { $0 ?? [] }, "record \(index)")
      #expect(result.problems.count == 2, "record \(index)")
    }
  }

  /// A writer that died in the middle of a block, and another that went on behind it.
  @Test func splicedRecords() {
    let blocks = expected(golden)
    for (index, record) in golden.records.enumerated() {
      for kept in [1, 5, 9, record.count / 2, record.count - 1] where kept < record.count {
        var bytes = golden.bytes
        bytes.removeSubrange(record.lowerBound + kept..<record.upperBound)
        let result = steps(bytes)
        let intact = blocks.enumerated().filter { $0.offset != index }
        #expect(result.events == intact.flatMap { $0.element ?? [] }, "record \(index), \(kept)")
      }
    }
  }

  @Test func damageIsReportedOnceAndCountsLostEvents() {
    var bytes = golden.bytes
    bytes[golden.boundaries[3] + 20] ^= 1
    bytes[golden.boundaries[4] + 20] ^= 1
    let problems = steps(bytes).problems
    #expect(problems.count == 1)
    #expect(
      problems.first?.location
        == .bytes(UInt64(golden.boundaries[3])..<UInt64(golden.boundaries[5])))
    #expect(problems.first?.message.hasSuffix("12 events are lost") == true)
  }

  @Test func lostBeginningOfASecondTraceDoesNotMixTraces() {
    let second = Golden.small(seed: 9)
    var bytes = golden.bytes + second.bytes
    for place in golden.bytes.count..<golden.bytes.count + second.boundaries[2] { bytes[place] = 0 }
    let result = steps(bytes)
    #expect(result.events == golden.steps.events + second.steps.events)
    #expect(result.headers == [golden.steps.headers[0], TraceHeader()])
  }

  @Test func garbageBetweenRecords() {
    var random = SeededGenerator(seed: 5)
    var bytes: [UInt8] = []
    for record in golden.records {
      bytes += golden.bytes[record]
      bytes += RecordFrame.syncWord
      for _ in 0..<50 { bytes.append(UInt8.random(in: .min ... .max, using: &random)) }
    }
    #expect(steps(bytes).events == golden.steps.events)
  }

  @Test func futureMajorVersionIsRefused() {
    var bytes = golden.bytes
    bytes[8] = 7
    let check = CRC32C.checksum(bytes.span, 0..<10)
    bytes[10] = UInt8(truncatingIfNeeded: check)
    bytes[11] = UInt8(truncatingIfNeeded: check >> 8)
    let result = steps(bytes)
    #expect(result.count == 1)
    #expect(result.problems.first?.consequence == .refused)
    #expect(result.problems.first?.message.contains("7.1") == true)
    #expect(result.problems.first?.message.contains("1.1") == true)
  }

  @Test func otherInputIsRefused() {
    let result = steps(Array("{\"not\":\"ours\"}\n".utf8))
    #expect(result.problems.map(\.consequence) == [.refused])
    #expect(steps([]).problems.map(\.consequence) == [.truncated])
  }

  @Test func unknownRecordTypes() {
    for (type, isReported) in [(0x90 as UInt8, false), (0x70, true)] {
      var bytes = Array(golden.bytes[..<golden.boundaries[2]])
      RecordFrame.append(type: type, sequence: 1, body: [1, 2, 3].span, to: &bytes)
      var decoder = LctraceDecoder(codec: .stored)
      let result = steps(bytes, decoder: &decoder)
      #expect(result.headers.count == 1)
      #expect(result.problems.isEmpty != isReported)
      #expect(decoder.statistics.skippedRecordCount == (isReported ? 0 : 1))
    }
  }

  @Test func aReservedRecordThatStandsThereTwiceIsNamedOnceMore() {
    var bytes = Array(golden.bytes[..<golden.boundaries[2]])
    for _ in 0..<2 {
      RecordFrame.append(type: 0x70, sequence: 1, body: [1, 2, 3].span, to: &bytes)
    }
    let problems = steps(bytes).problems
    #expect(problems.count == 2)
    #expect(Set(problems.map(\.location)).count == 2)
    #expect(problems.last?.message.contains("a second time") == true)
  }

  /// A block that is there and can't be read tells of those before it, and of its own events.
  @Test func lostEventsAreCountedByBlocksThatCannotBeRead() throws {
    let (prefix, tag) = HostileTests.prefix()
    var (summary, raw) = try HostileTests.block(seed: 3)
    summary.traceTag = tag
    summary.firstOrdinal = 100
    raw[raw.count - 1] ^= 0xFF
    raw.append(0)
    summary.rawByteCount = raw.count
    var bytes = prefix
    var body: [UInt8] = []
    summary.append(to: &body)
    body += HostileTests.stored(raw)
    RecordFrame.append(type: RecordType.block, sequence: 2, body: body.span, to: &bytes)
    var decoder = LctraceDecoder(codec: .stored)
    let problems = steps(bytes, decoder: &decoder).problems
    #expect(problems.contains { $0.message.contains("with 100 events are missing") })
    #expect(decoder.statistics.lostEventCount == 100 + summary.eventCount)
  }

  /// Places may be anything: the sum of what several traces lost has no bound.
  @Test func lostEventsOfManyTraces() throws {
    var (summary, raw) = try HostileTests.block(seed: 3)
    summary.firstOrdinal = Int(FormatLimits.ordinalMax)
    var bytes: [UInt8] = []
    for _ in 0..<6 { bytes += HostileTests.trace(summary, chunk: HostileTests.stored(raw)) }
    raw = []
    var decoder = LctraceDecoder(codec: .stored)
    #expect(steps(bytes, decoder: &decoder).events.count == 6 * summary.eventCount)
    #expect(decoder.statistics.lostEventCount == .max)
  }

  /// Thousands of false records, each claiming the largest body, must not cost their product.
  @Test(.timeLimit(.minutes(1))) func falseRecordsAreCheap() {
    var bytes = Array(golden.bytes[..<golden.boundaries[2]])
    let start = bytes.count
    while bytes.count < start + 300_000 {
      bytes += RecordFrame.syncWord + [RecordType.block, 0]
      bytes.appendVarint(1)
      bytes.appendVarint(1_000_000)
    }
    bytes += [UInt8](repeating: 1, count: 1_100_000)
    bytes += golden.bytes[golden.boundaries[2]...]
    #expect(steps(bytes, chunks: [65_536]).events == golden.steps.events)
  }
}
