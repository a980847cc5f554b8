// The recorder as an app sees it: start, record, flush, stop.
// This file must not know how events become bytes.

import TraceFormat
public import TraceIO
import TraceModel

/// Records the life of an app, so that nothing it acknowledged is lost when the app is killed.
///
///     let recorder = try TraceRecorder.start(RecorderConfiguration(directory: folder))
///     recorder.backgroundTask.begin(token: 7, name: "upload")
///     recorder.data.save(store: "notes") { writeNotes() }
///     recorder.stop()
///
/// A call that returns has recorded its event, or counted it as dropped (``statistics``). It takes
/// some tens of nanoseconds, allocates nothing, takes no lock and makes no system call, and may
/// come from any thread; from a signal handler it is counted as dropped if it interrupts another
/// one.
///
/// A class, because threads share it; there is one journal behind it, and one thread that seals.
public final class TraceRecorder: Sendable {
  /// The trace that grows: an ordinary `.lctrace` file, complete after ``stop()``. Empty for a
  /// recording in memory.
  public let tracePath: String
  /// The journal: what isn't in the trace yet. Gone after ``stop()``. Empty for a recording in
  /// memory.
  public let journalPath: String
  /// The identity of this recording, 128 random bits.
  public let traceID: String

  package let journal: Journal
  let key: PrivacyKey
  private let sealer: Sealer
  private let pulse: Pulse

  /// Starts to record.
  ///
  /// Recordings that an earlier launch couldn't finish stay as they are: see
  /// ``finishInterrupted(in:codec:)``.
  ///
  /// - Throws: ``FileError`` if the files can't be made or the disk has no room for the ring; the
  ///   app goes on without recorder.
  public static func start(_ configuration: RecorderConfiguration) throws(FileError)
    -> TraceRecorder
  {
    let recorder = try TraceRecorder(configuration)
    recorder.begin()
    return recorder
  }

  private init(_ configuration: RecorderConfiguration) throws(FileError) {
    let isInMemory = configuration.isInMemory
    if !isInMemory { try Folder.create(configuration.directory) }
    let anchor = ClockAnchor.now()
    let process = ProcessClocks.processNumber()
    let name =
      configuration.name
      ?? "\(anchor.wallNanoseconds / 1_000_000)-\(process)-\(UInt16.random(in: .min ... .max))"
    let base = configuration.directory + "/" + name
    tracePath = isInMemory ? "" : base + ".lctrace"
    journalPath = isInMemory ? "" : base + ".lcjournal"
    traceID = Self.hexadecimal(.random(in: .min ... .max), .random(in: .min ... .max))
    key = configuration.privacyKey
    var header = configuration.header
    header[.traceID] = .string(traceID)
    header[.clockKind] = .string("continuous")
    header[.recorderVersion] = .string("1.0")
    guard let record = JournalLayout.traceHeaderRecord(header, anchors: [anchor]) else {
      throw FileError.refused(journalPath, "the header of the trace is longer than 65,000 bytes")
    }
    let fixed = configuration.fixed(
      processNumber: process, bootID: ProcessClocks.bootNumber(),
      now: anchor.continuousNanoseconds)
    journal = try Journal(
      path: isInMemory ? nil : journalPath, fixed: fixed, traceHeader: record)
    do throws(FileError) {
      sealer = try Sealer(
        journal: journal, path: isInMemory ? nil : tracePath, header: header, anchors: [anchor],
        codec: configuration.codec, bytesMax: max(configuration.traceBytesMax, 65_536))
      if configuration.durability == .powerLoss, !isInMemory {
        try Folder.synchronize(configuration.directory)
      }
    } catch {
      journal.close()
      journal.dispose()
      if !isInMemory { Folder.remove(journalPath) }
      throw error
    }
    pulse = Pulse(configuration)
  }

  private func begin() {
    let anchor = ClockAnchor.now()
    if var event = open(.traceStart, .instant, slotsMax: 12) {
      event.add(.reason, "launch" as StaticString)
      event.add(anchor)
      event.commit()
    }
    pulse.start(journal: journal, sealer: sealer)
  }

  /// Begins an event; for the calls of the vocabulary.
  @inline(__always)
  func open(_ kind: EventKind, _ phase: Phase, slotsMax: Int) -> OpenEvent? {
    journal.core.open(kind, phase, slotsMax: slotsMax)
  }

