// What all monitors of one trace share: the life cycle, the interval, findings and verdicts.

import TraceLifecycle
import TraceModel

/// A stretch of time in the background: from an entry or a resume to the next leaving or resume.
struct BackgroundInterval {
  var number = 0
  /// Whether the app is in it now.
  var isOpen = false
  var startNanoseconds: Int64 = 0
  /// The thread of the callback whose return opened it; nil if none did.
  var callbackThread: Int64?
  /// The events that put the app there.
  var witness: [PendingWitness] = []
  /// The enter of the callback whose return put the app there; nil if none did.
  var callbackEnter: PendingWitness?
}

/// A stay in the background, suspensions included: from an entry to the next leaving.
struct BackgroundStay {
  var isOpen = false
  /// Run time at which the state became background.
  var startRunNanoseconds: Int64 = 0
  var witness: [PendingWitness] = []
}

/// The shared state of all monitors while one trace is judged.
///
/// A class, because monitors change it in place while the engine loops over events.
final class Judge {
  let header: TraceHeader
  let profile: Profile
  let options: CheckOptions
  let rules: [Rule]
  var model: LifecycleModel
  var findings: FindingStore
  var verdicts: [VerdictCounts]
  var interval = BackgroundInterval()
  var stay = BackgroundStay()
  var settler = SuspensionSettler()
  /// The event that began the suspension in force.
  var suspensionWitness: WitnessEvent?
  /// Whether the suspension in force was seen by another process than the app's.
  var suspensionIsObservedElsewhere = false
  /// Tells one batch from another.
  var batchNumber = 0
  /// The last event of the launch, kept from a batch that is gone.
  var keptLastWitness: WitnessEvent?
  /// The place of the last event of the launch in the present batch; nil if it has none there.
  var lastIndex: Int?
  /// Which rules are evaluated, by id.
  var evaluatedRules: Set<String> = []
  /// The time of the last event of the launch; nil before its first.
  var lastNanoseconds: Int64?
  /// The event that began the launch; nil in a mid-life trace.
  var launchWitness: PendingWitness?
  /// The enter of the last callback that leads to the background.
  var lastCallbackEnter: PendingWitness?
  /// The first suspension or heartbeat of the trace.
  var suspensionEvidence: WitnessEvent?
  /// When the app has no reason left to run in the background; nil while it has one.
  private(set) var graceEndNanoseconds: Int64?

  /// Within this distance of a suspension's ends an event counts as outside it.
  let toleranceNanoseconds: Int64
  /// Under a debugger and on the simulator the system's watchdogs don't act.
  let isLimitedBySystem: Bool

  init(header: TraceHeader, profile: Profile, options: CheckOptions, rules: [Rule]) {
    self.header = header
    self.profile = profile
    self.options = options
    self.rules = rules
    model = LifecycleModel(
      header: header, profile: profile, graceNanoseconds: Self.grace(options, rules))
    toleranceNanoseconds = model.suspensionToleranceNanoseconds
    findings = FindingStore(ruleCount: rules.count)
    verdicts = [VerdictCounts](repeating: VerdictCounts(), count: rules.count)
    isLimitedBySystem =
      header.boolean(.debuggerAttached) == true || header.boolean(.simulator) == true
  }

  /// The grace that a rule states as its parameter, or that the caller chose for it.
  private static func grace(_ options: CheckOptions, _ rules: [Rule]) -> Int64 {
    guard let rule = rules.first(where: { $0.parameters.first?.name == "grace" }) else {
      return LifecycleModel.defaultGraceNanoseconds
    }
    return options.thresholds[rule.id] ?? rule.parameters[0].value
  }

  /// Calls the model where it stands. A plain call on a class's property would copy it each time.
  private func withModel<Result>(_ body: (inout LifecycleModel) -> Result) -> Result {
    body(&model)
  }

  /// The run-time clock at a time not before the last event.
  func runTimeNanoseconds(at time: Int64) -> Int64 {
    withModel { $0.runTimeNanoseconds(at: time) }
  }

  /// The watchdog clock at a time not before the last event.
  func watchdogTimeNanoseconds(at time: Int64) -> Int64 {
    withModel { $0.watchdogTimeNanoseconds(at: time) }
  }

  /// Looks again when the app may run until; called after every event the life cycle took.
  func refreshGrace() { graceEndNanoseconds = withModel { $0.graceEndNanoseconds() } }

  /// Whether the app has a reason to run at a time not before the last event.
  func mayRun(at timeNanoseconds: Int64) -> Bool {
    guard let graceEndNanoseconds, timeNanoseconds > graceEndNanoseconds else { return true }
    return withModel { $0.mayRun(at: timeNanoseconds) }
  }

  /// Whether an event ends the launch under way without saying so.
  func endsLaunch(_ event: Event, in batch: EventBatch) -> Bool {
    withModel { $0.endsLaunch(event, in: batch) }
  }

  /// What decides who listens.
  var gate: (state: LifecycleState, everyEvent: Bool) {
    withModel { ($0.state, $0.needsEveryEvent) }
  }

  /// The value of a rule's first parameter, in its unit.
  func threshold(_ ruleIndex: Int) -> Int64 {
    options.thresholds[rules[ruleIndex].id] ?? rules[ruleIndex].parameters.first?.value ?? 0
  }

  /// Whether a rule is judged in this trace.
  func isEvaluated(_ rule: String) -> Bool { evaluatedRules.contains(rule) }

  /// The last event of the launch as evidence; nil if there was none.
  func lastWitness(in batch: EventBatch, role: String) -> WitnessEvent? {
    var witness =
      lastIndex.map { batch.witness(batch.event(at: $0), role: role) }
      ?? keptLastWitness
    witness?.role = role
    return witness
  }

  /// Counts a verdict that the trace doesn't allow.
  func unknown(_ ruleIndex: Int, _ reason: String, count: Int = 1) {
    verdicts[ruleIndex].unknown += count
    verdicts[ruleIndex].unknownReasons[reason, default: 0] += count
  }

  /// Adds a finding and returns its place.
  @discardableResult
  func report(
    _ ruleIndex: Int, _ draft: Draft, needsSuspensionEvidence: Bool = false, isSettled: Bool = true
  ) -> Int {
    findings.add(
      FindingStore.Entry(
        ruleIndex: ruleIndex, draft: draft, launch: model.launch?.number ?? 1,
        launchStartNanoseconds: model.launch?.startNanoseconds,
        needsSuspensionEvidence: needsSuspensionEvidence,
        isSettled: isSettled && !needsSuspensionEvidence))
  }

  /// The severity a finding is told with.
  func severity(_ entry: FindingStore.Entry) -> Severity {
    let rule = rules[entry.ruleIndex]
    if let severity = options.severities[rule.id] { return severity }
    if rule.isLoweredUnderDebugger && isLimitedBySystem { return .note }
    return entry.draft.severity ?? rule.clauses[entry.draft.clause].severity
  }

  /// A thread as people call it.
  func name(ofThread thread: Int64) -> String {
    thread == model.mainThread ? "the main thread" : "thread \(thread)"
  }
}

/// A difference of times that doesn't overflow.
func difference(_ later: Int64, _ earlier: Int64) -> Int64 {
  let (result, overflow) = later.subtractingReportingOverflow(earlier)
  return overflow ? (later > earlier ? .max : .min) : result
}

/// A sum of times that doesn't overflow.
func sum(_ time: Int64, _ duration: Int64) -> Int64 {
  let (result, overflow) = time.addingReportingOverflow(duration)
  return overflow ? (duration > 0 ? .max : .min) : result
}
