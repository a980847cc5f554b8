// Whether the app released memory after a memory warning, before it is ended for its memory.
// Hand-written: samples of memory before and after a warning are compared, before a kill.

import TraceLifecycle
import TraceModel

/// Follows memory warnings until the app releases memory or is killed.
final class MemoryWarnings: Monitor {
  private struct Warning {
    var event: PendingWitness
    var runNanoseconds: Int64
    var wasFollowed = false
    /// Events were lost since, and a release perhaps with them.
    var hasGap = false
    /// Memory was sampled in time, and with nothing before it to compare with.
    var hasFirstSample = false
  }

  private let limitNanoseconds: Int64
  private let killNanoseconds: Int64
  /// The last warning that the app got.
  private var warning: Warning?
  /// The last pressure of the first level, and of the second one after it: only who ignores both
  /// ignores a warning.
  private var firstLevel: Warning?
  private var secondLevel: Warning?
  /// The last sample of memory.
  private var footprintBytes: Int64?

  init(ruleIndex: Int, judge: Judge) {
    limitNanoseconds = judge.value(of: .parameter("limit"), ruleIndex)
    killNanoseconds = judge.value(of: .parameter("kill"), ruleIndex)
    super.init(ruleIndex: ruleIndex)
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .delegateDidReceiveMemoryWarning: phase != .return
    case .sysMemoryPressure, .memCache, .procFootprint: true
    default: false
    }
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    switch event.kind {
    case .delegateDidReceiveMemoryWarning: warning = makeWarning(event, judge)
    case .sysMemoryPressure: press(event, batch, judge)
    case .memCache:
      if batch.isText(.op, "drop", of: event) { release(event, judge) }
    default:
      guard let bytes = batch.integer(.bytes, of: event), bytes >= 0 else { return }
      if let footprintBytes {
        if bytes < footprintBytes { release(event, judge) }
      } else {
        noteFirstSample(event, judge)
      }
      footprintBytes = bytes
    }
  }

  private func makeWarning(_ event: Event, _ judge: Judge) -> Warning {
    Warning(
      event: PendingWitness(event),
      runNanoseconds: judge.runTimeNanoseconds(at: event.timeNanoseconds))
  }

  private func press(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let level = batch.key(.level, of: event)
    if level == .text("1") || level == .bits(1) {
      firstLevel = makeWarning(event, judge)
      secondLevel = nil
    } else if (level == .text("2") || level == .bits(2)) && firstLevel != nil {
      secondLevel = makeWarning(event, judge)
    }
  }

  /// The app gave memory back: it followed the warnings that are not too old.
  private func release(_ event: Event, _ judge: Judge) {
    let run = judge.runTimeNanoseconds(at: event.timeNanoseconds)
    follow(&warning, run)
    follow(&firstLevel, run)
    follow(&secondLevel, run)
  }

  private func follow(_ warning: inout Warning?, _ run: Int64) {
    if isInTime(warning, run) { warning?.wasFollowed = true }
  }

  /// What the app gave back before the first sample isn't known.
  private func noteFirstSample(_ event: Event, _ judge: Judge) {
    let run = judge.runTimeNanoseconds(at: event.timeNanoseconds)
    if isInTime(warning, run) { warning?.hasFirstSample = true }
    if isInTime(firstLevel, run) { firstLevel?.hasFirstSample = true }
    if isInTime(secondLevel, run) { secondLevel?.hasFirstSample = true }
  }

  private func isInTime(_ warning: Warning?, _ run: Int64) -> Bool {
    guard let start = warning?.runNanoseconds else { return false }
    return difference(run, start) <= limitNanoseconds
  }

  // MARK: The kill

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    guard case .process(let event) = end, event.kind == .procKill,
      batch.isText(.cause, "jetsam", of: event)
    else { return }
    guard let ignored = ignored(at: event.timeNanoseconds), let last = ignored.last else { return }
    let state = judge.model.state
    if state == .unknown || ignored.contains(where: \.hasGap) {
      return judge.unknown(ruleIndex, judge.doubtReason)
    }
    guard state == .active || state == .inactive || state == .background else { return }
    if ignored.contains(where: \.hasFirstSample) { return judge.unknown(ruleIndex, "no-sample") }
    let after = difference(event.timeNanoseconds, last.event.event.timeNanoseconds)
    let rule = judge.rules[ruleIndex]
    judge.report(
      ruleIndex,
      Draft(
        clause: 0,
        message: "the app was ended for its memory \(readable(nanoseconds: after)) after a memory"
          + " warning, and had released none",
        subject: "memory warning", timeNanoseconds: event.timeNanoseconds,
        thread: last.event.event.thread, lastTimeNanoseconds: event.timeNanoseconds,
        witness: ignored.map { $0.event.witness(role: "open", in: batch) }
          + [batch.witness(event, role: "kill")],
        context: judge.context(in: batch), intervalNumber: judge.interval.number),
      evidence: rule.clauses[0].evidence, isSettled: rule.yields.isEmpty)
  }

  /// The warning, or the two levels of one, that was ignored before a kill; nil if none was.
  private func ignored(at kill: Int64) -> [Warning]? {
    func isIgnored(_ warning: Warning) -> Bool {
      let end = sum(warning.event.event.timeNanoseconds, limitNanoseconds)
      return !warning.wasFollowed && difference(kill, end) <= killNanoseconds
    }
    if let warning, isIgnored(warning) { return [warning] }
    if let firstLevel, let secondLevel, !firstLevel.wasFollowed, isIgnored(secondLevel) {
      return [firstLevel, secondLevel]
    }
    return nil
  }

  // MARK: Launches and gaps

  override func launchBegan(_ judge: Judge) {
    warning = nil
    firstLevel = nil
    secondLevel = nil
    footprintBytes = nil
  }

  override func lost(_ judge: Judge) {
    warning?.hasGap = true
    firstLevel?.hasGap = true
    secondLevel?.hasGap = true
    footprintBytes = nil
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    warning?.event.keep(from: batch)
    firstLevel?.event.keep(from: batch)
    secondLevel?.event.keep(from: batch)
  }
}
