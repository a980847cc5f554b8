// Reads one capture to its end and tells a visitor what it says, trace by trace.
// This file must not know what the visitor does with it.

public import TraceExport
public import TraceFormat
import TraceIO
public import TraceImport
public import TraceModel

/// Takes what a capture says, in order.
public protocol CaptureVisitor {
  /// A trace begins. The one before it, if any, has ended.
  mutating func begin(_ header: TraceHeader) throws(CaptureFailure)
  /// The next events of the trace.
  mutating func consume(_ batch: EventBatch) throws(CaptureFailure)
  /// The trace has ended, or, of a capture that holds several at once, all that are open.
  mutating func endTrace() throws(CaptureFailure)
  /// Whether it takes the traces of a capture that holds several at once as they come. Any other
  /// visitor is told of them one after the other at the capture's end.
  static var takesTracesAtOnce: Bool { get }
  /// Which trace of several the next calls are about, or what has become known of it.
  mutating func stream(_ step: StreamStep) throws(CaptureFailure)
  /// How many bytes of the capture's files have been read, as they stand there, before the events
  /// that follow. Not told of a capture of which blocks are sought.
  mutating func note(readByteCount: Int64)
  mutating func problem(_ problem: InputProblem)
  mutating func remark(_ remark: CaptureRemark)
  /// A live input is silent, or some time has passed: what arrived has been given.
  ///
  /// - Parameter silentNanoseconds: Time since the last bytes came.
  mutating func idle(silentNanoseconds: Int64)
  /// What became of the lines so far, if an account is kept; told before the events of lines, and
  /// once more when the capture has been read.
  mutating func account(_ ledger: LineLedger)
  /// Whether the rest of the capture doesn't matter.
  var isSatisfied: Bool { get }
  /// Whether blocks that aren't ``wants(_:)``ed may be left out, with whatever is wrong in them.
  var skipsBlocks: Bool { get }
  /// Whether a block may hold what the visitor is after. The first block of each trace isn't asked
  /// for: it is always given.
  func wants(_ block: BlockSummary) -> Bool
  /// Whether it takes blocks whose columns it opens itself. They come from files with an index.
  var opensBlocks: Bool { get }
  /// The next events of the trace, as a block that is opened column by column.
  ///
  /// - Returns: False, and nothing was taken, if a column of it can't be read.
  mutating func consume(opening block: inout StoredBlock) -> Bool
}

extension CaptureVisitor {
  public var opensBlocks: Bool { false }
  public mutating func consume(opening block: inout StoredBlock) -> Bool { false }

  public static var takesTracesAtOnce: Bool { false }
  public mutating func stream(_ step: StreamStep) {}
  public mutating func note(readByteCount: Int64) {}
  public mutating func remark(_ remark: CaptureRemark) {}
  public mutating func idle(silentNanoseconds: Int64) {}
  public mutating func account(_ ledger: LineLedger) {}
  public var isSatisfied: Bool { false }
  public var skipsBlocks: Bool { false }
  public func wants(_ block: BlockSummary) -> Bool { true }
}

/// Reads captures.
public enum CaptureReader {
  /// Traces of one capture: each is judged and kept until the capture's end, and a hostile input
  /// may begin one every few bytes.
  public static let tracesMax = 65_536

