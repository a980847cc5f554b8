// Prints scenarios so that they can be read again.

import TraceModel

extension ScenarioText {
  /// The text of a scenario; reading it gives the scenario again.
  package static func text(of scenario: Scenario) -> String {
    var lines: [String] = []
    if let profile = scenario.profile { lines.append("profile \(profile.rawValue)") }
    if let parts = scenario.parts {
      let names = parts.isEmpty ? ["none"] : parts.map(\.rawValue)
      lines.append("app " + names.joined(separator: ", "))
    }
    for step in scenario.steps {
      lines.append("\(text(ofDuration: step.waitNanoseconds)) \(text(of: step.action))")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Waits are whole milliseconds.
  private static func text(ofDuration nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }

  private static func text(of action: ScenarioAction) -> String {
    if let simple = simpleActions.first(where: { $0.value == action }) { return simple.key }
    return switch action {
    case .open(let reason): "open \(reason)"
    case .openSwitcher: "switcher open"
    case .beginInterruption(let kind): "interruption \(kind) begins"
    case .endInterruption(let isAccepted):
      "interruption ends \(isAccepted ? "accepted" : "dismissed")"
    case .throttle(let kind): "throttle \(kind)"
    case .touch(let count): "touch \(count)"
    case .purchase(let dialogues): "purchase \(dialogues)"
    case .switcher(let leaves): "switcher \(leaves ? "leave" : "close")"
    case .interruption(let kind, let isAccepted, let nanoseconds):
      "interruption \(kind) \(isAccepted ? "accepted" : "dismissed")"
        + " \(text(ofDuration: nanoseconds))"
    case .wake(let reason): "wake \(reason.rawValue)"
    case .notice(let name): "notice \(name)"
    case .refresh(let status): "refresh \(status)"
    case .kill(let cause): "kill \(cause)"
    case .callAgainstOrder(let kind): "call \(Vocabulary.description(of: kind)?.name ?? "")"
    case .leaveOut(let kind): "leave-out \(Vocabulary.description(of: kind)?.name ?? "")"
    default: "wait"
    }
  }
}
