// What the recorder keeps for each thread: words in memory of the process's own, one row each.
// This file must not know what an event is.

import CTraceAtomics

/// The row of a thread. Only its thread writes it, but for the words said to be shared.
@safe struct ThreadState {
  /// The places of the words.
  private enum Word {
    /// Shared: 1 while its thread is inside an append.
    static let busy = 0
    /// Shared: 1 if a thread owns the row.
    static let owned = 1
    /// Shared: appends that came while an append of the same thread was under way, not yet
    /// counted among the thread's numbers.
    static let nested = 2
    /// Shared: appends that weren't recorded.
    static let dropped = 3
    static let turn = 4
    /// The next slot of the chunk, and the one behind its last.
    static let next = 5
    static let end = 6
    /// Events of the chunk.
    static let ordinal = 7
    /// The number of the thread's next event, from 1.
    static let sequence = 8
    static let thread = 9
    /// One more than the number of a chunk that was reserved before its segment was ready.
    static let ticket = 10
  }

  /// A row and nothing else in two cache lines: processors fetch them in pairs.
  static let wordCount = 16

  let words: UnsafeMutablePointer<UInt64>

  /// Begins an append. False if this thread is inside one already: a signal handler came.
  ///
  /// A full barrier makes sure that whoever closes a turn afterwards sees this thread as busy, or
  /// this thread sees the turn as closed. It stands here, or with who closes the turn: see
  /// ``JournalCore/waitForAppends()``. A handler that comes between the load and the store has left
  /// its own append when the store is made.
  @inline(__always)
  func enter(withBarrier: Bool) -> Bool {
    if withBarrier { return unsafe lct_exchange(words + Word.busy, 1) == 0 }
    if isInside { return false }
    unsafe lct_store_relaxed(words + Word.busy, 1)
    lct_keep_order()
    return true
  }

  @inline(__always)
  private var isInside: Bool { unsafe lct_load_relaxed(words + Word.busy) != 0 }

  @inline(__always)
  func leave() { unsafe lct_store_release(words + Word.busy, 0) }

  var isBusy: Bool { unsafe lct_load_ordered(words + Word.busy) != 0 }

  /// Takes a free row. False if another thread has it.
  func claim() -> Bool { unsafe lct_compare_exchange(words + Word.owned, 0, 1) != 0 }

  func giveBack() { unsafe lct_store_release(words + Word.owned, 0) }

  var isOwned: Bool { unsafe lct_load_acquire(words + Word.owned) != 0 }

  /// Makes the row as good as new for another journal; its thread goes on owning it.
  func reset() {
    for word in Word.nested...Word.ticket { unsafe lct_store_relaxed(words + word, 0) }
    sequence = 1
  }

  func countNested() { unsafe _ = lct_fetch_add(words + Word.nested, 1) }

  var hasNested: Bool { unsafe lct_load_relaxed(words + Word.nested) != 0 }

  /// Takes the nested appends into the thread's numbers, where they leave a gap.
  func settleNested() {
    let count = unsafe lct_exchange(words + Word.nested, 0)
    sequence &+= count
    unsafe _ = lct_fetch_add(words + Word.dropped, count)
    end = 0
  }

  /// Leaves a gap in the thread's numbers for an event that isn't recorded.
  func drop() {
    sequence &+= 1
    unsafe _ = lct_fetch_add(words + Word.dropped, 1)
    end = 0
  }

  var droppedCount: UInt64 {
    unsafe lct_load_relaxed(words + Word.dropped) &+ lct_load_relaxed(words + Word.nested)
  }

  // The words below are read and written by the owner alone, inside its appends.

  @inline(__always)
  var turn: UInt64 {
    get { unsafe words[Word.turn] }
    nonmutating set { unsafe words[Word.turn] = newValue }
  }
  @inline(__always)
  var next: Int {
    get { unsafe Int(truncatingIfNeeded: words[Word.next]) }
    nonmutating set { unsafe words[Word.next] = UInt64(truncatingIfNeeded: newValue) }
  }
  @inline(__always)
  var end: Int {
    get { unsafe Int(truncatingIfNeeded: words[Word.end]) }
    nonmutating set { unsafe words[Word.end] = UInt64(truncatingIfNeeded: newValue) }
  }
  @inline(__always)
  var ordinal: Int {
    get { unsafe Int(truncatingIfNeeded: words[Word.ordinal]) }
    nonmutating set { unsafe words[Word.ordinal] = UInt64(truncatingIfNeeded: newValue) }
  }
  @inline(__always)
  var sequence: UInt64 {
    get { unsafe words[Word.sequence] }
    nonmutating set { unsafe words[Word.sequence] = newValue }
  }
  var thread: UInt64 {
    get { unsafe words[Word.thread] }
    nonmutating set { unsafe words[Word.thread] = newValue }
  }
  var ticket: UInt64 {
    get { unsafe words[Word.ticket] }
    nonmutating set { unsafe words[Word.ticket] = newValue }
  }
}
