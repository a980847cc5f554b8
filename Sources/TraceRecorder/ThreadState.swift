// What the recorder keeps for each thread: words in memory of the process's own, one row each.
// This file must not know what an event is.

import CTraceAtomics
import TraceFormat

/// The row of a thread. Only its thread writes it, but for the words said to be shared.
@safe struct ThreadState {
  /// The places of the words.
  private enum Word {
    /// Shared: 1 while its thread is inside an append.
    static let busy = 0
    /// Shared: 1 if a thread owns the row, and 2 more for each block on its way to the trace that
    /// tells of the row's drops.
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
    /// Shared, for the sealer: thread and number of the event dropped last, 0 while they change.
    static let lastDrop = 11
    /// Shared: when the drops in a row began, and the turn that wasn't ready for them.
    static let dropTime = 12
    static let dropTurn = 13
    /// Shared: the value of `lastDrop` that the sealer tells of.
    static let toldDrop = 14
    /// 1 while nothing was recorded since a drop.
    static let isDropping = 15
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

  /// Takes a free row. False if another thread has it, or the sealer holds it.
  func claim() -> Bool { unsafe lct_compare_exchange(words + Word.owned, 0, 1) != 0 }

  func giveBack() { addOwners(0 &- 1) }

  /// Keeps the row from the next thread, whether a thread owns it now or not. For the sealer.
  func hold() { addOwners(2) }

  func release() { addOwners(0 &- 2) }

  /// Ends every hold: the journal is gone, and its sealer with it.
  func releaseAll() {
    let holds = unsafe lct_load_acquire(words + Word.owned) & ~1
    addOwners(0 &- holds)
  }

  /// Adds to the word that says who has the row, with a full barrier.
  private func addOwners(_ amount: UInt64) {
    while true {
      let value = unsafe lct_load_relaxed(words + Word.owned)
      if unsafe lct_compare_exchange(words + Word.owned, value, value &+ amount) != 0 { return }
    }
  }

  /// Whether a thread owns the row or the sealer holds it.
  var isTaken: Bool { unsafe lct_load_acquire(words + Word.owned) != 0 }

  /// Makes the row as good as new for another journal; its thread goes on owning it.
  func reset() {
    for word in Word.nested...Word.isDropping { unsafe lct_store_relaxed(words + word, 0) }
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
    countDrop()
    end = 0
  }

  /// Counts an event that isn't recorded, without a number.
  func countDrop() { unsafe _ = lct_fetch_add(words + Word.dropped, 1) }

  /// Notes the last number that was given out as dropped, for who reads the numbers of a thread
  /// that records nothing more.
  ///
  /// - Parameters:
  ///   - time: The time of the drop.
  ///   - turn: The turn that wasn't ready.
  /// - Returns: What was noted.
  func noteDrop(at time: Int64, turn: UInt64) -> JournalDrop {
    let last = unsafe lct_load_relaxed(words + Word.lastDrop)
    // What was told already isn't told again: the next drops in a row begin here.
    let told = unsafe lct_load_ordered(words + Word.toldDrop)
    let isFirst = unsafe words[Word.isDropping] == 0 || last == told
    let owner = thread << 48 | (sequence &- 1) & JournalSlot.sequenceMax
    unsafe lct_store_ordered(words + Word.lastDrop, 0)
    if isFirst { unsafe lct_store_ordered(words + Word.dropTime, UInt64(bitPattern: time)) }
    unsafe lct_store_ordered(words + Word.dropTurn, turn)
    unsafe lct_store_ordered(words + Word.lastDrop, owner)
    unsafe words[Word.isDropping] = 1
    let first = unsafe lct_load_relaxed(words + Word.dropTime)
    return JournalDrop(
      threadAndSequence: owner, timeNanoseconds: Int64(bitPattern: first), turn: turn)
  }

  /// Ends drops in a row: an event is recorded.
  func endDropping() { unsafe words[Word.isDropping] = 0 }

  /// What was dropped last and nobody tells of yet. For the sealer.
  ///
  /// Nil also while its thread is dropping another event, which is then told in its place.
  var untoldDrop: JournalDrop? {
    let owner = unsafe lct_load_ordered(words + Word.lastDrop)
    let told = unsafe lct_load_ordered(words + Word.toldDrop)
    guard owner != 0, owner != told else { return nil }
    let time = unsafe lct_load_ordered(words + Word.dropTime)
    let turn = unsafe lct_load_ordered(words + Word.dropTurn)
    let again = unsafe lct_load_ordered(words + Word.lastDrop)
    guard again == owner else { return nil }
    return JournalDrop(
      threadAndSequence: owner, timeNanoseconds: Int64(bitPattern: time), turn: turn)
  }

  /// Says that a drop is told. For the sealer.
  func tell(_ drop: JournalDrop) {
    unsafe lct_store_ordered(words + Word.toldDrop, drop.threadAndSequence)
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
