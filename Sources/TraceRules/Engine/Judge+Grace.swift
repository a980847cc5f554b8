// How long an app may run without a reason: each rule says it for itself.

import TraceLifecycle
import TraceModel

extension Judge {
  /// The grace of a rule: its parameter of that name, or what is usual.
  static func grace(_ options: CheckOptions, _ rules: [Rule], _ index: Int) -> Int64 {
    // A rule is large: by its place it isn't copied.
    guard let place = rules[index].parameters.firstIndex(where: { $0.name == "grace" }) else {
      return LifecycleModel.defaultGraceNanoseconds
    }
    return max(0, options.value(of: rules[index].parameters[place], in: rules[index]))
  }

  /// Looks again since when the app has no reason to run; called after every event the life cycle
  /// took.
  func refreshGrace() { graceBeginNanoseconds = withModel { $0.graceEndNanoseconds(grace: 0) } }

  /// The last moment at which the app may run by a rule if nothing more happens; nil while a reason
  /// holds that time doesn't end, and while suspended.
  func graceEndNanoseconds(_ ruleIndex: Int) -> Int64? {
    graceBeginNanoseconds.map { sum($0, graces[ruleIndex]) }
  }

  /// Whether the app has a reason to run, or a rule's grace isn't over, at a time not before the
  /// last event.
  func mayRun(at timeNanoseconds: Int64, _ ruleIndex: Int) -> Bool {
    let grace = graces[ruleIndex]
    if model.state != .suspended {
      guard let begin = graceBeginNanoseconds, timeNanoseconds > sum(begin, grace) else {
        return true
      }
    }
    return withModel { $0.mayRun(at: timeNanoseconds, grace: grace) }
  }
}
