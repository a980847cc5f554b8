// A block record's body: header, then dictionary and events as one compressed chunk.
// Decoding checks everything before a batch is handed out, so that nobody has to check again.

import TraceModel

/// Turns batches into bodies of block records.
struct BlockWriter: Sendable {
  private var codec: ChunkCodec
  private var storedCodec = ChunkCodec.stored
  private var raw: [UInt8] = []
  private var chunk: [UInt8] = []

  init(codec: ChunkCodec) { self.codec = codec }

  /// Appends the body of a block with these events, which mustn't be none. Returns what its header
  /// says; nil, and nothing appended, if the events are too many for one block.
  mutating func append(
    _ batch: EventBatch, firstOrdinal: Int, traceTag: UInt32, to output: inout [UInt8]
  ) -> BlockSummary? {
    guard batch.count <= FormatLimits.eventsMax,
      batch.argumentBits.count <= FormatLimits.argumentsMax,
      batch.templates.count <= FormatLimits.templatesMax,
      batch.threads.count <= FormatLimits.threadsMax,
      batch.strings.bytes.count <= FormatLimits.stringPoolBytesMax,
      batch.kindNames.count <= BatchLimits.unknownNamesFull + FormatLimits.argumentsPerEventMax,
      batch.argumentNames.count <= BatchLimits.unknownNamesFull + FormatLimits.argumentsPerEventMax
    else { return nil }
    var summary = BlockSummary(of: batch)
    raw.removeAll(keepingCapacity: true)
    BlockDictionary.append(batch, to: &raw)
    raw.appendVarint(batch.argumentBits.count)
    RowCoding.append(batch, from: summary.earliestTicks, to: &raw)
    guard raw.count <= FormatLimits.blockRawBytesMax else { return nil }
    // A second reference, so that reading it isn't an access to the whole writer; no copy.
    let raw = raw
    chunk.removeAll(keepingCapacity: true)
    codec.compress(raw.span, into: &chunk)
    summary.codec = codec.identifier
    if chunk.count >= raw.count, codec.identifier != storedCodec.identifier {
      chunk.removeAll(keepingCapacity: true)
      storedCodec.compress(raw.span, into: &chunk)
      summary.codec = storedCodec.identifier
    }
    summary.traceTag = traceTag
    summary.firstOrdinal = firstOrdinal
    summary.rawByteCount = raw.count
    summary.storedByteCount = chunk.count
    summary.append(to: &output)
    output.append(copying: chunk.span)
    return summary
  }
}

/// Turns bodies of block records into batches.
struct BlockReader: Sendable {
  private var codec: ChunkCodec
  private var storedCodec = ChunkCodec.stored
  private var raw: [UInt8] = []
  private var plan = RowPlan()

  init(codec: ChunkCodec) { self.codec = codec }

  /// Decodes a block whose header was read, and whose chunk begins at an offset of the body.
  /// The batch is empty if it throws.
  mutating func read(
    _ body: Span<UInt8>, at offset: Int, _ summary: BlockSummary, into batch: inout EventBatch
  ) throws(FormatDamage) {
    batch.removeAll()
    do throws(FormatDamage) {
      guard summary.encoding == BlockSummary.rowEncoding else {
        throw FormatDamage(
          "its events are laid out in a way (\(summary.encoding)) of a later version")
      }
      try decompress(body.extracting(offset..<body.count), summary)
      try readContent(summary, into: &batch)
    } catch {
      batch.removeAll()
      throw error
    }
  }

  private mutating func decompress(
    _ chunk: Span<UInt8>, _ summary: BlockSummary
  ) throws(FormatDamage) {
    raw.removeAll(keepingCapacity: true)
    do throws(CodecError) {
      if summary.codec == storedCodec.identifier {
        try storedCodec.decompress(chunk, rawByteCount: summary.rawByteCount, into: &raw)
      } else if summary.codec == codec.identifier {
        try codec.decompress(chunk, rawByteCount: summary.rawByteCount, into: &raw)
      } else {
        let name = summary.codec == 2 ? "zstd" : "number \(summary.codec)"
        throw CodecError(
          .refused, at: 0, "it needs the codec \(name), which this reader doesn't have")
      }
    } catch { throw FormatDamage(error.message) }
  }

