// Opens a capture: recognises its format, takes off its wrappers, and gives out what its decoder
// says. This file must not know what is done with the events.

import TraceCodecs
import TraceExport
import TraceFormat
import TraceIO
import TraceImport
import TraceModel

/// One capture being read.
struct CaptureSource: ~Copyable {
  let format: CaptureFormat
  private var bytes: ByteSource
  private var decoder: any CaptureDecoder
  private var chunk: [UInt8] = []
  private var hasEnded = false
  /// What is read after the file itself: the trace beside a journal.
  private var nextPath: String?
  private let onlyRegular: Bool
  /// Bytes of a journal before its trace.
  private var journalByteCount: Int64 = 0
  /// Whether ``Step/idle`` follows when everything complete has been given out.
  private var hasFlushed = false
  private var lastFlushNanoseconds = ProcessEnvironment.monotonicNanoseconds()
  /// When the last bytes came.
  private var lastBytesNanoseconds = ProcessEnvironment.monotonicNanoseconds()

  /// Bytes given to a decoder at once: large enough that calls cost nothing, small enough for the
  /// second-level cache.
  static let chunkBytes = 262_144

  /// How long a live input may be silent before complete lines are judged.
  static let idleMilliseconds: Int32 = 200

  /// Fewer bytes of a live input than these may be too few to recognise it.
  private static let fewBytesMax = 256

  enum Step: Sendable {
    case decoder(DecoderStep)
    /// A live input is silent, or has been read for a while: everything complete that arrived has
    /// been given out.
    case idle(silentNanoseconds: Int64)
    /// The system can't read on.
    case failed(CaptureFailure)
  }

  /// Opens a capture.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - format: The format it has; nil to recognise it.
  ///   - lines: How log lines are read.
  ///   - onlyRegular: Refuses pipes and devices, whose writers may never come.
  /// - Throws: ``CaptureFailure`` if it can't be opened, is empty, or is no capture.
  init(
    path: String, format: CaptureFormat?, lines: LineOptions, onlyRegular: Bool = false
  ) throws(CaptureFailure) {
    self.onlyRegular = onlyRegular
    var bytes = try ByteSource(path: path, onlyRegular: onlyRegular)
    var (head, recognised) = try bytes.readFormat(Recording.format(format, of: path))
    if head.isEmpty {
      if let problem = bytes.problem { throw CaptureFailure(problem) }
      if Interrupt.isRaised { throw .interrupted }
      throw CaptureFailure("it is empty", advice: "record something, or leave it out", .foreign)
    }
    // Of a journal that begins with damage the name is left; its chunks say what they are.
    if recognised == nil, bytes.problem == nil, !bytes.isLive, Recording.isNamedJournal(path) {
      recognised = .journal
    }
    guard let format = recognised else {
      // The few bytes that a broken wrapper gave say nothing about what it holds.
      if let problem = bytes.problem { throw CaptureFailure(problem) }
      if Interrupt.isRaised { throw .interrupted }
      var failure = ForeignContent.failure(for: head.span, path: path)
      if bytes.isLive, head.count < Self.fewBytesMax {
        failure.message += " (decided on the first \(head.count) bytes)"
      }
      throw failure
    }
    if format.name == CaptureFormat.journal.name, !bytes.isLive {
      nextPath = Recording.trace(besideJournal: path)
    }
    self.bytes = bytes
    self.format = format
    decoder = format.makeDecoder()
    if !lines.isStandard, var reader = decoder as? any LineDecoder {
      reader.prepare(lines)
      decoder = reader
    }
    decoder.feed(head.span)
  }

  /// Whether bytes may still be on their way.
  var isLive: Bool { bytes.isLive }

  /// What became of the lines so far; nil if no account is kept.
  var ledger: LineLedger? { (decoder as? any LineDecoder)?.ledger }

  /// Bytes of files that were read, as they stand there.
  var readByteCount: Int64 { journalByteCount + bytes.fileByteCount }

  /// Problems that the wrappers had.
  var wrapperProblem: InputProblem? { bytes.problem }

  /// The next thing that the capture says.
  mutating func next(into batch: inout EventBatch) -> Step {
    while true {
      let step = decoder.next(into: &batch)
      guard case .needsInput = step, !hasEnded else { return .decoder(step) }
      if Interrupt.isRaised {
        // What was begun and is no stream can be read again from its beginning.
        if !isLive { return .failed(.interrupted) }
        hasEnded = true
        decoder.finish()
        continue
      }
      if hasFlushed {
        hasFlushed = false
        return .idle(silentNanoseconds: lastFlushNanoseconds - lastBytesNanoseconds)
      }
      if isLive {
        let now = ProcessEnvironment.monotonicNanoseconds()
        if now - lastFlushNanoseconds >= Int64(Self.idleMilliseconds) * 1_000_000 {
          flush(now)
          continue
        }
      }
      chunk.removeAll(keepingCapacity: true)
      do throws(CaptureFailure) {
        switch try bytes.read(
          into: &chunk, limit: Self.chunkBytes, timeoutMilliseconds: Self.idleMilliseconds)
        {
        case .bytes:
          if isLive { lastBytesNanoseconds = ProcessEnvironment.monotonicNanoseconds() }
          // Taken out and put back: it keeps its memory.
          var fed: [UInt8] = []
          swap(&fed, &chunk)
          decoder.feed(fed.span)
          swap(&fed, &chunk)
        case .end where nextPath != nil:
          try readOn()
        case .end:
          hasEnded = true
          decoder.finish()
        case .timeout:
          flush(ProcessEnvironment.monotonicNanoseconds())
        case .interrupted:
          break
        }
      } catch {
        return .failed(error)
      }
    }
  }

  /// What a journal and the trace beside it hold, so far; nil for other formats.
  var journalStatistics: JournalStatistics? { (decoder as? JournalDecoder)?.statistics }

  /// What the blocks of a trace tell, so far; nil for formats without blocks.
  var blockStatistics: LctraceStatistics? {
    (decoder as? LctraceDecoder)?.statistics ?? (decoder as? JournalDecoder)?.traceStatistics
  }

  /// Goes on with the trace beside a journal.
  private mutating func readOn() throws(CaptureFailure) {
    guard let path = nextPath else { return }
    nextPath = nil
    if var journal = decoder as? JournalDecoder {
      journal.endJournal()
      decoder = journal
    }
    journalByteCount = bytes.fileByteCount
    bytes = try ByteSource(path: path, onlyRegular: onlyRegular)
  }

  /// Makes the decoder give out what is complete.
  private mutating func flush(_ now: Int64) {
    decoder.flush(silentNanoseconds: now - lastBytesNanoseconds)
    hasFlushed = true
    lastFlushNanoseconds = now
  }
}
