// Whether a background task stays open in the background longer than the system grants.
// Hand-written: the deadline of each task moves with what the app reads as its remaining time.

import TraceLifecycle
import TraceModel

/// Counts the run time in the background for which tasks are open.
///
/// The count of a task runs from its begin or the entry into the background, whichever is later,
/// and begins anew with every stay. It stands still while audio or location is in service. What
/// the app reads as its remaining time replaces the budget.
final class BackgroundTaskBudget: Monitor {
  private struct Task {
    var beginOrdinal: Int
    var beginCounted: Int64
    var evidence: Int
    /// Why nothing can be said of it; nil if something can.
    var doubt: String?
    /// The stay in which it was judged.
    var judgedStay = 0
  }

  /// What the app read as its remaining time in this stay.
  private struct Sample {
    var ordinal: Int
    /// What the count showed then.
    var counted: Int64
    var remainingNanoseconds: Int64
    var evidence: Int

    /// What the count shows when that time is over.
    var endCounted: Int64 { sum(counted, remainingNanoseconds) }
  }

  /// Open tasks followed: an app has dozens, and the system allows about 1,000.
  private static let openMax = 1_024
  /// Tasks of a launch whose report is remembered to count further stays in it.
  private static let reportsMax = 4_096
  /// Events of a stay that moved the clock, kept as evidence.
  private static let movesMax = 64

  private let budgetNanoseconds: Int64
  private let mayServe: Bool
  /// A declared mode's service, which stops the count, isn't recorded.
  private let isBlind: Bool
  private var open: [TaskToken: Task] = [:]
  private var reports: [TaskToken: Int] = [:]
  private var ledger = Ledger(sharesUnits: true)
  private var arena = EvidenceArena()
  private var clock = ServedClock()
  /// A service ran when events were lost, and nobody knows for how long it went on.
  private var servedBeforeGap = false
  private var moves: [Int] = []
  private var sample: Sample?
  /// The app read in this stay that its time is unlimited, and nothing else since.
  private var isUnlimited = false
  private var stay = 0
  private var isInStay = false
  /// The count at which the background was entered in this stay; nil before that.
  private var entryCounted: Int64?
  /// A count not after the end of any task's time; `.max` if no task's time runs.
  private var nextEndCounted = Int64.max

  init(ruleIndex: Int, judge: Judge) {
    let name =
      switch judge.profile {
      case .ios4, .ios5: "budget_ios4"
      case .ios13, .scene: "budget_ios13"
      default: "budget"
      }
    budgetNanoseconds = judge.value(of: .parameter(name), ruleIndex)
    let modes = judge.header.strings(.backgroundModes)
    mayServe = modes.map { $0.contains("audio") || $0.contains("location") } ?? true
    isBlind = [("audio", "audio"), ("location", "loc")].contains { mode, namespace in
      modes?.contains(mode) == true && !judge.header.covers(namespace)
    }
    super.init(ruleIndex: ruleIndex)
    clock = ServedClock(judge)
    if isBlind { judge.verdicts[ruleIndex].notEvaluated = true }
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    if isBlind { return false }
    return switch kind {
    case .bgtaskBegin, .bgtaskEnd, .audioPlay, .audioRecord, .locStart, .locStop: true
    default: false
    }
  }