  private mutating func readContent(
    _ summary: BlockSummary, into batch: inout EventBatch
  ) throws(FormatDamage) {
    // A second reference, so that reading it isn't an access to the whole reader; no copy.
    let raw = raw
    let bytes = raw.span
    var offset = 0
    try BlockDictionary.read(bytes, &offset, into: &batch)
    guard batch.threads.count == summary.threadCount else {
      throw FormatDamage(
        "it holds \(batch.threads.count) threads, its header declares \(summary.threadCount)")
    }
    for template in batch.templates where !summary.kinds.contains(template.kind) {
      throw FormatDamage("it holds a kind that its header doesn't declare")
    }
    // Every event takes two bytes at least, every argument one: this bounds the columns by the
    // bytes that are really there.
    let argumentCount = try ByteReader.count(
      bytes, &offset, max: FormatLimits.argumentsMax, "arguments")
    guard summary.eventCount * 2 + argumentCount <= bytes.count - offset else {
      throw FormatDamage("it declares more events and arguments than it holds")
    }
    plan.prepare(batch)
    let bounds = try RowCoding.read(
      bytes, &offset, eventCount: summary.eventCount, argumentCount: argumentCount,
      from: summary.earliestTicks, plan: plan, into: &batch)
    guard offset == bytes.count else { throw FormatDamage("bytes follow its last event") }
    guard bounds.earliest == summary.earliestTicks, bounds.latest == summary.latestTicks,
      bounds.isNonDecreasing || !summary.quality.isNonDecreasing
    else { throw FormatDamage("the times of its events contradict its header") }
    batch.firstOrdinal = summary.firstOrdinal
    if summary.tickRate.numerator != summary.tickRate.denominator {
      for index in batch.timesNanoseconds.indices {
        batch.timesNanoseconds[index] = summary.tickRate.nanoseconds(batch.timesNanoseconds[index])
      }
    }
    repairJSON(&batch)
  }

  /// Replaces JSON arguments that aren't JSON by JSON strings, so that they may be printed as they
  /// stand.
  private func repairJSON(_ batch: inout EventBatch) {
    guard batch.slots.contains(where: { $0.type == .json }) else { return }
    // The number to use instead of each text of the block; 0 where it isn't known yet.
    var replacements = [UInt32](repeating: 0, count: batch.strings.count)
    for event in 0..<batch.count {
      let template = batch.templates[Int(batch.templateIndices[event])]
      for place in 0..<Int(template.slotCount)
      where batch.slots[Int(template.firstSlot) + place].type == .json {
        let argument = Int(batch.argumentStarts[event]) + place
        let text = Int(batch.argumentBits[argument])
        if replacements[text] == 0 {
          replacements[text] = UInt32(jsonText(text, of: &batch.strings) + 1)
        }
        batch.argumentBits[argument] = UInt64(replacements[text] - 1)
      }
    }
  }

  /// The number of the JSON text for a text: itself, or a quoted one that is added.
  private func jsonText(_ text: Int, of strings: inout StringPool) -> Int {
    let range = strings.range(at: text)
    if JSONText.isCompact(strings.bytes.span.extracting(range)) { return text }
    let quoted = JSONText.quoted(strings.bytes.span.extracting(range))
    // Quoting makes a text at most six times as long; the pool keeps its bound all the same.
    guard strings.bytes.count + quoted.count <= 2 * FormatLimits.stringPoolBytesMax else {
      return null(&strings)
    }
    strings.append(quoted.span)
    return strings.count - 1
  }

  private func null(_ strings: inout StringPool) -> Int {
    strings.append([UInt8]("null".utf8).span)
    return strings.count - 1
  }
}
