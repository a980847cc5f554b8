// Has every trace of one capture judged, and knows the trace ids by which copies are found.
// This file must not know how reports look, nor about other captures.

import TraceExport
import TraceLifecycle
import TraceModel
import TraceRules

/// A capture with its judgements, and what tells whether another holds the same traces.
struct CheckedCapture: Sendable {
  var capture: JudgedCapture
  var key: CaptureKey?
  /// The rank of its format among copies.
  var copyRank = Int.max
  /// One for each trace, if they were asked for.
  var identities: [TraceIdentity] = []
  /// Why the events couldn't be kept.
  var recordFailure: CaptureFailure?
}

/// Checks one capture: a visitor that runs the rules over each of its traces.
struct CaptureJudge: CaptureVisitor {
  private(set) var capture: JudgedCapture
  private(set) var key: CaptureKeyBuilder
  private let makeTerms: TraceTerms.Maker
  private let liveFindings: ([Finding]) -> Void
  private let progress: (Int) -> Void
  private let measuring: CheckRun.Measuring
  /// Measures kept with their times, of all traces so far.
  private var timedCount = 0
  /// The traces that haven't ended, by number.
  private var open: [Int: OpenTrace] = [:]
  private var current = 0
  /// Whether the capture holds several traces at once.
  private var isStreamed = false
  private var ended: [EndedTrace] = []
  private var earlyRemarks: [CaptureRemark] = []
  private let comparesContent: Bool
  private var recordFailure: CaptureFailure?

  /// A trace that is judged.
  private struct OpenTrace {
    var header: TraceHeader
    var checker: Checker
    var terms: TraceTerms
    var hash = EventHash()
    let headerTraceID: String?
    var isDamaged = false
    /// Nil if nothing is measured.
    var measures: TraceMeasures?

    /// Adds measures.
    ///
    /// - Parameter timedRoom: How many more may be kept with their times.
    /// - Returns: By how many those kept with their times grew.
    mutating func add(_ measured: [LifeMeasure], timedRoom: Int) -> Int {
      guard var measures = measures.take() else { return 0 }
      defer { self.measures = measures }
      let before = measures.timedCount
      measures.room = before + timedRoom
      measures.add(measured)
      return measures.timedCount - before
    }
  }

  /// A trace that was judged.
  private struct EndedTrace {
    let number: Int
    let judgement: Judgement
    let measures: TraceMeasures?
    let identity: TraceIdentity
  }

  /// How late the bytes of an event may come.
  private static let lateNanosecondsMax: Int64 = 300_000_000

  /// Keeps the events; nil to keep nothing.
  private var recorder: TraceWriter?
  /// Keeps the events until a trace is known in full.
  private var recordSpool: TraceSpool?
  private var losses: LossKeeper

  static let takesTracesAtOnce = true

  /// - Parameter comparesContent: Whether every trace's content is to be told from others'.
  init(
    path: String, terms: @escaping TraceTerms.Maker, recorder: TraceWriter? = nil,
    comparesContent: Bool = false, measuring: CheckRun.Measuring = .nothing,
    liveFindings: @escaping ([Finding]) -> Void, progress: @escaping (Int) -> Void
  ) {
    capture = JudgedCapture(path: path)
    key = CaptureKeyBuilder()
    makeTerms = terms
    self.recorder = recorder
    losses = LossKeeper(keepsNumbers: recorder?.keepsNumbers ?? true)
    self.comparesContent = comparesContent
    self.measuring = measuring
    self.liveFindings = liveFindings
    self.progress = progress
  }

  mutating func begin(_ header: TraceHeader) {
    if let recordSpool {
      recordSpool.begin(header)
    } else {
      losses.begin()
      record { (writer) throws(CaptureFailure) in try writer.begin(header) }
    }
    if !isStreamed { current += 1 }
    let terms = makeTerms(header, capture.path)
    open[current] = OpenTrace(
      header: header,
      checker: Checker(header: header, plans: terms.plans, measures: measuring != .nothing),
      terms: terms, headerTraceID: header.string(.traceID),
      measures: measuring == .nothing
        ? nil : TraceMeasures(keepsTimes: measuring == .timed, room: timedRoom))
    if !isStreamed || current == 0 { key.begin(header) }
    for remark in earlyRemarks { open[current]?.checker.add(remark) }
    earlyRemarks.removeAll()
  }

  mutating func consume(_ batch: EventBatch) {
    if let recordSpool {
      record { (_) throws(CaptureFailure) in try recordSpool.consume(batch) }
    } else {
      for part in recorder == nil ? [] : losses.parts(of: batch) {
        record { (writer) throws(CaptureFailure) in try writer.consume(part) }
      }
    }
    if !isStreamed || current == 0 { key.consume(batch) }
    if comparesContent || open[current]?.headerTraceID == nil { open[current]?.hash.add(batch) }
    var source = batch
    open[current]?.checker.consume(&source)
    measure(batch)
    progress(batch.count)
  }

  var opensBlocks: Bool { !comparesContent && measuring == .nothing }

  /// Takes a block of which rules may need no more than the templates. What tells traces apart
  /// needs all of those without an id.
  mutating func consume(opening block: inout StoredBlock) -> Bool {
    guard open[current]?.headerTraceID != nil, key.isComplete, recorder == nil else {
      guard block.load() else { return false }
      consume(block.batch)
      return true
    }
    do throws(InputProblem) {
      try open[current]?.checker.consume(&block)
    } catch {
      return false
    }
    progress(block.batch.count)
    return true
  }

  /// How many more measures may be kept with their times.
  private var timedRoom: Int { max(0, TraceMeasures.timedMax - timedCount) }

