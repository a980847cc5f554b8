// The journal while it is written: its file, and how turns of its ring are closed and cleared.
// Appending itself is the business of its core.

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
  package let fixed: JournalLayout.Fixed
  let file: MappedFile
  package let core: JournalCore

  /// Creates the file of a journal.
  ///
  /// - Parameter path: Its path; nil for a journal in memory.
  /// - Throws: ``FileError`` if it exists, or there is no room for all of it.
  package init(
    path: String?, fixed: JournalLayout.Fixed, traceHeader: [UInt8]
  ) throws(FileError) {
    if let path {
      file = try MappedFile(creating: path, byteCount: fixed.fileByteCount)
    } else {
      file = try MappedFile(inMemory: fixed.fileByteCount)
    }
    self.fixed = fixed
    core = JournalCore.begin(fixed, file: file)
    store(traceHeader, at: JournalLayout.traceHeaderOffset)
    store(JournalLayout.bytes(of: fixed), at: 0)
    do throws(FileError) {
      guard core.hasKey, unsafe ForkGuard.protect(core.control + JournalCore.Control.closedTurns)
      else {
        throw FileError.refused(
          path ?? "memory", "the process has no room for another recorder")
      }
      if fixed.survivesPowerLoss { try file.synchronize(0..<fixed.fileByteCount) }
    } catch {
      if let path { Folder.remove(path) }
      throw error
    }
  }

  deinit {
    // A forked child has the threads of its parent in its memory, and they never leave an append.
    if isForeign { return }
    // Spans and calls outlive a recorder that is dropped: they must find it closed.
    close()
    unsafe ForkGuard.release(core.control + JournalCore.Control.closedTurns)
    core.retire()
  }

  /// Begins an event: see ``JournalCore/open(_:_:slotsMax:time:)``.
  @inline(__always)
  package func open(
    _ kind: EventKind, _ phase: Phase, slotsMax: Int, time: Int64? = nil
  ) -> OpenEvent? {
    core.open(kind, phase, slotsMax: slotsMax, time: time)
  }

  /// Events that weren't recorded since the start. Exact while nobody appends.
  package var droppedCount: UInt64 { core.droppedCount }

  /// Whether this is a child that was forked from the process that records.
  var isForeign: Bool { ProcessClocks.processNumber() != fixed.processNumber }

  /// The number of chunks reserved so far.
  var reservedChunks: UInt64 { core.reservedChunks }

  private var closedTurns: UInt64 { core.closedTurns }

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

  // For the sealer, under its lock.

  /// Whether all chunks of a turn are reserved.
  func isFull(turn: UInt64) -> Bool {
    reservedChunks >= (turn + 1) * UInt64(fixed.chunksPerSegment)
  }

  /// Closes a turn, reserved or not, and waits until no thread writes in it.
  func close(turn: UInt64) {
    let end = (turn + 1) * UInt64(fixed.chunksPerSegment)
    while true {
      let reserved = reservedChunks
      if reserved >= end { break }
      if unsafe lct_compare_exchange(
        core.control + JournalCore.Control.reservedChunks, reserved, end) != 0
      {
        break
      }
    }
    if isClosed { return }
    unsafe _ = lct_compare_exchange(
      core.control + JournalCore.Control.closedTurns, closedTurns, turn + 1)
    core.waitForAppends()
  }

  /// A copy of the segment of a closed turn, and the number of its first slot.
  func segment(turn: UInt64) -> (bytes: [UInt8], firstSlot: Int) {
    let first = firstSlot(turn: turn)
    let count = fixed.chunksPerSegment * JournalLayout.chunkByteCount
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      // The segment lies in the ring, and nobody writes in it.
      if let start = buffer.baseAddress {
        unsafe UnsafeMutableRawPointer(start).copyMemory(
          from: core.ring + first * 2, byteCount: count)
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
        unsafe lct_store_relaxed(core.ring + word, 0)
      }
    }
    let segment = Int(turn % UInt64(fixed.segmentCount))
    unsafe lct_store_release(
      core.control + JournalCore.Control.readyTurns + segment, turn + UInt64(fixed.segmentCount) + 1
    )
  }

  /// Records nothing from now on.
  func close() {
    unsafe lct_store_ordered(core.control + JournalCore.Control.closedTurns, .max)
    core.waitForAppends()
  }

  /// Records nothing from now on. Returns how many chunks were reserved for events.
  func closeForGood() -> UInt64 {
    close()
    return reservedChunks
  }

  /// Gives the memory back. Nobody may append from now on: ``close()`` comes first.
  func dispose() {
    unsafe ForkGuard.release(core.control + JournalCore.Control.closedTurns)
    file.unmap()
  }
}
