// Whether a scheduled task runs before the time that was asked for.
// Hand-written: the time of the wall clock is reckoned from the last sample of the clocks.

import TraceLifecycle
import TraceModel

/// Remembers what was asked for, and compares it with the wall clock when a task runs.
final class EarliestBegin: Monitor {
  private struct Request {
    var earliestWallNanoseconds: Int64
    var evidence: Int
    /// Events were lost since, and a later request perhaps with them.
    var isBeforeGap = false
  }

  /// A moment of which the wall clock's time is known.
  private struct Sync {
    var timeNanoseconds: Int64
    var wallNanoseconds: Int64
    var evidence: Int
    /// Events were lost since, and a step of the clock perhaps with them.
    var isBeforeGap = false
  }

  /// Identifiers followed: an app lists some in its Info.plist.
  private static let identifiersMax = 1_024

  /// The recording's clock stands still while the device sleeps, and the wall clock doesn't.
  private let isUptimeClock: Bool
  private var requests: [ArgumentKey: Request] = [:]
  private var reports: [ArgumentKey: Int] = [:]
  private var sync: Sync?
  private var arena = EvidenceArena()

  init(ruleIndex: Int, judge: Judge) {
    isUptimeClock = judge.header.string(.clockKind) == "uptime"
    super.init(ruleIndex: ruleIndex)
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .traceStart, .traceClockSync, .traceClockStep, .bgschedSubmit: true
    case .bgschedRun: phase != .return
    default: false
    }
  }

  /// Requests outlive the process, and a recording begins before it.
  override var hearsBetweenLaunches: Bool { true }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    switch event.kind {
    case .traceStart, .traceClockSync: takeSync(event, batch.integer(.wallNs, of: event))
    case .traceClockStep: takeSync(event, batch.integer(.newWallNs, of: event))
    case .bgschedSubmit: submit(event, batch, judge)
    default: run(event, batch, judge)
    }
  }

  private func takeSync(_ event: Event, _ wall: Int64?) {
    guard let wall else {
      // The clock was set, and nobody says to what.
      if event.kind == .traceClockStep { forgetSync() }
      return
    }
    forgetSync()
    sync = Sync(
      timeNanoseconds: event.timeNanoseconds, wallNanoseconds: wall, evidence: arena.keep(event))
  }

  private func forgetSync() {
    if let sync { arena.release(sync.evidence) }
    sync = nil
  }

  private func submit(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let identifier = batch.key(.identifier, of: event)
    // A request that is refused leaves the one before in force.
    if identifier == .absent || batch.integer(.errorCode, of: event).map({ $0 != 0 }) == true {
      return
    }
    forget(identifier)
    guard let earliest = batch.integer(.earliestBeginWallNs, of: event) else { return }
    guard requests.count < Self.identifiersMax else {
      return judge.unknown(ruleIndex, "key-limit")
    }
    requests[identifier] = Request(
      earliestWallNanoseconds: earliest, evidence: arena.keep(event))
  }

  private func forget(_ identifier: ArgumentKey) {
    if let old = requests.removeValue(forKey: identifier) { arena.release(old.evidence) }
  }

  // MARK: Runs

  private func run(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let identifier = batch.key(.identifier, of: event)
    guard let request = requests[identifier] else { return }
    // A request is good for one run.
    defer { forget(identifier) }
    guard let sync, sync.timeNanoseconds <= event.timeNanoseconds else {
      return judge.unknown(ruleIndex, "no-clock-sync")
    }
    let elapsed = difference(event.timeNanoseconds, sync.timeNanoseconds)
    let wall = sum(sync.wallNanoseconds, elapsed)
    guard wall < request.earliestWallNanoseconds else { return }
    if request.isBeforeGap || sync.isBeforeGap { return judge.unknown(ruleIndex, "gap") }
    if isUptimeClock && elapsed > 0 { return judge.unknown(ruleIndex, "uptime-clock") }
    report(
      identifier, request, sync, early: difference(request.earliestWallNanoseconds, wall), event,
      batch, judge)
  }

  private func report(
    _ identifier: ArgumentKey, _ request: Request, _ sync: Sync, early: Int64, _ event: Event,
    _ batch: EventBatch, _ judge: Judge
  ) {
    let time = event.timeNanoseconds
    if let place = reports[identifier] {
      return judge.findings.extend(place, by: 1, until: time)
    }
    let own = [
      arena[sync.evidence]?.witness(role: "clock", in: batch),
      arena[request.evidence]?.witness(role: "open", in: batch),
      batch.witness(event, role: "offender"),
    ]
    let rule = judge.rules[ruleIndex]
    reports[identifier] = judge.report(
      ruleIndex,
      Draft(
        clause: 0,
        message: rule.clauses[0].message.filled([
          ("identifier", identifier.inWords), ("duration", readable(nanoseconds: early)),
        ]),
        subject: "scheduled task \(identifier.inWords)", timeNanoseconds: time,
        thread: event.thread, lastTimeNanoseconds: time, witness: own.compactMap { $0 },
        context: judge.context(in: batch),
        key: InstanceKey(first: identifier, second: .absent)),
      evidence: rule.clauses[0].evidence, isSettled: rule.yields.isEmpty)
  }

  // MARK: Launches and gaps

  override func launchBegan(_ judge: Judge) {
    reports.removeAll(keepingCapacity: true)
    // What was done since the last launch that was recorded isn't known either.
    if judge.model.launch?.isMidLife == true && !judge.isFirstSign { lost(judge) }
  }

  override func lost(_ judge: Judge) {
    for identifier in requests.keys { requests[identifier]?.isBeforeGap = true }
    sync?.isBeforeGap = true
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) { arena.batchEnds(batch) }
}
