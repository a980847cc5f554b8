// Runs `lasts` clauses of spans: a span must not last too long.

import TraceLifecycle
import TraceModel

/// Measures the spans of one clause.
final class SpanLastsRunner: ClauseRunner {
  private struct Open {
    var ordinal: Int
    var kind: EventKind
    var thread: Int64
    var key: InstanceKey
    var evidence: Int
    var openNanoseconds: Int64
    var start: Int64
    /// Another callback began on the thread since: either it is nested, or the return was lost.
    var mayHaveReturned = false
    /// A span inside this one was too long and is reported.
    var hasReportedInside = false
    /// Why its duration can't be known; nil if it can.
    var doubt: String?
  }

  /// Spans measured at once.
  private static let openMax = 4_096

  private let lasts: Lasts
  private let spans: [EventPattern]
  private var reading: ClockReading
  private let max: Int64
  private let upTo: Int64?
  private var open: [Open] = []
  private var spanCount = 0

  init(
    _ monitor: RuleMonitor, _ clauseIndex: Int, _ lasts: Lasts, _ spans: [EventPattern],
    _ judge: Judge
  ) {
    self.lasts = lasts
    self.spans = spans
    reading = ClockReading(lasts.max)
    max = judge.value(of: lasts.max.amount, monitor.ruleIndex)
    upTo = lasts.upTo.map { judge.value(of: $0, monitor.ruleIndex) }
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] {
    spans.map { (0, $0, []) }
      + spans.map { (1, EventPattern($0.kinds, edge: .end, isLiteral: true), []) }
      + spans.flatMap { scenes(of: $0) }.map { (1, $0, []) }
  }

  /// The returns of the scenes' twins.
  private func scenes(of pattern: EventPattern) -> [EventPattern] {
    guard case .kinds(let kinds) = pattern.kinds else { return [] }
    return kinds.compactMap { SceneTwin(of: $0)?.sceneKind }.map { .end($0) }
  }

  override var spanKinds: [EventKind] {
    spans.flatMap { pattern -> [EventKind] in
      pattern.spanKinds + pattern.spanKinds.compactMap { SceneTwin(of: $0)?.sceneKind }
    }
  }

  override var followsState: Bool { reading.dependsOnState }
  override var watchesCallbacks: Bool { lasts.openMessage != nil }

  override var isIdle: Bool { open.isEmpty }
  override func needsOpen(_ role: Int) -> Bool { role == 1 }

  override func spanNanosecondsUnheard(_ role: Int) -> Int64? {
    role == 0 ? max : nil
  }

  /// Whether there are spans at all must be heard once.
  override var canDoWithoutSpans: Bool { spanCount > 0 }

  override func callbackBegan(_ event: Event) {
    open.mark { if $0.thread == event.thread { $0.mayHaveReturned = true } }
  }

