// What is made of rules once and serves every trace that they judge alike: compiled patterns, and
// who listens to what. A trace adds its own state and nothing else.

import TraceLifecycle
import TraceModel

/// The options of a check with what was made of them, for many traces.
///
///     let plans = RulePlans(CheckOptions())
///     for trace in traces { var checker = Checker(header: trace.header, plans: plans) … }
///
/// Making monitors from all rules takes milliseconds, many times as long as judging a small trace.
/// A class, because each trace leaves what the next one can use; it is for one thread.
public final class RulePlans {
  /// What was asked for; it holds for all traces.
  public let options: CheckOptions

  /// Kinds of traces that are remembered.
  private let plansMax: Int
  /// The plan that was used last comes first.
  private var plans: [RulePlan] = []

  public convenience init(_ options: CheckOptions) { self.init(options, plansMax: 16) }

  init(_ options: CheckOptions, plansMax: Int) {
    self.options = options
    self.plansMax = plansMax
  }

  /// What runs the rules over a trace.
  func engine(for header: TraceHeader) -> Engine {
    let profile = options.profile ?? ProfileSelection(header: header).profile
    if let place = plans.firstIndex(where: { $0.serves(header, profile) }) {
      let plan = plans.remove(at: place)
      plans.insert(plan, at: 0)
      let judge = plan.judge(header, profile, options)
      return Engine(judge: judge, monitors: plan.monitors(for: judge), plan: plan)
    }
    let told = options.rules.filter { options.applies($0, to: profile) || $0.explainsKills }
    let rules = told + UnexplainedExits.silentRules(beside: told, profile, from: options.explainers)
    let judge = Judge(header: header, profile: profile, options: options, rules: rules)
    judge.toldRuleCount = told.count
    let monitors = MonitorFactory.monitors(for: judge)
    let plan = RulePlan(judge, monitors)
    plans.insert(plan, at: 0)
    if plans.count > plansMax { plans.removeLast() }
    return Engine(judge: judge, monitors: monitors.map { $0.monitor }, plan: plan)
  }
}

/// Numbers that tell the batches of all traces of a plan apart, as its tests remember the texts of
/// the last one.
///
/// A class, because the judges of a plan share it.
final class BatchNumbers {
  private var last = 0

  func next() -> Int {
    last += 1
    return last
  }
}

/// A monitor, and how another one of it is made for the next trace.
struct PlannedMonitor {
  let monitor: Monitor
  let making: MonitorMaking
}

/// How a monitor is made for the next trace.
enum MonitorMaking {
  /// Anew: it may keep what the header says, and nothing of it is kept.
  case anew(HandWritten, ruleIndex: Int)
  /// With what was compiled for the first.
  case likeNever(NeverMonitor)
  case likeRule(RuleMonitor)

  func again(_ judge: Judge) -> Monitor {
    switch self {
    case .anew(let written, let ruleIndex): MonitorFactory.makeMonitor(written, ruleIndex, judge)
    case .likeNever(let first): NeverMonitor(like: first)
    case .likeRule(let first): RuleMonitor(like: first, judge)
    }
  }

  /// Lets go of what tests remember of the texts of a batch.
  func forgetTexts() {
    switch self {
    case .anew: break
    case .likeNever(let first): first.forgetTexts()
    case .likeRule(let first): first.forgetTexts()
    }
  }
}

/// What was made of the rules for traces whose headers say the same, as far as rules read them.
///
/// A class, because the lists of listeners grow with every trace.
final class RulePlan {
  /// Fields that tell traces and recordings apart. No monitor reads them unless a rule tests them.
  private static let fieldsOfRecordings: Set<HeaderField> = [
    .formatVersion, .endianness, .tickNumer, .tickDenom, .timestampResolutionNanoseconds,
    .traceID, .appBundleID, .appVersion, .recorderVersion, .osBuild, .deviceModel,
  ]

  /// Lists of listeners are kept up to this size: third-party traces can ask for many.
  private static let deliveriesSizeMax = 16_384

  /// Texts of a batch up to which each test goes on remembering them when a trace has ended.
  private static let textsKept = 1_024

