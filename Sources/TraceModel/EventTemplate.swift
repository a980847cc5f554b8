// What events of one shape share, stated once per block.
// This file must not know how templates are stored in a file.

/// One argument of a template: its name, and how its 64 bits are to be read.
public struct ArgumentSlot: Hashable, Sendable {
  public var name: ArgumentName
  public var type: ArgumentType

  @inlinable
  public init(name: ArgumentName, type: ArgumentType) {
    self.name = name
    self.type = type
  }
}

/// What all events of one shape in a block share: kind, phase, thread, and the names and types of
/// their arguments.
public struct EventTemplate: Hashable, Sendable {
  public var kind: EventKind
  public var phase: Phase
  /// The place of the thread in ``EventBatch/threads``.
  public var thread: UInt16
  /// The number of arguments.
  public var slotCount: UInt16
  /// The place of the first argument in ``EventBatch/slots``.
  public var firstSlot: UInt32

  @inlinable
  public init(kind: EventKind, phase: Phase, thread: UInt16, slotCount: UInt16, firstSlot: UInt32) {
    self.kind = kind
    self.phase = phase
    self.thread = thread
    self.slotCount = slotCount
    self.firstSlot = firstSlot
  }
}

/// A thread of a block.
public struct ThreadEntry: Hashable, Sendable {
  /// The thread's identifier; 1 is the main thread unless a `trace.thread` event says otherwise.
  public var id: Int64
  /// The number of the thread's first event in the block, counted from 1 over the whole
  /// recording; the thread's other events in the block follow it without a gap. 0: not numbered.
  public var firstSequence: UInt64

  @inlinable
  public init(id: Int64, firstSequence: UInt64 = 0) {
    self.id = id
    self.firstSequence = firstSequence
  }
}
