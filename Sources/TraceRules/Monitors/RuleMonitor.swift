// Runs the clauses of a rule that are combinations of patterns: matches events, follows facts,
// and hands what fits to the runners of the clauses.

import TraceLifecycle
import TraceModel

/// Runs the pattern clauses of one rule.
final class RuleMonitor: Monitor {
  private enum Target {
    case set(Int)
    case clear(Int)
    case clearAll(Int)
    case clause(Int, role: Int)
  }

  /// A class, so that a loop over steps doesn't copy them.
  private final class Step {
    let pattern: CompiledPattern
    let target: Target
    /// The condition, unless the runner asks for it itself.
    let condition: CompiledCondition?

    init(_ pattern: CompiledPattern, _ target: Target, defersCondition: Bool) {
      self.pattern = pattern
      self.target = target
      condition = defersCondition ? nil : pattern.condition
    }
  }

  /// Known kinds, and one place for all others; three phases each.
  private static let places = 256 * 3

  let rule: Rule
  let clauses: [Clause]
  private(set) var facts: FactTable
  var ledger: Ledger
  /// Steps by list; the first list is empty.
  private var steps: [[Step]] = [[]]
  /// The states in which the steps of a list may matter.
  private var statesOfList: [UInt32] = [0]
  /// The list of each kind and phase.
  private var listOfPlace: [UInt16]
  private var runners: [ClauseRunner] = []
  private var followers: [ClauseRunner] = []
  private let hasScenes: Bool
  private var followsState = false
  private var followsReasons = false
  private var watchesCallbacks = false
  private let hearsBetweenLaunchesToo: Bool
  /// Spans that the judge must match for this monitor.
  private(set) var spanKinds = KindSet()
  private(set) var rememberedNames: Set<ArgumentName> = []
  private var launchCount = 0
  private(set) var toleranceNanoseconds: Int64 = 0
  /// Clauses of which the header doesn't tell whether they apply.
  private(set) var doubtfulClauses: Set<Int> = []
  /// Instances followed at once.
  let keysMax: Int

  init(ruleIndex: Int, clauses: [Int], _ judge: Judge) {
    rule = judge.rules[ruleIndex]
    self.clauses = rule.clauses
    keysMax = min(rule.keysMax ?? .max, InstanceTable.instancesMax)
    facts = FactTable(rule.facts, judge, ruleIndex)
    ledger = Ledger(sharesUnits: !rule.clausesAreIndependent)
    listOfPlace = [UInt16](repeating: 0, count: Self.places)
    hasScenes = judge.profile == .scene || judge.profile == .ios13
    hearsBetweenLaunchesToo =
      rule.facts.contains { $0.life == .trace }
      || clauses.contains { Self.outlivesLaunch(judge.rules[ruleIndex].clauses[$0].pattern) }
    super.init(ruleIndex: ruleIndex)
    for (index, fact) in rule.facts.enumerated() {
      for pattern in fact.set { add(pattern, key: fact.key, .set(index), judge) }
      for pattern in fact.clear { add(pattern, key: fact.key, .clear(index), judge) }
      for pattern in fact.clearAll { add(pattern, key: [], .clearAll(index), judge) }
    }
    for index in clauses {
      if let applies = rule.clauses[index].applies,
        applies.holds(for: judge.header, judge.profile) == nil
      {
        doubtfulClauses.insert(index)
      }
      guard let runner = makeRunner(index, judge) else { continue }
      let place = runners.count
      runners.append(runner)
      for listening in runner.listenings {
        add(
          listening.pattern, key: listening.key, .clause(place, role: listening.role), judge,
          defersCondition: runner.defersCondition(listening.role))
      }
      for kind in runner.spanKinds { spanKinds.insert(kind) }
      followsState = followsState || runner.followsState
      followsReasons = followsReasons || runner.followsReasons
      watchesCallbacks = watchesCallbacks || runner.watchesCallbacks
    }
    followers = runners.filter {
      $0.followsState || $0.followsReasons || $0.resolvesMatches
    }
    toleranceNanoseconds = judge.toleranceNanoseconds
  }

  private static func outlivesLaunch(_ pattern: Pattern) -> Bool {
    switch pattern {
    case .expect(let expect): expect.outlivesLaunch
    case .openAtMost(let most): most.outlivesLaunch
    default: false
    }
  }