  /// As the judge saw it, with everything covered that may turn out to be.
  private let header: TraceHeader
  private let isHeaderOpen: Bool
  private let profile: Profile
  private let fields: [HeaderField]
  private let rules: [Rule]
  private let toldRuleCount: Int
  private let rulesYieldedTo: Set<String>
  private let evaluatedRules: Set<String>
  private let uncoveredRules: Set<Int>
  private let notEvaluated: [Int]
  private let makings: [MonitorMaking]
  private let spansFollowed: SpanTable.Following
  private let batchNumbers: BatchNumbers
  /// The lists that a trace which ended has left; nil while another one uses them.
  private var deliveries: DeliveryTable?
  private let noDeliveries: DeliveryTable
  /// Plans with one rule each, by its place.
  private var plansOfRules: [Int: RulePlans] = [:]

  /// - Parameter judge: The judge of the first trace, whose monitors have just been made.
  init(_ judge: Judge, _ planned: [PlannedMonitor]) {
    header = judge.header
    isHeaderOpen = judge.isHeaderOpen
    profile = judge.profile
    let asked = judge.fieldsAsked
    fields = HeaderField.allCases.filter {
      !RulePlan.fieldsOfRecordings.contains($0) || asked.contains($0)
    }
    rules = judge.rules
    toldRuleCount = judge.toldRuleCount
    rulesYieldedTo = judge.rulesYieldedTo
    evaluatedRules = judge.evaluatedRules
    uncoveredRules = judge.uncoveredRules
    notEvaluated = judge.verdicts.indices.filter { judge.verdicts[$0].notEvaluated }
    makings = planned.map(\.making)
    spansFollowed = MonitorFactory.spansFollowed(by: planned.map(\.monitor))
    batchNumbers = judge.batchNumbers
    noDeliveries = DeliveryTable(planned.map(\.monitor))
  }

  /// Whether rules read the same in a header.
  func serves(_ other: TraceHeader, _ otherProfile: Profile) -> Bool {
    guard profile == otherProfile, isHeaderOpen == !other.openCoverage.isEmpty else { return false }
    let opened = other.opened
    return fields.allSatisfy { header[$0] == opened[$0] }
  }

  /// The judge of another trace.
  func judge(_ header: TraceHeader, _ profile: Profile, _ options: CheckOptions) -> Judge {
    let judge = Judge(header: header, profile: profile, options: options, rules: rules)
    judge.toldRuleCount = toldRuleCount
    judge.rulesYieldedTo = rulesYieldedTo
    judge.evaluatedRules = evaluatedRules
    judge.uncoveredRules = uncoveredRules
    judge.batchNumbers = batchNumbers
    for index in notEvaluated { judge.verdicts[index].notEvaluated = true }
    judge.spans = SpanTable(following: spansFollowed)
    return judge
  }

  /// The monitors of another trace.
  func monitors(for judge: Judge) -> [Monitor] { makings.map { $0.again(judge) } }

  /// Plans that judge by one rule alone which evidence shows a violation of it.
  func plans(ofRule ruleIndex: Int, _ options: CheckOptions) -> RulePlans {
    if let known = plansOfRules[ruleIndex] { return known }
    var alone = options
    alone.rules = [rules[ruleIndex]]
    alone.profile = profile
    alone.minimisesWitnesses = false
    alone.isExcerpt = true
    let plans = RulePlans(alone, plansMax: 2)
    plansOfRules[ruleIndex] = plans
    return plans
  }

  /// The lists of listeners for a trace, which has them for itself.
  func takeDeliveries() -> DeliveryTable {
    defer { deliveries = nil }
    return deliveries ?? noDeliveries
  }

  /// Keeps what the next trace can use of one that has ended.
  ///
  /// - Parameter textCountMax: The most texts that a batch of it held.
  func keep(_ deliveries: DeliveryTable, textCountMax: Int) {
    if deliveries.size > self.deliveries?.size ?? 0, deliveries.size <= Self.deliveriesSizeMax {
      self.deliveries = deliveries
    }
    if textCountMax > Self.textsKept {
      for making in makings { making.forgetTexts() }
    }
  }
}