  override func afterEvent(_ hearing: Hearing) {
    reading.follow(hearing.event.timeNanoseconds, hearing.judge)
  }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    if role == 1 { return leave(hearing) }
    enter(pattern, doubt: nil, hearing)
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    if role == 0 { enter(pattern, doubt: monitor.doubtReason(hearing.judge), hearing) }
  }

  private func enter(_ pattern: CompiledPattern, doubt: String?, _ hearing: Hearing) {
    let (event, judge) = (hearing.event, hearing.judge)
    guard event.phase == .enter else {
      if spanCount == 0 && event.phase == .instant {
        judge.verdicts[monitor.ruleIndex].notEvaluated = true
      }
      return
    }
    spanCount += 1
    judge.verdicts[monitor.ruleIndex].notEvaluated = false
    guard open.count < Self.openMax else {
      return monitor.doubt(clauseIndex, .launch, event: event, "key-limit", judge)
    }
    // Nobody told the clock of the state while nothing was open.
    if open.isEmpty { reading.follow(event.timeNanoseconds, judge) }
    open.append(
      Open(
        ordinal: event.ordinal, kind: event.kind, thread: event.thread,
        key: hearing.instanceKey(pattern.keyFields),
        evidence: monitor.ledger.arena.keep(event), openNanoseconds: event.timeNanoseconds,
        start: reading.value(at: event.timeNanoseconds, judge), doubt: doubt))
  }

  private func leave(_ hearing: Hearing) {
    let (event, batch, judge) = (hearing.event, hearing.batch, hearing.judge)
    guard event.phase == .return, let ordinal = hearing.enter?.ordinal,
      let place = open.lastIndex(where: { $0.ordinal == ordinal })
    else { return }
    let span = open.remove(at: place)
    defer { monitor.ledger.arena.release(span.evidence) }
    if let doubt = span.doubt {
      // Whatever is in doubt, a span that was short by any clock is none too long.
      let isShort = difference(event.timeNanoseconds, span.openNanoseconds) <= max
      if !isShort || doubt == "clock" { judge.unknown(monitor.ruleIndex, doubt) }
      return
    }
    let duration = difference(reading.value(at: event.timeNanoseconds, judge), span.start)
    guard duration > max, upTo.map({ duration <= $0 }) ?? true else { return }
    if lasts.isInnermost && span.hasReportedInside { return }
    report(
      span, duration, at: event.timeNanoseconds, by: batch.witness(event, role: "close"),
      lasts: nil, batch, judge)
  }

  private func report(
    _ span: Open, _ duration: Int64, at time: Int64, by certain: WitnessEvent?,
    lasts message: MessageTemplate?, _ batch: EventBatch, _ judge: Judge
  ) {
    if lasts.isInnermost {
      open.mark { if $0.thread == span.thread { $0.hasReportedInside = true } }
    }
    monitor.report(
      clauseIndex,
      Violation(
        unit: lasts.unit, key: span.key, opening: monitor.ledger.arena[span.evidence],
        certainBy: certain, timeNanoseconds: time, thread: span.thread,
        durationNanoseconds: duration, limit: limitText(lasts.max.amount, judge),
        message: message),
      nil, batch, judge)
  }

  // MARK: Ends and gaps

  override func launchBegan(_ judge: Judge) {
    open.removeAll(keepingCapacity: true)
    reading = ClockReading(lasts.max)
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    while let span = open.popLast() {
      if let message = lasts.openMessage, !(lasts.isInnermost && span.hasReportedInside) {
        judgeOpen(span, message, end, batch, judge)
      }
      monitor.ledger.arena.release(span.evidence)
    }
  }

  private func judgeOpen(
    _ span: Open, _ message: MessageTemplate, _ end: LaunchEnd, _ batch: EventBatch,
    _ judge: Judge
  ) {
    if let doubt = span.doubt { return judge.unknown(monitor.ruleIndex, doubt) }
    if span.mayHaveReturned { return judge.unknown(monitor.ruleIndex, "return-lost") }
    var ending = judge.ending(end, batch)
    if case .process(let event) = end, judge.kill(event, batch, provesIn: lasts) {
      let duration = difference(reading.value(at: ending.timeNanoseconds, judge), span.start)
      return report(
        span, duration, at: ending.timeNanoseconds, by: ending.witness, lasts: message, batch,
        judge)
    }
    if ending.witness == nil { ending.witness = judge.lastWitness(in: batch, role: "deadline") }
    let duration = difference(reading.value(at: ending.timeNanoseconds, judge), span.start)
    guard duration > max, upTo == nil else {
      return judge.unknown(monitor.ruleIndex, "truncated")
    }
    report(
      span, duration, at: difference(ending.timeNanoseconds, difference(duration, max)),
      by: ending.witness, lasts: message, batch, judge)
  }

  /// What is open for too long is told now, and not again when it returns.
  override func fallsSilent(until event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let message = lasts.openMessage, upTo == nil else { return }
    for place in open.indices.reversed() {
      let span = open[place]
      let now = event.timeNanoseconds
      let duration = difference(reading.value(at: now, judge), span.start)
      guard duration > max, span.doubt == nil, !span.mayHaveReturned else { continue }
      open.remove(at: place)
      if !(lasts.isInnermost && span.hasReportedInside) {
        report(
          span, duration, at: difference(now, difference(duration, max)),
          by: batch.witness(event, role: "deadline"), lasts: message, batch, judge)
      }
      monitor.ledger.arena.release(span.evidence)
    }
  }

  override func lost(_ judge: Judge) {
    let thread = judge.lostThread
    open.mark { if thread == nil || $0.thread == thread { $0.doubt = $0.doubt ?? "gap" } }
  }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    open.mark { if $0.thread == thread { $0.doubt = $0.doubt ?? "clock" } }
  }

  override func spanLost(_ ordinal: Int, _ judge: Judge) {
    guard let place = open.firstIndex(where: { $0.ordinal == ordinal }) else { return }
    monitor.ledger.arena.release(open.remove(at: place).evidence)
    judge.unknown(monitor.ruleIndex, "crossing")
  }
}

extension Judge {
  /// When a launch ended, as far as the trace tells, and the event that shows it.
  func ending(
    _ end: LaunchEnd, _ batch: EventBatch
  ) -> (timeNanoseconds: Int64, witness: WitnessEvent?) {
    switch end {
    case .process(let event): (event.timeNanoseconds, batch.witness(event, role: "close"))
    case .recordingEnded(let event), .truncated(let event?):
      (event.timeNanoseconds, batch.witness(event, role: "deadline"))
    case .newStart, .truncated(nil):
      (lastNanoseconds ?? 0, lastWitness(in: batch, role: "deadline"))
    }
  }

  /// Whether a kill proves that what is measured was too long.
  func kill(_ event: Event, _ batch: EventBatch, provesIn lasts: Lasts) -> Bool {
    guard event.kind == .procKill else { return false }
    if let cause = batch.text(.cause, of: event), lasts.killCauses.contains(cause) { return true }
    guard let code = batch.integer(.code, of: event) else { return false }
    return lasts.killCodes.contains(UInt32(truncatingIfNeeded: code))
  }
}

extension Array {
  /// Changes every element in place.
  mutating func mark(_ change: (inout Element) -> Void) {
    for index in indices { change(&self[index]) }
  }
}
