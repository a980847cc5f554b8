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
  private var terms: TraceTerms?
  private let liveFindings: ([Finding]) -> Void
  private let progress: (Int) -> Void
  private let measuring: CheckRun.Measuring
  private var measures: TraceMeasures?
  /// Measures kept with their times, of all traces so far.
  private var timedCount = 0
  private var checker: Checker?
  private var hash = EventHash()
  private var headerTraceID: String?
  private var isTraceDamaged = false
  private var earlyRemarks: [CaptureRemark] = []
  private let comparesContent: Bool
  private var header = TraceHeader()
  private var identities: [TraceIdentity] = []
  private var recordFailure: CaptureFailure?

  /// How late the bytes of an event may come.
  private static let lateNanosecondsMax: Int64 = 300_000_000

  /// Keeps the events; nil to keep nothing.
  private var recorder: TraceWriter?

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
    self.comparesContent = comparesContent
    self.measuring = measuring
    self.liveFindings = liveFindings
    self.progress = progress
  }

  mutating func begin(_ header: TraceHeader) {
    record { (writer) throws(CaptureFailure) in try writer.begin(header) }
    self.header = header
    let terms = makeTerms(header, capture.path)
    self.terms = terms
    checker = Checker(
      header: header, options: terms.options, measures: measuring != .nothing)
    measures =
      measuring == .nothing
      ? nil
      : TraceMeasures(
        keepsTimes: measuring == .timed, room: max(0, TraceMeasures.timedMax - timedCount))
    hash = EventHash()
    headerTraceID = header.string(.traceID)
    isTraceDamaged = false
    key.begin(header)
    for remark in earlyRemarks { checker?.add(remark) }
    earlyRemarks.removeAll()
  }

  mutating func consume(_ batch: EventBatch) {
    record { (writer) throws(CaptureFailure) in try writer.consume(batch) }
    key.consume(batch)
    if comparesContent || headerTraceID == nil { hash.add(batch) }
    var source = batch
    checker?.consume(&source)
    measure(batch)
    progress(batch.count)
  }

  /// Takes what the checker measured, and the ends that the system counted: they are no events of a
  /// life.
  private mutating func measure(_ batch: EventBatch) {
    guard measures != nil else { return }
    measures?.add(checker?.takeMeasures() ?? [])
    guard batch.templates.contains(where: { $0.kind == .exitImport }) else { return }
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      guard event.kind == .exitImport, let category = batch.text(.category, of: event),
        let count = batch.integer(.count, of: event), count > 0
      else { continue }
      let cause = TerminationCause(metricKit: category) ?? .unknown
      measures?.add(
        LifeMeasure(
          .termination(cause, count: Int(clamping: count)),
          timeNanoseconds: event.timeNanoseconds))
    }
  }

  mutating func endTrace() {
    guard var ended = checker.take() else { return }
    var judgement = ended.finish(isDamaged: isTraceDamaged)
    judgement.traceID = headerTraceID ?? hash.text
    if let terms {
      let traceID = judgement.traceID
      judgement.suppress { terms.suppression($0, traceID) }
    }
    capture.traces.append(judgement)
    if var measures = measures.take() {
      measures.add(ended.takeMeasures())
      timedCount += measures.timedCount
      capture.measures.append(measures)
    }
    if comparesContent {
      identities.append(
        TraceIdentity(
          header: header, eventCount: judgement.eventCount, contentHash: hash.text))
    }
  }

  /// Ends the record, which appears in its place.
  mutating func finishRecord() {
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
    if problem.consequence != .truncated { isTraceDamaged = true }
    capture.add(problem)
  }

  mutating func remark(_ remark: CaptureRemark) {
    if checker == nil { earlyRemarks.append(remark) } else { checker?.add(remark) }
  }

  mutating func idle(silentNanoseconds: Int64) {
    checker?.noteSilence(silentNanoseconds - Self.lateNanosecondsMax)
    guard var findings = checker?.takeFindings(), !findings.isEmpty else { return }
    findings.removeAll { terms?.suppression($0, headerTraceID ?? "") != nil }
    if !findings.isEmpty { liveFindings(findings) }
  }

  mutating func fail(_ failure: CaptureFailure) { capture.failure = failure }

  /// The capture when it has been read; the format is nil if it wasn't recognised.
  func result(format: CaptureFormat?) -> CheckedCapture {
    var capture = capture
    capture.format = format?.name ?? ""
    return CheckedCapture(
      capture: capture, key: key.key, copyRank: format?.copyRank ?? .max,
      identities: identities, recordFailure: recordFailure)
  }
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
