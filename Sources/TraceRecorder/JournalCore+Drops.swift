// What becomes of an event for which the ring has no room: it is counted, and noted where a reader
// finds it if the thread records nothing more.

import CTraceAtomics
import TraceFormat
import TraceIO

extension JournalCore {
  /// Leaves out an event of a thread, and notes that in the table behind the ring.
  @inline(never)
  func drop(_ state: ThreadState, at time: Int64) {
    if state.thread == 0 {
      unsafe _ = lct_fetch_add(control + Control.unownedDrops, 1)
      return
    }
    let closed = closedTurns
    // After the end of the recording the row is the sealer's.
    if closed == .max { return state.countDrop() }
    state.drop()
    let ticket = state.ticket
    let turn =
      unsafe ticket == 0
      ? max(closed, state.turn + 1) : (ticket - 1) / storage.pointee.chunksPerSegment
    write(state.noteDrop(at: time, turn: turn), of: state)
  }

  /// Writes the last drop of a thread into its row of the table.
  private func write(_ drop: JournalDrop, of state: ThreadState) {
    let slot = unsafe JournalDrop.slot(
      row: (state.words - storage.pointee.states) / ThreadState.wordCount,
      isSecond: drop.threadAndSequence & 1 != 0,
      ringSlotCount: Int(storage.pointee.segmentCount * storage.pointee.chunksPerSegment)
        * JournalLayout.slotsPerChunk)
    // The table stands behind the ring. The other pair is whole until this one is.
    unsafe lct_store_ordered(ring + slot * 2 + 1, 0)
    write(slot + 1, UInt64(bitPattern: drop.timeNanoseconds), JournalSlot.Kind.dropTime.rawValue)
    let word = unsafe JournalSlot.commit(
      drop.threadAndSequence, JournalSlot.drop(turn: drop.turn), slot: slot,
      key: storage.pointee.chunkKey)
    unsafe lct_store_release(ring + slot * 2, drop.threadAndSequence)
    unsafe lct_store_release(ring + slot * 2 + 1, word)
  }

  /// Drops that nobody tells of yet and that are older than the events after a turn. For the
  /// sealer, which tells them from now on.
  ///
  /// - Parameter held: The rows of their threads are added to it. Until ``release(_:)`` no other
  ///   thread gets them: the table is all that tells of the drops before the block is written.
  func takeDrops(before turn: UInt64, holding held: inout [Int]) -> [JournalDrop] {
    var drops: [JournalDrop] = []
    for row in 0..<Self.threadsMax {
      let state = state(row)
      settleEnded(state)
      guard let drop = state.untoldDrop, drop.turn <= turn else { continue }
      state.hold()
      held.append(row)
      state.tell(drop)
      drops.append(drop)
    }
    return drops
  }

  /// Leaves rows to other threads: the block that tells of their drops is written.
  func release(_ rows: [Int]) {
    for row in rows { state(row).release() }
  }

  /// Takes the events of signal handlers into the numbers of a thread that has ended: no append of
  /// it will.
  private func settleEnded(_ state: ThreadState) {
    guard state.hasNested, state.thread != 0, state.claim() else { return }
    state.settleNested()
    write(
      state.noteDrop(at: ProcessClocks.continuousNanoseconds(), turn: closedTurns), of: state)
    state.giveBack()
  }

  /// All drops that nobody tells of yet, those of signal handlers too. The journal is closed.
  ///
  /// - Parameters:
  ///   - time: When it was closed.
  ///   - held: As for ``takeDrops(before:holding:)``.
  func takeLastDrops(at time: Int64, holding held: inout [Int]) -> [JournalDrop] {
    for row in 0..<Self.threadsMax {
      let state = state(row)
      guard state.hasNested, state.thread != 0 else { continue }
      state.settleNested()
      _ = state.noteDrop(at: time, turn: 0)
    }
    return takeDrops(before: .max, holding: &held)
  }
}
