// The text form of scenarios: one step per line, each a wait and what happens then.
//
//     # Somebody calls while a note is written.
//     profile ios8
//     app documents, downloads
//     0s open
//     3s touch 5
//     2s interruption phone_call accepted 20s
//     10min open

import TraceModel

/// What is wrong with a scenario, and where.
package struct ScenarioError: Error, Hashable, CustomStringConvertible {
  /// From 1.
  package var line: Int
  package var message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}

/// Reads and prints scenarios.
package enum ScenarioText {
  package static let bytesMax = 1_048_576
  package static let stepsMax = 10_000
  /// All waits together: longer sessions say no more, and an app that draws makes millions of
  /// events in them.
  package static let waitNanosecondsMax = Int64.seconds(7 * 86_400)
  package static let touchesMax: Int64 = 1_000
  package static let dialoguesMax: Int64 = 20

  /// Reads a scenario.
  package static func parse(_ text: String) throws(ScenarioError) -> Scenario {
    guard text.utf8.count <= bytesMax else {
      throw ScenarioError(line: 1, message: "the scenario has more than \(bytesMax) bytes")
    }
    var scenario = Scenario()
    var waited: Int64 = 0
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      do throws(Problem) {
        try parse(line, into: &scenario, waited: &waited)
      } catch {
        throw ScenarioError(line: index + 1, message: error.message)
      }
    }
    return scenario
  }

  private struct Problem: Error { var message: String }

  private static func parse(
    _ line: Substring, into scenario: inout Scenario, waited: inout Int64
  ) throws(Problem) {
    let content = line.prefix { $0 != "#" }
    let words = content.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
    guard let first = words.first else { return }
    if first == "profile" || first == "app" {
      guard scenario.steps.isEmpty else {
        throw Problem(message: "'\(first)' stands before the first step")
      }
      if first == "profile" {
        scenario.profile = try profile(words)
      } else {
        scenario.parts = try parts(words)
      }
      return
    }
    guard let wait = duration(first) else {
      throw Problem(
        message: "'\(shown(first))' is no wait; a step is a wait and what happens then, for"
          + " example '3s home'")
    }
    guard scenario.steps.count < stepsMax else {
      throw Problem(message: "more than \(stepsMax) steps")
    }
    let action = try action(Array(words.dropFirst()))
    // A wait is at most the limit, and so is what any step takes: no sum overflows.
    waited += wait + action.nanoseconds
    guard waited <= waitNanosecondsMax else {
      throw Problem(message: "the waits and steps are more than seven days together")
    }
    scenario.steps.append(ScenarioStep(action, afterNanoseconds: wait))
  }

  private static func shown(_ word: String) -> String { String(word.prefix(40)) }

  private static func profile(_ words: [String]) throws(Problem) -> SystemProfile {
    guard words.count == 2, let profile = SystemProfile(rawValue: words[1]) else {
      throw Problem(message: "'profile' takes one of \(list(SystemProfile.allCases))")
    }
    return profile
  }

  private static func parts(_ words: [String]) throws(Problem) -> [AppPartName] {
    var parts: [AppPartName] = []
    if words.dropFirst() == ["none"] { return parts }
    for word in words.dropFirst() {
      guard let part = AppPartName(rawValue: word) else {
        throw Problem(
          message: "'\(shown(word))' is no part of an app; there are none, or"
            + " \(list(AppPartName.allCases))")
      }
      parts.append(part)
    }
    return parts
  }

  private static func list<Name: RawRepresentable<String>>(_ names: [Name]) -> String {
    names.map(\.rawValue).joined(separator: ", ")
  }

  /// A whole number and its unit: 250ms, 3s, 10min, 2h. At most the longest wait.
  package static func duration(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard (1...12).contains(digits.utf8.count), let count = Int64(digits) else { return nil }
    let unit: Int64? =
      switch text.dropFirst(digits.count) {
      case "ms": 1_000_000
      case "s": 1_000_000_000
      case "min": 60_000_000_000
      case "h": 3_600_000_000_000
      default: nil
      }
    guard let unit else { return nil }
    let (value, isOver) = count.multipliedReportingOverflow(by: unit)
    return isOver || value > waitNanosecondsMax ? nil : value
  }

  // MARK: Actions

  private static func action(_ words: [String]) throws(Problem) -> ScenarioAction {
    guard let name = words.first else {
      throw Problem(message: "a wait without what happens then; 'wait' only waits")
    }
    let rest = Array(words.dropFirst())
    if let simple = simpleActions[name] {
      guard rest.isEmpty else { throw Problem(message: "'\(name)' stands alone") }
      return simple
    }
    switch name {
    case "open": return .open(reason: try word(name, rest, in: openReasons, or: "user_icon"))
    case "touch": return .touch(count: try count(name, rest, max: touchesMax))
    case "purchase": return .purchase(dialogues: try count(name, rest, max: dialoguesMax))
    case "switcher":
      let end = try word(name, rest, in: ["close", "leave", "open"], or: "close")
      return end == "open" ? .openSwitcher : .switcher(leaves: end == "leave")
    case "interruption": return try interruption(rest)
    case "wake":
      let reason = try word(name, rest, in: WakeReason.allCases.map(\.rawValue), or: nil)
      guard let wake = WakeReason(rawValue: reason) else { throw Problem(message: reason) }
      return .wake(wake)
    case "notice": return .notice(try word(name, rest, in: noticeNames, or: nil))
    case "refresh":
      return .refresh(try word(name, rest, in: ["available", "denied", "restricted"], or: nil))
    case "throttle": return .throttle(try word(name, rest, in: ["cpu", "wake_rate"], or: "cpu"))
    case "kill": return .kill(try word(name, rest, in: killCauses, or: nil))
    case "call": return .callAgainstOrder(try kind(name, rest, in: callableKinds))
    case "leave-out": return .leaveOut(try kind(name, rest, in: omissibleKinds))
    default:
      let names =
        simpleActions.keys.sorted() + [
          "call", "interruption", "kill", "leave-out", "notice", "open", "purchase", "refresh",
          "switcher", "throttle", "touch", "wake",
        ]
      throw Problem(
        message: "'\(shown(name))' can't happen; there are \(names.joined(separator: ", "))")
    }
  }

  static let simpleActions: [String: ScenarioAction] = [
    "home": .home, "switch-app": .switchApp, "lock": .lock, "unlock": .unlock,
    "banner": .banner, "force-quit": .forceQuit, "memory-warning": .memoryWarning,
    "shutdown": .shutdown, "wait": .wait, "reclaim": .reclaim, "prewarm": .prewarm,
  ]
  static let openReasons = [
    "user_icon", "switcher", "open_url", "local_notification", "remote_notification", "unknown",
  ]
  static let interruptionKinds = [
    "phone_call", "text_message", "alert_notification", "iap_prompt", "sync_screen",
    "system_alert", "notification_center", "control_center", "siri", "other",
  ]
  static let killCauses = [
    "watchdog", "jetsam", "gpu_in_background", "bgtask_expired", "keepalive_timeout",
    "shared_resource", "file_lock", "cpu_limit", "thermal", "disk_space", "crash", "unknown",
  ]
  static let noticeNames = Vocabulary.notificationNames.map(\.text)

  private static func word(
    _ name: String, _ words: [String], in choices: [String], or usual: String?
  ) throws(Problem) -> String {
    if words.isEmpty, let usual { return usual }
    guard words.count == 1, choices.contains(words[0]) else {
      throw Problem(message: "'\(name)' takes one of \(choices.joined(separator: ", "))")
    }
    return words[0]
  }

  private static func count(
    _ name: String, _ words: [String], max most: Int64
  ) throws(Problem) -> Int64 {
    if words.isEmpty { return 1 }
    guard words.count == 1, let count = Int64(words[0]), (1...most).contains(count) else {
      throw Problem(message: "'\(name)' takes a number from 1 to \(most)")
    }
    return count
  }

  /// Calls of the delegate and of scenes, which a broken system makes at any time, or leaves out.
  private static let lifeKinds: [EventKind] = Vocabulary.kinds.filter {
    $0.emitter == .system && ["delegate", "scene"].contains($0.namespace)
  }.map(\.kind)
  /// What the phone can do at any time.
  static let callableKinds: [EventKind] = lifeKinds + [.uiTouch, .wakeWindow, .procSuspend]
  /// What the phone can forget.
  static let omissibleKinds: [EventKind] =
    lifeKinds + [
      .procSuspend, .bgtaskExpire, .bgschedRun, .bgschedExpire, .noteDeliver, .locUpdate, .eaData,
      .btData, .voipKeepalive, .pushkitReceive, .audioInterruption,
    ]

  private static func kind(
    _ name: String, _ words: [String], in kinds: [EventKind]
  ) throws(Problem) -> EventKind {
    guard words.count == 1, let kind = Vocabulary.kind(named: words[0]), kinds.contains(kind)
    else {
      let names = kinds.compactMap { Vocabulary.description(of: $0)?.name }
      throw Problem(message: "'\(name)' takes one of \(names.joined(separator: ", "))")
    }
    return kind
  }

  private static func interruption(_ words: [String]) throws(Problem) -> ScenarioAction {
    if words.count == 2, words[1] == "begins", interruptionKinds.contains(words[0]) {
      return .beginInterruption(kind: words[0])
    }
    if words.count == 2, words[0] == "ends", words[1] == "accepted" || words[1] == "dismissed" {
      return .endInterruption(isAccepted: words[1] == "accepted")
    }
    guard (2...3).contains(words.count), interruptionKinds.contains(words[0]),
      words[1] == "accepted" || words[1] == "dismissed",
      let time = duration(words.count == 3 ? words[2] : "5s")
    else {
      throw Problem(
        message: "'interruption' takes a kind, 'accepted' or 'dismissed', and a duration, for"
          + " example 'phone_call dismissed 10s', or 'phone_call begins' and later 'ends"
          + " dismissed'; the kinds are"
          + " \(interruptionKinds.joined(separator: ", "))")
    }
    return .interruption(kind: words[0], isAccepted: words[1] == "accepted", nanoseconds: time)
  }
}
