// Kills that say themselves what the app did: where their clauses count, what their numbers mean,
// and which findings say the same. This file must not know how rules word it.

import TraceLifecycle
import TraceModel

/// The numbers of a kill, as its event states them.
struct ReportedKill {
  /// Rules whose finding says the same of a launch as a kill that a rule explains, by that rule.
  private static let kin: [String: Set<String>] = [
    "LM14": ["LC003", "LC301", "LC306", "LC310"], "LC301": ["LM14"],
    "LC102": ["LC001", "LC105", "LM02"], "LM19": ["LC613"], "LC613": ["LM18"], "LC004": ["LC401"],
  ]

  /// Rules of background tasks that were open for too long.
  private static let taskRules: Set<String> = ["LC001", "LC102", "LC105", "LM02"]

  /// Rules for which an end of unknown cause is the system's, though a debugger, an installation or
  /// the user may have sent the signal.
  private static let rulesOfUnknownEnds: Set<String> = ["LC102"]

  private var allowanceSeconds: Double?
  private var elapsedSeconds: Double?
  private var appSeconds: Double?
  private var totalPercent: Double?
  private var thermalState: String?
  private var thermalLevel: Double?
  private var code: Double?
  private var description: String?
  private var namespace: String?
  private var cause = "watchdog"
  private var isShown = false

  init(_ kill: WitnessEvent?) {
    for argument in kill?.arguments ?? [] {
      switch (argument.name, argument.value) {
      case ("allowance_s", let value): allowanceSeconds = Self.number(value)
      case ("elapsed_s", let value): elapsedSeconds = Self.number(value)
      case ("app_cpu_s", let value): appSeconds = Self.number(value)
      case ("total_cpu_percent", let value): totalPercent = Self.number(value)
      case ("thermal_state", .string(let text)): thermalState = text
      case ("thermal_level", let value): thermalLevel = Self.number(value)
      case ("code", let value): code = Self.number(value)
      case ("description", .string(let text)): description = text
      case ("namespace", .string(let text)): namespace = text
      case ("cause", .string(let text)): cause = text
      case ("visibility", .string(let text)): isShown = text == "foreground"
      default: continue
      }
    }
  }

  private static func number(_ value: ArgumentValue) -> Double? {
    switch value {
    case .number(let number) where number.isFinite && number >= 0: number
    case .integer(let number) where number >= 0: Double(number)
    case .unsigned(let number): Double(number)
    default: nil
    }
  }

  private var blame: Blame? {
    guard cause == "watchdog" else { return nil }
    return Blame(
      appSeconds: appSeconds, of: elapsedSeconds ?? allowanceSeconds,
      totalPercent: totalPercent, isHot: Blame.isHot(thermalState, level: thermalLevel))
  }

  /// Whether nothing but the watchdog's code says what the system waited for.
  private var isWordless: Bool {
    guard code == 0x8bad_f00d else { return false }
    let text = description ?? ""
    switch cause {
    case "watchdog": return !FieldTest.watchdogWords.contains { text.contains($0) }
    case "bgtask_expired": return !text.contains("active assertions beyond permitted time")
    default: return false
    }
  }

  /// How sure it is that the app is at fault. A device that is about to shut down may be as much
  /// to blame, samples in the foreground speak against a limit of the background, and a code alone
  /// doesn't say what took too long.
  var confidence: Confidence {
    if cause == "cpu_limit" { return isShown ? .likely : .certain }
    switch blame {
    case .starved: return thermalState == "critical" ? .possible : .likely
    case .crowded, .idle: return .likely
    default: return isWordless ? .likely : .certain
    }
  }

  /// What the numbers say, for the end of a sentence; empty if there are none.
  var weighing: String {
    if cause == "cpu_limit" { return processorTime }
    var parts: [String] = []
    if let elapsedSeconds { parts.append("it took \(Blame.text(seconds: elapsedSeconds)) s") }
    if let allowanceSeconds {
      let allowed = Blame.text(seconds: allowanceSeconds)
      parts.append(
        isProcessorAllowance
          ? "it used up the \(allowed) s of processor time that were allowed"
          : "\(allowed) s were allowed")
    }
    if let appSeconds, !isProcessorAllowance || appSeconds != allowanceSeconds {
      parts.append("the app used \(Blame.text(seconds: appSeconds)) s of processor time")
    }
    if blame == .starved {
      if let thermalState {
        parts.append("the thermal state was \(thermalState)")
      } else if let thermalLevel {
        parts.append("the thermal level was \(Blame.text(seconds: thermalLevel))")
      }
    }
    if let totalPercent, blame == .crowded {
      parts.append("all processes used \(Blame.text(seconds: totalPercent)) % of it")
    }
    if let blame { parts.append(blame.meaning) }
    if cause == "bgtask_expired", isWordless { parts.append("nothing but its code says so") }
    return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
  }

