// Runs `held` patterns: spans that must not be open when the app is suspended.

import TraceLifecycle
import TraceModel

/// Follows open spans, and reports those that a suspension cut in two.
final class HeldMonitor: Monitor {
  private struct Pending {
    var suspension: WitnessEvent
    var timeNanoseconds: Int64
    /// The open spans, by the place of their enter in the trace.
    var ordinals: [Int]
    var threads: [Int64]
    var offender: WitnessEvent
    /// The suspension is only a conclusion so far.
    var awaitsConfirmation: Bool
  }

  private let clauseIndex: Int
  private let clause: Clause
  private let patterns: [(pattern: EventPattern, test: CompiledTest?)]
  private var open = OpenSpans()
  private var pending: Pending?

  init(ruleIndex: Int, clauseIndex: Int, clause: Clause, held: Pattern.Held) {
    self.clauseIndex = clauseIndex
    self.clause = clause
    patterns = held.spans.map { ($0, $0.test.map { CompiledTest($0) }) }
    super.init(ruleIndex: ruleIndex)
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    phase != .instant && patterns.contains { $0.pattern.kinds.contains(kind) }
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    if event.phase == .enter {
      guard open.count < OpenSpans.openMax else { return judge.unknown(ruleIndex, "key-limit") }
      let isWatched = patterns.contains {
        $0.pattern.kinds.contains(event.kind)
          && $0.test?.holds(for: event, in: batch, number: judge.batchNumber) != false
      }
      return open.open(event, batch, number: judge.batchNumber, isWatched: isWatched)
    }
    guard let span = open.close(event, batch, number: judge.batchNumber) else { return }
    guard let pending, let ordinal = span.witness?.event.ordinal else { return }
    let limit = sum(pending.timeNanoseconds, judge.toleranceNanoseconds)
    if event.timeNanoseconds <= limit, let place = pending.ordinals.firstIndex(of: ordinal) {
      self.pending?.ordinals.remove(at: place)
      self.pending?.threads.remove(at: place)
      if place == 0 {
        // The first one returned in time: another open span is the first now, if there is one.
        self.pending = nil
        collect(
          pending.suspension, pending.timeNanoseconds,
          awaitsConfirmation: pending.awaitsConfirmation, batch, judge)
      }
    }
  }

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let suspension = judge.model.suspension else { return }
    settle(judge)
    pending = nil
    collect(
      batch.witness(event, role: "state"), event.timeNanoseconds,
      awaitsConfirmation: suspension.isInferred && !suspension.isConfirmed, batch, judge)
  }

  private func collect(
    _ suspension: WitnessEvent, _ time: Int64, awaitsConfirmation: Bool, _ batch: EventBatch,
    _ judge: Judge
  ) {
    let held = open.watched
    guard let first = held.first else { return }
    pending = Pending(
      suspension: suspension, timeNanoseconds: time, ordinals: held.map(\.event.ordinal),
      threads: held.map(\.event.thread), offender: first.witness(role: "open", in: batch),
      awaitsConfirmation: awaitsConfirmation)
    deadlineNanoseconds = sum(time, judge.toleranceNanoseconds)
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) { settle(judge) }
  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) { settle(judge) }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    settle(judge)
    pending = nil
    open.removeAll()
  }

  override func suspensionConfirmed(_ judge: Judge) {
    pending?.awaitsConfirmation = false
    settle(judge)
  }

  override func spanCrossed(_ kind: EventKind, _ thread: Int64, _ judge: Judge) {
    if open.close(kind, onThread: thread)?.witness != nil { judge.unknown(ruleIndex, "crossing") }
  }

  private func settle(_ judge: Judge) {
    deadlineNanoseconds = .max
    guard let pending, !pending.awaitsConfirmation else { return }
    self.pending = nil
    guard !pending.ordinals.isEmpty else { return }
    let offender = pending.offender
    func text(_ name: String) -> String? {
      guard case .string(let text)? = offender.arguments.first(where: { $0.name == name })?.value
      else { return nil }
      return text
    }
    let label = text("label").map { " “\($0)”" } ?? ""
    let what = (text("class").map { "\(offender.event) (\($0))" } ?? offender.event) + label
    let role = offender.thread == judge.model.mainThread ? "main thread" : "other thread"
    judge.report(
      ruleIndex,
      Draft(
        clause: clauseIndex,
        message: clause.message.filled([
          ("what", what), ("thread", judge.name(ofThread: offender.thread)),
          (
            "duration",
            readable(nanoseconds: difference(pending.timeNanoseconds, offender.timeNanoseconds))
          ),
        ]),
        subject: "\(what) on \(judge.name(ofThread: offender.thread))",
        fingerprintSubject: "\(what) \(role)", timeNanoseconds: pending.timeNanoseconds,
        thread: offender.thread, count: pending.ordinals.count,
        lastTimeNanoseconds: pending.timeNanoseconds,
        witness: [offender, pending.suspension]))
  }

  override func lost(_ judge: Judge) {
    if open.count > 0 { judge.unknown(ruleIndex, "gap") }
    open.removeAll()
  }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    open.removeAll(ofThread: thread)
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    open.keepWitnesses(from: batch)
  }
}
