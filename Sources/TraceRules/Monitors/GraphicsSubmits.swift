// Whether all work submitted to OpenGL ES is complete when the app reaches the background.
// Hand-written: one completion covers every submit up to its number, a finish those of its context.

import TraceLifecycle
import TraceModel

/// Follows what is submitted to the graphics processor and not known to be complete.
final class GraphicsSubmits: Monitor {
  /// News of a completion may be so late, and so may be what another thread recorded.
  static let lateNanoseconds: Int64 = 5_000_000
  /// Findings that wait for the first sign that completions are recorded at all.
  static let heldMax = 1_024
  /// Submits that are named as evidence.
  private static let witnessesMax = 64

  /// An entry into the background that isn't judged yet.
  private struct Entry {
    var event: PendingWitness
    var deadlineNanoseconds: Int64
  }

  private let pendingMax: Int64
  @safe @exclusivity(unchecked) private var pending = PendingSubmits()
  @safe @exclusivity(unchecked) private var entry: Entry?
  /// The first completion or finish of the trace: without one nothing is known.
  @safe @exclusivity(unchecked) private var proof: PendingWitness?
  @safe @exclusivity(unchecked) private var held: [FindingStore.Entry] = []
  /// Verdicts that can't be given, until then.
  @safe @exclusivity(unchecked) private var heldDoubts: [String] = []
  @safe @exclusivity(unchecked) private var hasHeardCall = false

