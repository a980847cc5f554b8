// The journal while it is written: the ring in shared memory, and how threads reserve parts of it.
// An append allocates nothing, takes no lock and makes no system call.

import CTraceAtomics
package import TraceFormat
package import TraceIO
package import TraceModel

/// A journal that is being written.
///
/// A class, because the threads of a process share it. Threads meet where chunks are reserved, once
/// for up to 127 events; a chunk belongs to one thread. The sealer closes a turn of a segment by
/// raising `closedTurns`, waits until every thread has left the append it was in, and then has the
/// segment to itself.
@safe package final class Journal: @unchecked Sendable {
  /// Threads that record at the same time: an app is allowed about 2,000, and some hundred run.
  static let threadsMax = 1_024

  let fixed: JournalLayout.Fixed
  let file: MappedFile
  let names = NameTable()
  /// Where the ring begins; its slots are pairs of words.
  let ring: UnsafeMutablePointer<UInt64>
  private let isSynchronous: Bool
  private let states: UnsafeMutablePointer<UInt64>
  /// Words of their own cache lines: turns closed, chunks reserved, and one for each segment.
  private let control: UnsafeMutablePointer<UInt64>
  private let key: UInt64

  private enum Control {
    static let closedTurns = 0
    static let reservedChunks = 16
    static let threadCount = 32
    static let unownedDrops = 48
    static let readyTurns = 64
  }

  /// Creates the file of a journal.
  ///
  /// - Throws: ``FileError`` if it exists, or there is no room for all of it.
  package init(
    path: String, fixed: JournalLayout.Fixed, traceHeader: [UInt8]
  ) throws(FileError) {
    file = try MappedFile(creating: path, byteCount: fixed.fileByteCount)
    self.fixed = fixed
    isSynchronous = fixed.survivesPowerLoss
    // The header area is a whole number of slots.
    unsafe ring = (file.start + JournalLayout.headerByteCount).assumingMemoryBound(to: UInt64.self)
    let stateWords = Self.threadsMax * ThreadState.wordCount
    // Never given back: a thread that ends may look at its row after the recorder is gone.
    unsafe states = UnsafeMutableRawPointer.allocate(
      byteCount: stateWords * 8, alignment: 128
    ).bindMemory(to: UInt64.self, capacity: stateWords)
    unsafe states.initialize(repeating: 0, count: stateWords)
    let controlWords = Control.readyTurns + fixed.segmentCount
    unsafe control = UnsafeMutableRawPointer.allocate(
      byteCount: controlWords * 8, alignment: 128
    ).bindMemory(to: UInt64.self, capacity: controlWords)
    unsafe control.initialize(repeating: 0, count: controlWords)
    for segment in 0..<fixed.segmentCount {
      unsafe control[Control.readyTurns + segment] = UInt64(segment) + 1
    }
    unsafe key = lct_key_create { row in
      // The row of a thread that ends; rows outlive the recorder.
      guard let row = unsafe row else { return }
      unsafe ThreadState(words: row.assumingMemoryBound(to: UInt64.self)).giveBack()
    }
    store(traceHeader, at: JournalLayout.traceHeaderOffset)
    store(JournalLayout.bytes(of: fixed), at: 0)
    do throws(FileError) {
      guard unsafe key != 0 && ForkGuard.protect(control + Control.closedTurns) else {
        throw FileError.refused(path, "the process has no room for another recorder")
      }
      if isSynchronous { try file.synchronize(0..<fixed.fileByteCount) }
    } catch {
      Folder.remove(path)
      throw error
    }
  }

  deinit {
    // Not before: a thread that is told to record after the end looks for its row first.
    lct_key_delete(key)
  }

  /// Whether this is a child that was forked from the process that records.
  var isForeign: Bool { ProcessClocks.processNumber() != fixed.processNumber }

  /// The number of the next chunk to be reserved; for tests.
  package var reservedChunks: UInt64 { unsafe lct_load_relaxed(control + Control.reservedChunks) }

  var closedTurns: UInt64 { unsafe lct_load_ordered(control + Control.closedTurns) }

  /// Whether nothing is recorded any more: it was stopped, or this is a forked child.
  var isClosed: Bool { closedTurns == .max }

  private func store(_ bytes: [UInt8], at offset: Int) {
    precondition(offset + bytes.count <= JournalLayout.headerByteCount)
    // The range lies in the header area.
    unsafe (file.start + offset).copyMemory(from: bytes, byteCount: bytes.count)
  }

  /// Stores a word that changes, and its check behind it.
  func store(_ value: UInt64, _ word: JournalLayout.MutableWord) {
    // The places of these words are multiples of 16 in the header area.
    let place = unsafe (file.start + word.offset).assumingMemoryBound(to: UInt64.self)
    unsafe lct_store_release(place, value)
    unsafe lct_store_release(place + 1, JournalLayout.checkOfMutable(value))
  }

  // Threads.

  private func state(_ row: Int) -> ThreadState {
    unsafe ThreadState(words: states + row * ThreadState.wordCount)
  }

  @inline(__always)
  private func ownState() -> ThreadState? {
    if let row = unsafe lct_key_get(key) {
      return unsafe ThreadState(words: row.assumingMemoryBound(to: UInt64.self))
    }
    return claimState()
  }

  @inline(never)
  private func claimState() -> ThreadState? {
    for row in 0..<Self.threadsMax {
      let state = state(row)
      guard !state.isOwned, state.claim() else { continue }
      if unsafe lct_key_set(key, state.words) != 0 {
        state.giveBack()
        break
      }
      // Numbers are given out until they run out; then a row's old number goes on.
      let number = unsafe lct_fetch_add(control + Control.threadCount, 1) &+ 1
      if number <= JournalSlot.threadMax {
        state.thread = number
        state.sequence = 1
      } else if state.thread == 0 {
        break
      }
      state.end = 0
      return state
    }
    unsafe _ = lct_fetch_add(control + Control.unownedDrops, 1)
    return nil
  }

  /// Events that weren't recorded since the start. Exact while nobody appends.
  package var droppedCount: UInt64 {
    var sum = unsafe lct_load_relaxed(control + Control.unownedDrops)
    for row in 0..<Self.threadsMax { sum &+= state(row).droppedCount }
    return sum
  }

  // Appending.

  /// Begins an event, which must be ended with ``OpenEvent/commit()``. Nil if it is dropped, which
  /// is counted.
  ///
  /// - Parameters:
  ///   - slotsMax: The most slots that the event takes, its own included.
  ///   - time: Its time; nil for now.
  @inline(__always)
  package func open(
    _ kind: EventKind, _ phase: Phase, slotsMax: Int, time: Int64? = nil
  ) -> OpenEvent? {
    guard let state = ownState() else { return nil }
    guard state.enter() else {
      state.countNested()
      return nil
    }
    let time = time ?? ProcessClocks.continuousNanoseconds()
    if state.hasNested { state.settleNested() }
    if unsafe state.next + slotsMax > state.end
      || state.turn < lct_load_acquire(control + Control.closedTurns)
    {
      guard slotsMax <= JournalLayout.slotsPerEventMax, reserve(for: state) else {
        state.drop()
        state.leave()
        return nil
      }
    }
    return OpenEvent(
      journal: self, state: state, kind: kind, phase: phase, time: time, first: state.next)
  }

  /// Reserves a chunk for a thread that is inside an append. False if no segment is ready.
  @inline(never)
  private func reserve(for state: ThreadState) -> Bool {
    var ticket = state.ticket
    while true {
      let closed = closedTurns
      if closed == .max { return false }
      if ticket == 0 { ticket = unsafe lct_fetch_add(control + Control.reservedChunks, 1) &+ 1 }
      let turn = (ticket - 1) / UInt64(fixed.chunksPerSegment)
      // Reserved before its segment was ready, and by now the segment has been through its turn.
      if turn < closed {
        ticket = 0
        continue
      }
      let segment = Int(turn % UInt64(fixed.segmentCount))
      if unsafe lct_load_acquire(control + Control.readyTurns + segment) != turn + 1 {
        state.ticket = ticket
        return false
      }
      state.ticket = 0
      let chunk =
        segment * fixed.chunksPerSegment + Int((ticket - 1) % UInt64(fixed.chunksPerSegment))
      let slot = chunk * JournalLayout.slotsPerChunk
      state.turn = turn
      state.next = slot + 1
      state.end = slot + JournalLayout.slotsPerChunk
      state.ordinal = 0
      write(
        slot, state.thread << 48 | state.sequence & JournalSlot.sequenceMax,
        JournalSlot.chunk(turn: turn))
      return true
    }
  }

  /// Writes a slot: the payload, and then the word that commits it.
  @inline(__always)
  func write(_ slot: Int, _ payload: UInt64, _ fields: UInt32) {
    // Slots come from a chunk that was reserved in the ring.
    let words = unsafe ring + slot * 2
    unsafe lct_store_relaxed(words, payload)
    unsafe lct_store_release(words + 1, JournalSlot.commit(payload, fields, slot: slot))
  }

  /// Ends an append after its event was committed.
  @inline(__always)
  func end(_ event: borrowing OpenEvent) {
    let state = event.state
    state.next = event.next
    state.ordinal += 1
    state.sequence &+= 1
    if isSynchronous { synchronize(event.first..<event.next) }
    state.leave()
  }

  /// Waits until slots are on the disk. What fails here the next one repeats for its page.
  @inline(never)
  private func synchronize(_ slots: Range<Int>) {
    let start = JournalLayout.headerByteCount
    // The chunk's own slot stands before its events, mostly on the same page.
    let first = slots.lowerBound / JournalLayout.slotsPerChunk * JournalLayout.slotsPerChunk
    try? file.synchronize(
      start + first * JournalLayout.slotByteCount..<start + slots.upperBound
        * JournalLayout.slotByteCount)
  }

  // For the sealer, under its lock.

  /// Whether all chunks of a turn are reserved.
  func isFull(turn: UInt64) -> Bool {
    reservedChunks >= (turn + 1) * UInt64(fixed.chunksPerSegment)
  }

  /// Whether a chunk of a turn is reserved.
  func isBegun(turn: UInt64) -> Bool {
    reservedChunks > turn * UInt64(fixed.chunksPerSegment)
  }

  /// Closes a turn, reserved or not, and waits until no thread writes in it.
  func close(turn: UInt64) {
    let end = (turn + 1) * UInt64(fixed.chunksPerSegment)
    while true {
      let reserved = reservedChunks
      if reserved >= end { break }
      if unsafe lct_compare_exchange(control + Control.reservedChunks, reserved, end) != 0 { break }
    }
    if isClosed { return }
    unsafe _ = lct_compare_exchange(control + Control.closedTurns, closedTurns, turn + 1)
    waitForAppends()
  }

  /// Waits until every append that is under way has ended.
  private func waitForAppends() {
    for row in 0..<Self.threadsMax {
      let state = state(row)
      while state.isBusy { ProcessClocks.sleep(milliseconds: 0) }
    }
  }

  /// A copy of the segment of a closed turn, and the number of its first slot.
  func segment(turn: UInt64) -> (bytes: [UInt8], firstSlot: Int) {
    let first = firstSlot(turn: turn)
    let count = fixed.chunksPerSegment * JournalLayout.chunkByteCount
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      // The segment lies in the ring, and nobody writes in it.
      if let start = buffer.baseAddress {
        unsafe UnsafeMutableRawPointer(start).copyMemory(from: ring + first * 2, byteCount: count)
      }
      initialized = count
    }
    return (bytes, first)
  }

  private func firstSlot(turn: UInt64) -> Int {
    Int(turn % UInt64(fixed.segmentCount)) * fixed.chunksPerSegment * JournalLayout.slotsPerChunk
  }

  /// Clears the segment of a closed turn, and readies it for the turn after the ring's others.
  ///
  /// From the end of each chunk to its beginning: what a reader finds half done is still whole
  /// events, and never events without their chunk.
  func recycle(turn: UInt64) {
    let first = firstSlot(turn: turn)
    for chunk in 0..<fixed.chunksPerSegment {
      let slot = first + chunk * JournalLayout.slotsPerChunk
      for word in stride(
        from: (slot + JournalLayout.slotsPerChunk) * 2 - 1, through: slot * 2, by: -1)
      {
        // The word lies in the segment.
        unsafe lct_store_relaxed(ring + word, 0)
      }
    }
    let segment = Int(turn % UInt64(fixed.segmentCount))
    unsafe lct_store_release(
      control + Control.readyTurns + segment, turn + UInt64(fixed.segmentCount) + 1)
  }

  /// Records nothing from now on.
  func close() {
    unsafe lct_store_ordered(control + Control.closedTurns, .max)
    waitForAppends()
  }

  /// Records nothing from now on. Returns how many chunks were reserved for events.
  func closeForGood() -> UInt64 {
    close()
    return reservedChunks
  }

  /// Gives the memory back. Nobody may append from now on: ``close()`` comes first.
  func dispose() {
    unsafe ForkGuard.release(control + Control.closedTurns)
    file.unmap()
  }
}
