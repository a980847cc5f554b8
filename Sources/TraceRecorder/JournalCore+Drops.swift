// What becomes of an event for which the ring has no room: it is counted, and noted where a reader
// finds it if the thread records nothing more.

import CTraceAtomics
import TraceFormat

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
    let drop = state.noteDrop(at: time, turn: turn)
    let slot = unsafe JournalDrop.slot(
      row: (state.words - storage.pointee.states) / ThreadState.wordCount,
      isSecond: drop.threadAndSequence & 1 != 0,
      ringSlotCount: Int(storage.pointee.segmentCount * storage.pointee.chunksPerSegment)
        * JournalLayout.slotsPerChunk)
    // The table stands behind the ring. The other pair is whole until this one is.
    unsafe lct_store_ordered(ring + slot * 2 + 1, 0)
    write(slot + 1, UInt64(bitPattern: drop.timeNanoseconds), JournalSlot.Kind.dropTime.rawValue)
    let word = unsafe JournalSlot.commit(
      drop.threadAndSequence, JournalSlot.drop(turn: turn), slot: slot,
      key: storage.pointee.chunkKey)
    unsafe lct_store_release(ring + slot * 2, drop.threadAndSequence)
    unsafe lct_store_release(ring + slot * 2 + 1, word)
  }

  /// Drops that nobody tells of yet and that are older than the events after a turn. For the
  /// sealer, which tells them from now on.
  func takeDrops(before turn: UInt64) -> [JournalDrop] {
    var drops: [JournalDrop] = []
    for row in 0..<Self.threadsMax {
      let state = state(row)
      guard let drop = state.untoldDrop, drop.turn <= turn else { continue }
      state.tell(drop)
      drops.append(drop)
    }
    return drops
  }

  /// All drops that nobody tells of yet, those of signal handlers too. The journal is closed.
  ///
  /// - Parameter time: When it was closed.
  func takeLastDrops(at time: Int64) -> [JournalDrop] {
    for row in 0..<Self.threadsMax {
      let state = state(row)
      guard state.hasNested, state.thread != 0 else { continue }
      state.settleNested()
      _ = state.noteDrop(at: time, turn: 0)
    }
    return takeDrops(before: .max)
  }
}
