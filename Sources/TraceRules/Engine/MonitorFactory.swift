// From rules to monitors: the only place that knows which pattern is run by which monitor.

import TraceLifecycle
import TraceModel

enum MonitorFactory {
  /// The monitors for all rules that the trace allows to evaluate; the others are marked as not
  /// evaluated.
  static func monitors(for judge: Judge) -> [PlannedMonitor] {
    var evaluated: Set<String> = []
    for (index, rule) in judge.rules.enumerated() {
      let isCovered = rule.needs.allSatisfy { Self.isCovered($0, judge, asReasonToRun: false) }
      if !isCovered { judge.uncoveredRules.insert(index) }
      // Of other profiles' rules only what explains kills is judged.
      guard judge.options.applies(rule, to: judge.profile) else { continue }
      if isCovered, !(rule.measuresSuspensions && judge.header.string(.clockKind) == "uptime") {
        evaluated.insert(rule.id)
      } else {
        judge.verdicts[index].notEvaluated = true
      }
    }
    judge.evaluatedRules = evaluated
    let all = judge.rules.enumerated().filter {
      evaluated.contains($0.element.id) || $0.element.explainsKills
    }.flatMap { monitors(for: $0.element, $0.offset, judge) }
    judge.spans = SpanTable(following: spansFollowed(by: all.map(\.monitor)))
    return all
  }

  /// The spans of which monitors must know the enter at the return, and what of it.
  static func spansFollowed(by monitors: [Monitor]) -> SpanTable.Following {
    var following = SpanTable.Following()
    for case let monitor as RuleMonitor in monitors {
      following.kinds.formUnion(monitor.spanKinds)
      following.names.formUnion(monitor.ownNames)
      following.remembered.merge(monitor.rememberedNames) { $0.union($1) }
    }
    return following
  }

  private static func monitors(
    for rule: Rule, _ ruleIndex: Int, _ judge: Judge
  ) -> [PlannedMonitor] {
    var monitors: [PlannedMonitor] = []
    var suspended: [(Int, Clause, Never, SuspendedScope, Bool)] = []
    var patterns: [Int] = []
    var written: Set<HandWritten> = []
    let isEvaluated = judge.isEvaluated(rule.id)
    for (index, clause) in rule.clauses.enumerated() {
      guard isEvaluated || clause.evidence == .kill else { continue }
      if let applies = clause.applies, judge.holds(applies) == false { continue }
      let isCovered = clause.needs.allSatisfy {
        Self.isCovered($0, judge, asReasonToRun: true)
      }
      switch clause.pattern {
      case .never(let never):
        guard let scope = SuspendedScope(never) else {
          if isCovered { patterns.append(index) }
          continue
        }
        suspended.append((index, clause, never, scope, isCovered))
      case .handWritten(let monitor, because: _):
        if written.insert(monitor).inserted {
          monitors.append(
            PlannedMonitor(
              monitor: makeMonitor(monitor, ruleIndex, judge),
              making: .anew(monitor, ruleIndex: ruleIndex)))
        }
      case .header: continue
      default: if isCovered { patterns.append(index) }
      }
    }
    // A kill has reports of its own: a clause for one changes nothing of how the others are run.
    let hasOtherPatterns = patterns.contains { rule.clauses[$0].evidence != .kill }
    if !rule.clausesAreIndependent && hasOtherPatterns {
      // Clauses that share their reports are run together.
      patterns = (patterns + suspended.filter { $0.4 }.map { $0.0 }).sorted()
    } else if rule.clausesAreIndependent {
      monitors += suspended.map { never(ruleIndex, [$0], judge) }
    } else if !suspended.isEmpty {
      monitors.append(never(ruleIndex, suspended, judge))
    }
    if !patterns.isEmpty {
      let monitor = RuleMonitor(ruleIndex: ruleIndex, clauses: patterns, judge)
      monitors.append(PlannedMonitor(monitor: monitor, making: .likeRule(monitor)))
    }
    return monitors
  }

  private static func never(
    _ ruleIndex: Int, _ clauses: [(Int, Clause, Never, SuspendedScope, Bool)], _ judge: Judge
  ) -> PlannedMonitor {
    let monitor = NeverMonitor(ruleIndex: ruleIndex, clauses: clauses, judge)
    return PlannedMonitor(monitor: monitor, making: .likeNever(monitor))
  }