  private func makeRunner(_ index: Int, _ judge: Judge) -> ClauseRunner? {
    switch clauses[index].pattern {
    case .never(let never): NeverRunner(self, index, never, judge)
    case .expect(let expect): ExpectRunner(self, index, expect, judge)
    case .lasts(let lasts): lastsRunner(index, lasts, judge)
    case .sums(let sums): SumsRunner(self, index, sums, judge)
    case .openAtMost(let most): OpenAtMostRunner(self, index, most, judge)
    case .limit(let limit): LimitRunner(self, index, limit, judge)
    case .order(let order): OrderRunner(self, index, order, judge)
    case .header, .handWritten: nil
    }
  }

  private func lastsRunner(_ index: Int, _ lasts: Lasts, _ judge: Judge) -> ClauseRunner {
    switch lasts.subject {
    case .span(let spans): SpanLastsRunner(self, index, lasts, spans, judge)
    case .launch: LaunchLastsRunner(self, index, lasts, judge)
    case .condition(let condition):
      ConditionLastsRunner(
        self, index, lasts, CompiledCondition(condition, rule.facts, judge), judge)
    }
  }

  private func add(
    _ pattern: EventPattern, key: [KeyField], _ target: Target, _ judge: Judge,
    defersCondition: Bool = false
  ) {
    let compiled = CompiledPattern(pattern, key: key, rule.facts, judge, ruleIndex)
    let step = Step(compiled, target, defersCondition: defersCondition)
    var places: [Int] = []
    for kind in compiled.kinds(withScenes: hasScenes) {
      for phase in [Phase.instant, .enter, .return] where pattern.edge.contains(phase) {
        places.append(Int(kind.rawValue) * 3 + Int(phase.rawValue))
      }
      if pattern.edge != .begin, Self.isSpan(kind) {
        spanKinds.insert(kind)
        pattern.test.map { rememberedNames.formUnion($0.names) }
        rememberedNames.formUnion(compiled.keyFields.compactMap(\.argument))
      }
    }
    if !compiled.names.isEmpty {
      for phase in [Phase.instant, .enter, .return] where pattern.edge.contains(phase) {
        places.append(255 * 3 + Int(phase.rawValue))
      }
    }
    for place in places {
      if listOfPlace[place] == 0 {
        listOfPlace[place] = UInt16(steps.count)
        steps.append([])
        statesOfList.append(0)
      }
      let list = Int(listOfPlace[place])
      steps[list].append(step)
      if case .clause = target {
        statesOfList[list] |= compiled.statesNeeded
      } else {
        statesOfList[list] = .max
      }
    }
  }

  private static func isSpan(_ kind: EventKind) -> Bool {
    Vocabulary.description(of: kind).map { $0.shape != .instant } ?? true
  }

