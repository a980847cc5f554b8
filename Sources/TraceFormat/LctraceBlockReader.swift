// Reads single blocks, in any order and in parallel, from records that an index led to.

public import TraceModel

/// Reads one block at a time. Keep one for each thread: it reuses its memory.
public struct LctraceBlockReader: Sendable {
  private var blocks: BlockReader
  /// The block of which only the templates were read: its body's place in the record, that of its
  /// chunk in the body, and its header.
  private var rest: (body: Range<Int>, chunkOffset: Int, summary: BlockSummary)?

  public init(codec: ChunkCodec) { blocks = BlockReader(codec: codec) }

  /// Reads the block of a whole record, which need not be intact.
  ///
  /// - Parameters:
  ///   - record: The record's bytes, from its sync word to its checksum.
  ///   - offset: The record's place in the file, for messages.
  ///   - parts: What of the events is needed. Columns that aren't are not opened, and their errors
  ///     not noticed; rows are read whole.
  ///   - batch: Replaced by the block's events, or emptied.
  /// - Throws: What is wrong with the record.
  public mutating func read(
    _ record: Span<UInt8>, at offset: UInt64, parts: BlockParts = .all,
    into batch: inout EventBatch
  ) throws(InputProblem) -> BlockSummary {
    batch.removeAll()
    rest = nil
    let (end, overflow) = offset.addingReportingOverflow(UInt64(record.count))
    let range = offset..<(overflow ? .max : end)
    guard case .present(let frame) = RecordFrame.probe(record, at: 0),
      frame.end == record.count, frame.type == RecordType.block,
      CRC32C.checksum(record, frame.checked) == frame.storedChecksum(record)
    else {
      throw InputProblem(.skipped, at: .bytes(range), "These bytes aren't an intact block record")
    }
    do throws(FormatDamage) {
      let body = record.extracting(frame.body)
      var place = 0
      var summary = try BlockSummary(body, &place)
      summary.storedByteCount = body.count - place
      try blocks.read(body, at: place, summary, parts: parts, into: &batch)
      return summary
    } catch {
      throw InputProblem(
        .skipped, at: .bytes(range), "A block of events can't be read: \(error.message)")
    }
  }

  /// Reads the templates of a block, so that the rest can be read later.
  ///
  /// - Parameters:
  ///   - record: The record's bytes, from its sync word to its checksum, which is compared.
  ///   - offset: The record's place in the file, for messages.
  ///   - batch: Replaced by the block's dictionary and templates; by the whole block if it is one
  ///     of rows.
  /// - Throws: What is wrong with the record.
  public mutating func readTemplates(
    _ record: Span<UInt8>, at offset: UInt64, into batch: inout EventBatch
  ) throws(InputProblem) -> BlockSummary {
    let summary = try read(record, at: offset, parts: .toBeContinued, into: &batch)
    if case .present(let frame) = RecordFrame.probe(record, at: 0) {
      rest = (frame.body, frame.body.count - summary.storedByteCount, summary)
    }
    return summary
  }

  /// Reads the rest of the block of which ``readTemplates(_:at:into:)`` has read the templates.
  /// Nothing is left of the batch if it throws.
  public mutating func readRest(
    _ record: Span<UInt8>, at offset: UInt64, into batch: inout EventBatch
  ) throws(InputProblem) {
    guard let (body, chunkOffset, summary) = rest else { return }
    rest = nil
    guard body.upperBound <= record.count else { preconditionFailure("another record") }
    do throws(FormatDamage) {
      try blocks.readRest(
        record.extracting(body), at: chunkOffset, summary, into: &batch)
    } catch {
      throw InputProblem(
        .skipped, at: .bytes(offset..<offset), "A block of events can't be read: \(error.message)")
    }
  }
}
