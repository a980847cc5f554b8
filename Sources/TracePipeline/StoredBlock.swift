// A block of a file as the rules take it: its templates, and the rest when somebody asks.
// This file must not know who asks.

import TraceCodecs
import TraceFormat
public import TraceModel

/// A block of a binary trace that is opened column by column. Reused from block to block.
public struct StoredBlock: ColumnSource {
  public private(set) var batch = EventBatch()
  public private(set) var outline: BlockOutline?
  /// The place of its record in the file.
  private(set) var offset: UInt64 = 0
  private var reader = LctraceBlockReader(codec: .zstd())
  private var record: [UInt8] = []
  private var summary: BlockSummary?
  private var isInOrder = false
  private var isLoaded = false

  init() {}

  /// Turns to the block that an index led to.
  ///
  /// - Parameter isInOrder: Whether the blocks of the trace, and the events in them, stand in order
  ///   of time.
  mutating func begin(_ block: LctraceIndexEntry, isInOrder: Bool) {
    offset = block.offset
    summary = block.summary
    self.isInOrder = isInOrder
    isLoaded = false
    outline = nil
  }

  /// Reads the templates of the block from its record; false if it isn't the one described.
  mutating func read(_ record: [UInt8]?) -> Bool {
    guard let record,
      (try? reader.readTemplates(record.span, at: offset, into: &batch)) == summary
    else { return false }
    self.record = record
    describe()
    return true
  }

  /// Takes the block as another thread has read it; false if it isn't the one described.
  mutating func take(_ block: BlockFile.Block?) -> Bool {
    guard let block, block.summary == summary else { return read(block?.record) }
    batch = block.batch
    record = block.record
    isLoaded = true
    describe()
    return true
  }

  private mutating func describe() {
    guard isInOrder, let summary else { return }
    let (record, offset) = (record, offset)
    outline = BlockOutline(
      earliestNanoseconds: summary.earliestNanoseconds,
      latestNanoseconds: summary.latestNanoseconds,
      readWhole: {
        var reader = LctraceBlockReader(codec: .zstd())
        var batch = EventBatch()
        return (try? reader.read(record.span, at: offset, into: &batch)).map { _ in batch }
      })
  }

  /// Reads the whole block; false if it can't be read.
  mutating func load() -> Bool {
    do throws(InputProblem) {
      try loadTimes()
      return true
    } catch {
      return false
    }
  }

  // Both columns are read at once: who needs times needs arguments, too.

  public mutating func loadTimes() throws(InputProblem) {
    if isLoaded { return }
    isLoaded = true
    // A second reference, so that reading it isn't an access to the whole block; no copy.
    let record = record
    try reader.readRest(record.span, at: offset, into: &batch)
  }

  public mutating func loadArguments() throws(InputProblem) { try loadTimes() }
}
