// Reads single blocks, in any order and in parallel, from records that an index led to.

public import TraceModel

/// Reads one block at a time. Keep one for each thread: it reuses its memory.
public struct LctraceBlockReader: Sendable {
  private var blocks: BlockReader

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
}