  init(ruleIndex: Int, judge: Judge) {
    pendingMax = max(0, judge.threshold(ruleIndex))
    super.init(ruleIndex: ruleIndex)
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .glCall, .glComplete: true
    case .delegateDidEnterBackground, .sceneDidEnterBackground: phase != .enter
    default: false
    }
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    switch event.kind {
    case .glCall: call(event, batch, judge)
    case .glComplete:
      guard let number = PendingSubmits.number(of: event, batch) else { return }
      pending.complete(upTo: number)
      prove(event, batch, judge)
    default:
      let model = judge.model
      guard model.state == .background, model.stateBefore != .background else { return }
      if entry != nil {
        // In front and back before news of the last entry can have come.
        if isAnyPending { doubt("entered-again", judge) }
        pending.noteEntry()
      }
      let deadline = sum(event.timeNanoseconds, Self.lateNanoseconds)
      entry = Entry(event: PendingWitness(event), deadlineNanoseconds: deadline)
      deadlineNanoseconds = deadline
    }
  }

  private func call(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    hasHeardCall = true
    // What comes later on the thread of the callback, or later still on any, is a call in the
    // background, which another rule tells; but it may be a sign that completions are recorded.
    let isInBackground = judge.model.state.isBackgroundOrSuspended
    if isInBackground, entry.map({ $0.event.event.thread == event.thread }) ?? true {
      if event.phase != .enter, batch.isText(.kind, "finish", of: event) {
        prove(event, batch, judge)
      }
    } else if pending.take(
      event, batch, judge.batchNumber, isAfterEntry: entry != nil && !isInBackground,
      isDoubtful: judge.model.state == .unknown)
    {
      finish(event, batch, judge)
    }
  }

  private func finish(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard event.phase != .enter else { return }
    prove(event, batch, judge)
    pending.complete(batch.key(.context, of: event))
  }

  /// Completions are recorded: what was seen without one counts.
  private func prove(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard proof == nil else { return }
    let proof = PendingWitness(event)
    self.proof = proof
    for var finding in held {
      finding.draft.context?.append(proof.witness(role: "evidence", in: batch))
      _ = judge.findings.add(finding)
    }
    held.removeAll()
    for reason in heldDoubts { judge.unknown(ruleIndex, reason) }
    heldDoubts.removeAll()
  }

  /// A verdict that can't be given; none is expected of a trace without completions.
  private func doubt(_ reason: String, _ judge: Judge) {
    if proof != nil {
      judge.unknown(ruleIndex, reason)
    } else if heldDoubts.count < Self.heldMax {
      heldDoubts.append(reason)
    }
  }

  /// Whether more than is allowed was submitted before the entry and isn't known to be complete.
  private var isAnyPending: Bool { pending.waiting.count { !$0.isAfterEntry } > pendingMax }

  // MARK: Judging

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let entry, event.timeNanoseconds > entry.deadlineNanoseconds else { return }
    judgeEntry(entry, batch.witness(event, role: "deadline"), batch, judge)
  }

  private func judgeEntry(
    _ entry: Entry, _ certainBy: WitnessEvent, _ batch: EventBatch, _ judge: Judge
  ) {
    let certainCount = pending.waiting.count { $0.isCertain }
    if certainCount > pendingMax {
      report(certainCount, entry, certainBy, batch, judge)
    } else if isAnyPending {
      doubt("gap", judge)
    } else if pending.isOverfull {
      doubt("key-limit", judge)
    }
    forgetSubmits()
  }

  private func report(
    _ submitCount: Int, _ entry: Entry, _ certainBy: WitnessEvent,
    _ batch: EventBatch, _ judge: Judge
  ) {
    let event = entry.event.event
    let time = event.timeNanoseconds
    let submits = pending.waiting.filter(\.isCertain)
    let age = readable(nanoseconds: difference(time, submits.first?.timeNanoseconds ?? time))
    let count = pending.isOverfull ? "at least \(submitCount)" : "\(submitCount)"
    let what =
      submitCount == 1 && !pending.isOverfull
      ? "1 submit to OpenGL ES, made \(age) before,"
      : "\(count) submits to OpenGL ES, the first made \(age) before,"
    let needed = Int(min(pendingMax, Int64(Self.witnessesMax))) + 1
    let own = submits.prefix(needed).compactMap {
      self.pending.evidence($0)?.witness(role: "open", in: batch)
    }
    var context = judge.context(in: batch)
    if let proof { context.append(proof.witness(role: "evidence", in: batch)) }
    if let enter = judge.interval.callbackEnter {
      context.append(enter.witness(role: "state", in: batch))
    }
    let finding = FindingStore.Entry(
      ruleIndex: ruleIndex,
      draft: Draft(
        clause: 0,
        message:
          "\(what) \(what.hasPrefix("1 ") ? "was" : "were") not complete when the app entered the background",
        subject: "OpenGL ES submits", timeNanoseconds: time, thread: event.thread,
        lastTimeNanoseconds: time,
        witness: own + [entry.event.witness(role: "state", in: batch), certainBy],
        context: context, intervalNumber: judge.interval.number),
      launch: judge.model.launch?.number ?? 1,
      launchStartNanoseconds: judge.model.launch?.startNanoseconds,
      isSettled: judge.rules[ruleIndex].yields.isEmpty)
    if proof != nil {
      _ = judge.findings.add(finding)
    } else if held.count < Self.heldMax {
      held.append(finding)
    } else {
      held[Self.heldMax - 1].draft.count += 1
    }
  }

  /// Forgets what was submitted before the entry; what was submitted after it is for the next one.
  private func forgetSubmits() {
    pending.forgetBeforeEntry()
    entry = nil
    deadlineNanoseconds = .max
  }

  // MARK: Bookkeeping

  override func launchBegan(_ judge: Judge) { forgetAll() }

  private func forgetAll() {
    pending.noteEntry()
    forgetSubmits()
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    defer { forgetAll() }
    guard let entry else { return }
    if case .process(let event) = end, event.kind == .procKill,
      batch.isText(.cause, "gpu_in_background", of: event)
    {
      judgeEntry(entry, batch.witness(event, role: "kill"), batch, judge)
    } else if isAnyPending {
      doubt("truncated", judge)
    }
  }

  override func lost(_ judge: Judge) {
    pending.noteGap()
    guard entry != nil else { return }
    if isAnyPending { doubt("gap", judge) }
    forgetSubmits()
  }

  override func traceEnds(_ judge: Judge) {
    guard proof == nil, hasHeardCall else { return }
    judge.verdicts[ruleIndex] = VerdictCounts()
    judge.verdicts[ruleIndex].notEvaluated = true
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    pending.batchEnds(batch)
    entry?.event.keep(from: batch)
    proof?.keep(from: batch)
  }
}
