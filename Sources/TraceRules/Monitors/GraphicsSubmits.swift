// LC401: whether all work submitted to OpenGL ES is complete when the app reaches the background.
// Hand-written: one completion covers every submit up to its number, a finish those of its context.

import TraceLifecycle
import TraceModel

/// Follows what is submitted to the graphics processor and not known to be complete.
final class GraphicsSubmits: Monitor {
  /// Submits that are followed at once; an app has a few frames in flight.
  static let submitsMax = 1_024
  /// News of a completion may be so late, and so may be what another thread recorded.
  static let lateNanoseconds: Int64 = 5_000_000
  /// Findings that wait for the first sign that completions are recorded at all.
  static let heldMax = 1_024
  /// Submits that are named as evidence.
  private static let witnessesMax = 64

  private struct Submit {
    var number: Int64
    var context: ArgumentKey
    var timeNanoseconds: Int64
    var evidence: Int
    var isBeforeGap = false
  }

  /// An entry into the background that isn't judged yet.
  private struct Entry {
    var event: PendingWitness
    var deadlineNanoseconds: Int64
  }

  private let pendingMax: Int64
  private var pending: [Submit] = []
  private var arena = EvidenceArena()
  /// Submits were left out because too many waited: their highest number, and their context if
  /// they share one.
  private var overflow: (number: Int64, context: ArgumentKey?)?
  private var entry: Entry?
  /// The first completion or finish of the trace: without one nothing is known.
  private var proof: PendingWitness?
  private var held: [FindingStore.Entry] = []
  private var hasHeardCall = false

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
      guard let number = Self.number(of: event, batch) else { return }
      complete { $0.number <= number }
      if let overflow, overflow.number <= number { self.overflow = nil }
      prove(event, batch, judge)
    default:
      let model = judge.model
      guard model.state == .background, model.stateBefore != .background else { return }
      let deadline = sum(event.timeNanoseconds, Self.lateNanoseconds)
      entry = Entry(event: PendingWitness(event), deadlineNanoseconds: deadline)
      deadlineNanoseconds = deadline
    }
  }

  private func call(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    hasHeardCall = true
    // What comes later on the thread of the callback, or later still on any, is a call in the
    // background, which another rule tells.
    if let entry {
      if event.thread == entry.event.event.thread { return }
    } else if judge.model.state.isBackgroundOrSuspended {
      return
    }
    if batch.isText(.kind, "finish", of: event) {
      guard event.phase != .enter else { return }
      let context = batch.key(.context, of: event)
      complete { $0.context == context }
      if let overflow, overflow.context == context { self.overflow = nil }
      prove(event, batch, judge)
    } else if event.phase != .return, let number = Self.number(of: event, batch) {
      let context = batch.key(.context, of: event)
      guard pending.count < Self.submitsMax else {
        let isShared = overflow == nil || overflow?.context == context
        overflow = (max(number, overflow?.number ?? number), isShared ? context : nil)
        return
      }
      pending.append(
        Submit(
          number: number, context: context, timeNanoseconds: event.timeNanoseconds,
          evidence: arena.keep(event)))
    }
  }

  private static func number(of event: Event, _ batch: EventBatch) -> Int64? {
    guard let (type, bits) = batch.bits(.submitId, of: event) else { return nil }
    return type == .unsigned ? Int64(clamping: bits) : batch.integer(.submitId, of: event)
  }

  private func complete(_ covers: (Submit) -> Bool) {
    guard pending.contains(where: covers) else { return }
    for submit in pending where covers(submit) { arena.release(submit.evidence) }
    pending.removeAll(where: covers)
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
  }

  // MARK: Judging

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let entry, event.timeNanoseconds > entry.deadlineNanoseconds else { return }
    judgeEntry(entry, batch.witness(event, role: "deadline"), batch, judge)
  }

  private func judgeEntry(
    _ entry: Entry, _ certainBy: WitnessEvent, _ batch: EventBatch, _ judge: Judge
  ) {
    let certain = pending.filter { !$0.isBeforeGap }
    if certain.count > pendingMax {
      report(certain, entry, certainBy, batch, judge)
    } else if pending.count > pendingMax {
      judge.unknown(ruleIndex, "gap")
    } else if overflow != nil {
      judge.unknown(ruleIndex, "key-limit")
    }
    forgetSubmits()
  }

  private func report(
    _ submits: [Submit], _ entry: Entry, _ certainBy: WitnessEvent, _ batch: EventBatch,
    _ judge: Judge
  ) {
    let event = entry.event.event
    let time = event.timeNanoseconds
    let age = readable(nanoseconds: difference(time, submits.first?.timeNanoseconds ?? time))
    let count = overflow != nil ? "more than \(submits.count)" : "\(submits.count)"
    let what =
      submits.count == 1
      ? "1 submit to OpenGL ES, made \(age) before,"
      : "\(count) submits to OpenGL ES, the first made \(age) before,"
    let needed = Int(min(pendingMax, Int64(Self.witnessesMax))) + 1
    let own = submits.prefix(needed).compactMap {
      arena[$0.evidence]?.witness(role: "open", in: batch)
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
          "\(what) \(submits.count == 1 ? "was" : "were") not complete when the app entered the background",
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

  private func forgetSubmits() {
    for submit in pending { arena.release(submit.evidence) }
    pending.removeAll(keepingCapacity: true)
    overflow = nil
    entry = nil
    deadlineNanoseconds = .max
  }

  // MARK: Bookkeeping

  override func launchBegan(_ judge: Judge) { forgetSubmits() }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    defer { forgetSubmits() }
    guard let entry else { return }
    if case .process(let event) = end, event.kind == .procKill,
      batch.isText(.cause, "gpu_in_background", of: event)
    {
      judgeEntry(entry, batch.witness(event, role: "kill"), batch, judge)
    } else if pending.count > pendingMax {
      judge.unknown(ruleIndex, "truncated")
    }
  }

  override func lost(_ judge: Judge) {
    for index in pending.indices { pending[index].isBeforeGap = true }
    guard entry != nil else { return }
    if pending.count > pendingMax { judge.unknown(ruleIndex, "gap") }
    forgetSubmits()
  }

  override func traceEnds(_ judge: Judge) {
    guard proof == nil, hasHeardCall else { return }
    judge.verdicts[ruleIndex] = VerdictCounts()
    judge.verdicts[ruleIndex].notEvaluated = true
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    arena.batchEnds(batch)
    entry?.event.keep(from: batch)
    proof?.keep(from: batch)
  }
}
