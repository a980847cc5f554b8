// Kills that say themselves what the app did: where their clauses count, what their numbers mean,
// and which findings say the same. This file must not know how rules word it.

import TraceLifecycle
import TraceModel

/// The numbers of a kill, as its event states them.
struct ReportedKill {
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
  private var visibility: String?

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
      case ("visibility", .string(let text)): visibility = text
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

  private var isShown: Bool { visibility == "foreground" }

  private var blame: Blame? {
    guard cause == "watchdog" else { return nil }
    return Blame(
      appSeconds: appSeconds, of: elapsedSeconds ?? allowanceSeconds,
      totalPercent: totalPercent, isHot: Blame.isHot(thermalState, level: thermalLevel))
  }

  /// Whether nothing but the watchdog's code says what the system waited for.
  private var isWordless: Bool {
    guard code == Double(Terminations.watchdogCode) else { return false }
    let text = description ?? ""
    switch cause {
    case "watchdog", "bgtask_expired":
      return !Terminations.words(ofCause: cause).contains { text.contains($0) }
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

  /// What the kill means; nil where nothing of it says why.
  var meaning: Termination? {
    Terminations.meaning(
      cause: cause, code: code.flatMap { Int64(exactly: $0) }, namespace: namespace,
      description: description, visibility: visibility)
  }

  /// What a finding that rests on the end of the process leaves open, for the end of its message;
  /// nil if the end says its cause.
  static func openQuestion(_ end: WitnessEvent?) -> String? {
    guard let end, end.event == "proc.kill" else { return nil }
    let saysCause = end.arguments.contains { argument in
      argument.name == "code" || argument.name == "cause" && argument.value != .string("unknown")
    }
    return saysCause ? nil : "; nothing says who ended the app then"
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

  /// The places of findings on kills where other findings of the launch say the same: those of the
  /// rule itself, and of rules that explain the same end those that aren't milder. What was told
  /// already stays.
  func explainedKills() -> Set<Int> {
    struct Told: Hashable {
      var rule: Int
      var launch: Int
      /// Nil for anything that is told of the launch.
      var key: InstanceKey?
    }
    let kills = findings.entries.indices.filter {
      let entry = findings.entries[$0]
      return entry.evidence == .kill && !entry.isWithdrawn && !entry.wasTaken
    }
    guard !kills.isEmpty else { return [] }
    var told: [Told: Severity] = [:]
    func note(_ finding: Told, _ severity: Severity) {
      told[finding] = max(told[finding] ?? severity, severity)
    }
    for entry in findings.entries
    where !entry.isWithdrawn && entry.evidence != .kill && isTold(entry.ruleIndex) {
      let clauses = rules[entry.ruleIndex].clauses
      for draft in entry.instances where clauses[draft.clause].explainsEnds {
        let severity = ownSeverity(draft, entry)
        note(Told(rule: entry.ruleIndex, launch: entry.launch, key: nil), severity)
        note(Told(rule: entry.ruleIndex, launch: entry.launch, key: draft.key), severity)
      }
    }
    return Set(
      kills.filter { place in
        let entry = findings.entries[place]
        let isKeyed = rules[entry.ruleIndex].clauses[entry.draft.clause].hasKeyedEvent
        let key = isKeyed ? entry.draft.key : nil
        let own = ownSeverity(entry.draft, entry)
        return tellers(of: entry).contains { rule in
          guard let severity = told[Told(rule: rule, launch: entry.launch, key: key)] else {
            return false
          }
          return rule == entry.ruleIndex || severity >= own
        }
      })
  }

  /// The rules that say the same of a launch as a finding on its kill.
  private func tellers(of entry: FindingStore.Entry) -> Set<Int> {
    let kill = entry.draft.witness.first { $0.event == "proc.kill" }
    guard let meaning = kill.flatMap({ ReportedKill($0).meaning }) else { return [entry.ruleIndex] }
    return Set(rules.indices.filter { rules[$0].explains.contains(meaning.id) })
      .union([entry.ruleIndex])
  }
}