  override var followsLifecycle: Bool { !isBlind }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    followState(event, judge)
    switch event.kind {
    case .bgtaskBegin: begin(event, batch, judge)
    case .bgtaskEnd: end(event, batch)
    case .stateTimeRemaining: read(event, batch, judge)
    case .audioPlay, .audioRecord, .locStart, .locStop:
      if let shown = clock.takeService(event, batch, judge) { moveMarks(to: shown) }
      noteMove(event)
      if !isInStay && !clock.isServing { forgetMoves() }
    case .procSuspend, .procResume: noteMove(event)
    default: break
    }
    refreshDeadline(event.timeNanoseconds, judge)
  }

  // MARK: The stay in the background

  private func followState(_ event: Event, _ judge: Judge) {
    let state = judge.model.state
    let isIn = state == .enteringBackground || state.isBackgroundOrSuspended
    if isIn != isInStay {
      isInStay = isIn
      clock.setRunning(isIn, at: event.timeNanoseconds, judge)
      if isIn { stay += 1 } else { leaveStay() }
    }
    if state == .background && entryCounted == nil {
      let counted = clock.mark(at: event.timeNanoseconds, judge)
      entryCounted = counted
      if !open.isEmpty { nextEndCounted = sample?.endCounted ?? sum(counted, budgetNanoseconds) }
    }
  }

  /// A service had only paused: what was marked meanwhile was marked too late.
  private func moveMarks(to latest: Int64) {
    entryCounted = entryCounted.map { min($0, latest) }
    for (token, task) in open where task.beginCounted > latest {
      open[token]?.beginCounted = latest
    }
    if let counted = sample?.counted { sample?.counted = min(counted, latest) }
    nextEndCounted = open.values.compactMap { end(of: $0)?.counted }.min() ?? .max
  }

  private func leaveStay() {
    entryCounted = nil
    isUnlimited = false
    nextEndCounted = .max
    forgetSample()
    if !clock.isServing { forgetMoves() }
    // A kill in front isn't for a task of the background.
    ledger.launchBegan()
  }

  private func forgetSample() {
    if let sample { arena.release(sample.evidence) }
    sample = nil
  }

  private func forgetMoves() {
    for move in moves { arena.release(move) }
    moves.removeAll(keepingCapacity: true)
  }

  private func noteMove(_ event: Event) {
    if moves.count < Self.movesMax { moves.append(arena.keep(event)) }
  }

  // MARK: Tasks and samples

  private func begin(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard batch.boolean(.isInvalid, of: event) != true, let token = TaskToken(event, in: batch)
    else { return }
    close(token)
    if batch.isText(.by, "uikit", of: event) { return }
    guard open.count < Self.openMax else { return judge.unknown(ruleIndex, "key-limit") }
    let task = Task(
      beginOrdinal: event.ordinal,
      beginCounted: clock.mark(at: event.timeNanoseconds, judge),
      evidence: arena.keep(event))
    open[token] = task
    if let end = end(of: task) { nextEndCounted = min(nextEndCounted, end.counted) }
  }

  private func end(_ event: Event, _ batch: EventBatch) {
    if batch.boolean(.isInvalid, of: event) == true { return }
    if let token = TaskToken(event, in: batch) { return close(token) }
    // It may have been any of them.
    for token in open.keys { open[token]?.doubt = "hidden" }
  }

  private func close(_ token: TaskToken) {
    if let task = open.removeValue(forKey: token) { arena.release(task.evidence) }
  }

  /// The time that the app reads is good in the background only.
  private func read(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let state = judge.model.state
    guard state == .background || state == .enteringBackground else { return }
    if batch.isText(.seconds, "unlimited", of: event) { return readUnlimited() }
    guard let seconds = batch.number(.seconds, of: event), !seconds.isNaN else { return }
    let nanoseconds = (max(0, seconds) * 1e9).rounded()
    // 292 years and more: the system's way to say that no time is counted.
    guard nanoseconds < 9.2e18 else { return readUnlimited() }
    forgetSample()
    isUnlimited = false
    let remaining = Int64(nanoseconds)
    let sample = Sample(
      ordinal: event.ordinal, counted: clock.mark(at: event.timeNanoseconds, judge),
      remainingNanoseconds: remaining, evidence: arena.keep(event))
    self.sample = sample
    // No task's time ends before: one that was begun later has at least as much.
    if entryCounted != nil && !open.isEmpty { nextEndCounted = sample.endCounted }
  }

  private func readUnlimited() {
    forgetSample()
    isUnlimited = true
  }

  // MARK: Deadlines

  /// What the count shows when a task's time is over, and whether a sample says so; nil while no
  /// time is counted for it.
  private func end(of task: Task) -> (counted: Int64, isSampled: Bool)? {
    guard let entryCounted, !isUnlimited, task.judgedStay != stay else { return nil }
    let budgetEnd = sum(max(task.beginCounted, entryCounted), budgetNanoseconds)
    guard let sample else { return (budgetEnd, false) }
    // A task that was begun later may have got more time than the sample says, not less.
    if task.beginOrdinal > sample.ordinal && budgetEnd > sample.endCounted {
      return (budgetEnd, false)
    }
    return (sample.endCounted, true)
  }

  private func refreshDeadline(_ now: Int64, _ judge: Judge) {
    deadlineNanoseconds = .max
    guard nextEndCounted != .max, clock.isRunning, judge.model.state == .background else { return }
    deadlineNanoseconds = clock.time(of: nextEndCounted, now: now, judge)
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    let now = event.timeNanoseconds
    let counted = clock.value(at: now, judge)
    var overdue: [(token: TaskToken, task: Task, since: Int64, isSampled: Bool)] = []
    nextEndCounted = .max
    for (token, task) in open {
      guard let end = end(of: task) else { continue }
      if counted > end.counted {
        overdue.append((token, task, difference(counted, end.counted), end.isSampled))
      } else {
        nextEndCounted = min(nextEndCounted, end.counted)
      }
    }
    overdue.sort { $0.task.beginOrdinal < $1.task.beginOrdinal }
    for (token, task, since, isSampled) in overdue {
      open[token]?.judgedStay = stay
      if let doubt = task.doubt ?? hiddenEnds(judge) ?? hiddenService(isSampled, judge) {
        judge.unknown(ruleIndex, doubt)
      } else {
        report(
          token, task, at: difference(now, since), isSampled: isSampled, certainBy: event, batch,
          judge)
      }
    }
    refreshDeadline(now, judge)
  }

  /// The task may have been ended by a line of a level that the log doesn't hold.
  private func hiddenEnds(_ judge: Judge) -> String? { judge.hidesTaskLines ? "hidden" : nil }

  /// A service that nobody saw begin would have stopped the count.
  private func hiddenService(_ isSampled: Bool, _ judge: Judge) -> String? {
    if servedBeforeGap { return "gap" }
    return !isSampled && mayServe && judge.model.mayHideReasons ? judge.doubtReason : nil
  }

  private func report(
    _ token: TaskToken, _ task: Task, at time: Int64, isSampled: Bool, certainBy event: Event,
    _ batch: EventBatch, _ judge: Judge
  ) {
    if let place = reports[token] {
      judge.findings.extend(place, by: 1, until: time)
      return ledger.mayEscalate(place, at: time, judge.rules[ruleIndex])
    }
    guard let begin = arena[task.evidence]?.witness(role: "open", in: batch) else { return }
    var witness = [begin]
    if isSampled, let sample, let read = arena[sample.evidence] {
      witness.append(read.witness(role: "state", in: batch))
    }
    witness.append(batch.witness(event, role: "deadline"))
    let name = begin.arguments.first { $0.name == "name" }.flatMap { argument -> String? in
      if case .string(let name) = argument.value { name } else { nil }
    }
    let rule = judge.rules[ruleIndex]
    let key = name.map { "“\($0)” (token \(token.text))" } ?? token.text
    let task = "background task \(key)"
    let message =
      isSampled
      ? "\(task) was still open after the"
        + " \(readable(nanoseconds: sample?.remainingNanoseconds ?? 0)) that the app had read as its"
        + " remaining time"
      : rule.clauses[0].message.filled([
        ("task", task), ("limit", readable(nanoseconds: budgetNanoseconds)),
      ])
    let further = moves.compactMap { arena[$0]?.witness(role: "state", in: batch) }
    let place = judge.report(
      ruleIndex,
      Draft(
        clause: 0, message: message,
        subject: name.map { "background task \($0)" } ?? "background task",
        timeNanoseconds: time, thread: begin.thread, lastTimeNanoseconds: time,
        witness: witness, context: judge.context(in: batch) + further, key: token.key,
        intervalNumber: judge.interval.number),
      evidence: rule.clauses[0].evidence, isSettled: false, settlesAtLaunchEnd: false)
    if reports.count >= Self.reportsMax { reports.removeAll(keepingCapacity: true) }
    reports[token] = place
    ledger.mayEscalate(place, at: time, rule)
  }

  // MARK: Launches and gaps

  override func launchBegan(_ judge: Judge) {
    open.removeAll(keepingCapacity: true)
    reports.removeAll(keepingCapacity: true)
    ledger.launchBegan()
    arena.removeAll()
    moves.removeAll(keepingCapacity: true)
    clock = ServedClock(judge)
    servedBeforeGap = false
    sample = nil
    isUnlimited = false
    isInStay = false
    entryCounted = nil
    nextEndCounted = .max
    deadlineNanoseconds = .max
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if case .process(let event) = end {
      ledger.escalate(at: event, batch, judge) { _ in false }
    }
    if end.isCutOff { doubtOpen("truncated", judge) }
    open.removeAll(keepingCapacity: true)
    nextEndCounted = .max
    deadlineNanoseconds = .max
  }

  override func lost(_ judge: Judge) {
    doubtOpen("gap", judge)
    for token in open.keys {
      open[token]?.doubt = "gap"
    }
    clock.setRunning(false, at: judge.model.stateSinceNanoseconds, judge)
    if clock.isServing { servedBeforeGap = true }
    clock.forgetServices()
    isInStay = false
    leaveStay()
    deadlineNanoseconds = .max
  }

  /// Counts as unknown the tasks whose time is running.
  private func doubtOpen(_ reason: String, _ judge: Judge) {
    for task in open.values where end(of: task) != nil { judge.unknown(ruleIndex, reason) }
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) { arena.batchEnds(batch) }
}

extension Ledger {
  /// A finding that the kill its clause names would make graver.
  fileprivate mutating func mayEscalate(_ place: Int, at time: Int64, _ rule: Rule) {
    if let escalation = rule.clauses[0].escalation {
      mayEscalate(place, escalation, at: time)
    }
  }
}
