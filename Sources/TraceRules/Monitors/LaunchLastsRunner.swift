// Runs `lasts` clauses of launches: a launch must not take too long.

import TraceLifecycle
import TraceModel

/// Measures the launches of one clause, each from its start.
final class LaunchLastsRunner: ClauseRunner {
  private enum Role {
    static let start = 0
    static let finished = 1
    static let active = 2
    static let elsewhere = 3
    static let interrupted = 4
  }

  private let lasts: Lasts
  private let reading: ClockReading
  private let max: Int64
  private var start: (value: Int64, evidence: Int, thread: Int64)?
  private var finish: (value: Int64, time: Int64, evidence: Int)?
  /// The launch was interrupted before the app became active.
  private var interruption: Int?
  private var doubt: String?

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ lasts: Lasts, _ judge: Judge) {
    self.lasts = lasts
    reading = ClockReading(lasts.max)
    max = judge.value(of: lasts.max.amount, monitor.ruleIndex)
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] {
    [
      (Role.active, .on(.delegateDidBecomeActive), []),
      (Role.finished, .end(.delegateDidFinishLaunching), []),
      (
        Role.elsewhere,
        .on(.delegateWillResignActive, .delegateDidEnterBackground, .delegateWillTerminate), []
      ),
      (Role.elsewhere, .on(.uiTouch), []),
      (Role.interrupted, .on(.sysInterruption, .sysLock, .sysHomeButton, .sysAppSwitch), []),
    ]
  }

  override var followsState: Bool { true }

  override var isIdle: Bool { doubt != nil }
  override func needsOpen(_ role: Int) -> Bool { true }

  override func afterEvent(_ hearing: Hearing) {
    let judge = hearing.judge
    if doubt == nil, let launch = judge.model.launch, !launch.hasEnded, launch.isPrewarmed,
      launch.startNanoseconds == nil, !judge.model.isPrewarmed
    {
      // It was launched, and nobody recorded when.
      doubt = "prewarmed"
      return judge.unknown(monitor.ruleIndex, "prewarmed")
    }
    guard start == nil, doubt == nil, let launch = judge.model.launch, !launch.hasEnded,
      !launch.isMidLife, let began = launch.startNanoseconds
    else { return }
    let state = judge.model.state
    guard state == .launchingForeground || state == .launchingBackground else { return }
    let event = hearing.event
    // A prewarmed process begins its launch before the event that shows it.
    let value = difference(
      reading.value(at: event.timeNanoseconds, judge), difference(event.timeNanoseconds, began))
    start = (value, monitor.ledger.arena.keep(event), event.thread)
  }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    let (event, judge) = (hearing.event, hearing.judge)
    guard start != nil, doubt == nil else { return }
    let value = reading.value(at: event.timeNanoseconds, judge)
    let witness = hearing.batch.witness(event, role: "close")
    switch role {
    case Role.interrupted:
      if interruption == nil { interruption = monitor.ledger.arena.keep(event) }
    case Role.active where judge.model.launch?.into != .background:
      guard let interruption, let finish else {
        return judgeLaunch(value, at: event.timeNanoseconds, by: witness, [], hearing)
      }
      let others = [finish.evidence, interruption].compactMap { monitor.ledger.arena[$0] }
      judgeLaunch(finish.value, at: finish.time, by: witness, others, hearing)
    case Role.finished:
      if judge.model.launch?.into == .background {
        judgeLaunch(value, at: event.timeNanoseconds, by: witness, [], hearing)
      } else if finish == nil {
        finish = (value, event.timeNanoseconds, monitor.ledger.arena.keep(event))
      }
    default:
      guard let finish, event.kind != .uiTouch, judge.model.launch?.into != .background else {
        // It is over, and nobody knows since when.
        doubt = "return-lost"
        return judge.unknown(monitor.ruleIndex, "return-lost")
      }
      let others = [monitor.ledger.arena[finish.evidence]].compactMap { $0 }
      judgeLaunch(finish.value, at: finish.time, by: witness, others, hearing)
    }
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    guard start != nil, doubt == nil else { return }
    doubt = monitor.doubtReason(hearing.judge)
    hearing.judge.unknown(monitor.ruleIndex, monitor.doubtReason(hearing.judge))
  }

  private func judgeLaunch(
    _ value: Int64, at time: Int64, by certain: WitnessEvent, _ others: [PendingWitness],
    _ hearing: Hearing
  ) {
    guard let start else { return }
    let duration = difference(value, start.value)
    if duration > max {
      report(duration, at: time, by: certain, others, nil, hearing.batch, hearing.judge)
    }
    doubt = "over"
  }

  private func report(
    _ duration: Int64, at time: Int64, by certain: WitnessEvent?, _ others: [PendingWitness],
    _ message: MessageTemplate?, _ batch: EventBatch, _ judge: Judge
  ) {
    guard let start else { return }
    monitor.report(
      clauseIndex,
      Violation(
        unit: .launch, opening: monitor.ledger.arena[start.evidence], certainBy: certain,
        timeNanoseconds: time, thread: start.thread, durationNanoseconds: duration,
        limit: limitText(lasts.max.amount, judge), others: others, message: message),
      nil, batch, judge)
  }

  override func launchBegan(_ judge: Judge) {
    if let start { monitor.ledger.arena.release(start.evidence) }
    if let finish { monitor.ledger.arena.release(finish.evidence) }
    if let interruption { monitor.ledger.arena.release(interruption) }
    interruption = nil
    start = nil
    finish = nil
    doubt = nil
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    guard let start, doubt == nil else { return }
    if let finish, let interruption {
      // It was over, and something came before the app could become active.
      let duration = difference(finish.value, start.value)
      let others = [finish.evidence, interruption].compactMap { monitor.ledger.arena[$0] }
      if duration > max {
        report(duration, at: finish.time, by: nil, others, nil, batch, judge)
      }
      return
    }
    guard let message = lasts.openMessage else { return }
    let ending = judge.ending(end, batch)
    let duration = difference(
      reading.value(at: ending.timeNanoseconds, judge), start.value)
    if case .process(let event) = end, judge.kill(event, batch, provesIn: lasts) {
      report(
        duration, at: ending.timeNanoseconds, by: ending.witness, [], message, batch, judge)
    } else if duration > max {
      report(
        duration, at: difference(ending.timeNanoseconds, difference(duration, max)),
        by: ending.witness, [], message, batch, judge)
    } else {
      judge.unknown(monitor.ruleIndex, "truncated")
    }
  }

  override func lost(_ judge: Judge) {
    if start != nil && doubt == nil {
      doubt = "gap"
      judge.unknown(monitor.ruleIndex, "gap")
    }
  }
}
