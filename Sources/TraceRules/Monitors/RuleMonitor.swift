// Runs the clauses of a rule that are combinations of patterns: matches events, follows facts,
// and hands what fits to the runners of the clauses.

import TraceLifecycle
import TraceModel

/// Runs the pattern clauses of one rule.
final class RuleMonitor: Monitor {
  let rule: Rule
  let clauses: [Clause]
  @safe @exclusivity(unchecked) private(set) var facts: FactTable
  private let factsAtFirst: FactTable
  @safe @exclusivity(unchecked) var ledger: Ledger
  /// Steps by list; the first list is empty. Set as a whole, like all that is read at every event:
  /// then nobody need watch that it isn't changed meanwhile.
  @safe @exclusivity(unchecked) private(set) var steps: [[Step]] = [[]]
  /// What must be awake for each step to matter, list by list.
  @safe @exclusivity(unchecked) private var stepNeeds: [[UInt64]] = [[]]
  /// The list of each kind and phase.
  @safe @exclusivity(unchecked) private(set) var listOfPlace: [UInt16] = []
  @safe @exclusivity(unchecked) private(set) var runners: [ClauseRunner] = []
  /// The clauses that have a runner.
  private var clausesRun: [Int] = []
  @safe @exclusivity(unchecked) private var followers: [ClauseRunner] = []
  private var suspensionRunners: [ClauseRunner] = []
  private let hasScenes: Bool
  @safe @exclusivity(unchecked) private(set) var followsState = false
  @safe @exclusivity(unchecked) private(set) var followsReasons = false
  @safe @exclusivity(unchecked) private(set) var watchesCallbacks = false
  /// Arguments without which some event doesn't pass a test.
  private var stepNames: Set<ArgumentName> = []
  private var hearsBetweenLaunchesToo: Bool
  /// The state in which a condition is asked for, if it isn't the app's.
  @safe @exclusivity(unchecked) var assumedState: LifecycleState?
  /// The runners that had something open when they were looked at last, as bits.
  @safe @exclusivity(unchecked) private var openRunners: UInt64 = 0
  /// The runners that couldn't do without short spans then.
  @safe @exclusivity(unchecked) private var spanRunners: UInt64 = 0
  /// The bits of the followers, which may change at every event that concerns them.
  @safe @exclusivity(unchecked) private var followerBits: UInt64 = 0
  /// Whether runners were told of something and not looked at.
  @safe @exclusivity(unchecked) private var hasUnseenChange = false
  /// The place of the event that ended the last launch and was heard then.
  @safe @exclusivity(unchecked) private var ordinalOfEnd = -1
  /// Spans that the judge must match for this monitor, and of the app's own by their names.
  private(set) var spanKinds = KindSet()
  private(set) var ownNames: Set<String> = []
  private(set) var rememberedNames: [EventKind: Set<ArgumentName>] = [:]
  private(set) var toleranceNanoseconds: Int64 = 0
  /// Clauses of which the header doesn't tell whether they apply.
  private(set) var doubtfulClauses: Set<Int> = []
  /// Whether the header leaves open what a condition of the rule asks it.
  private(set) var isHeaderSilent = false
  /// Instances followed at once.
  let keysMax: Int
  /// Whether findings remember each violation that they count.
  let remembersInstances: Bool

