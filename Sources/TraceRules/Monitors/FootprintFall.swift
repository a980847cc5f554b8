// Whether the app's memory falls on its way from the front to suspension.
// Hand-written: two samples of memory are compared by their quotient.

import TraceLifecycle
import TraceModel

/// Compares the last sample of memory before a suspension with the last one in front.
final class FootprintFall: Monitor {
  private struct Sample {
    var bytes: Int64
    var event: PendingWitness
    /// What made the app active, for a sample in front.
    var activation: PendingWitness?
    /// Events were lost since, and a later sample perhaps with them.
    var isBeforeGap = false
  }

  private let fallPercent: Int64
  private let floorBytes: Int64
  private var front: Sample?
  private var back: Sample?
  private var activation: PendingWitness?
  /// The stay in the background had a suspension: what is used after it is for something new.
  private var isJudged = false
  /// A finding at a suspension that was only inferred.
  private var pending: Draft?

  init(ruleIndex: Int, judge: Judge) {
    fallPercent = min(100, max(0, judge.value(of: .parameter("fall"), ruleIndex)))
    floorBytes = judge.value(of: .parameter("floor"), ruleIndex)
    super.init(ruleIndex: ruleIndex)
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .procFootprint: true
    case .delegateDidBecomeActive, .sceneDidBecomeActive: phase != .return
    default: false
    }
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let state = judge.model.state
    guard event.kind == .procFootprint else {
      if state == .active && judge.model.stateBefore != .active {
        activation = PendingWitness(event)
        if back?.isBeforeGap == true { back = nil }
      }
      return
    }
    guard let bytes = batch.integer(.bytes, of: event), bytes >= 0 else { return }
    let sample = Sample(bytes: bytes, event: PendingWitness(event), activation: activation)
    if state == .active {
      front = sample
    } else if state == .background && !isJudged {
      back = sample
    }
  }

  /// Whether so much was kept that it is a fault; false without both samples.
  private var isTooMuch: Bool {
    guard let front, let back, back.bytes > floorBytes else { return false }
    let kept = UInt64(clamping: back.bytes).multipliedFullWidth(by: 100)
    let allowed = UInt64(clamping: front.bytes)
      .multipliedFullWidth(by: UInt64(clamping: 100 - fallPercent))
    return (kept.high, kept.low) > (allowed.high, allowed.low)
  }

  private var isAfterGap: Bool { front?.isBeforeGap == true || back?.isBeforeGap == true }

  // MARK: Suspensions

  override var followsSuspensions: Bool { true }

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    // An inferred suspension that is then seen comes twice.
    pending = nil
    defer { isJudged = true }
    guard !isJudged || judge.model.stateBefore == .suspended, isTooMuch else { return }
    if isAfterGap { return judge.unknown(ruleIndex, "gap") }
    let draft = draft(event, batch, judge)
    if judge.model.suspension?.isInferred == true { pending = draft } else { report(draft, judge) }
  }

  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    reportPending(event, batch, judge)
    back = nil
  }

  override func backgroundStayEnds(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    reportPending(event, batch, judge)
    // After a gap nobody knows whether the background was left.
    if judge.model.state != .unknown { back = nil }
    isJudged = false
  }

  /// The suspension is over, and nothing has shown that it was none.
  private func reportPending(_ event: Event?, _ batch: EventBatch, _ judge: Judge) {
    guard var draft = pending else { return }
    pending = nil
    if let event { draft.witness.append(batch.witness(event, role: "deadline")) }
    report(draft, judge)
  }

  private func report(_ draft: Draft, _ judge: Judge) {
    let rule = judge.rules[ruleIndex]
    judge.report(
      ruleIndex, draft, evidence: rule.clauses[0].evidence, isSettled: rule.yields.isEmpty)
  }

  private func draft(_ event: Event, _ batch: EventBatch, _ judge: Judge) -> Draft {
    let before = front?.event.witness(role: "before", in: batch)
    let after = back?.event.witness(role: "after", in: batch)
    let unit = RuleParameter.Unit.bytes
    return Draft(
      clause: 0,
      message: "the app was suspended with \(unit.readable(back?.bytes ?? 0)) in use, of"
        + " \(unit.readable(front?.bytes ?? 0)) when it was last active",
      subject: "memory footprint", timeNanoseconds: event.timeNanoseconds, thread: event.thread,
      lastTimeNanoseconds: event.timeNanoseconds,
      witness: [before, after, batch.witness(event, role: "offender")].compactMap { $0 },
      context: [front?.activation?.witness(role: "state", in: batch)].compactMap { $0 }
        + judge.context(in: batch),
      intervalNumber: judge.interval.number)
  }

  // MARK: Launches and gaps

  override func launchBegan(_ judge: Judge) {
    front = nil
    back = nil
    activation = nil
    pending = nil
    isJudged = false
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if !end.isCutOff {
      reportPending(end.event, batch, judge)
    } else if pending != nil || (!isJudged && isTooMuch) {
      judge.unknown(ruleIndex, "truncated")
    }
    pending = nil
  }

  override func lost(_ judge: Judge) {
    if pending != nil { judge.unknown(ruleIndex, "gap") }
    pending = nil
    front?.isBeforeGap = true
    back?.isBeforeGap = true
    isJudged = false
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    front?.event.keep(from: batch)
    front?.activation?.keep(from: batch)
    back?.event.keep(from: batch)
    activation?.keep(from: batch)
  }
}
