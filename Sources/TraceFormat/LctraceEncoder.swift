// Writes traces: header and batches in, bytes of a `.lctrace` file out.

public import TraceModel

/// Writes the binary format.
///
///     var encoder = LctraceEncoder(codec: .stored)
///     encoder.begin(header)
///     encoder.consume(batch)
///     encoder.end()
///     write(encoder.output)
///
/// The same calls give the same bytes. A batch becomes one block, or several if it is too large.
public struct LctraceEncoder: TraceEncoder {
  /// The bytes since the caller last emptied it.
  public var output: [UInt8] = []
  /// The anchors that the next header carries.
  public var clockAnchors: [ClockAnchor] = []

  private var blocks: BlockWriter
  private var body: [UInt8] = []
  private var index = IndexWriter()
  /// The place in the file of the next record.
  private var fileOffset: UInt64 = 0
  private var nextSequence: UInt32 = 0
  private var nextOrdinal = 0
  private var traceTag: UInt32 = 0
  private var hasBegun = false

  /// - Parameters:
  ///   - codec: Compresses the blocks.
  ///   - columnEventsMin: The least number of events of a block of columns; smaller ones are rows.
  public init(codec: ChunkCodec, columnEventsMin: Int = FormatLimits.columnEventsMin) {
    blocks = BlockWriter(codec: codec, columnEventsMin: columnEventsMin)
  }

  /// Begins a trace. Header fields beyond 1 MiB are left out.
  public mutating func begin(_ header: TraceHeader) {
    endTrace()
    hasBegun = true
    index.beginTrace(at: fileOffset)
    FileSignature.append(to: &output)
    fileOffset += UInt64(FileSignature.byteCount)
    nextSequence = 0
    nextOrdinal = 0
    body.removeAll(keepingCapacity: true)
    HeaderBody.append(header, anchors: clockAnchors, to: &body)
    traceTag = appendRecord(RecordType.header)
  }

  /// Writes a batch as a block. Lines aren't stored: they belong to the text that the events were
  /// read from. Places are counted anew.
  public mutating func consume(_ batch: EventBatch) {
    if !hasBegun { begin(TraceHeader()) }
    guard batch.count > 0 else { return }
    if !appendBlock(batch) {
      var pieces = BatchPieces(batch)
      var piece = EventBatch()
      while pieces.next(into: &piece) {
        if !appendBlock(piece) { pieces.halve() }
      }
    }
  }

  public mutating func end() {
    if !hasBegun { begin(TraceHeader()) }
    endTrace()
  }

  private mutating func endTrace() {
    if index.isWorthwhile { appendIndex() }
  }

  private mutating func appendBlock(_ batch: EventBatch) -> Bool {
    body.removeAll(keepingCapacity: true)
    guard
      let summary = blocks.append(
        batch, firstOrdinal: nextOrdinal, traceTag: traceTag, to: &body)
    else { return false }
    let start = fileOffset
    appendRecord(RecordType.block)
    nextOrdinal += batch.count
    index.add(summary, at: start, recordByteCount: Int(fileOffset - start))
    if index.isFull { appendIndex() }
    return true
  }

  private mutating func appendIndex() {
    body.removeAll(keepingCapacity: true)
    index.append(at: fileOffset, sequence: nextSequence, to: &body)
    appendRecord(RecordType.index)
  }

  @discardableResult
  private mutating func appendRecord(_ type: UInt8) -> UInt32 {
    let before = output.count
    // A second reference, so that reading it isn't an access to the whole encoder; no copy.
    let body = body
    let checksum = RecordFrame.append(
      type: type, sequence: nextSequence, body: body.span, to: &output)
    fileOffset += UInt64(output.count - before)
    nextSequence &+= 1
    return checksum
  }
}
