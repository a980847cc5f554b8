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
  /// A refused end may be a false alarm of UIKit.
  let refusalIsDoubtful: Bool

  var table = BackgroundTaskTable()
  var suspendedTasks: [TaskToken: Suspended] = [:]
  /// Tasks whose expiration handler was called, in order of run time.
  var expired: [(token: TaskToken, ordinal: Int, runNanoseconds: Int64)] = []
  var expiredHead = 0
  /// Tasks whose evidence lies in the batch at hand.
  private var freshTokens: [TaskToken] = []
  var willTerminateSeen = false
  /// The lowest token that was begun, and where.
  private(set) var lowestBegun: (bits: UInt64, begin: PendingWitness)?
  private(set) var isAfterGap = false
  var hidesTokens = false
  /// A log of system levels lost lines, and what tells that it hides tokens may be among them.
  private var mayHideTokens = false
  private let isFromLog: Bool
  private var invalidPlace: Int?
  /// Findings that a hidden token later in the launch would withdraw.
  var withdrawable: [Int] = []
  var wrongEnds: [WrongEnds] = []

  init(ruleIndex: Int, judge: Judge) {
    leakNanoseconds = judge.threshold(ruleIndex)
    isFromLog = judge.header.strings(.logLevels) != nil
    if let os = judge.header.version(.osVersion) {
      refusalIsDoubtful = os >= SystemVersion(13) && os < SystemVersion(13, 4)
    } else {
      refusalIsDoubtful = true
    }
    super.init(ruleIndex: ruleIndex)
  }

  /// Whether begins and ends of this launch can't be trusted to be complete.
  ///
  /// What a log that is still read lacks may come: until the launch ends it counts as there, and
  /// findings that rest on it aren't settled.
  func isLimited(_ judge: Judge, atEnd: Bool = false) -> Bool {
    hidesTokens || mayHideTokens || (judge.hidesTaskLines && (atEnd || !judge.isHeaderOpen))
  }
  /// Why they can't.
  func limitReason(_ judge: Judge) -> String {
    hidesTokens ? "hidden" : judge.hidesTaskLines ? "log-levels" : "gap"
  }

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
    guard let token = TaskToken(event, in: batch) else { return hide(judge) }
    // A warning that a task is open for long comes where its begin isn't in the capture.
    let isSeen = batch.bits(.elapsedS, of: event) == nil
    if isSeen, case .bits(let bits) = token, bits < lowestBegun?.bits ?? .max {
      lowestBegun = (bits, PendingWitness(event))
    }
    table.ended[token] = nil
    if !table.settled.isEmpty { table.settled[token] = nil }
    if let suspended = suspendedTasks[token], suspended.endNanoseconds == nil {
      // It was ended meanwhile, and nobody knows when.
      suspendedTasks[token] = nil
      judge.unknown(ruleIndex, "token-reused")
    }
    if let old = table.open.removeValue(forKey: token) {
      judge.unknown(ruleIndex, old.isBeforeGap ? "gap" : "token-reused")
    }
    let task = OpenTask(
      begin: PendingWitness(event), line: batch.lines.isEmpty ? 0 : batch.lines[event.index],
      name: table.name(of: event, in: batch),
      beginRunNanoseconds: judge.runTimeNanoseconds(at: event.timeNanoseconds))
    if batch.isText(.by, "uikit", of: event) {
      table.settle(token, task)
    } else if table.open.count >= BackgroundTaskTable.openMax {
      // Its end is known for what it is; whether it is left open is not.
      judge.unknown(ruleIndex, "key-limit")
      table.settle(token, task)
    } else {
      table.open[token] = task
      freshTokens.append(token)
    }
  }

  func endInvalid(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
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
    freshTokens.append(token)
    expired.append((token, event.ordinal, run))
    // Run time never passes faster than time, so this is the earliest moment to look.
    deadlineNanoseconds = min(deadlineNanoseconds, sum(event.timeNanoseconds, leakNanoseconds))
  }

  // MARK: Looking ahead

  override var followsSuspensions: Bool { true }

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
      // Nothing is told of it where the capture lacks lines, and UIKit's own line still counts.
      table.settle(token, wasTold: !judge.hidesTaskLines || judge.isHeaderOpen)
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
        ], context: judge.context(in: batch), judge)
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
    _ witness: [WitnessEvent], context: [WitnessEvent] = [], severity: Severity? = nil,
    isCertain: Bool = false, _ judge: Judge
  ) -> Int? {
    if reason != .leaked && !isCertain && isLimited(judge) {
      judge.unknown(ruleIndex, limitReason(judge))
      return nil
    }
    // Only imported logs hide tokens, and only they say which levels they hold.
    let isSettled =
      reason == .leaked || isCertain || !isFromLog
    let place = judge.report(
      ruleIndex,
      Draft(
        clause: reason.rawValue, message: message, subject: table.subject(name: name),
        timeNanoseconds: time, thread: thread, lastTimeNanoseconds: time, witness: witness,
        severity: severity, context: context, key: key),
      isSettled: isSettled && (isCertain || judge.rules[ruleIndex].yields.isEmpty))
    if reason != .leaked && !isCertain { withdrawable.append(place) }
    return place
  }

  override func launchBegan(_ judge: Judge) {
    table.removeAll()
    suspendedTasks.removeAll()
    forgetExpired()
    withdrawable.removeAll()
    wrongEnds.removeAll()
    willTerminateSeen = false
    lowestBegun = nil
    isAfterGap = false
    hidesTokens = false
    mayHideTokens = false
    invalidPlace = nil
    deadlineNanoseconds = .max
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    reportSuspendedTasks(judge)
    judgeOpenTasks(end, batch, judge)
    for place in withdrawable {
      if isLimited(judge, atEnd: true) {
        judge.findings.withdraw(place)
        judge.unknown(ruleIndex, limitReason(judge))
      }
    }
    withdrawable.removeAll()
    // What is lost after the end of a launch takes nothing of it back.
    wrongEnds.removeAll()
    table.removeAll()
    deadlineNanoseconds = .max
  }

  override func lost(_ judge: Judge) {
    isAfterGap = true
    if isFromLog {
      let wasLimited = isLimited(judge)
      mayHideTokens = true
      if !wasLimited { withdrawUncertain(judge) }
    }
    for token in table.open.keys { table.open[token]?.isBeforeGap = true }
    table.removeEnded()
    if !suspendedTasks.isEmpty { judge.unknown(ruleIndex, "gap", count: suspendedTasks.count) }
    suspendedTasks.removeAll()
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    lowestBegun?.begin.keep(from: batch)
    // Most were ended meanwhile, and to ask for a place allocates nothing.
    for token in freshTokens {
      guard let place = table.open.index(forKey: token) else { continue }
      table.open.values[place].begin.keep(from: batch)
      table.open.values[place].expiry?.keep(from: batch)
    }
    freshTokens.removeAll(keepingCapacity: true)
  }
}
