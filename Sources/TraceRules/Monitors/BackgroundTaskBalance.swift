// Whether every background task that is begun is ended once, with its own token.
// Hand-written: six reasons share one table of tokens, and three of them look ahead.

import TraceLifecycle
import TraceModel

/// Follows the tokens of background tasks through a launch.
final class BackgroundTaskBalance: Monitor {
  /// The reasons, in the order of the rule's clauses.
  enum Reason: Int {
    case leaked, openAtSuspend, openAtEnd, doubleEnd, unknownToken, endInvalid
  }

  /// How long after a resume the end of a task still excuses that it was open at suspension;
  /// nanoseconds of run time.
  static let excuseNanoseconds: Int64 = 1_000_000_000

  /// Run time after which a task left open in the background, or after its expiration, counts
  /// as leaked.
  let leakNanoseconds: Int64
  /// The capture lacks the lines that begins and ends are read from.
  private let limitedByLogLevels: Bool
  /// A refused end may be a false alarm of UIKit.
  private let refusalIsDoubtful: Bool

  var table = BackgroundTaskTable()
  var suspendedTasks: [TaskToken: Suspended] = [:]
  /// Tasks whose expiration handler was called, in order of run time.
  var expired: [(token: TaskToken, ordinal: Int, runNanoseconds: Int64)] = []
  var expiredHead = 0
  var willTerminateSeen = false
  private var lowestBegun: UInt64?
  private var isAfterGap = false
  private var hidesTokens = false
  private var invalidPlace: Int?
  /// Findings that a hidden token later in the launch would withdraw.
  private var withdrawable: [Int] = []

  init(ruleIndex: Int, judge: Judge) {
    leakNanoseconds = judge.threshold(ruleIndex)
    limitedByLogLevels = judge.header.strings(.logLevels).map { !$0.contains("info") } ?? false
    if let os = judge.header.version(.osVersion) {
      refusalIsDoubtful = os >= SystemVersion(13) && os < SystemVersion(13, 4)
    } else {
      refusalIsDoubtful = true
    }
    super.init(ruleIndex: ruleIndex)
  }

