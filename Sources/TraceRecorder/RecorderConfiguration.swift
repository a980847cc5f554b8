// What an app decides when it starts to record. Every number has a unit, a bound and a default.

public import TraceFormat
public import TraceModel

/// How a recorder works. The defaults suit an app; a test may want less.
public struct RecorderConfiguration: Sendable {
  /// What an acknowledged event outlives.
  public enum Durability: Sendable {
    /// The end of the process, whatever ends it: the default. Costs some tens of nanoseconds.
    case processCrash
    /// A power cut too: every event waits until its page is on the disk, which takes milliseconds.
    case powerLoss
  }

  /// The folder of the recordings; created if it isn't there. On iOS: a folder of its own inside
  /// Application Support, excluded from backup.
  public var directory: String
  /// Whether everything stays in memory, and no file is written: for tests. Nothing outlives the
  /// process; ``TraceRecorder/TraceRecorder/recordedBytes()`` gives the trace.
  public let isInMemory: Bool
  /// The name of this recording, without extension; nil makes one of the time and the process.
  public var name: String?
  public var durability = Durability.processCrash
  /// Bytes of a segment of the ring, rounded to whole chunks of 2 KiB; at least 4 KiB. A full
  /// segment becomes a block.
  public var segmentBytes = 262_144
  /// Segments of the ring, from 3 to 64. The ring takes `segmentBytes * segmentCount` bytes of disk
  /// and memory, at most 32 MiB, and holds what isn't sealed yet.
  public var segmentCount = 4
  /// Bytes that the trace may take, at least 64 KiB. When it has more, its older half is given up,
  /// which `trace.lost` says and ``TraceRecorder/TraceRecorder/Statistics/discardedCount`` counts.
  public var traceBytesMax: Int64 = 64 << 20
  /// What is known of app, device and system. `trace_id`, clock and recorder are filled in.
  public var header = TraceHeader()
  /// How blocks are compressed. The default needs no library.
  public var codec = ChunkCodec.stored
  /// The key for private texts.
  public var privacyKey = PrivacyKey()
  /// Milliseconds between two looks at the ring while events come; at rest eight times as many.
  public var sealIntervalMilliseconds: Int32 = 50
  /// Nanoseconds between two heartbeats in the background.
  public var heartbeatNanoseconds: Int64 = 250_000_000
  /// Nanoseconds between two samples of all clocks.
  public var clockSampleNanoseconds: Int64 = 60_000_000_000

  public init(directory: String) {
    self.directory = directory
    isInMemory = false
  }

  private init(isInMemory: Bool) {
    directory = ""
    self.isInMemory = isInMemory
  }

  /// Records into memory and writes no file: for an app's own tests.
  ///
  ///     let recorder = try TraceRecorder.start(.inMemory)
  ///     recorder.data.dirty(store: "notes")
  ///     try recorder.stop()
  ///     let trace = try recorder.recordedBytes()   // the bytes of an `.lctrace` file
  public static var inMemory: RecorderConfiguration { RecorderConfiguration(isInMemory: true) }

  /// The fixed part of the journal's header, within the bounds of the format.
  func fixed(processNumber: Int32, bootID: UInt64, now: Int64) -> JournalLayout.Fixed {
    let segments = min(
      max(segmentCount, JournalLayout.segmentCountRange.lowerBound),
      JournalLayout.segmentCountRange.upperBound)
    let chunksMax = min(
      JournalLayout.chunksPerSegmentRange.upperBound,
      JournalLayout.ringByteCountMax / segments / JournalLayout.chunkByteCount)
    let chunks = min(
      max(
        segmentBytes / JournalLayout.chunkByteCount,
        JournalLayout.chunksPerSegmentRange.lowerBound), chunksMax)
    return JournalLayout.Fixed(
      segmentCount: segments, chunksPerSegment: chunks, processNumber: processNumber,
      bootID: bootID, startNanoseconds: now, survivesPowerLoss: durability == .powerLoss)
  }
}