  /// Reads a capture to its end.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - format: The format it has; nil to recognise it.
  ///   - overrides: Header fields that the capture lacks.
  ///   - lines: How log lines are read.
  ///   - onlyRegular: Refuses pipes and devices, whose writers may never come.
  ///   - jobs: Threads: beyond the caller's they read blocks ahead.
  ///   - opened: Told the format before anything else.
  /// - Throws: ``CaptureFailure`` if it can't be opened, is no capture, or the visitor gives up.
  ///   What the visitor was told until then holds.
  public static func read<Visitor: CaptureVisitor>(
    path: String, format: CaptureFormat? = nil, overrides: HeaderOverrides = HeaderOverrides(),
    lines: LineOptions = LineOptions(), onlyRegular: Bool = false, jobs: Int = 1,
    into visitor: inout Visitor, opened: (CaptureFormat) -> Void = { _ in }
  ) throws(CaptureFailure) {
    if visitor.skipsBlocks || visitor.opensBlocks,
      format == nil || format?.name == CaptureFormat.lctrace.name,
      try BlockSeeker.read(
        path: path, overrides: overrides, jobs: jobs, into: &visitor, opened: opened)
    {
      return
    }
    var lines = lines
    lines.patterns.fallbackApp = overrides.appBundleID
    var source = try CaptureSource(
      path: path, format: format, lines: lines, onlyRegular: onlyRegular)
    opened(source.format)
    var batch = EventBatch()
    var traceCount = 0
    var isInTrace = false
    var hasContent = false
    var foreignRemark: String?
    var eventlessRemark: String?
    var isDamaged = false
    var isStreamed = false
    var spool: TraceSpool?
    reading: while !visitor.isSatisfied {
      switch source.next(into: &batch) {
      case .decoder(.header(var header)):
        traceCount += 1
        if traceCount > tracesMax {
          visitor.problem(tooManyTraces)
          break reading
        }
        if isInTrace, !isStreamed { try visitor.endTrace() }
        let remarks = overrides.apply(to: &header)
        if let spool {
          spool.begin(header)
          for remark in remarks { spool.add(remark) }
        } else {
          try visitor.begin(header)
          for remark in remarks { visitor.remark(remark) }
          isInTrace = true
        }
        hasContent = hasContent || source.format.isTrace
      case .decoder(.stream(var step)):
        if case .trace = step, !isStreamed {
          isStreamed = true
          if !Visitor.takesTracesAtOnce { spool = TraceSpool() }
        }
        if case .amended(var header) = step {
          _ = overrides.apply(to: &header)
          step = .amended(header)
        }
        if let spool { spool.take(step) } else { try visitor.stream(step) }
      case .decoder(.batch) where spool != nil:
        if batch.count > 0 { hasContent = true }
        try spool?.consume(batch)
        if Interrupt.isRaised, !source.isLive { throw .interrupted }
      case .decoder(.batch):
        if !isInTrace {
          var header = TraceHeader()
          _ = overrides.apply(to: &header)
          try visitor.begin(header)
          isInTrace = true
        }
        if batch.count > 0 { hasContent = true }
        if lines.keepsLedger, let ledger = source.ledger { visitor.account(ledger) }
        visitor.note(readByteCount: source.readByteCount)
        try visitor.consume(batch)
        // A capture may hold many batches that are read at once, and each may take its time.
        if Interrupt.isRaised, !source.isLive { throw .interrupted }
      case .decoder(.problem(let problem)):
        if problem.consequence == .refused, !hasContent {
          throw CaptureFailure(problem)
        }
        visitor.problem(problem)
        isDamaged = true
        if problem.consequence == .refused { break reading }
      case .decoder(.remark(let remark)):
        if let spool, spool.hasTraces { spool.add(remark) } else { visitor.remark(remark) }
        if remark.id == CaptureRemark.foreignID { foreignRemark = remark.message }
        if remark.id == CaptureRemark.eventlessID { eventlessRemark = remark.message }
      case .decoder(.end), .decoder(.needsInput):
        break reading
      case .idle(let silentNanoseconds):
        visitor.idle(silentNanoseconds: silentNanoseconds)
      case .failed(let failure):
        if !hasContent || failure.kind == .interrupted { throw failure }
        visitor.problem(InputProblem(.skipped, at: .input, failure.message, advice: failure.advice))
        break reading
      }
    }
    if lines.keepsLedger, let ledger = source.ledger { visitor.account(ledger) }
    if let problem = source.wrapperProblem {
      if !hasContent { throw CaptureFailure(problem) }
      visitor.problem(problem)
    }
    visitor.note(readByteCount: source.readByteCount)
    try spool?.replay(into: &visitor)
    if isInTrace { try visitor.endTrace() }
    if !hasContent, !visitor.isSatisfied {
      if Interrupt.isRaised { throw .interrupted }
      // The importer knows best what it is instead.
      if let foreignRemark {
        throw CaptureFailure(
          foreignRemark,
          advice: isDamaged ? "give the whole report" : "give a capture of an app instead",
          .foreign)
      }
      throw .noLifecycleLines(source.format, eventlessRemark)
    }
  }

  private static var tooManyTraces: InputProblem {
    InputProblem(
      .refused, at: .input, "the capture holds more than \(tracesMax) traces",
      advice: "split it")
  }
}

extension CaptureFailure {
  /// Nothing is wrong with a log in which no app says anything: it isn't damaged.
  ///
  /// - Parameter told: What it tells all the same.
  static func noLifecycleLines(_ format: CaptureFormat, _ told: String? = nil) -> CaptureFailure {
    let nothing =
      "it holds no life-cycle lines that tell what an app did, though it looks like a capture"
    return CaptureFailure(
      "\(told ?? nothing) (\(format.title))",
      advice: "record the app's own lines and the system's while the app is used; "
        + "'tracecheck capture' says how", .eventless)
  }

  init(_ problem: InputProblem) {
    var message = problem.message
    switch problem.location {
    case .input: break
    case .bytes(let range): message += " (at byte \(range.lowerBound))"
    case .line(let line, let column): message += " (line \(line), column \(column))"
    }
    self.init(message, advice: problem.advice)
  }
}