  // MARK: Listening

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    let place = (kind.rawValue < 255 ? Int(kind.rawValue) : 255) * 3 + Int(phase.rawValue)
    if followsState && LifecycleModel.stateKinds.contains(kind) { return true }
    if followsReasons && LifecycleModel.kinds.contains(kind) { return true }
    if watchesCallbacks && phase != .return && CallbackKinds.provesReturn(kind) { return true }
    let list = Int(listOfPlace[place])
    guard list > 0 else { return false }
    // An event that may change the state is judged in the state it leads to.
    return LifecycleModel.stateKinds.contains(kind)
      || statesOfList[list] & 1 << UInt32(state.rawValue) != 0
  }

  override var hearsBetweenLaunches: Bool { hearsBetweenLaunchesToo }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    perform(judge.hearing(of: event, batch))
  }

  private func perform(_ hearing: Hearing) {
    let event = hearing.event
    if watchesCallbacks && event.phase != .return && CallbackKinds.provesReturn(event.kind) {
      for runner in runners { runner.callbackBegan(event) }
    }
    let place = (event.kind.rawValue < 255 ? Int(event.kind.rawValue) : 255) * 3
    var concernsFollowers =
      (followsState && LifecycleModel.stateKinds.contains(event.kind))
      || (followsReasons && LifecycleModel.kinds.contains(event.kind))
    for step in steps[Int(listOfPlace[place + Int(event.phase.rawValue)])] {
      guard step.pattern.fits(event, hearing.batch, hearing.judge, hearing.enter) else { continue }
      var holds: Bool? = true
      if let condition = step.condition {
        holds = value(condition, hearing, step.pattern.keyFields)
      }
      if holds != false {
        concernsFollowers = true
        perform(step, holds, hearing)
      }
    }
    guard concernsFollowers else { return }
    for runner in followers { runner.afterEvent(hearing) }
    refreshDeadline()
  }

  private func perform(_ step: Step, _ holds: Bool?, _ hearing: Hearing) {
    if holds == false { return }
    let event = hearing.event
    switch step.target {
    case .clause(let place, let role):
      let isHeard =
        hearing.judge.isLaunchOpen || hearing.judge.isEnding || runners[place].outlivesLaunch
      if !isHeard { return }
      if holds == true {
        runners[place].perform(role, step.pattern, hearing)
      } else {
        runners[place].doubt(role, step.pattern, hearing)
      }
    case .set(let fact), .clear(let fact):
      let key = hearing.judge.instanceKey(
        step.pattern.keyFields, of: event, hearing.batch, hearing.enter)
      if holds == nil { return facts.blur(fact, key) }
      if case .set = step.target {
        facts.set(fact, key, event, hearing.judge)
      } else {
        facts.clear(fact, key, event)
      }
    case .clearAll(let fact): if holds == true { facts.clearAll(fact, event) }
    }
  }

  // MARK: Life cycle

  override func launchBegan(_ judge: Judge) {
    facts.launchBegan(isMidLife: judge.model.launch?.isMidLife == true, isFirst: launchCount == 0)
    launchCount += 1
    ledger.launchBegan()
    for runner in runners { runner.launchBegan(judge) }
    refreshDeadline()
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    var held: Set<String> = []
    if case .process(let event) = end {
      for (index, fact) in rule.facts.enumerated()
      where facts.any(index, at: event.timeNanoseconds, judge) == true { held.insert(fact.name) }
      hear(event, batch, judge)
    }
    for runner in runners { runner.launchEnds(end, batch, judge) }
    if case .process(let event) = end {
      ledger.escalate(at: event, batch, judge) { held.contains($0) }
    }
    refreshDeadline()
  }

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    for runner in runners { runner.suspended(event, batch, judge) }
    refreshDeadline()
  }

  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    for runner in runners { runner.resumed(event, batch, judge) }
    refreshDeadline()
  }

  override func suspensionRefuted(_ event: Event, _ judge: Judge) {
    for runner in runners { runner.clocksWentOn(event, judge) }
    refreshDeadline()
  }

  override func suspensionConfirmed(_ batch: EventBatch, _ judge: Judge) {
    for runner in runners { runner.suspensionConfirmed(batch, judge) }
    refreshDeadline()
  }

  override func lost(_ judge: Judge) {
    facts.lose()
    for runner in runners { runner.lost(judge) }
    refreshDeadline()
  }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    for runner in runners { runner.threadBroke(thread, judge) }
  }

  override func spanLost(_ ordinal: Int, _ judge: Judge) {
    for runner in runners { runner.spanLost(ordinal, judge) }
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    for runner in runners where runner.deadlineNanoseconds < event.timeNanoseconds {
      runner.advance(to: event, batch, judge)
    }
    refreshDeadline()
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    facts.batchEnds(batch)
    ledger.arena.batchEnds(batch)
  }

  private func refreshDeadline() {
    deadlineNanoseconds = .max
    for runner in runners {
      deadlineNanoseconds = min(deadlineNanoseconds, runner.deadlineNanoseconds)
    }
  }
}

/// Callbacks that the main thread can only begin when the one before has returned.
enum CallbackKinds {
  private static let kinds = KindSet(
    Vocabulary.kinds.filter {
      $0.kind == .uiTouch || $0.namespace == "delegate" || $0.namespace == "scene"
    }.map(\.kind))

  static func provesReturn(_ kind: EventKind) -> Bool { kinds.contains(kind) }
}

extension FieldTest {
  /// The arguments that the test asks for.
  var names: Set<ArgumentName> {
    switch self {
    case .isText(let name, _), .isTrue(let name), .isFalse(let name), .isPresent(let name),
      .compare(let name, _, _), .matches(let name, _), .isInHeader(let name, _),
      .isNotInHeader(let name, _):
      [name]
    case .not(let test): test.names
    case .all(let tests), .any(let tests): tests.reduce(into: []) { $0.formUnion($1.names) }
    }
  }
}

extension KeyField {
  var argument: ArgumentName? {
    if case .argument(let name) = self { name } else { nil }
  }
}
