// Bodies of block records to batches. Everything is checked before a batch is handed out, so that
// nobody has to check again.

import TraceModel

/// Turns bodies of block records into batches.
struct BlockReader: Sendable {
  private var frames: FrameReader
  private var columns = ColumnBlockReader()
  private var raw: [UInt8] = []
  private var plan = RowPlan()

  init(codec: ChunkCodec) { frames = FrameReader(codec: codec) }

  /// Decodes a block whose header was read, and whose chunk begins at an offset of the body.
  /// The batch is empty if it throws. Rows are always read whole.
  mutating func read(
    _ body: Span<UInt8>, at offset: Int, _ summary: BlockSummary, parts: BlockParts = .all,
    into batch: inout EventBatch
  ) throws(FormatDamage) {
    batch.removeAll()
    do throws(FormatDamage) {
      let chunk = body.extracting(offset..<body.count)
      var parts = parts
      switch summary.encoding {
      case BlockSummary.rowEncoding:
        try readRows(chunk, summary, into: &batch)
        parts = .all
      case BlockSummary.columnEncoding:
        try columns.read(chunk, summary, parts: parts, &frames, into: &batch)
      default:
        throw FormatDamage(
          "its events are laid out in a way (\(summary.encoding)) of a later version")
      }
      batch.firstOrdinal = summary.firstOrdinal
      try finish(parts, summary, &batch)
    } catch {
      batch.removeAll()
      throw error
    }
  }

  /// Reads the times and arguments of the block of which the templates were read last. The batch
  /// is empty if it throws.
  mutating func readRest(
    _ body: Span<UInt8>, at offset: Int, _ summary: BlockSummary, into batch: inout EventBatch
  ) throws(FormatDamage) {
    guard summary.encoding == BlockSummary.columnEncoding else { return }
    do throws(FormatDamage) {
      let chunk = body.extracting(offset..<body.count)
      try columns.readRest(chunk, summary, parts: .all, &frames, into: &batch)
      try finish(.all, summary, &batch)
    } catch {
      batch.removeAll()
      throw error
    }
  }

  /// Checks and completes what was read.
  private func finish(
    _ parts: BlockParts, _ summary: BlockSummary, _ batch: inout EventBatch
  ) throws(FormatDamage) {
    if parts.contains(.times) { try checkTimes(&batch, summary) }
    guard parts.contains(.arguments) else { return }
    // Constants and short columns take few bytes, so only this bounds what the events stand for.
    guard batch.textsTake(atMost: FormatLimits.eventTextBytesMax) else {
      throw FormatDamage(
        "the texts of its events take more than \(FormatLimits.eventTextBytesMax) bytes")
    }
    repairJSON(&batch)
  }

  /// Compares a dictionary that was read with what the block's header says of it.
  static func check(_ batch: EventBatch, _ summary: BlockSummary) throws(FormatDamage) {
    guard batch.threads.count == summary.threadCount else {
      throw FormatDamage(
        "it holds \(batch.threads.count) threads, its header declares \(summary.threadCount)")
    }
    for template in batch.templates where !summary.kinds.contains(template.kind) {
      throw FormatDamage("it holds a kind that its header doesn't declare")
    }
  }

  private mutating func readRows(
    _ chunk: Span<UInt8>, _ summary: BlockSummary, into batch: inout EventBatch
  ) throws(FormatDamage) {
    raw.removeAll(keepingCapacity: true)
    try frames.append(chunk, rawByteCount: summary.rawByteCount, summary.codec, to: &raw)
    // A second reference, so that reading it isn't an access to the whole reader; no copy.
    let raw = raw
    let bytes = raw.span
    var offset = 0
    try BlockDictionary.read(bytes, &offset, into: &batch)
    try Self.check(batch, summary)
    // Every event takes two bytes at least, every argument one: this bounds the columns by the
    // bytes that are really there.
    let argumentCount = try ByteReader.count(
      bytes, &offset, max: FormatLimits.argumentsMax, "arguments")
    guard summary.eventCount * 2 + argumentCount <= bytes.count - offset else {
      throw FormatDamage("it declares more events and arguments than it holds")
    }
    plan.prepare(batch)
    try RowCoding.read(
      bytes, &offset, eventCount: summary.eventCount, argumentCount: argumentCount,
      from: summary.earliestTicks, plan: plan, into: &batch)
    guard offset == bytes.count else { throw FormatDamage("bytes follow its last event") }
  }

  /// Compares the times with what the block's header says of them, and makes them nanoseconds.
  private func checkTimes(
    _ batch: inout EventBatch, _ summary: BlockSummary
  ) throws(FormatDamage) {
    let bounds = TimeBounds(batch.timesNanoseconds.span)
    guard bounds.earliest == summary.earliestTicks, bounds.latest == summary.latestTicks,
      bounds.isNonDecreasing || !summary.quality.isNonDecreasing
    else { throw FormatDamage("the times of its events contradict its header") }
    if summary.tickRate.numerator != summary.tickRate.denominator {
      for index in batch.timesNanoseconds.indices {
        batch.timesNanoseconds[index] = summary.tickRate.nanoseconds(batch.timesNanoseconds[index])
      }
    }
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

/// What the times of a block are like.
struct TimeBounds {
  var earliest: Int64
  var latest: Int64
  var isNonDecreasing: Bool

  init(_ times: Span<Int64>) {
    earliest = times.isEmpty ? 0 : times[0]
    latest = times.isEmpty ? 0 : times[times.count - 1]
    isNonDecreasing = Self.isNonDecreasing(times)
    if isNonDecreasing { return }
    for index in times.indices {
      earliest = min(earliest, times[index])
      latest = max(latest, times[index])
    }
  }

  private static func isNonDecreasing(_ times: Span<Int64>) -> Bool {
    var previous = Int64.min
    for index in times.indices {
      let time = times[index]
      if time < previous { return false }
      previous = time
    }
    return true
  }
}
