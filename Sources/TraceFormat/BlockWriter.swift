// Batches to bodies of block records: a header, and the events as rows or as columns.

import TraceModel

/// Turns batches into bodies of block records.
struct BlockWriter: Sendable {
  private var codec: ChunkCodec
  private var storedCodec = ChunkCodec.stored
  /// Blocks of fewer events are written as rows.
  private let columnEventsMin: Int
  private var columns = ColumnBlockWriter()
  private var ticks: [Int64] = []
  private var raw: [UInt8] = []
  private var chunk: [UInt8] = []

  init(codec: ChunkCodec, columnEventsMin: Int = FormatLimits.columnEventsMin) {
    self.codec = codec
    self.columnEventsMin = columnEventsMin
  }

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
      batch.textsTake(atMost: FormatLimits.eventTextBytesMax),
      batch.kindNames.count <= BatchLimits.unknownNamesFull + FormatLimits.argumentsPerEventMax,
      batch.argumentNames.count <= BatchLimits.unknownNamesFull + FormatLimits.argumentsPerEventMax
    else { return nil }
    var summary = BlockSummary(of: batch)
    summary.tickRate = TickRate.best(for: batch.timesNanoseconds.span, into: &ticks)
    summary.earliestTicks = ticks.min() ?? 0
    summary.latestTicks = ticks.max() ?? 0
    summary.traceTag = traceTag
    summary.firstOrdinal = firstOrdinal
    chunk.removeAll(keepingCapacity: true)
    guard appendColumns(batch, &summary) || appendRows(batch, &summary) else { return nil }
    summary.storedByteCount = chunk.count
    summary.append(to: &output)
    output.append(copying: chunk.span)
    return summary
  }

  private mutating func appendColumns(_ batch: EventBatch, _ summary: inout BlockSummary) -> Bool {
    guard batch.count >= columnEventsMin,
      let sizes = columns.append(
        batch, ticks: ticks, from: summary.earliestTicks, codec: &codec, to: &chunk)
    else { return false }
    summary.encoding = BlockSummary.columnEncoding
    summary.codec = codec.identifier
    summary.columns = sizes
    summary.rawByteCount = sizes.reduce(0) { $0 + $1.rawByteCount }
    return true
  }

  private mutating func appendRows(_ batch: EventBatch, _ summary: inout BlockSummary) -> Bool {
    raw.removeAll(keepingCapacity: true)
    BlockDictionary.append(batch, to: &raw)
    raw.appendVarint(batch.argumentBits.count)
    // A second reference, so that reading it isn't an access to the whole writer; no copy.
    let ticks = ticks
    RowCoding.append(batch, ticks: ticks.span, from: summary.earliestTicks, to: &raw)
    guard raw.count <= FormatLimits.blockRawBytesMax else { return false }
    let raw = raw
    codec.compress(raw.span, into: &chunk)
    summary.codec = codec.identifier
    if chunk.count >= raw.count, codec.identifier != storedCodec.identifier {
      chunk.removeAll(keepingCapacity: true)
      storedCodec.compress(raw.span, into: &chunk)
      summary.codec = storedCodec.identifier
    }
    summary.rawByteCount = raw.count
    return true
  }
}
