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
  mutating func loadTimes() throws(Failure)
  mutating func loadArguments() throws(Failure)
}

extension EventBatch: ColumnSource {
  @inlinable
  public var batch: EventBatch { self }
  @inlinable
  public mutating func loadTimes() throws(Never) {}
  @inlinable
  public mutating func loadArguments() throws(Never) {}
}