  init(ruleIndex: Int, clauses: [Int], _ judge: Judge) {
    rule = judge.rules[ruleIndex]
    self.clauses = rule.clauses
    keysMax = min(rule.keysMax ?? .max, InstanceTable.instancesMax)
    remembersInstances = judge.remembersInstances(rule)
    factsAtFirst = FactTable(rule.facts, judge, ruleIndex)
    facts = factsAtFirst
    ledger = Ledger(sharesUnits: !rule.clausesAreIndependent)
    hasScenes = judge.profile == .scene || judge.profile == .ios13
    hearsBetweenLaunchesToo =
      rule.facts.contains { $0.life == .trace }
      || clauses.contains { Self.outlivesLaunch(judge.rules[ruleIndex].clauses[$0].pattern) }
    super.init(ruleIndex: ruleIndex)
    var lists = StepLists()
    for (index, fact) in rule.facts.enumerated() {
      for pattern in fact.set { add(pattern, key: fact.key, .set(index), judge, &lists) }
      for pattern in fact.clear { add(pattern, key: fact.key, .clear(index), judge, &lists) }
      for pattern in fact.clearAll { add(pattern, key: [], .clearAll(index), judge, &lists) }
    }
    for index in clauses {
      if let applies = rule.clauses[index].applies, judge.holds(applies) == nil {
        doubtfulClauses.insert(index)
      }
      guard let runner = makeRunner(index, judge) else { continue }
      let place = runners.count
      runners = runners + [runner]
      clausesRun.append(index)
      for listening in runner.listenings {
        add(
          listening.pattern, key: listening.key, .clause(place, role: listening.role), judge,
          &lists, defersCondition: runner.defersCondition(listening.role))
      }
      for kind in runner.spanKinds { spanKinds.insert(kind) }
      followsState = followsState || runner.followsState
      followsReasons = followsReasons || runner.followsReasons
      watchesCallbacks = watchesCallbacks || runner.watchesCallbacks
    }
    (steps, listOfPlace) = (lists.steps, lists.listOfPlace)
    stepNeeds = steps.map { $0.map(\.needs) }
    ready(judge)
  }

  /// A monitor for another trace whose header says the same: it shares what was compiled.
  init(like other: RuleMonitor, _ judge: Judge) {
    rule = other.rule
    clauses = other.clauses
    keysMax = other.keysMax
    remembersInstances = other.remembersInstances
    factsAtFirst = other.factsAtFirst
    facts = factsAtFirst
    ledger = Ledger(sharesUnits: !rule.clausesAreIndependent)
    steps = other.steps
    stepNeeds = other.stepNeeds
    listOfPlace = other.listOfPlace
    hasScenes = other.hasScenes
    hearsBetweenLaunchesToo = other.hearsBetweenLaunchesToo
    super.init(ruleIndex: other.ruleIndex)
    followsState = other.followsState
    followsReasons = other.followsReasons
    watchesCallbacks = other.watchesCallbacks
    stepNames = other.stepNames
    spanKinds = other.spanKinds
    ownNames = other.ownNames
    rememberedNames = other.rememberedNames
    doubtfulClauses = other.doubtfulClauses
    isHeaderSilent = other.isHeaderSilent
    clausesRun = other.clausesRun
    runners = clausesRun.compactMap { makeRunner($0, judge) }
    ready(judge)
  }

  private func ready(_ judge: Judge) {
    followers = runners.filter {
      $0.followsState || $0.followsReasons || $0.resolvesMatches
    }
    for (place, runner) in runners.enumerated()
    where runner.followsState || runner.followsReasons || runner.resolvesMatches {
      followerBits |= Self.bit(ofRunner: place)
    }
    suspensionRunners = runners.filter(\.followsSuspensions)
    toleranceNanoseconds = judge.toleranceNanoseconds
    refresh(judge)
  }

  private func add(
    _ pattern: EventPattern, key: [KeyField], _ target: Target, _ judge: Judge,
    _ lists: inout StepLists, defersCondition: Bool = false
  ) {
    let compiled = CompiledPattern(pattern, key: key, rule.facts, judge, ruleIndex)
    let step = Step(
      compiled, target, defersCondition: defersCondition, needs: needs(compiled, target),
      states: states(compiled, target))
    if compiled.condition?.isSilent == true { isHeaderSilent = true }
    if !step.namesNeeded.isEmpty { stepNames.formUnion(step.namesNeeded) }
    var places: [Int] = []
    lazy var asked = namesAsked(by: compiled)
    for kind in compiled.kinds(withScenes: hasScenes) {
      for phase in [Phase.instant, .enter, .return] where pattern.edge.contains(phase) {
        places.append(Int(kind.rawValue) * 3 + Int(phase.rawValue))
      }
      if pattern.edge != .begin, Self.isSpan(kind) { follow(kind, asked) }
    }
    if !compiled.names.isEmpty {
      ownNames.formUnion(compiled.names)
      for phase in [Phase.instant, .enter, .return] where pattern.edge.contains(phase) {
        places.append(255 * 3 + Int(phase.rawValue))
      }
      if pattern.edge != .begin { follow(SpanTable.ownKind, asked) }
      // A trace of nothing but the app's own events shows no launch.
      hearsBetweenLaunchesToo = true
    }
    for place in places { lists.add(step, at: place) }
  }

