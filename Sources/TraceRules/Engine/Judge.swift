// What all monitors of one trace share: the life cycle, the interval, findings and verdicts.

import TraceLifecycle
import TraceModel

/// The shared state of all monitors while one trace is judged.
///
/// A class, because monitors change it in place while the engine loops over events.
final class Judge {
  /// As it is known so far, with everything covered that may turn out to be.
  private(set) var header: TraceHeader {
    didSet { isLimitedBySystem = Self.limits(header) }
  }
  let profile: Profile
  let options: CheckOptions
  let rules: [Rule]
  /// The ids of rules that others give way to.
  lazy var rulesYieldedTo = Set(rules.flatMap { $0.yields.map(\.rule) })
  /// How many of the rules the caller asked for; the others are judged for those, and not told.
  var toldRuleCount = Int.max
  @safe @exclusivity(unchecked) var model: LifecycleModel
  var findings: FindingStore
  /// The places of findings that explain kills and weren't weighed yet for being told.
  var waitingKills: Set<Int> = []
  /// How many findings there were when the last launch ended.
  var findingCountAtLaunchEnd = 0
  var verdicts: [VerdictCounts]
  @safe @exclusivity(unchecked) var interval = BackgroundInterval()
  @safe @exclusivity(unchecked) var stay = BackgroundStay()
  @safe @exclusivity(unchecked) var settler = SuspensionSettler()
  /// Open spans of the kinds that monitors ask for.
  @safe @exclusivity(unchecked) var spans = SpanTable(following: SpanTable.Following())
  /// The span that the event at hand returns from; nil if it returns from none.
  @safe @exclusivity(unchecked) var currentEnter: SpanTable.Open?
  @safe @exclusivity(unchecked) var trail = Trail()
  @safe @exclusivity(unchecked) private var lastHearing: Hearing?
  /// The time of the return that closed the span that was lost last.
  var spanLostNanoseconds: Int64 = 0
  /// While monitors are told of a loss: the only thread that lost events; nil: any may have.
  var lostThread: Int64?
  @safe @exclusivity(unchecked) private var keysOfTexts: [ArgumentKey?] = []
  @safe @exclusivity(unchecked) private var keyBatchNumber = -1
  /// The number of the stretch of inactivity at hand, or of the last one.
  @safe @exclusivity(unchecked) var inactiveNumber = 0
  var inactivity = Inactivity()
  /// How many findings of each rule had their evidence cut down.
  var minimisedCounts: [Int]
  /// A launch is under way.
  @safe @exclusivity(unchecked) var isLaunchOpen = false
  /// The launch under way is the first of the trace, and began with some event of a process of
  /// which nothing was recorded before: what was said until then is all there is, but no loss.
  var isFirstSign = false
  /// The launch is ending: the life cycle hasn't taken the event that ends it.
  @safe @exclusivity(unchecked) var isEnding = false
  /// Whether the trace holds a suspension.
  var hasSuspension = false
  /// The event that began the suspension in force.
  var suspensionWitness: WitnessEvent?
  /// The last inferred suspension of the launch that was none and yet moved the app, with what
  /// shows that it was none.
  @safe @exclusivity(unchecked) var voidSuspension: [WitnessEvent] = []
  /// The return of the callback in which the event at hand is nested, if the life cycle took it.
  @safe @exclusivity(unchecked) var nesting: [WitnessEvent] = []
  /// Whether the suspension in force was seen by another process than the app's.
  var suspensionIsObservedElsewhere = false
  /// Tells one batch from another.
  @safe @exclusivity(unchecked) var batchNumber = 0
  var batchNumbers = BatchNumbers()
  /// The header's fields that tests were asked of while monitors were made.
  var fieldsAsked: Set<HeaderField> = []
  /// Who is delivered which events.
  @safe @exclusivity(unchecked) var deliveries = DeliveryTable([])
  /// The last event of the launch, kept from a batch that is gone.
  var keptLastWitness: WitnessEvent? { didSet { readLastWitness = nil } }
  /// Reads it from a block that nobody opened; nil if that isn't where it stands.
  var readLastWitness: (() -> WitnessEvent?)?
  /// The place of the last event of the launch in the present batch; nil if it has none there.
  @safe @exclusivity(unchecked) var lastIndex: Int?
  /// The places of the rules of which the recorder doesn't instrument what they need.
  var uncoveredRules: Set<Int> = []
  /// Which rules are evaluated, by id.
  var evaluatedRules: Set<String> = []
  /// The time of the last event of the launch; nil before its first.
  @safe @exclusivity(unchecked) var lastNanoseconds: Int64?
  /// The event that began the launch; nil in a mid-life trace.
  var launchWitness: PendingWitness?
  /// The enter of the last callback that leads to the background.
  var lastCallbackEnter: PendingWitness?
  /// The first suspension or heartbeat of the trace; with what shows that the suspension was none.
  @safe @exclusivity(unchecked) var suspensionEvidence: [WitnessEvent] = []
  /// Since when the app has no reason to run in the background; nil while it has one.
  @safe @exclusivity(unchecked) var graceBeginNanoseconds: Int64?
  /// How long the app may run without a reason, by each rule: its parameter `grace`, or as usual.
  let graces: [Int64]

