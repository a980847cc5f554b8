// From rules to monitors: the only place that knows which pattern is run by which monitor.

import TraceLifecycle
import TraceModel

enum MonitorFactory {
  /// The monitors for all rules that the trace allows to evaluate; the others are marked as not
  /// evaluated.
  static func monitors(for judge: Judge) -> [Monitor] {
    var evaluated: Set<String> = []
    for (index, rule) in judge.rules.enumerated() {
      if rule.needs.allSatisfy({ isCovered($0, judge) }) {
        evaluated.insert(rule.id)
      } else {
        judge.verdicts[index].notEvaluated = true
      }
    }
    judge.evaluatedRules = evaluated
    return judge.rules.enumerated().filter { evaluated.contains($0.element.id) }
      .flatMap { monitors(for: $0.element, $0.offset, judge) }
  }

  private static func monitors(for rule: Rule, _ ruleIndex: Int, _ judge: Judge) -> [Monitor] {
    var monitors: [Monitor] = []
    var nevers: [(index: Int, clause: Clause, never: Pattern.Never, isCovered: Bool)] = []
    for (index, clause) in rule.clauses.enumerated() {
      switch clause.pattern {
      case .never(let never):
        let item = (index, clause, never, clause.needs.allSatisfy { isCovered($0, judge) })
        if rule.clausesAreIndependent {
          monitors.append(NeverMonitor(ruleIndex: ruleIndex, clauses: [item]))
        } else {
          nevers.append(item)
        }
      case .lasts(let lasts):
        monitors.append(
          LastsMonitor(
            ruleIndex: ruleIndex, clauseIndex: index, clause: clause, lasts: lasts,
            profile: judge.profile))
      case .held(let held):
        monitors.append(
          HeldMonitor(ruleIndex: ruleIndex, clauseIndex: index, clause: clause, held: held))
      case .handWritten(.backgroundTaskBalance, because: _):
        if index == 0 { monitors.append(BackgroundTaskBalance(ruleIndex: ruleIndex, judge: judge)) }
      }
    }
    if !nevers.isEmpty { monitors.append(NeverMonitor(ruleIndex: ruleIndex, clauses: nevers)) }
    return monitors
  }

  /// Whether the recorder instruments what a rule needs. In an app with scenes their callbacks
  /// stand in for the delegate's; namespaces of background modes are needed only by apps that
  /// declare one.
  private static func isCovered(_ need: String, _ judge: Judge) -> Bool {
    if need == "delegate" && judge.profile == .scene && judge.header.covers("scene") {
      return true
    }
    if let modes = modesOfNamespace[need] {
      let declared = judge.header.strings(.backgroundModes) ?? []
      if !declared.contains(where: modes.contains) { return true }
    }
    return judge.header.covers(need)
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