  /// Whether the watchdog allowed processor time, and not time on the wall.
  private var isProcessorAllowance: Bool {
    description?.contains(Blame.processorAllowanceWords) == true
  }

  /// Of processor time it is the processor's that was allowed: which limit it was, and the numbers.
  private var processorTime: String {
    let isOfMinute = description?.contains("limit of 80% cpu over 60 seconds") == true
    var text = isOfMinute ? " of 80 % over 60 s" : ""
    if !isShown { text += " of the background" }
    if let appSeconds {
      text += "; it used \(Blame.text(seconds: appSeconds)) s of processor time"
      if let elapsedSeconds { text += " in \(Blame.text(seconds: elapsedSeconds)) s" }
      if let allowanceSeconds {
        text += ", and \(Blame.text(seconds: allowanceSeconds)) s were allowed"
      }
    }
    return isShown ? text + "; most samples show it in the foreground" : text
  }

  /// The rules whose findings say the same of a launch as the kill that a rule explains. Where not
  /// even the code's writer is known, tasks may be what the watchdog's code means.
  func tellers(for rule: String) -> Set<String> {
    var tellers = Self.kin[rule, default: []].union([rule])
    if cause == "watchdog", isWordless, namespace == nil { tellers.formUnion(Self.taskRules) }
    return tellers
  }

  /// What a finding that rests on the end of the process leaves open, for the end of its message;
  /// nil if the end says its cause.
  static func openQuestion(_ rule: String, _ end: WitnessEvent?) -> String? {
    guard let end, end.event == "proc.kill", rulesOfUnknownEnds.contains(rule) else { return nil }
    let saysCause = end.arguments.contains { argument in
      argument.name == "code" || argument.name == "cause" && argument.value != .string("unknown")
    }
    return saysCause ? nil : "; nothing says who ended the app then"
  }

  /// Whether a violation of a clause can be what a kill is for: an end too many leaves no task
  /// open.
  static func mayKill(_ clause: Clause) -> Bool {
    clause.reason != "double-end" && clause.reason != "end-invalid"
  }
}

extension Rule {
  /// Whether a clause of it counts in every profile.
  var explainsKills: Bool { clauses.contains { $0.evidence == .kill } }
}

extension Judge {
  /// Whether a clause of a rule that explains kills counts in the launch under way.
  func explainsKills(_ ruleIndex: Int, _ clause: Clause) -> Bool {
    clause.hasKeyedEvent || uncoveredRules.contains(ruleIndex) || model.launch?.isMidLife != false
  }

  /// Takes back what was said of kills where other findings of the launch say it.
  func forgetExplainedKills() {
    for place in explainedKills() { findings.withdraw(place) }
  }

  /// The places of findings on kills where other findings of the launch say the same. What was told
  /// already stays.
  func explainedKills() -> Set<Int> {
    struct Told: Hashable {
      var rule: String
      var launch: Int
      /// Nil for anything that is told of the launch.
      var key: InstanceKey?
    }
    var kills: [(place: Int, words: Told, tellers: Set<String>)] = []
    for (place, entry) in findings.entries.enumerated()
    where entry.evidence == .kill && !entry.isWithdrawn && !entry.wasTaken {
      let rule = rules[entry.ruleIndex]
      let isKeyed = rule.clauses[entry.draft.clause].hasKeyedEvent
      let key = isKeyed ? entry.draft.key : nil
      let kill = ReportedKill(entry.draft.witness.first { $0.event == "proc.kill" })
      kills.append(
        (place, Told(rule: rule.id, launch: entry.launch, key: key), kill.tellers(for: rule.id)))
    }
    guard !kills.isEmpty else { return [] }
    var told: Set<Told> = []
    for entry in findings.entries
    where !entry.isWithdrawn && entry.evidence != .kill && isTold(entry.ruleIndex) {
      let rule = rules[entry.ruleIndex]
      guard entry.instances.contains(where: { ReportedKill.mayKill(rule.clauses[$0.clause]) })
      else { continue }
      told.insert(Told(rule: rule.id, launch: entry.launch, key: nil))
      for draft in entry.instances {
        told.insert(Told(rule: rule.id, launch: entry.launch, key: draft.key))
      }
    }
    var explained: Set<Int> = []
    for (place, words, tellers) in kills {
      let isTold = tellers.contains { teller in
        told.contains(Told(rule: teller, launch: words.launch, key: words.key))
      }
      if isTold { explained.insert(place) }
    }
    return explained
  }
}