  /// Within this distance of a suspension's ends an event counts as outside it.
  let toleranceNanoseconds: Int64
  /// Under a debugger and on the simulator the system's watchdogs don't act.
  @safe @exclusivity(unchecked) private(set) var isLimitedBySystem: Bool
  /// Whether lines that the capture holds so far don't show that it holds all lines of tasks.
  var hidesTaskLines: Bool {
    header.strings(.logLevels).map { !$0.contains("info") } ?? false
  }
  /// Whether later lines may show more of what the capture holds.
  let isHeaderOpen: Bool
  /// The header doesn't say which system it was, so that the profile is a guess.
  let isSystemAssumed: Bool

  init(header: TraceHeader, profile: Profile, options: CheckOptions, rules: [Rule]) {
    isHeaderOpen = !header.openCoverage.isEmpty
    self.header = header.opened
    isLimitedBySystem = Self.limits(header)
    self.profile = profile
    self.options = options
    self.rules = rules
    model = LifecycleModel(header: header, profile: profile)
    graces = rules.indices.map { Self.grace(options, rules, $0) }
    toleranceNanoseconds = model.suspensionToleranceNanoseconds
    findings = FindingStore(ruleCount: rules.count)
    minimisedCounts = [Int](repeating: 0, count: rules.count)
    verdicts = [VerdictCounts](repeating: VerdictCounts(), count: rules.count)
    isSystemAssumed = options.profile == nil && ProfileSelection(header: header).isAssumed
  }

  private static func limits(_ header: TraceHeader) -> Bool {
    header.boolean(.debuggerAttached) == true || header.boolean(.simulator) == true
  }

  /// Takes over what has become known of the app and of what is logged.
  func amend(_ header: TraceHeader) { self.header = header.opened }

  /// Takes the header as it is at the end of the trace: what isn't covered by now never was.
  func close(_ header: TraceHeader) {
    self.header = header
    if isHeaderOpen { forgetUncovered() }
  }

