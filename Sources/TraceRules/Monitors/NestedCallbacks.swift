// Whether a callback of the life cycle is made inside another one.
// Hand-written: only the return of the outer one tells nesting from a return that was lost.

import TraceLifecycle
import TraceModel

/// Follows the callbacks of the life cycle that are open on the main thread.
final class NestedCallbacks: Monitor {
  /// Callbacks open at once; a healthy app has one.
  static let openMax = 64
  /// Callbacks that wait for the return of the one around them; more follow a return that was
  /// lost.
  static let innerMax = 256

  private struct Open {
    var enter: PendingWitness
    var event: Event { enter.event }
  }

  /// Callbacks that haven't returned, innermost last.
  private var open: [Open] = []
  /// Callbacks that began while another one was open, in order.
  private var inner: [PendingWitness] = []

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    Transitions.callbacks.contains(kind)
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard event.thread == judge.model.mainThread else { return }
    switch event.phase {
    case .enter:
      noteInner(event, judge)
      guard open.count < Self.openMax else { return giveUp("key-limit", judge) }
      open.append(Open(enter: PendingWitness(event)))
    case .instant:
      // One line inside the span of the same call is its echo.
      if !open.contains(where: { $0.event.kind == event.kind }) { noteInner(event, judge) }
    case .return: leave(event, batch, judge)
    }
  }

  private func noteInner(_ event: Event, _ judge: Judge) {
    guard open.contains(where: { $0.event.thread == event.thread }) else { return }
    guard inner.count < Self.innerMax else { return giveUp("return-lost", judge) }
    inner.append(PendingWitness(event))
  }

  private func leave(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard
      let place = open.lastIndex(where: {
        $0.event.kind == event.kind && $0.event.thread == event.thread
      })
    else { return }
    let outer = open[place]
    // What began inside and hasn't returned is closed with it.
    open.removeSubrange(place...)
    while let last = inner.last, last.event.ordinal > outer.event.ordinal {
      inner.removeLast()
      report(last, inside: outer, event, batch, judge)
    }
  }

  private func report(
    _ inner: PendingWitness, inside outer: Open, _ event: Event, _ batch: EventBatch,
    _ judge: Judge
  ) {
    let time = inner.event.timeNanoseconds
    judge.report(
      ruleIndex,
      Draft(
        clause: 0,
        message: judge.rules[ruleIndex].clauses[0].message.filled([
          ("what", Self.name(inner.event)), ("callback", Self.name(outer.event)),
        ]),
        subject: "\(batch.name(of: inner.event.kind)) in \(batch.name(of: outer.event.kind))",
        timeNanoseconds: time, thread: inner.event.thread, lastTimeNanoseconds: time,
        witness: [
          outer.enter.witness(role: "open", in: batch), inner.witness(role: "offender", in: batch),
          batch.witness(event, role: "close"),
        ], context: judge.context(in: batch)),
      isSettled: judge.rules[ruleIndex].yields.isEmpty)
  }

  private static func name(_ event: Event) -> String {
    guard let description = Vocabulary.description(of: event.kind) else { return "a callback" }
    return description.symbol.isEmpty ? description.name : description.symbol
  }

  // MARK: Bookkeeping

  /// Nobody knows whether callbacks were nested whose outer one hasn't returned.
  private func giveUp(_ reason: String, _ judge: Judge) {
    let doubtful = open.indices.count { place in
      let begin = open[place].event.ordinal
      let end = place + 1 < open.count ? open[place + 1].event.ordinal : Int.max
      return inner.contains { $0.event.ordinal > begin && $0.event.ordinal <= end }
    }
    if doubtful > 0 { judge.unknown(ruleIndex, reason, count: doubtful) }
    open.removeAll(keepingCapacity: true)
    inner.removeAll(keepingCapacity: true)
  }

  override func launchBegan(_ judge: Judge) { giveUp("truncated", judge) }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    giveUp("truncated", judge)
  }

  override func lost(_ judge: Judge) {
    if judge.lostThread.map({ $0 == judge.model.mainThread }) ?? true { giveUp("gap", judge) }
  }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    if open.contains(where: { $0.event.thread == thread }) { giveUp("clock", judge) }
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    for place in open.indices { open[place].enter.keep(from: batch) }
    for place in inner.indices { inner[place].keep(from: batch) }
  }
}