  /// Takes what the checker measured, and the ends that the system counted: they are no events of a
  /// life.
  private mutating func measure(_ batch: EventBatch) {
    guard measuring != .nothing,
      var measured = open[current]?.checker.takeMeasures()
    else { return }
    if batch.templates.contains(where: { $0.kind == .exitImport }) {
      for index in 0..<batch.count {
        let event = batch.event(at: index)
        guard event.kind == .exitImport, let category = batch.text(.category, of: event),
          let count = batch.integer(.count, of: event), count > 0
        else { continue }
        let cause = TerminationCause(metricKit: category) ?? .unknown
        measured.append(
          LifeMeasure(
            .termination(
              cause, count: Int(clamping: count), words: EndingWords(event, in: batch)),
            timeNanoseconds: event.timeNanoseconds))
      }
    }
    let room = timedRoom
    let addedCount = open[current]?.add(measured, timedRoom: room) ?? 0
    timedCount += addedCount
  }

  mutating func stream(_ step: StreamStep) {
    switch step {
    case .trace(let number):
      if !isStreamed, recorder != nil { recordSpool = TraceSpool() }
      isStreamed = true
      current = number
    case .amended(let header): amend(header)
    case .ended: end(current)
    }
    recordSpool?.take(step)
  }

  /// Takes over what is known by now. Rules go on with the options that they began with; which
  /// findings don't count is decided when the app is known.
  private mutating func amend(_ header: TraceHeader) {
    guard let known = open[current]?.header else { return }
    if header.string(.appBundleID) != known.string(.appBundleID) {
      let terms = makeTerms(header, capture.path)
      open[current]?.terms = terms
    }
    open[current]?.header = header
    open[current]?.checker.amend(header)
  }

  mutating func endTrace() {
    for number in open.keys.sorted() { end(number) }
  }

  private mutating func end(_ number: Int) {
    guard var trace = open.removeValue(forKey: number) else { return }
    var judgement = trace.checker.finish(isDamaged: trace.isDamaged)
    let traceID = trace.headerTraceID ?? trace.hash.text
    judgement.traceID = traceID
    judgement.suppress { trace.terms.suppression($0, traceID) }
    timedCount += trace.add(trace.checker.takeMeasures(), timedRoom: timedRoom)
    ended.append(
      EndedTrace(
        number: number, judgement: judgement, measures: trace.measures,
        identity: TraceIdentity(
          header: trace.header, eventCount: judgement.eventCount, contentHash: trace.hash.text)))
  }

  /// Ends the record, which appears in its place.
  mutating func finishRecord() {
    if let recordSpool {
      record { (writer) throws(CaptureFailure) in
        var replayed = RecordReplay(writer: writer)
        try recordSpool.replay(into: &replayed)
      }
    }
    record { (writer) throws(CaptureFailure) in try writer.finish() }
  }

  /// Does something with the record. If that fails there is none, and judging goes on.
  private mutating func record(_ step: (TraceWriter) throws(CaptureFailure) -> Void) {
    guard let writer = recorder else { return }
    do throws(CaptureFailure) {
      try step(writer)
    } catch {
      recordFailure = error
      recorder = nil
    }
  }

  mutating func problem(_ problem: InputProblem) {
    if problem.consequence != .truncated, !isStreamed { open[current]?.isDamaged = true }
    capture.add(problem)
  }

  mutating func remark(_ remark: CaptureRemark) {
    // The trace at hand may have ended to make room for another one.
    guard let number = open[current] == nil ? open.keys.max() : current else {
      earlyRemarks.append(remark)
      return
    }
    open[number]?.checker.add(remark)
  }

  mutating func idle(silentNanoseconds: Int64) {
    for number in open.keys.sorted() {
      open[number]?.checker.noteSilence(silentNanoseconds - Self.lateNanosecondsMax)
      guard let trace = open[number], var findings = open[number]?.checker.takeFindings() else {
        continue
      }
      if findings.isEmpty { continue }
      findings.removeAll { trace.terms.suppression($0, trace.headerTraceID ?? "") != nil }
      if !findings.isEmpty { liveFindings(findings) }
    }
  }

  mutating func fail(_ failure: CaptureFailure) { capture.fail(failure) }

  /// The capture when it has been read; the format is nil if it wasn't recognised.
  func result(format: CaptureFormat?) -> CheckedCapture {
    var capture = capture
    capture.format = format?.name ?? ""
    let ended = ended.sorted { $0.number < $1.number }
    capture.traces = ended.map(\.judgement)
    capture.measures = ended.compactMap(\.measures)
    if comparesContent { capture.contentHashes = ended.map(\.identity.contentHash) }
    return CheckedCapture(
      capture: capture, key: key.key, copyRank: format?.copyRank ?? .max,
      identities: comparesContent ? ended.map(\.identity) : [], recordFailure: recordFailure)
  }
}

/// Writes down the traces that were kept for a record.
private struct RecordReplay: CaptureVisitor {
  let writer: TraceWriter
  private var losses: LossKeeper

  init(writer: TraceWriter) {
    self.writer = writer
    losses = LossKeeper(keepsNumbers: writer.keepsNumbers)
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    losses.begin()
    try writer.begin(header)
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    for part in losses.parts(of: batch) { try writer.consume(part) }
  }

  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
}

extension Judgement {
  /// Sets findings aside that don't count.
  fileprivate mutating func suppress(_ suppression: (Finding) -> SuppressedFinding?) {
    var counted: [Finding] = []
    for finding in findings {
      if let kept = suppression(finding) {
        suppressed.append(kept)
      } else {
        counted.append(finding)
      }
    }
    findings = counted
  }
}