  /// Has the enters of a kind's spans remembered for their returns, with what may be asked for.
  private func follow(_ kind: EventKind, _ names: Set<ArgumentName>) {
    spanKinds.insert(kind)
    rememberedNames[kind, default: []].formUnion(names)
  }

  private static func isSpan(_ kind: EventKind) -> Bool {
    Vocabulary.description(of: kind).map { $0.shape != .instant } ?? true
  }

  // MARK: Listening

  override var namesAsked: Set<ArgumentName> { stepNames }

  override func spanNanosecondsUnheard(_ kind: EventKind, in state: LifecycleState) -> Int64? {
    spanLengthUnheard(kind, in: state)
  }

  override func needs(
    _ kind: EventKind, _ phase: Phase, in state: LifecycleState,
    lacks: (ArgumentName) -> Bool
  ) -> [MonitorNeed] {
    stepsNeed(kind, phase, in: state, lacks: lacks)
  }

  override func dismantle() {
    runners = []
    followers = []
    suspensionRunners = []
    // The monitor may live on as what the next ones are made like.
    facts = factsAtFirst
    ledger = Ledger(sharesUnits: !rule.clausesAreIndependent)
  }

  override var hearsBetweenLaunches: Bool { hearsBetweenLaunchesToo }
  override var followsSuspensions: Bool { !suspensionRunners.isEmpty }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    if event.ordinal == ordinalOfEnd { return }
    perform(judge.hearing(of: event, batch))
  }

  private func perform(_ hearing: Hearing) {
    let event = hearing.event
    var concernsRunners = false
    var changed = followerBits
    if watchesCallbacks && event.phase != .return && CallbackKinds.provesReturn(event.kind) {
      for runner in runners { runner.callbackBegan(event) }
      concernsRunners = true
      hasUnseenChange = true
    }
    var concernsFollowers =
      (followsState && LifecycleModel.stateKinds.contains(event.kind))
      || (followsReasons && LifecycleModel.kinds.contains(event.kind))
    let list = Int(listOfPlace[Self.place(event.kind, event.phase)])
    for place in stepNeeds[list].indices where stepNeeds[list][place] & ~awake == 0 {
      let step = steps[list][place]
      let fits = step.pattern.fits(hearing)
      if fits == false { continue }
      var holds = fits
      if let condition = step.condition {
        let value = value(condition, hearing, step.pattern.keyFields)
        holds = value == false ? false : fits == true ? value : nil
      }
      if holds != false {
        concernsFollowers = true
        if case .clause(let place, _) = step.target {
          concernsRunners = true
          changed |= Self.bit(ofRunner: place)
        }
        perform(step, holds, hearing)
      }
    }
    guard concernsFollowers else { return }
    if followers.isEmpty && !concernsRunners { return refreshFacts(hearing.judge) }
    for runner in followers { runner.afterEvent(hearing) }
    refresh(hearing.judge, changed)
  }

  private func perform(_ step: Step, _ holds: Bool?, _ hearing: Hearing) {
    if holds == false { return }
    let event = hearing.event
    switch step.target {
    case .clause(let place, let role):
      let isHeard =
        hearing.judge.isLaunchOpen || hearing.judge.isEnding || runners[place].outlivesLaunch
        || (!event.kind.isKnown && !hearing.judge.model.hasSettledStart)
      if !isHeard { return }
      if holds == true {
        runners[place].perform(role, step.pattern, hearing)
      } else {
        runners[place].doubt(role, step.pattern, hearing)
      }
      awake |= Self.bit(ofRunner: place)
    case .set(let fact), .clear(let fact):
      let key = hearing.instanceKey(step.pattern.keyFields)
      switch (step.target, holds) {
      case (.set, nil): facts.maybeSet(fact, key)
      case (.set, _): facts.set(fact, key, event, hearing.judge)
      case (_, nil): facts.maybeClear(fact, key)
      default: facts.clear(fact, key, event)
      }
      awake |= Self.bit(ofFact: fact)
    case .clearAll(let fact):
      if holds == true { facts.clearAll(fact, event) } else { facts.maybeClearAll(fact) }
    }
  }

  // MARK: Life cycle

  override func launchBegan(_ judge: Judge) {
    let isMidLife = judge.model.launch?.isMidLife == true
    facts.launchBegan(isMidLife: isMidLife, isFirstSign: judge.isFirstSign)
    ledger.launchBegan()
    for runner in runners {
      // What came before in the trace goes on after something that nobody recorded.
      if isMidLife { runner.lost(judge) }
      runner.launchBegan(judge)
    }
    refresh(judge)
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    var held: Set<String> = []
    // Of a process of which the trace holds nothing but the end no state is known.
    if !judge.model.isLaunched { assumedState = .unknown }
    defer { assumedState = nil }
    for runner in runners { runner.processEnds(end, batch, judge) }
    if case .process(let event) = end {
      if ledger.isEscalating { held = factsHeld(at: event.timeNanoseconds, judge) }
      hear(event, batch, judge)
      ordinalOfEnd = event.ordinal
    }
    for runner in runners { runner.launchEnds(end, batch, judge) }
    if case .process(let event) = end {
      ledger.escalate(at: event, batch, judge) { held.contains($0) }
    }
    refresh(judge)
  }

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    forOpenRunners(judge) { $0.suspended(event, batch, judge) }
  }

  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    forOpenRunners(judge) { $0.resumed(event, batch, judge) }
  }

  override func suspensionConfirmed(_ batch: EventBatch, _ judge: Judge) {
    forOpenRunners(judge) { $0.suspensionConfirmed(batch, judge) }
  }

  /// Calls those who follow suspensions and have something open.
  private func forOpenRunners(_ judge: Judge, _ body: (ClauseRunner) -> Void) {
    var hasOpen = false
    for runner in suspensionRunners where !runner.isIdle {
      body(runner)
      hasOpen = true
    }
    if hasOpen { refresh(judge) }
  }

  override func lost(_ judge: Judge) {
    facts.lose()
    for runner in runners { runner.lost(judge) }
    refresh(judge)
  }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    for runner in runners { runner.threadBroke(thread, judge) }
    hasUnseenChange = true
  }

  override func spanLost(_ ordinal: Int, _ judge: Judge) {
    for runner in runners { runner.spanLost(ordinal, judge) }
    hasUnseenChange = true
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    for runner in runners where runner.deadlineNanoseconds < event.timeNanoseconds {
      runner.advance(to: event, batch, judge)
    }
    refresh(judge)
  }

  override func fallsSilent(until event: Event, _ batch: EventBatch, _ judge: Judge) {
    for runner in runners where !runner.isIdle { runner.fallsSilent(until: event, batch, judge) }
    refresh(judge)
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    facts.batchEnds(batch)
    ledger.arena.batchEnds(batch)
  }

  /// Looks again for the next deadline, and at what is awake.
  ///
  /// - Parameter changed: The bits of the runners that were told of something.
  func refresh(_ judge: Judge, _ changed: UInt64 = .max) {
    let runners = runners
    // Runners beyond these have no bit of their own.
    let looksAtAll = changed == .max || hasUnseenChange || runners.count > Self.runnerBits
    if looksAtAll {
      openRunners = 0
      spanRunners = 0
      hasUnseenChange = false
    }
    var next = Int64.max
    for place in runners.indices {
      let runner = runners[place]
      next = min(next, runner.deadlineNanoseconds)
      let bit = Self.bit(ofRunner: place)
      guard looksAtAll || changed & bit != 0 else { continue }
      if runner.isIdle { openRunners &= ~bit } else { openRunners |= bit }
      let spanBit = bit == 0 ? 1 : bit
      spanRunners = runner.canDoWithoutSpans ? spanRunners & ~bit : spanRunners | spanBit
    }
    deadlineNanoseconds = next
    refreshFacts(judge)
  }

  /// Looks again at what is awake after facts have changed, and no runner has.
  private func refreshFacts(_ judge: Judge) {
    awake = openRunners | facts.awake | (spanRunners == 0 ? 0 : Self.spansBit)
    judge.note(awake, of: self)
  }
}
