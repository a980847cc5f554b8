// Records whose checksum is right and whose content lies: refused without a trap and without
// memory that follows the lie.

import Testing
import TraceCodecs
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct HostileTests {
  /// The prefix of a trace: signature and header.
  static func prefix() -> (bytes: [UInt8], tag: UInt32) {
    var encoder = LctraceEncoder(codec: .stored)
    encoder.begin(TraceHeader())
    var offset = encoder.output.count - 4
    let tag = (try? ByteReader.uint32(encoder.output.span, &offset)) ?? 0
    return (encoder.output, tag)
  }

  /// A trace of one block with this header and content, and a right checksum.
  static func trace(_ summary: BlockSummary, chunk: [UInt8]) -> [UInt8] {
    var (bytes, tag) = prefix()
    var summary = summary
    summary.traceTag = tag
    var body: [UInt8] = []
    summary.append(to: &body)
    body += chunk
    RecordFrame.append(type: RecordType.block, sequence: 1, body: body.span, to: &bytes)
    return bytes
  }

  static func stored(_ raw: [UInt8]) -> [UInt8] {
    var codec = ChunkCodec.stored
    var chunk: [UInt8] = []
    codec.compress(raw.span, into: &chunk)
    return chunk
  }

  /// The summary and the uncompressed content of a random block.
  static func block(seed: UInt64, count: Int = 12) throws -> (BlockSummary, [UInt8]) {
    var random = SeededGenerator(seed: seed)
    let batch = RandomTrace.batch(count: count, using: &random)
    var writer = BlockWriter(codec: .stored)
    var body: [UInt8] = []
    let summary = try #require(
      writer.append(batch, firstOrdinal: 0, traceTag: 0, to: &body))
    var raw: [UInt8] = []
    var codec = ChunkCodec.stored
    let chunk = Array(body.suffix(summary.storedByteCount))
    try codec.decompress(chunk.span, rawByteCount: summary.rawByteCount, into: &raw)
    return (summary, raw)
  }

  /// Whether every number in a batch leads somewhere, and every text may be printed.
  static func isSound(_ batch: EventBatch) -> Bool {
    let columns = [
      batch.timesNanoseconds.count, batch.argumentStarts.count, batch.templateIndices.count,
    ]
    guard columns.allSatisfy({ $0 == batch.count }) else { return false }
    for template in batch.templates {
      guard Int(template.thread) < batch.threads.count,
        Int(template.firstSlot) + Int(template.slotCount) <= batch.slots.count,
        template.kind.isKnown
          ? Vocabulary.description(of: template.kind) != nil
          : Int(template.kind.rawValue) - 1_024 < batch.kindNames.count
      else { return false }
    }
    for slot in batch.slots where !slot.name.isKnown || slot.name.knownText == nil {
      guard !slot.name.isKnown, Int(slot.name.rawValue) - 1_024 < batch.argumentNames.count else {
        return false
      }
    }
    for pool in [batch.strings, batch.kindNames, batch.argumentNames] {
      guard String(validating: pool.bytes, as: UTF8.self) != nil else { return false }
      for index in 0..<pool.count {
        guard String(validating: pool.bytes[pool.range(at: index)], as: UTF8.self) != nil else {
          return false
        }
      }
    }
    for event in 0..<batch.count {
      guard Int(batch.templateIndices[event]) < batch.templates.count else { return false }
      let template = batch.templates[Int(batch.templateIndices[event])]
      let start = Int(batch.argumentStarts[event])
      guard start + Int(template.slotCount) <= batch.argumentBits.count else { return false }
      for place in 0..<Int(template.slotCount) {
        let bits = batch.argumentBits[start + place]
        switch batch.slots[Int(template.firstSlot) + place].type {
        case .number: guard Double(bitPattern: bits).isFinite else { return false }
        case .boolean: guard bits <= 1 else { return false }
        case .string: guard bits < UInt64(batch.strings.count) else { return false }
        case .json:
          guard bits < UInt64(batch.strings.count) else { return false }
          let text = batch.strings.bytes.span.extracting(batch.strings.range(at: Int(bits)))
          guard JSONText.isCompact(text) else { return false }
        case .integer, .unsigned: break
        }
      }
    }
    return true
  }

  /// Decodes an input; nil if a batch isn't sound.
  static func outcome(_ bytes: [UInt8]) -> (batches: Int, problems: [InputProblem])? {
    var decoder = LctraceDecoder(codec: .zstd())
    var batch = EventBatch()
    var result = (batches: 0, problems: [InputProblem]())
    decoder.feed(bytes.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .batch:
        guard isSound(batch) else { return nil }
        result.batches += 1
      case .problem(let problem): result.problems.append(problem)
      case .end: return result
      default: break
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func mutatedContent(seed: UInt64) throws {
    let (summary, raw) = try Self.block(seed: seed)
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<400 {
      var content = raw
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<content.count, using: &random)
        content[place] =
          [0, 1, 0x7F, 0x80, 0xFF, .random(in: .min ... .max, using: &random)][
            Int.random(in: 0..<6, using: &random)]
      }
      var lie = summary
      if content.count != raw.count { lie.rawByteCount = content.count }
      let result = try #require(
        Self.outcome(Self.trace(lie, chunk: Self.stored(content))), "seed \(seed)")
      #expect(result.batches + result.problems.count >= 1, "seed \(seed)")
      accepted += result.batches
    }
    // A changed text or number is still a block; the test would be idle if nothing were accepted.
    #expect(accepted > 0, "seed \(seed)")
  }

  @Test func cutContent() throws {
    let (summary, raw) = try Self.block(seed: 3)
    for count in 0..<raw.count {
      var lie = summary
      lie.rawByteCount = count
      let result = try #require(
        Self.outcome(Self.trace(lie, chunk: Self.stored(Array(raw[..<count])))))
      #expect(result.batches == 0)
      #expect(result.problems.count == 1)
    }
  }

  @Test func mutatedBlockHeaders() throws {
    let (summary, raw) = try Self.block(seed: 4)
    let whole = Self.trace(summary, chunk: Self.stored(raw))
    var header: [UInt8] = []
    summary.append(to: &header)
    let (start, tag) = Self.prefix()
    for place in 0..<header.count {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var body = header
        body[place] = value
        body += Self.stored(raw)
        var bytes = start
        RecordFrame.append(type: RecordType.block, sequence: 1, body: body.span, to: &bytes)
        _ = try #require(Self.outcome(bytes))
      }
    }
    #expect(Self.outcome(whole)?.batches == 1)
    #expect(tag != 0)
  }

  @Test(arguments: [
    FormatLimits.blockRawBytesMax + 1, 10 << 30, Int.max, FormatLimits.blockRawBytesMax, 0, 5,
  ])
  func liesAboutTheRawSize(size: Int) throws {
    let (summary, raw) = try Self.block(seed: 5)
    var zstd = ChunkCodec.zstd()
    var compressed: [UInt8] = []
    zstd.compress(raw.span, into: &compressed)
    for (codec, chunk) in [(1 as UInt8, Self.stored(raw)), (2, compressed)] {
      var lie = summary
      lie.rawByteCount = size
      lie.codec = codec
      let result = try #require(Self.outcome(Self.trace(lie, chunk: chunk)))
      #expect(result.batches == 0)
      #expect(result.problems.map(\.consequence) == [.skipped])
    }
  }

  @Test func liesAboutSummaries() throws {
    let (summary, raw) = try Self.block(seed: 6)
    let chunk = Self.stored(raw)
    let lies: [(inout BlockSummary) -> Void] = [
      { $0.eventCount += 1 }, { $0.eventCount -= 1 }, { $0.eventCount = 65_536 },
      { $0.earliestTicks -= 1 }, { $0.latestTicks += 1 }, { $0.kinds = KindSet() },
      { $0.threadCount += 1 }, { $0.encoding = 9 }, { $0.codec = 9 },
      { $0.quality.isNonDecreasing = true },
    ]
    for (index, lie) in lies.enumerated() {
      var changed = summary
      lie(&changed)
      let result = try #require(Self.outcome(Self.trace(changed, chunk: chunk)))
      #expect(result.batches == 0, "lie \(index)")
      #expect(result.problems.count == 1, "lie \(index)")
    }
  }

  @Test func storedReaderNamesTheMissingCodec() {
    let golden = Golden.small(blocks: 1, codec: .zstd())
    var random = SeededGenerator(seed: 1)
    let batch = RandomTrace.batch(count: 500, using: &random)
    let large = Golden(header: TraceHeader(), batches: [batch], codec: .zstd())
    #expect(steps(golden.bytes, codec: .zstd()) == golden.steps)
    let problems = steps(large.bytes, codec: .stored).problems
    #expect(problems.count == 1)
    #expect(problems.first?.message.contains("zstd") == true)
  }

  @Test func hostileHeaders() throws {
    var random = SeededGenerator(seed: 7)
    var body: [UInt8] = []
    HeaderBody.append(
      RandomTrace.header(using: &random),
      anchors: [
        ClockAnchor(
          continuousNanoseconds: 1, uptimeNanoseconds: 2, wallNanoseconds: .max,
          utcOffsetSeconds: -3_600)
      ], to: &body)
    for place in 0..<body.count {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = body
        changed[place] = value
        var bytes: [UInt8] = []
        FileSignature.append(to: &bytes)
        RecordFrame.append(type: RecordType.header, sequence: 0, body: changed.span, to: &bytes)
        let result = steps(bytes)
        #expect(result.headers.count == 1)
        for field in result.headers[0].unknownFields {
          let json = Array(field.json.utf8)
          let isJSON = JSONText.isCompact(json.span)
          #expect(isJSON)
        }
      }
    }
  }

  @Test func invalidJSONBecomesAString() throws {
    var assembler = BatchAssembler()
    assembler.begin(.traceMarker, .instant, thread: 1, timeNanoseconds: 0)
    assembler.add(.text, .json("{\"a\":\n}"))
    assembler.add(.name, .string("{\"a\":\n}"))
    assembler.add(.x, .number(.nan))
    assembler.add(.y, .number(-.infinity))
    assembler.endEvent()
    let golden = Golden(header: TraceHeader(), batches: [assembler.batch])
    let arguments = try #require(steps(golden.bytes).events.first).arguments.map(\.value)
    #expect(
      arguments == [
        .json("\"{\\\"a\\\":\\u000a}\""), .string("{\"a\":\n}"), .number(0),
        .number(-.greatestFiniteMagnitude),
      ])
  }
}
