// Turns full segments of the ring into blocks of an ordinary trace, beside the app's own threads.
// First the blocks are in the file, then the mark says so: a reader of both removes what is double.

import TraceFormat
import TraceIO
import TraceModel

/// Writes the trace of a journal.
///
/// A class, because its thread and the callers of `flush` share it, under its lock.
final class Sealer: @unchecked Sendable {
  let journal: Journal
  let header: TraceHeader
  let codec: ChunkCodec
  private let lock = SystemLock()
  private let bytesMax: Int64
  // Under the lock.
  var file: AppendedFile
  var encoder: LctraceEncoder
  var discardedCount: UInt64 = 0
  /// Events in the file.
  var fileEventCount: UInt64 = 0
  /// Whether the file's name may not be on the disk yet.
  var isNameNew = false
  /// Losses at the end of threads that no block tells of yet.
  private var untold: [JournalDrop] = []
  /// The rows of their threads, which no other thread gets until a block tells of them.
  private var heldRows: [Int] = []
  /// Threads of which a block holds events.
  private var known: Set<UInt64> = []
  /// Events without a thread of which the trace tells that they were dropped.
  private var toldUnowned: UInt64 = 0
  private var sealedTurns: UInt64 = 0
  private var failure: FileError?

  /// Segments that must be free: with fewer the next burst finds nothing ready.
  private static let freeSegmentsMin: UInt64 = 1

  /// Creates the trace file and writes its header.
  ///
  /// - Parameter path: Its path; nil for a trace in memory.
  init(
    journal: Journal, path: String?, header: TraceHeader, anchors: [ClockAnchor],
    codec: ChunkCodec, bytesMax: Int64
  ) throws(FileError) {
    self.journal = journal
    self.header = header
    self.codec = codec
    self.bytesMax = bytesMax
    file = try Self.newFile(path)
    encoder = LctraceEncoder(codec: codec)
    encoder.clockAnchors = anchors
    encoder.begin(header)
    try file.append(encoder.output)
    encoder.output.removeAll(keepingCapacity: true)
    if journal.fixed.survivesPowerLoss { try file.synchronize() }
  }

  static func newFile(_ path: String?) throws(FileError) -> AppendedFile {
    if let path { return try AppendedFile(creating: path) }
    return AppendedFile()
  }

  /// The bytes of the trace so far.
  func bytes() throws(FileError) -> [UInt8] {
    try lock.withLock { () throws(FileError) in
      var bytes: [UInt8] = []
      while try file.read(into: &bytes, at: Int64(bytes.count), limit: 1 << 20) > 0 {}
      return bytes
    }
  }

  /// What has been sealed, given up, and failed last.
  var status: (sealed: UInt64, discarded: UInt64, failure: FileError?) {
    lock.withLock { (fileEventCount, discardedCount, failure) }
  }

  /// Seals what is full.
  ///
  /// - Parameter isForced: Whether to seal also the segment that is being filled.
  /// - Returns: Whether anything was sealed.
  /// - Throws: ``FileError`` if the trace can't be written; everything is still in the journal.
  @discardableResult
  func seal(isForced: Bool = false) throws(FileError) -> Bool {
    try lock.withLock { () throws(FileError) in
      // Who waited for the lock while the recording was ended finds no journal any more.
      if journal.isClosed { return false }
      defer { journal.store(journal.droppedCount, .droppedEvents) }
      var hasSealed = false
      let last = isForced ? (journal.reservedChunks) : 0
      while journal.isFull(turn: sealedTurns)
        || (isForced && sealedTurns * UInt64(journal.fixed.chunksPerSegment) < last)
      {
        journal.close(turn: sealedTurns)
        try sealTurn()
        hasSealed = true
      }
      return hasSealed
    }
  }

  /// Seals the next turn, with what was dropped before its end.
  ///
  /// - Parameter endNanoseconds: When the recording ended, if the turn is its last one.
  private func sealTurn(endNanoseconds: Int64? = nil) throws(FileError) {
    let (bytes, firstSlot) = journal.segment(turn: sealedTurns)
    if let endNanoseconds {
      untold += journal.core.takeLastDrops(at: endNanoseconds, holding: &heldRows)
    } else {
      untold += journal.core.takeDrops(before: sealedTurns + 1, holding: &heldRows)
    }
    var reader = JournalSegmentReader(
      bytes, firstSlot: firstSlot, key: journal.fixed.chunkKey, drops: untold, known: known)
    let count = UInt64(reader.eventCount)
    var next = encoder
    var batch = EventBatch()
    var lastNanoseconds = endNanoseconds
    while reader.next(into: &batch) {
      next.consume(batch)
      lastNanoseconds = batch.timesNanoseconds.last ?? lastNanoseconds
    }
    let unowned = journal.core.unownedDropCount
    if unowned > toldUnowned, let lastNanoseconds {
      next.consume(Loss(count: unowned - toldUnowned, at: lastNanoseconds).batch())
    }
    let byteCount = file.byteCount
    do throws(FileError) {
      try file.append(next.output)
      if journal.fixed.survivesPowerLoss { try synchronize() }
      next.output.removeAll(keepingCapacity: true)
      encoder = next
      fileEventCount += count
      untold = []
      journal.core.release(heldRows)
      heldRows = []
      known = reader.known
      if lastNanoseconds != nil { toldUnowned = unowned }
      failure = nil
    } catch {
      // Written, but perhaps not on the disk: the next attempt writes it again.
      file.takeBack(to: byteCount)
      failure = error
      // The ring goes on as long as it can; then its oldest part makes room for what comes.
      guard isNearlyFull else { throw error }
      discardedCount += count - UInt64(reader.lossCount)
      // The gap that it leaves shows only in threads that go on.
      untold = reader.lastOfThreads()
      journal.store(discardedCount, .discardedEvents)
    }
    journal.store(sealedTurns + 1, .sealedTurns)
    journal.recycle(turn: sealedTurns)
    sealedTurns += 1
    if file.byteCount > bytesMax { try giveUpOlderHalf() }
  }

  private var isNearlyFull: Bool {
    let segments = UInt64(journal.fixed.segmentCount)
    let turn = journal.reservedChunks / UInt64(journal.fixed.chunksPerSegment)
    return turn >= sealedTurns + segments - Self.freeSegmentsMin
  }

  /// Seals everything and ends the trace. The journal must be closed.
  ///
  /// - Parameters:
  ///   - reservedChunks: Chunks that were reserved for events.
  ///   - endNanoseconds: When the recording ended.
  func finish(reservedChunks: UInt64, endNanoseconds: Int64) throws(FileError) {
    try lock.withLock { () throws(FileError) in
      defer { journal.store(journal.droppedCount, .droppedEvents) }
      var isLast = false
      while !isLast {
        isLast = (sealedTurns + 1) * UInt64(journal.fixed.chunksPerSegment) >= reservedChunks
        try sealTurn(endNanoseconds: isLast ? endNanoseconds : nil)
      }
    }
    try lock.withLock { () throws(FileError) in
      var last = encoder
      last.end()
      try file.append(last.output)
      try synchronize()
    }
  }

  /// Waits until the file is on the disk, under its name.
  private func synchronize() throws(FileError) {
    try file.synchronize()
    guard isNameNew else { return }
    try Folder.synchronizeName(of: file.path)
    isNameNew = false
  }
}