  /// Whether begins and ends of this launch can't be trusted to be complete.
  var isLimited: Bool { hidesTokens || limitedByLogLevels }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .bgtaskBegin, .bgtaskEnd, .delegateWillTerminate: true
    case .bgtaskExpire: phase != .return
    default: false
    }
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    switch event.kind {
    case .bgtaskBegin: begin(event, batch, judge)
    case .bgtaskEnd: end(event, batch, judge)
    case .bgtaskExpire: expire(event, batch, judge)
    default: willTerminateSeen = true
    }
  }

  private func begin(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard batch.boolean(.isInvalid, of: event) != true else { return }
    guard let token = TaskToken(event, in: batch) else {
      hidesTokens = true
      return
    }
    if case .bits(let bits) = token { lowestBegun = min(lowestBegun ?? bits, bits) }
    table.ended[token] = nil
    table.settled[token] = nil
    if let old = table.open.removeValue(forKey: token) {
      judge.unknown(ruleIndex, old.isBeforeGap ? "gap" : "token-reused")
    }
    let task = OpenTask(
      begin: PendingWitness(event), name: table.name(of: event, in: batch),
      beginRunNanoseconds: judge.runTimeNanoseconds(at: event.timeNanoseconds))
    if batch.isText(.by, "uikit", of: event) {
      table.settle(token, task)
    } else if table.open.count >= BackgroundTaskTable.openMax {
      // Its end is known for what it is; whether it is left open is not.
      judge.unknown(ruleIndex, "key-limit")
      table.settle(token, task)
    } else {
      table.open[token] = task
    }
  }

  private func end(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    if batch.boolean(.isInvalid, of: event) == true { return endInvalid(event, batch, judge) }
    guard let token = TaskToken(event, in: batch) else {
      hidesTokens = true
      return
    }
    let isRefused = batch.boolean(.refused, of: event) == true
    if !isRefused, let task = table.close(token) {
      excuse(token, at: event, judge)
      remember(token, event, batch, name: task.name, task.wasTold ? .told : .balanced)
    } else if let earlier = table.ended[token] {
      endAgain(token, earlier, event, isRefused: isRefused, batch, judge)
    } else {
      endUnknown(token, event, isRefused: isRefused, batch, judge)
    }
  }

  private func remember(
    _ token: TaskToken, _ event: Event, _ batch: EventBatch, name: Int,
    _ verdict: EndedTask.Verdict
  ) {
    table.remember(token, EndedTask(event, in: batch, name: name, verdict: verdict))
  }

  private func endAgain(
    _ token: TaskToken, _ earlier: EndedTask, _ event: Event, isRefused: Bool, _ batch: EventBatch,
    _ judge: Judge
  ) {
    switch earlier.verdict {
    case .reported(let place):
      return judge.findings.extend(place, by: 1, until: event.timeNanoseconds)
    case .told: return
    case .balanced, .unproven: break
    }
    let since = readable(nanoseconds: difference(event.timeNanoseconds, earlier.timeNanoseconds))
    let place = report(
      .doubleEnd, name: earlier.name, at: event.timeNanoseconds, thread: event.thread,
      "\(table.describe(token, name: earlier.name)) was ended twice, the second time \(since) after the first",
      [earlier.witness(token), batch.witness(event, role: "offender")],
      severity: isRefused && refusalIsDoubtful ? .note : nil, isCertain: isRefused, judge)
    if let place { table.ended[token]?.verdict = .reported(place) }
  }

  private func endUnknown(
    _ token: TaskToken, _ event: Event, isRefused: Bool, _ batch: EventBatch, _ judge: Judge
  ) {
    var severity: Severity?
    var witness = [batch.witness(event, role: "offender")]
    if isRefused {
      if refusalIsDoubtful { severity = .note }
    } else if table.hasForgotten {
      judge.unknown(ruleIndex, "key-limit")
      return remember(token, event, batch, name: -1, .unproven)
    } else if isAfterGap {
      return remember(token, event, batch, name: -1, .unproven)
    } else if judge.model.launch?.isMidLife ?? true {
      guard case .bits(let bits) = token, let lowestBegun, bits >= lowestBegun else {
        judge.unknown(ruleIndex, "mid-life")
        return remember(token, event, batch, name: -1, .unproven)
      }
      severity = .note
    } else if let launch = judge.launchWitness {
      witness.insert(launch.witness(role: "launch", in: batch), at: 0)
    }
    let place = report(
      .unknownToken, name: -1, at: event.timeNanoseconds, thread: event.thread,
      isRefused
        ? "UIKit refused to end background task \(token.text), because it knows no such task"
        : "background task \(token.text) was ended but never begun in this launch",
      witness, severity: severity, isCertain: isRefused, judge)
    remember(
      token, event, batch, name: -1, place.map { .reported($0) } ?? .unproven)
  }

  private func endInvalid(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    if let invalidPlace {
      return judge.findings.extend(invalidPlace, by: 1, until: event.timeNanoseconds)
    }
    invalidPlace = judge.report(
      ruleIndex,
      Draft(
        clause: Reason.endInvalid.rawValue,
        message: "endBackgroundTask: was called with the invalid identifier",
        subject: "invalid background task", timeNanoseconds: event.timeNanoseconds,
        thread: event.thread, lastTimeNanoseconds: event.timeNanoseconds,
        witness: [batch.witness(event, role: "offender")]))
  }

  private func expire(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let token = TaskToken(event, in: batch), table.open[token] != nil else { return }
    let run = judge.runTimeNanoseconds(at: event.timeNanoseconds)
    table.open[token]?.expiry = PendingWitness(event)
    expired.append((token, event.ordinal, run))
    // Run time never passes faster than time, so this is the earliest moment to look.
    deadlineNanoseconds = min(deadlineNanoseconds, sum(event.timeNanoseconds, leakNanoseconds))
  }

  // MARK: Looking ahead

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let suspension = judge.model.suspension, !suspension.isInferred else { return }
    let sleeps =
      Profile.ios7Plus.contains(judge.profile) && judge.model.launch?.wasLockedOrSlept == true
    for (token, task) in table.openInOrder {
      if task.isBeforeGap || sleeps {
        judge.unknown(ruleIndex, task.isBeforeGap ? "gap" : "locked")
      } else {
        var kept = task
        kept.begin.keep(from: batch)
        suspendedTasks[token] = Suspended(
          token: token, task: kept, suspension: batch.witness(event, role: "offender"))
      }
      table.settle(token, wasTold: true)
    }
  }

  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard !suspendedTasks.isEmpty else { return }
    let run = judge.runTimeNanoseconds(at: event.timeNanoseconds)
    let tolerance = judge.toleranceNanoseconds
    for suspended in suspendedTasksInOrder where suspended.resumeRunNanoseconds == nil {
      let token = suspended.token
      guard let end = suspended.endNanoseconds else {
        suspendedTasks[token]?.resumeRunNanoseconds = run
        continue
      }
      suspendedTasks[token] = nil
      if end >= difference(event.timeNanoseconds, tolerance) {
        judge.unknown(ruleIndex, "ended-at-suspension")
      } else {
        reportSuspended(suspended, judge)
      }
    }
    deadlineNanoseconds = min(
      deadlineNanoseconds, sum(event.timeNanoseconds, Self.excuseNanoseconds))
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    let run = judge.runTimeNanoseconds(at: event.timeNanoseconds)
    deadlineNanoseconds = .max
    for suspended in suspendedTasksInOrder {
      guard let resume = suspended.resumeRunNanoseconds else { continue }
      let left = difference(sum(resume, Self.excuseNanoseconds), run)
      if left < 0 {
        suspendedTasks[suspended.token] = nil
        reportSuspended(suspended, judge)
      } else {
        deadlineNanoseconds = min(deadlineNanoseconds, sum(event.timeNanoseconds, left))
      }
    }
    while expiredHead < expired.count {
      let (token, ordinal, expiryRun) = expired[expiredHead]
      let left = difference(sum(expiryRun, leakNanoseconds), run)
      guard left < 0 else {
        deadlineNanoseconds = min(deadlineNanoseconds, sum(event.timeNanoseconds, left))
        break
      }
      expiredHead += 1
      guard let task = table.open[token], let expiry = task.expiry,
        expiry.event.ordinal == ordinal
      else { continue }
      table.settle(token, wasTold: true)
      if task.isBeforeGap {
        judge.unknown(ruleIndex, "gap")
        continue
      }
      report(
        .leaked, name: task.name, key: token.key, at: sum(event.timeNanoseconds, left),
        thread: task.begin.event.thread,
        "\(table.describe(token, name: task.name)) was still open \(readable(nanoseconds: leakNanoseconds)) after its expiration handler was called",
        [
          task.begin.witness(role: "open", in: batch),
          expiry.witness(role: "expired", in: batch), batch.witness(event, role: "deadline"),
        ], judge)
    }
    if expiredHead == expired.count { forgetExpired() }
  }

  private func forgetExpired() {
    expired.removeAll(keepingCapacity: true)
    expiredHead = 0
  }

  // MARK: Bookkeeping

  override func backgroundStayEnds(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    lazy var end = batch.witness(event, role: "state")
    for token in table.open.keys {
      guard let task = table.open[token] else { continue }
      let stay = backgroundNanoseconds(task, at: event.timeNanoseconds, judge)
      // Evidence is made only for a stay that could be told of.
      if stay > max(leakNanoseconds, task.longestBackgroundNanoseconds) {
        table.open[token]?.longestBackgroundNanoseconds = stay
        table.open[token]?.longestBackgroundWitness =
          judge.stay.witness.map { $0.witness(role: "state", in: batch) } + [end]
      }
    }
  }

  /// Run time that a task was open in the present stay in the background.
  func backgroundNanoseconds(_ task: OpenTask, at time: Int64, _ judge: Judge) -> Int64 {
    guard judge.stay.isOpen else { return 0 }
    return difference(
      judge.runTimeNanoseconds(at: time),
      max(task.beginRunNanoseconds, judge.stay.startRunNanoseconds))
  }

  @discardableResult
  func report(
    _ reason: Reason, name: Int, key: InstanceKey = .none, at time: Int64, thread: Int64,
    _ message: String,
    _ witness: [WitnessEvent], severity: Severity? = nil, isCertain: Bool = false, _ judge: Judge
  ) -> Int? {
    if reason != .leaked && !isCertain && isLimited {
      judge.unknown(ruleIndex, "hidden")
      return nil
    }
    // Only imported logs hide tokens, and only they say which levels they hold.
    let isSettled =
      reason == .leaked || isCertain || judge.header.strings(.logLevels) == nil
    let place = judge.report(
      ruleIndex,
      Draft(
        clause: reason.rawValue, message: message, subject: table.subject(name: name),
        timeNanoseconds: time, thread: thread, lastTimeNanoseconds: time, witness: witness,
        severity: severity, key: key),
      isSettled: isSettled && judge.rules[ruleIndex].yields.isEmpty)
    if reason != .leaked && !isCertain { withdrawable.append(place) }
    return place
  }

  override func launchBegan(_ judge: Judge) {
    table.removeAll()
    suspendedTasks.removeAll()
    forgetExpired()
    withdrawable.removeAll()
    willTerminateSeen = false
    lowestBegun = nil
    isAfterGap = false
    hidesTokens = false
    invalidPlace = nil
    deadlineNanoseconds = .max
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    reportSuspendedTasks(judge)
    judgeOpenTasks(end, batch, judge)
    for place in withdrawable {
      if isLimited {
        judge.findings.withdraw(place)
        judge.unknown(ruleIndex, "hidden")
      } else {
        judge.findings.settle(place)
      }
    }
    withdrawable.removeAll()
    table.removeAll()
    deadlineNanoseconds = .max
  }

  override func lost(_ judge: Judge) {
    isAfterGap = true
    for token in table.open.keys { table.open[token]?.isBeforeGap = true }
    table.removeEnded()
    if !suspendedTasks.isEmpty { judge.unknown(ruleIndex, "gap", count: suspendedTasks.count) }
    suspendedTasks.removeAll()
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    for token in table.open.keys {
      table.open[token]?.begin.keep(from: batch)
      table.open[token]?.expiry?.keep(from: batch)
    }
  }
}