  /// Records all clocks at one moment. Call it when the app comes to the foreground or wakes; the
  /// recorder itself does it every minute.
  public func sampleClocks() { pulse.sampleClocks(journal) }

  /// Says that the app entered or left the background: heartbeats run there, and only there.
  public func setInBackground(_ isInBackground: Bool) { pulse.setInBackground(isInBackground) }

  /// Seals everything recorded so far into the trace, and returns when it is written. Takes
  /// milliseconds and makes system calls: not for every event.
  ///
  /// - Throws: ``FileError`` if the trace can't be written, for example on a full disk. Nothing is
  ///   lost: it is all in the journal, and the next attempt takes it.
  public func flush() throws(FileError) {
    // A forked child owns nothing, and the lock may have been held when it was forked.
    if journal.isForeign || journal.isClosed { return }
    try sealer.seal(isForced: true)
  }

  /// Ends the recording with `trace.end`, seals everything, and removes the journal. Later events
  /// are dropped and counted. A second call does nothing.
  ///
  /// - Throws: ``FileError`` if the trace can't be written; the journal then stays, and the trace
  ///   can be recovered from both.
  public func stop() throws(FileError) {
    guard !journal.isForeign, pulse.stop() else { return }
    // A full ring has no room for the last event: what fills it is sealed first.
    _ = try? sealer.seal()
    let end = ProcessClocks.continuousNanoseconds()
    if var event = open(.traceEnd, .instant, slotsMax: 8) {
      event.add(.reason, "clean" as StaticString)
      event.commit()
    }
    let reserved = journal.closeForGood()
    defer { journal.dispose() }
    try sealer.finish(reservedChunks: reserved, endNanoseconds: end)
    if !journalPath.isEmpty { Folder.remove(journalPath) }
  }

  /// The bytes of the trace so far, as an `.lctrace` file has them: of what is sealed, which after
  /// ``flush()`` and ``stop()`` is everything. At most ``RecorderConfiguration/traceBytesMax``, and
  /// a block more.
  ///
  /// - Throws: ``FileError`` if the trace file can't be read; never for a recording in memory.
  public func recordedBytes() throws(FileError) -> [UInt8] {
    journal.isForeign ? [] : try sealer.bytes()
  }

  /// What the recorder has done so far.
  public struct Statistics: Hashable, Sendable {
    /// Events in the trace file.
    public var sealedCount: UInt64
    /// Events that weren't recorded because the ring was full, from a forked child, or from a
    /// signal handler inside an append. They leave gaps in the numbers of their threads, which the
    /// trace shows.
    public var droppedCount: UInt64
    /// Events that were given up: the oldest of a trace that had grown too large, or because the
    /// trace couldn't be written for too long.
    public var discardedCount: UInt64
    /// Events that are recorded, but may not outlive a power cut, because the disk refused. Always
    /// 0 below ``RecorderConfiguration/Durability/powerLoss``, which promises nothing of the kind.
    public var unsynchronizedCount: UInt64
    /// Why sealing failed the last time; nil if it didn't.
    public var failure: FileError?
  }

  /// Exact while nobody records.
  public var statistics: Statistics {
    let status = journal.isForeign ? (0, 0, nil) : sealer.status
    return Statistics(
      sealedCount: status.0, droppedCount: journal.droppedCount,
      discardedCount: status.1, unsynchronizedCount: journal.core.unsynchronizedCount,
      failure: status.2)
  }

  private static func hexadecimal(_ high: UInt64, _ low: UInt64) -> String {
    func digits(_ word: UInt64) -> String {
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(high) + digits(low)
  }
}

extension ClockAnchor {
  /// This moment on all clocks.
  static func now() -> ClockAnchor {
    ClockAnchor(
      continuousNanoseconds: ProcessClocks.continuousNanoseconds(),
      uptimeNanoseconds: ProcessClocks.uptimeNanoseconds(),
      wallNanoseconds: ProcessClocks.wallNanoseconds(), utcOffsetSeconds: 0)
  }
}

extension OpenEvent {
  /// Adds a sample of all clocks.
  mutating func add(_ anchor: ClockAnchor) {
    add(.continuousNs, anchor.continuousNanoseconds)
    add(.uptimeNs, anchor.uptimeNanoseconds)
    add(.wallNs, anchor.wallNanoseconds)
  }
}
