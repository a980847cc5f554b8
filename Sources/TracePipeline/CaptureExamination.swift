// Reads a capture to its end, whatever is wrong with it: every defect, and what was lost, in
// numbers. This file must not know how the numbers are printed.

public import TraceExport
public import TraceFormat
import TraceImport
import TraceLifecycle
public import TraceModel

/// What a capture holds, and what is wrong with it.
public struct CaptureExamination: Sendable {
  public var path: String
  public var format = ""
  public var traceCount = 0
  public var eventCount = 0
  public var blockCount = 0
  /// Every defect, in the order in which it was found, up to ``problemsMax``.
  public private(set) var problems: [InputProblem] = []
  public private(set) var problemsOmittedCount = 0
  /// Bytes that lie in defects.
  public var damagedByteCount: UInt64 { damagedBytes.count }
  /// Events that stood in lost blocks, as far as blocks that are there tell.
  public private(set) var lostEventCount = 0
  /// Numbers missing among the events of each thread: dropped, given up or lost.
  public private(set) var missingNumberCount: UInt64 = 0
  /// What a journal says of itself; nil for other formats.
  public private(set) var journal: JournalStatistics?

  /// Defects that are kept: a file may hold one every few bytes.
  public static let problemsMax = 100_000

  private var damagedBytes = ByteRanges()
  private var numbers = SequenceRanges()
  private var losses: LossKeeper

  /// Whether something is wrong that isn't just the end of a killed app.
  public var isDamaged: Bool { problems.contains { $0.consequence != .truncated } }

  /// Reads a capture.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - format: The format it has; nil to recognise it.
  ///   - writer: Takes everything that is intact; nil to look only.
  /// - Throws: ``CaptureFailure`` if it can't be opened or is no capture, or the writer fails.
  public init(
    path: String, format: CaptureFormat? = nil, writer: TraceWriter? = nil
  ) throws(CaptureFailure) {
    self.path = path
    losses = LossKeeper(keepsNumbers: writer?.keepsNumbers ?? true)
    var source = try CaptureSource(path: path, format: format, lines: LineOptions())
    self.format = source.format.name
    var batch = EventBatch()
    var spool: TraceSpool?
    reading: while true {
      switch source.next(into: &batch) {
      case .decoder(.header(let header)):
        if let spool { spool.begin(header) } else { try begin(header, writer) }
      case .decoder(.batch):
        if let spool { try spool.consume(batch) } else { try take(batch, writer) }
      case .decoder(.stream(let step)):
        if spool == nil { spool = TraceSpool() }
        spool?.take(step)
      case .decoder(.problem(let problem)):
        if problem.consequence == .refused, eventCount == 0, traceCount == 0,
          spool?.hasTraces != true
        {
          throw CaptureFailure(problem)
        }
        add(problem)
        if problem.consequence == .refused { break reading }
      case .decoder(.remark), .idle:
        break
      case .decoder(.end), .decoder(.needsInput):
        break reading
      case .failed(let failure):
        let isEmpty = eventCount == 0 && spool?.hasTraces != true
        if isEmpty || failure.kind == .interrupted { throw failure }
        add(InputProblem(.skipped, at: .input, failure.message, advice: failure.advice))
        break reading
      }
    }
    if let problem = source.wrapperProblem { add(problem) }
    if let spool {
      var spooled = SpooledTraces(examination: self, writer: writer)
      try spool.replay(into: &spooled)
      self = spooled.examination
    }
    endTrace()
    journal = source.journalStatistics
    lostEventCount = source.blockStatistics?.lostEventCount ?? 0
  }

  fileprivate mutating func begin(
    _ header: TraceHeader, _ writer: TraceWriter?
  ) throws(CaptureFailure) {
    endTrace()
    traceCount += 1
    losses.begin()
    try writer?.begin(header)
  }

  fileprivate mutating func take(
    _ batch: EventBatch, _ writer: TraceWriter?
  ) throws(CaptureFailure) {
    note(batch)
    guard let writer else { return }
    for part in losses.parts(of: batch) { try writer.consume(part) }
  }

  private mutating func note(_ batch: EventBatch) {
    blockCount += 1
    eventCount += batch.count
    numbers.insert(batch)
    missingNumberCount &+= Self.toldNumberCount(batch)
  }

  /// Numbers of threads of which an event says that they were dropped: the recorder tells so what
  /// is missing where no gap shows it.
  private static func toldNumberCount(_ batch: EventBatch) -> UInt64 {
    guard batch.templates.contains(where: { $0.kind == .traceLost }) else { return 0 }
    var count: UInt64 = 0
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      guard event.kind == .traceLost, let thread = batch.lostThread(event) else { continue }
      let isNumbered = batch.threads.contains { $0.id == thread && $0.firstSequence > 0 }
      if thread == event.thread, isNumbered {
        count &+= UInt64(clamping: batch.integer(.count, of: event) ?? 1)
      }
    }
    return count
  }

  private mutating func endTrace() {
    missingNumberCount &+= numbers.missingCount
    numbers = SequenceRanges()
  }

  private mutating func add(_ problem: InputProblem) {
    if case .bytes(let range) = problem.location, problem.consequence != .truncated {
      damagedBytes.insert(range)
    }
    if problems.count < Self.problemsMax {
      problems.append(problem)
    } else {
      problemsOmittedCount += 1
    }
  }
}

/// Goes through the traces of a capture that held several at once.
private struct SpooledTraces: CaptureVisitor {
  var examination: CaptureExamination
  let writer: TraceWriter?

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    try examination.begin(header, writer)
  }
  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    try examination.take(batch, writer)
  }
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
}