  /// Calls the model where it stands. A plain call on a class's property would copy it each time.
  func withModel<Result>(_ body: (inout LifecycleModel) -> Result) -> Result {
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

  /// Whether an event ends the launch under way without saying so.
  func endsLaunch(_ event: Event, in batch: EventBatch) -> Bool {
    guard event.kind == .procStart || event.kind == .traceStart else { return false }
    return withModel { $0.endsLaunch(event, in: batch) }
  }

  /// What decides who listens.
  var gate: (state: LifecycleState, everyEvent: Bool) {
    withModel { ($0.state, $0.needsEveryEvent) }
  }

  /// The value of a rule's first parameter, in its unit.
  func threshold(_ ruleIndex: Int) -> Int64 {
    rules[ruleIndex].parameters.first.map { options.value(of: $0, in: rules[ruleIndex]) } ?? 0
  }

  /// What an amount of a rule stands for; 0 for one that each event states anew.
  func value(of amount: Amount, _ ruleIndex: Int) -> Int64 {
    switch amount {
    case .fixed(let number): return number
    case .large: return .max
    case .argument: return 0
    case .parameter(let name):
      let parameters = rules[ruleIndex].parameters
      guard let place = parameters.firstIndex(where: { $0.name == name }) else { return 0 }
      // Mostly nothing else was chosen, and the rule, which is large, isn't copied.
      if options.thresholds.isEmpty { return parameters[place].value }
      return options.value(of: parameters[place], in: rules[ruleIndex])
    }
  }

  /// An amount for people, with its unit.
  ///
  /// - Parameter unit: What a number is that the pattern states itself.
  func readable(
    _ amount: Amount, _ ruleIndex: Int, in unit: RuleParameter.Unit = .nanoseconds
  ) -> String {
    let value = value(of: amount, ruleIndex)
    switch amount {
    case .argument: return ""
    case .large(let number): return "\(number)"
    case .fixed: return unit.readable(value)
    case .parameter(let name):
      let unit = rules[ruleIndex].parameters.first { $0.name == name }?.unit ?? .count
      return unit.readable(value)
    }
  }

  /// Whether one of these reasons to run holds at a time not before the last event.
  func holds(_ reasons: Set<RunReason>, at time: Int64) -> Bool {
    withModel { $0.holds(reasons, at: time) }
  }

  /// The value of an argument as a key. A text is made once per batch.
  func key(_ name: ArgumentName, of event: Event, _ batch: EventBatch) -> ArgumentKey {
    guard let (type, bits) = batch.bits(name, of: event) else { return .absent }
    guard type == .string || type == .json else { return batch.key(name, of: event) }
    if keyBatchNumber != batchNumber {
      keyBatchNumber = batchNumber
      keysOfTexts.removeAll(keepingCapacity: true)
    }
    let text = Int(bits)
    while keysOfTexts.count <= text { keysOfTexts.append(nil) }
    if let key = keysOfTexts[text] { return key }
    let key = batch.key(name, of: event)
    keysOfTexts[text] = key
    return key
  }

  /// The event at hand with its batch, for monitors that hand it on.
  func hearing(of event: Event, _ batch: EventBatch) -> Hearing {
    if let hearing = lastHearing, hearing.batchNumber == batchNumber {
      if hearing.event.ordinal != event.ordinal {
        hearing.move(to: event)
      }
      return hearing
    }
    let hearing = Hearing(event: event, batch: batch, judge: self)
    lastHearing = hearing
    return hearing
  }

  /// Lets go of what refers back to the judge.
  func forgetHearing() { lastHearing = nil }

  /// Whether an event returns from a span whose enter is known.
  func knowsEnter(of event: Event) -> Bool { event.phase == .return && currentEnter != nil }

  /// The state before an event that the life cycle has taken. Right after a suspension, and after
  /// one that was only inferred, the app was running in the background.
  func stateBefore(_ event: Event) -> LifecycleState {
    guard model.stateBefore == .suspended,
      let suspension = model.suspension ?? model.lastSuspension
    else { return model.stateBefore }
    let elapsed = difference(event.timeNanoseconds, suspension.startNanoseconds)
    let isCertain = !suspension.isInferred && elapsed > toleranceNanoseconds
    return isCertain ? .suspended : .background
  }

  /// Why something can't be known at this moment.
  var doubtReason: String {
    guard let launch = model.launch else { return "mid-life" }
    if launch.hasGap { return "gap" }
    if launch.isMidLife { return "mid-life" }
    if model.isPrewarmed { return "prewarmed" }
    if model.state == .unknown { return "return-lost" }
    return model.mayHideReasons ? "gap" : "header-silent"
  }

  /// Where the app stands, as evidence.
  func context(in batch: EventBatch) -> [WitnessEvent] {
    var all = launchWitness.map { [$0.witness(role: "launch", in: batch)] } ?? []
    all += trail.events.map { $0.witness(role: Self.role(of: $0.event.kind), in: batch) }
    return all + voidSuspension + nesting
  }

  /// What an event of the life cycle says: where the app is, or why it may run. A heartbeat says
  /// neither, and makes silence of what evidence leaves out.
  private static func role(of kind: EventKind) -> String {
    if kind == .workSample { return "heartbeat" }
    return LifecycleModel.stateKinds.contains(kind) ? "state" : "reason"
  }

  /// How long ago something happened that says where the app is.
  func since(_ time: Int64) -> String {
    if interval.isOpen {
      let elapsed = TraceRules.readable(
        nanoseconds: difference(time, interval.startNanoseconds))
      return "\(elapsed) after the app entered the background"
    }
    guard let start = model.launch?.startNanoseconds else { return "in mid-life" }
    return "\(TraceRules.readable(nanoseconds: difference(time, start))) into the launch"
  }

  /// Whether a rule is judged in this trace.
  func isEvaluated(_ rule: String) -> Bool { evaluatedRules.contains(rule) }

  /// Counts a verdict that the trace doesn't allow.
  func unknown(_ ruleIndex: Int, _ reason: String, count: Int = 1) {
    verdicts[ruleIndex].unknown += count
    verdicts[ruleIndex].unknownReasons[reason, default: 0] += count
  }

  /// Adds a finding and returns its place.
  ///
  /// - Parameter settlesAtLaunchEnd: Whether it is settled at the latest when its launch ends.
  @discardableResult
  func report(
    _ ruleIndex: Int, _ draft: Draft, evidence: Clause.Evidence = .none, unit: UnitKey? = nil,
    isSettled: Bool = true, settlesAtLaunchEnd: Bool = true
  ) -> Int {
    let place = findings.add(
      FindingStore.Entry(
        ruleIndex: ruleIndex, draft: draft, launch: model.launch?.number ?? 1,
        launchStartNanoseconds: model.launch?.startNanoseconds,
        evidence: evidence, unit: unit, isSettled: isSettled && evidence == .none,
        settlesAtLaunchEnd: settlesAtLaunchEnd && evidence == .none))
    if evidence == .kill { waitingKills.insert(place) }
    return place
  }

  /// A callback of the life cycle ends the stretch of inactivity that lasted until now; a gap does,
  /// and nobody knows when.
  func endInactivity(
    _ state: LifecycleState, since start: Int64, at time: Int64, isGap: Bool = false
  ) {
    inactiveNumber += 1
    let length = state == .inactive ? difference(time, start) : 0
    let isKnown = state == .inactive || state == .resigning
    for (verdict, spared) in inactivity.take() {
      let isShort = isKnown && !isGap && length < spared
      switch verdict {
      case .doubt(let ruleIndex, let reason):
        if !isShort { unknown(ruleIndex, reason) }
      case .finding(let place):
        let entry = findings.entries[place]
        if entry.isWithdrawn || entry.wasTaken || isKnown && length >= spared { continue }
        findings.withdraw(place)
        if !isShort { unknown(entry.ruleIndex, "gap") }
      }
    }
  }

  /// The launch ends the stretch of inactivity: what is inactive to the end is judged.
  func endInactivityWithLaunch() {
    for case (.doubt(let ruleIndex, let reason), _) in inactivity.take() {
      unknown(ruleIndex, reason)
    }
  }

  /// Puts a graver case in place of a finding.
  func replace(_ place: Int, with draft: Draft, remembersOld: Bool = false) {
    findings.replace(
      place, with: draft, launch: model.launch?.number ?? 1,
      launchStartNanoseconds: model.launch?.startNanoseconds, remembersOld: remembersOld)
  }

  /// What was found of the stretch of inactivity at hand, which may be too short to be judged.
  struct Inactivity {
    enum Verdict {
      /// By its place among the findings.
      case finding(Int)
      case doubt(ruleIndex: Int, reason: String)
    }

    var verdicts: [(verdict: Verdict, sparedNanoseconds: Int64)] = []

    mutating func take() -> [(verdict: Verdict, sparedNanoseconds: Int64)] {
      defer { verdicts.removeAll() }
      return verdicts
    }
  }

  /// The stretches of time at hand.
  var stretch: Stretch { Stretch(background: interval.number, inactive: inactiveNumber) }

  /// The severity a finding is told with.
  func severity(_ entry: FindingStore.Entry) -> Severity {
    let rule = rules[entry.ruleIndex]
    if let severity = options.severities[rule.id] { return severity }
    if rule.isLoweredUnderDebugger && isLimitedBySystem { return .note }
    let isKill = rule.clauses[entry.draft.clause].evidence == .kill
    if options.watchdog == .real, !isKill, rule.allowance == .documented {
      return .warning
    }
    if isSystemAssumed && rule.isLoweredWhereSystemIsAssumed { return .note }
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
