// The part of a journal that threads touch when they append: words and pointers, nothing counted.
// An append allocates nothing, takes no lock and makes no system call.

import CTraceAtomics
import TraceFormat
import TraceIO
package import TraceModel

/// What appending needs. Copied freely, without counting: it points to memory that is never given
/// back, so that an event that comes after the end finds a closed journal and no freed memory.
///
/// The memory of a journal that is gone, and its key, go to the next one: a process has few keys.
/// Who still holds the old core then has the wrong generation, and records nothing.
@safe package struct JournalCore: @unchecked Sendable {
  /// Threads that record at the same time.
  static let threadsMax = JournalLayout.dropRowCount
  private static let barrierAttemptsMax = 100

  @safe struct Storage {
    /// Where the ring begins; its slots are pairs of words.
    var ring: UnsafeMutablePointer<UInt64>
    /// A row for each thread.
    var states: UnsafeMutablePointer<UInt64>
    /// Words of their own cache lines: turns closed and the generation, chunks reserved, and one
    /// for each segment.
    var control: UnsafeMutablePointer<UInt64>
    var names: NameTable
    var key: UInt64
    /// Whether an append makes a barrier: where the system has none for all threads at once.
    var hasOwnBarriers: Bool
    var chunksPerSegment: UInt64
    var segmentCount: UInt64
    /// The file, if every event waits for the disk.
    var synchronized: Unmanaged<MappedFile>?
    /// What binds the chunks to the journal.
    var chunkKey: UInt16
  }

  enum Control {
    static let closedTurns = 0
    /// Beside the closed turns: every append reads both.
    static let generation = 1
    static let reservedChunks = 16
    static let threadCount = 32
    static let unownedDrops = 48
    static let unsynchronized = 49
    static let readyTurns = 64
  }

  let storage: UnsafeMutablePointer<Storage>
  private let generation: UInt64

  /// Memory for one journal after another.
  private init() {
    let states = unsafe Self.words(Self.threadsMax * ThreadState.wordCount)
    let control = unsafe Self.words(
      Control.readyTurns + JournalLayout.segmentCountRange.upperBound)
    let key = unsafe lct_key_create { row in
      // The row of a thread that ends; rows outlive the recorder.
      guard let row = unsafe row else { return }
      unsafe ThreadState(words: row.assumingMemoryBound(to: UInt64.self)).giveBack()
    }
    generation = 0
    unsafe storage = .allocate(capacity: 1)
    // Until a journal comes there is no ring, and nobody has this core.
    unsafe storage.initialize(
      to: Storage(
        ring: control, states: states, control: control, names: NameTable(), key: key,
        hasOwnBarriers: lct_barrier_prepare() == 0, chunksPerSegment: 1, segmentCount: 1,
        synchronized: nil, chunkKey: 0))
  }

  /// The same memory for the next journal.
  private init(after core: JournalCore) {
    unsafe storage = core.storage
    generation = core.generation &+ 1
  }

  /// The core of a new journal.
  ///
  /// - Parameter file: The file of the journal, zero behind its header.
  static func begin(_ fixed: JournalLayout.Fixed, file: MappedFile) -> JournalCore {
    let core = IdleCores.shared.take() ?? JournalCore()
    let storage = unsafe core.storage
    // The header area is a whole number of slots.
    unsafe storage.pointee.ring =
      (file.start + JournalLayout.headerByteCount).assumingMemoryBound(to: UInt64.self)
    unsafe storage.pointee.chunksPerSegment = UInt64(fixed.chunksPerSegment)
    unsafe storage.pointee.segmentCount = UInt64(fixed.segmentCount)
    unsafe storage.pointee.chunkKey = fixed.chunkKey
    if fixed.survivesPowerLoss {
      unsafe storage.pointee.synchronized = Unmanaged.passRetained(file)
    }
    for segment in 0..<fixed.segmentCount {
      unsafe core.control[Control.readyTurns + segment] = UInt64(segment) + 1
    }
    unsafe lct_store_ordered(core.control + Control.closedTurns, 0)
    return core
  }

  /// Leaves the memory to a later journal. The journal of this one is closed.
  func retire() {
    unsafe lct_store_ordered(control + Control.generation, generation &+ 1)
    // Whoever comes from now on sees the new generation, and touches nothing.
    waitForAppends()
    for row in 0..<Self.threadsMax {
      state(row).reset()
      state(row).releaseAll()
    }
    names.clear()
    unsafe lct_store_ordered(control + Control.reservedChunks, 0)
    unsafe lct_store_ordered(control + Control.threadCount, 0)
    unsafe lct_store_ordered(control + Control.unownedDrops, 0)
    unsafe lct_store_ordered(control + Control.unsynchronized, 0)
    if let file = unsafe storage.pointee.synchronized {
      unsafe storage.pointee.synchronized = nil
      // Retained when the journal was made.
      unsafe file.release()
    }
    if hasKey { IdleCores.shared.put(JournalCore(after: self)) }
  }

  /// Waits until every append that is under way has ended. Appends that begin from now on see what
  /// was stored before this call.
  ///
  /// An append announces itself and then looks whether its turn is closed; here it was closed, and
  /// now the announcements are looked at. A barrier between store and load on both sides lets one
  /// of them see the other. It costs an append a quarter of its time, so the barrier of both sides
  /// is made here if the system can: it interrupts the process's running threads.
  func waitForAppends() {
    var attempts = 0
    while unsafe !storage.pointee.hasOwnBarriers, lct_barrier_everywhere() == 0 {
      // The system is short of memory. A thread that was interrupted made a barrier, too, and in
      // this time every one is.
      attempts += 1
      if attempts == Self.barrierAttemptsMax { break }
      ProcessClocks.sleep(milliseconds: 1)
    }
    for row in 0..<Self.threadsMax {
      let state = state(row)
      while state.isBusy { ProcessClocks.sleep(milliseconds: 0) }
    }
  }

  private static func words(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    let words = unsafe UnsafeMutableRawPointer.allocate(byteCount: count * 8, alignment: 128)
      .bindMemory(to: UInt64.self, capacity: count)
    unsafe words.initialize(repeating: 0, count: count)
    return unsafe words
  }

  package var ring: UnsafeMutablePointer<UInt64> { unsafe storage.pointee.ring }
  var control: UnsafeMutablePointer<UInt64> { unsafe storage.pointee.control }
  var names: NameTable { unsafe storage.pointee.names }
  /// Whether the system had a key for the threads' rows.
  var hasKey: Bool { unsafe storage.pointee.key != 0 }

  /// The number of chunks reserved so far.
  var reservedChunks: UInt64 { unsafe lct_load_relaxed(control + Control.reservedChunks) }
  var closedTurns: UInt64 { unsafe lct_load_ordered(control + Control.closedTurns) }

  func state(_ row: Int) -> ThreadState {
    unsafe ThreadState(words: storage.pointee.states + row * ThreadState.wordCount)
  }

  @inline(__always)
  private func ownState() -> ThreadState? {
    if let row = unsafe lct_key_get(storage.pointee.key) {
      return unsafe ThreadState(words: row.assumingMemoryBound(to: UInt64.self))
    }
    return claimState()
  }

  @inline(never)
  private func claimState() -> ThreadState? {
    for row in 0..<Self.threadsMax {
      let state = state(row)
      // A thread that has ended may have dropped events that nobody tells of yet.
      guard !state.isTaken, !state.hasNested, state.untoldDrop == nil, state.claim() else {
        continue
      }
      if unsafe lct_key_set(storage.pointee.key, state.words) != 0 {
        state.giveBack()
        break
      }
      // Numbers are given out until they run out; then a row's old number goes on.
      if giveNumber(to: state) {
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

  /// Gives a row a number that no thread had. False if they have run out.
  private func giveNumber(to state: ThreadState) -> Bool {
    let number = unsafe lct_fetch_add(control + Control.threadCount, 1) &+ 1
    guard number <= JournalSlot.threadMax else { return false }
    state.thread = number
    return true
  }

  /// Events that weren't recorded of threads without a row or a number.
  var unownedDropCount: UInt64 { unsafe lct_load_relaxed(control + Control.unownedDrops) }

  /// Events that weren't recorded since the start. Exact while nobody appends.
  package var droppedCount: UInt64 {
    var sum = unownedDropCount
    for row in 0..<Self.threadsMax { sum &+= state(row).droppedCount }
    return sum
  }

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
    guard unsafe state.enter(withBarrier: storage.pointee.hasOwnBarriers) else {
      state.countNested()
      return nil
    }
    // Ordered loads, as the barrier of `enter` is: they must not be taken before it.
    guard unsafe lct_load_ordered(control + Control.generation) == generation else {
      state.leave()
      return nil
    }
    let time = time ?? ProcessClocks.continuousNanoseconds()
    if state.hasNested, closedTurns != .max { state.settleNested() }
    // Numbers of slots are far from the largest number: sums of them need no check.
    var first = state.next
    if unsafe first &+ slotsMax > state.end
      || state.turn < lct_load_ordered(control + Control.closedTurns)
    {
      guard slotsMax <= JournalLayout.slotsPerEventMax, reserve(for: state) else {
        drop(state, at: time)
        state.leave()
        return nil
      }
      first = state.next
    }
    return OpenEvent(
      core: self, state: state, kind: kind, phase: phase, time: time, first: first)
  }

  /// Reserves a chunk for a thread that is inside an append. False if no segment is ready.
  @inline(never)
  private func reserve(for state: ThreadState) -> Bool {
    if state.thread == 0, !giveNumber(to: state) { return false }
    let chunksPerSegment = unsafe storage.pointee.chunksPerSegment
    let segmentCount = unsafe storage.pointee.segmentCount
    var ticket = state.ticket
    while true {
      let closed = closedTurns
      if closed == .max { return false }
      if ticket == 0 { ticket = unsafe lct_fetch_add(control + Control.reservedChunks, 1) &+ 1 }
      let turn = (ticket - 1) / chunksPerSegment
      // Reserved before its segment was ready, and by now the segment has been through its turn.
      if turn < closed {
        ticket = 0
        continue
      }
      let segment = turn % segmentCount
      if unsafe lct_load_acquire(control + Control.readyTurns + Int(segment)) != turn + 1 {
        state.ticket = ticket
        return false
      }
      state.ticket = 0
      let chunk = Int(segment * chunksPerSegment + (ticket - 1) % chunksPerSegment)
      let slot = chunk * JournalLayout.slotsPerChunk
      state.turn = turn
      state.next = slot + 1
      state.end = slot + JournalLayout.slotsPerChunk
      state.ordinal = 0
      state.endDropping()
      beginChunk(slot, state)
      return true
    }
  }

  /// Writes the own slot of a chunk, the only one that is bound to the journal: it holds for those
  /// behind it.
  private func beginChunk(_ slot: Int, _ state: ThreadState) {
    let owner = state.thread << 48 | state.sequence & JournalSlot.sequenceMax
    let word = unsafe JournalSlot.commit(
      owner, JournalSlot.chunk(turn: state.turn), slot: slot, key: storage.pointee.chunkKey)
    // The slot comes from a chunk that was reserved in the ring.
    let words = unsafe ring + slot &* 2
    unsafe lct_store_relaxed(words, owner)
    unsafe lct_store_release(words + 1, word)
  }

  /// Writes a slot: the payload, and then the word that commits it.
  @inline(__always)
  func write(_ slot: Int, _ payload: UInt64, _ fields: UInt32) {
    // Slots come from a chunk that was reserved in the ring.
    let words = unsafe ring + slot &* 2
    unsafe lct_store_relaxed(words, payload)
    unsafe lct_store_release(words + 1, JournalSlot.commit(payload, fields, slot: slot))
  }

  /// Ends an append after its event was committed.
  @inline(__always)
  func end(_ state: ThreadState, first: Int, next: Int) {
    state.next = next
    state.ordinal &+= 1
    state.sequence &+= 1
    if unsafe storage.pointee.synchronized != nil { synchronize(first..<next) }
    state.leave()
  }

  /// Events of which the disk didn't say that it has them, although each had to wait for it.
  package var unsynchronizedCount: UInt64 {
    unsafe lct_load_relaxed(control + Control.unsynchronized)
  }

  /// Waits until slots are on the disk. If that fails the event outlives the process and perhaps no
  /// power cut, which is counted.
  @inline(never)
  private func synchronize(_ slots: Range<Int>) {
    // Retained from the journal's beginning to its end, which waits for this append.
    guard let file = unsafe storage.pointee.synchronized?.takeUnretainedValue() else { return }
    let start = JournalLayout.headerByteCount
    // The chunk's own slot stands before its events, mostly on the same page.
    let first = slots.lowerBound / JournalLayout.slotsPerChunk * JournalLayout.slotsPerChunk
    let range =
      start + first * JournalLayout.slotByteCount..<start + slots.upperBound
      * JournalLayout.slotByteCount
    do throws(FileError) {
      try file.synchronize(range)
    } catch {
      unsafe _ = lct_fetch_add(control + Control.unsynchronized, 1)
    }
  }
}

/// Cores whose journals are gone, for the next ones.
///
/// A class, because its words change, under its lock.
private final class IdleCores: @unchecked Sendable {
  static let shared = IdleCores()

  private let lock = SystemLock()
  private var cores: [JournalCore] = []

  func take() -> JournalCore? { lock.withLock { cores.popLast() } }
  func put(_ core: JournalCore) { lock.withLock { cores.append(core) } }
}
