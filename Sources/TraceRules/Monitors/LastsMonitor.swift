// Runs `lasts` patterns: a span must not last longer than the rule's first parameter.

import TraceLifecycle
import TraceModel

/// Measures spans of one kind on the watchdog clock.
final class LastsMonitor: Monitor {
  private struct Open {
    var witness: PendingWitness
    var watchdogStartNanoseconds: Int64
    /// Another callback on the main thread began since: either it is nested, or the return was
    /// lost.
    var mayHaveReturned = false
    /// Why its duration can't be known; nil if it can.
    var doubt: String?

    var kind: EventKind { witness.event.kind }
    var thread: Int64 { witness.event.thread }
  }

  /// Spans of one callback open at once: real nesting is one or two deep.
  private static let openMax = 64

  private let clauseIndex: Int
  private let clause: Clause
  private let lasts: Pattern.Lasts
  /// The callbacks measured. Without scenes in the header an app may still have them.
  private let kinds: [EventKind]
  private var open: [Open] = []
  private var spanCount = 0

  init(ruleIndex: Int, clauseIndex: Int, clause: Clause, lasts: Pattern.Lasts, profile: Profile) {
    self.clauseIndex = clauseIndex
    self.clause = clause
    self.lasts = lasts
    kinds =
      switch (profile, lasts.sceneKind) {
      case (.scene, let sceneKind?): [sceneKind]
      case (.ios13, let sceneKind?): [lasts.kind, sceneKind]
      default: [lasts.kind]
      }
    super.init(ruleIndex: ruleIndex)
  }

  override var isModal: Bool { true }
  override var listensMore: Bool { !open.isEmpty }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    if kinds.contains(kind) { return true }
    return !open.isEmpty && phase != .return && Self.provesReturn(kind)
  }

  /// Callbacks that the main thread can only begin when the one before has returned.
  private static func provesReturn(_ kind: EventKind) -> Bool {
    kind == .uiTouch
      || ["delegate", "scene"].contains(Vocabulary.description(of: kind)?.namespace)
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard kinds.contains(event.kind) else {
      // A callback on the span's thread: it is nested, or the return was lost.
      open.mark { if $0.thread == event.thread { $0.mayHaveReturned = true } }
      return
    }
    switch event.phase {
    case .instant:
      if spanCount == 0 { judge.verdicts[ruleIndex].notEvaluated = true }
    case .enter:
      if event.kind == lasts.sceneKind && judge.model.state != .enteringBackground { return }
      // The same entry told twice: by the scene, and forwarded to the delegate.
      if open.contains(where: { $0.kind != event.kind && $0.thread == event.thread }) { return }
      spanCount += 1
      judge.verdicts[ruleIndex].notEvaluated = false
      open.mark { if $0.thread == event.thread { $0.mayHaveReturned = true } }
      guard open.count < Self.openMax else { return judge.unknown(ruleIndex, "key-limit") }
      open.append(
        Open(
          witness: PendingWitness(event),
          watchdogStartNanoseconds: judge.watchdogTimeNanoseconds(at: event.timeNanoseconds)))
      listensAnew = true
    case .return:
      guard
        let index = open.lastIndex(where: {
          $0.thread == event.thread && $0.kind == event.kind
        })
      else { return }
      let span = open.remove(at: index)
      listensAnew = true
      if let doubt = span.doubt { return judge.unknown(ruleIndex, doubt) }
      let duration = difference(
        judge.watchdogTimeNanoseconds(at: event.timeNanoseconds),
        span.watchdogStartNanoseconds)
      guard duration > judge.threshold(ruleIndex) else { return }
      let message = clause.message.filled(fields(span, duration, judge))
      report(
        span, message, at: event.timeNanoseconds, end: batch.witness(event, role: "close"), batch,
        judge)
    }
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    for span in open { judgeOpen(span, end, batch, judge) }
    open.removeAll(keepingCapacity: true)
    listensAnew = true
  }

  private func judgeOpen(_ span: Open, _ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if let doubt = span.doubt { return judge.unknown(ruleIndex, doubt) }
    if span.mayHaveReturned { return judge.unknown(ruleIndex, "return-lost") }
    var endTime = judge.lastNanoseconds ?? span.witness.event.timeNanoseconds
    var endWitness = judge.lastWitness(in: batch, role: "deadline")
    switch end {
    case .process(let event):
      endTime = event.timeNanoseconds
      endWitness = batch.witness(event, role: "close")
      if event.kind == .procKill && isJudgedBySystem(event, batch) {
        let duration = elapsed(span, until: endTime, judge)
        return report(
          span, lasts.openMessage.filled(fields(span, duration, judge)), at: endTime,
          end: endWitness,
          batch, judge)
      }
    case .recordingEnded(let event), .truncated(let event?):
      endTime = event.timeNanoseconds
      endWitness = batch.witness(event, role: "deadline")
    case .newStart, .truncated(nil): break
    }
    let duration = elapsed(span, until: endTime, judge)
    let limit = judge.threshold(ruleIndex)
    guard duration > limit else { return judge.unknown(ruleIndex, "truncated") }
    report(
      span, lasts.openMessage.filled(fields(span, duration, judge)),
      at: difference(endTime, difference(duration, limit)), end: endWitness, batch, judge)
  }

  private func isJudgedBySystem(_ kill: Event, _ batch: EventBatch) -> Bool {
    if let cause = batch.text(.cause, of: kill), lasts.killCauses.contains(cause) { return true }
    guard let code = batch.integer(.code, of: kill) else { return false }
    return lasts.killCodes.contains(UInt32(truncatingIfNeeded: code))
  }

  private func elapsed(_ span: Open, until time: Int64, _ judge: Judge) -> Int64 {
    difference(judge.watchdogTimeNanoseconds(at: time), span.watchdogStartNanoseconds)
  }

  private func fields(_ span: Open, _ duration: Int64, _ judge: Judge) -> [(
    name: String, value: String
  )] {
    [
      ("duration", readable(nanoseconds: duration)),
      ("limit", readable(nanoseconds: judge.threshold(ruleIndex))),
      (
        "callback",
        Vocabulary.description(of: span.kind)?.symbol ?? ""
      ),
    ]
  }

  private func report(
    _ span: Open, _ message: String, at time: Int64, end: WitnessEvent?, _ batch: EventBatch,
    _ judge: Judge
  ) {
    let name = Vocabulary.description(of: span.kind)?.name ?? ""
    // Which scene is the last in the foreground is only known from the launch on.
    let launch =
      span.kind == lasts.sceneKind ? judge.launchWitness?.witness(role: "launch", in: batch) : nil
    judge.report(
      ruleIndex,
      Draft(
        clause: clauseIndex, message: message, subject: name, timeNanoseconds: time,
        thread: span.witness.event.thread, lastTimeNanoseconds: time,
        witness: [launch, span.witness.witness(role: "open", in: batch), end].compactMap { $0 }))
  }

  override func lost(_ judge: Judge) { open.mark { $0.doubt = $0.doubt ?? "gap" } }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    open.mark { if $0.thread == thread { $0.doubt = $0.doubt ?? "clock" } }
  }

  override func spanCrossed(_ kind: EventKind, _ thread: Int64, _ judge: Judge) {
    open.mark { if $0.kind == kind && $0.thread == thread { $0.doubt = $0.doubt ?? "crossing" } }
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    open.mark { $0.witness.keep(from: batch) }
  }
}

extension Array {
  /// Changes every element in place.
  mutating func mark(_ change: (inout Element) -> Void) {
    for index in indices { change(&self[index]) }
  }
}
