// The last event that a thread dropped: its slots in the table behind the ring.
// A gap in the numbers of a thread shows a drop only where a later event of it was recorded; this
// shows the drops at the end of a thread.

import TraceModel

/// The last of some events in a row that a thread dropped.
public struct JournalDrop: Hashable, Sendable {
  /// The thread in the upper 16 bits, the number of the dropped event in the lower 48.
  public var threadAndSequence: UInt64
  /// When the first of them was dropped.
  public var timeNanoseconds: Int64
  /// The turn of the ring that wasn't ready for them.
  public var turn: UInt64

  public init(threadAndSequence: UInt64, timeNanoseconds: Int64, turn: UInt64) {
    self.threadAndSequence = threadAndSequence
    self.timeNanoseconds = timeNanoseconds
    self.turn = turn
  }

  public var thread: UInt64 { threadAndSequence >> 48 }

  /// The last turn whose events are older than the drop: it is told with them.
  public var turnBefore: UInt64 { turn == 0 ? 0 : turn - 1 }

  /// The first slot of a pair in the table: the drop stands in it, its time in the slot behind.
  ///
  /// - Parameters:
  ///   - row: The row of the thread.
  ///   - isSecond: Which of the row's pairs.
  ///   - ringSlotCount: Slots of the ring.
  @inlinable
  public static func slot(row: Int, isSecond: Bool, ringSlotCount: Int) -> Int {
    ringSlotCount + row * JournalLayout.slotsPerDropRow + (isSecond ? 2 : 0)
  }
}
