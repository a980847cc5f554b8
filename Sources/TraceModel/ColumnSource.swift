// How the engine sees a block: templates now, times and arguments on demand.
// This file must not know how a block is stored.

/// A block of events that is opened column by column.
///
/// The template column is there from the start. A source that decodes lazily does so in
/// ``loadTimes()`` and ``loadArguments()``, which the engine calls once, before it first asks for
/// a time or an argument of the block.
public protocol ColumnSource {
  associatedtype Failure: Error
  /// Dictionary and, once loaded, columns. Its template column is valid from the start.
  var batch: EventBatch { get }
  /// What is known of the block's times before they are loaded; nil if nobody vouches for it.
  var outline: BlockOutline? { get }
  mutating func loadTimes() throws(Failure)
  mutating func loadArguments() throws(Failure)
}

/// The times of a block that stands in order: no event of it is earlier than the one before, no
/// event before the block is later than its first, and none after it earlier than its last.
public struct BlockOutline: Sendable {
  public var earliestNanoseconds: Int64
  public var latestNanoseconds: Int64
  /// Reads the block whole, as its last event may be evidence later on; nil if it can't be read.
  public var readWhole: @Sendable () -> EventBatch?

  public init(
    earliestNanoseconds: Int64, latestNanoseconds: Int64,
    readWhole: @escaping @Sendable () -> EventBatch?
  ) {
    self.earliestNanoseconds = earliestNanoseconds
    self.latestNanoseconds = latestNanoseconds
    self.readWhole = readWhole
  }
}

extension ColumnSource {
  public var outline: BlockOutline? { nil }
}

extension EventBatch: ColumnSource {
  @inlinable
  public var batch: EventBatch { self }
  @inlinable
  public mutating func loadTimes() throws(Never) {}
  @inlinable
  public mutating func loadArguments() throws(Never) {}
}