  static func makeMonitor(
    _ monitor: HandWritten, _ ruleIndex: Int, _ judge: Judge
  ) -> Monitor {
    switch monitor {
    case .backgroundTaskBalance: BackgroundTaskBalance(ruleIndex: ruleIndex, judge: judge)
    case .backgroundTaskBudget: BackgroundTaskBudget(ruleIndex: ruleIndex, judge: judge)
    case .backgroundProcessorTime: BackgroundProcessorTime(ruleIndex: ruleIndex, judge: judge)
    case .deadSockets: DeadSockets(ruleIndex: ruleIndex, judge: judge)
    case .footprintFall: FootprintFall(ruleIndex: ruleIndex, judge: judge)
    case .memoryWarnings: MemoryWarnings(ruleIndex: ruleIndex, judge: judge)
    case .restoredState: RestoredState(ruleIndex: ruleIndex)
    case .earliestBegin: EarliestBegin(ruleIndex: ruleIndex, judge: judge)
    case .graphicsSubmits: GraphicsSubmits(ruleIndex: ruleIndex, judge: judge)
    case .frameRateThrottling: FrameRateThrottling(ruleIndex: ruleIndex, judge: judge)
    case .frameRateRestoring: FrameRateRestoring(ruleIndex: ruleIndex, judge: judge)
    case .transitions: Transitions(ruleIndex: ruleIndex, judge: judge)
    case .nestedCallbacks: NestedCallbacks(ruleIndex: ruleIndex)
    case .unexplainedExits: UnexplainedExits(ruleIndex: ruleIndex)
    }
  }

  /// Whether the recorder instruments what a rule needs. In an app with scenes their callbacks
  /// stand in for the delegate's; namespaces of background modes are needed only by apps that
  /// declare one.
  private static func isCovered(
    _ need: String, _ judge: Judge, asReasonToRun: Bool
  ) -> Bool {
    isCovered(need, judge.header, judge.profile, asReasonToRun: asReasonToRun)
  }

  fileprivate static func isCovered(
    _ need: String, _ header: TraceHeader, _ profile: Profile, asReasonToRun: Bool
  ) -> Bool {
    if need == "delegate" && profile == .scene && header.covers("scene") { return true }
    if asReasonToRun, let modes = modesOfNamespace[need] {
      let declared = header.strings(.backgroundModes) ?? []
      if !declared.contains(where: modes.contains) { return true }
    }
    return header.covers(need)
  }

  private static let modesOfNamespace: [String: [String]] = [
    "audio": ["audio"],
    "loc": ["location"],
    "voip": ["voip"],
    "ea": ["external-accessory"],
    "bt": ["bluetooth-central", "bluetooth-peripheral"],
    "completion": ["fetch", "remote-notification"],
    "bgsched": ["fetch", "processing"],
    "wake": [
      "location", "voip", "external-accessory", "bluetooth-central", "bluetooth-peripheral",
      "fetch", "remote-notification", "newsstand-content",
    ],
  ]
}

extension Judge {
  /// Whether what a finding rests on is covered by a header. What explains a kill needs nothing.
  func isCovered(_ entry: FindingStore.Entry, by header: TraceHeader) -> Bool {
    guard isHeaderOpen else { return true }
    let clause = rules[entry.ruleIndex].clauses[entry.draft.clause]
    return clause.evidence == .kill
      || (isCovered(rules[entry.ruleIndex], by: header) && isCovered(clause, by: header))
  }

  private func isCovered(_ rule: Rule, by header: TraceHeader) -> Bool {
    rule.needs.allSatisfy {
      MonitorFactory.isCovered($0, header, profile, asReasonToRun: false)
    }
  }

  private func isCovered(_ clause: Clause, by header: TraceHeader) -> Bool {
    clause.needs.allSatisfy {
      MonitorFactory.isCovered($0, header, profile, asReasonToRun: true)
    }
  }

  /// Takes back what was judged in case something would turn out to be covered, and wasn't.
  func forgetUncovered() {
    for (place, entry) in findings.entries.enumerated()
    where !entry.isWithdrawn && !isCovered(entry, by: header) {
      findings.withdraw(place)
      if isCovered(rules[entry.ruleIndex], by: header) { unknown(entry.ruleIndex, "coverage") }
    }
    for (index, rule) in rules.enumerated()
    where evaluatedRules.contains(rule.id) && !isCovered(rule, by: header) {
      evaluatedRules.remove(rule.id)
      uncoveredRules.insert(index)
      verdicts[index] = VerdictCounts()
      verdicts[index].notEvaluated = true
    }
  }
}
