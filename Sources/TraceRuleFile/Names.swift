// The words of the notation for the states, clocks and other small things of rules.

import TraceLifecycle
import TraceModel
import TraceRules

/// Words and what they stand for, in the order in which messages list them.
enum Names {
  static let states: [(String, LifecycleState)] = LifecycleState.allCases.map {
    (snake("\($0)"), $0)
  }
  static let reasons: [(String, RunReason)] = RunReason.allCases.map { ($0.rawValue, $0) }
  static let profiles: [(String, Profile)] = Profile.allCases.map { ($0.rawValue, $0) }
  static let severities: [(String, Severity)] = Severity.allCases.map { ($0.rawValue, $0) }
  static let clocks: [(String, Clock)] = words()
  static let edges: [(String, Edge)] = words()
  static let units: [(String, ReportUnit)] = words()
  static let evidence: [(String, Clause.Evidence)] = words()
  static let reopenings: [(String, Expect.Reopening)] = words()
  static let lives: [(String, Fact.Life)] = [("launch", .launch), ("trace", .trace)]
  static let samenesses: [(String, Yield.Sameness)] = words()
  static let allowances: [(String, WatchdogAllowance)] = words()
  static let ends = Terminations.all.map { ($0.id, $0.id) }
  static let durations: [(String, LifeDuration)] = words()
  static let bases: [(String, RuleParameter.Basis)] = [
    ("documented", .documented), ("tool_default", .toolDefault),
  ]
  static let parameterUnits: [(String, RuleParameter.Unit)] = [
    ("nanoseconds", .nanoseconds), ("count", .count), ("bytes", .bytes), ("percent", .percent),
    ("frames_per_second", .framesPerSecond), ("seconds", .seconds),
  ]
  static let headerFields: [String] = HeaderField.allCases.map(\.name)
  static let kinds: [String] = Vocabulary.kinds.map(\.name)

  /// Every argument that some kind has.
  static let arguments: [String] = {
    var names: Set<String> = []
    for kind in Vocabulary.kinds {
      for argument in kind.arguments {
        if let text = argument.name.knownText { names.insert(text) }
      }
    }
    return names.sorted()
  }()

  /// The word for a value.
  static func word<Value: Equatable>(_ value: Value, in words: [(String, Value)]) -> String {
    words.first { $0.1 == value }?.0 ?? "unknown"
  }

  private static func words<Value: CaseIterable & RawRepresentable<String>>()
    -> [(String, Value)]
  {
    Value.allCases.map { (snake($0.rawValue), $0) }
  }

  /// `evidenceOfLife` becomes `evidence_of_life`.
  static func snake(_ name: String) -> String {
    var result = ""
    for character in name {
      if character.isUppercase { result += "_" }
      result += character.lowercased()
    }
    return result
  }
}
