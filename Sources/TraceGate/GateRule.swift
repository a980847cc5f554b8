// What a gate finds by itself, beside the rules of the catalogue.

public import TraceExport
import TraceModel
import TraceRules

/// A kind of finding that only a gate makes.
public enum GateRule: String, CaseIterable, Sendable {
  case coverageLost = "GT01"
  case staleEntry = "GT02"
  case slower = "GT03"
  case overBudget = "GT04"

  var slug: String {
    switch self {
    case .coverageLost: "gate/coverage-lost"
    case .staleEntry: "gate/stale-entry"
    case .slower: "gate/slower"
    case .overBudget: "gate/over-budget"
    }
  }

  /// What reports say of it; nil for the id of another rule.
  public static func text(_ id: String) -> RuleText? {
    guard let rule = GateRule(rawValue: id) else { return nil }
    let words: (summary: String, consequence: String, advice: String) =
      switch rule {
      case .coverageLost:
        (
          "What a baseline's rules looked at is still looked at.",
          "What got worse there can't be seen: silence looks like success.",
          "Record what the rules need again, or write the baseline anew if that is meant."
        )
      case .staleEntry:
        (
          "A baseline holds only what is still found.",
          "The same fault could come back, and nobody would hear of it.",
          "Remove the entries with --prune-baseline."
        )
      case .slower:
        (
          "No duration grows from the reference captures to the candidate's.",
          "Users wait longer, and the system's limits come nearer.",
          "Look at the slowest captures of the candidate, or take new reference captures if it is"
            + " meant."
        )
      case .overBudget:
        (
          "No duration is over its budget.", "Users wait longer than was agreed.",
          "Look at the slowest captures, or agree on another budget."
        )
      }
    return RuleText(
      consequence: words.consequence, advice: words.advice, slug: rule.slug, severity: .error,
      summary: words.summary)
  }
}

/// A finding of a gate.
public struct GateFinding: Hashable, Sendable {
  public var rule: GateRule
  public var app: String
  public var subject: String
  public var reason: String?
  public var message: String

  init(
    _ rule: GateRule, app: String, subject: String, reason: String? = nil, message: String
  ) {
    self.rule = rule
    self.app = app
    self.subject = subject
    self.reason = reason
    self.message = message
  }

  var finding: Finding {
    Finding(
      rule: rule.rawValue, slug: rule.slug, severity: .error, reason: nil, message: message,
      timeNanoseconds: 0, thread: 0, launch: 0, launchStartNanoseconds: nil, count: 1,
      lastTimeNanoseconds: 0, subject: subject,
      fingerprint: Fingerprint.make(
        app: app, rule: rule.rawValue, reason: reason, subject: subject, ordinal: 0),
      confidence: .certain, witness: [])
  }
}

extension JudgedCapture {
  /// What a gate found, in the form in which reports take captures; one trace per app.
  ///
  /// - Parameter path: The file or folder that was compared with.
  public init(gate findings: [GateFinding], path: String) {
    self.init(path: path, format: Self.gateFormat)
    for (app, group) in Dictionary(grouping: findings, by: \.app).sorted(by: { $0.key < $1.key }) {
      var header = TraceHeader()
      if !app.isEmpty { header[.appBundleID] = .string(app) }
      var trace = Judgement(
        header: header, traceID: "gate", profile: "", eventCount: 0, launchCount: 0,
        firstNanoseconds: 0, lastNanoseconds: 0, completeness: .complete,
        findings: group.map(\.finding), quality: [], verdicts: [:])
      for rule in Set(group.map(\.rule.rawValue)).sorted() {
        var counts = VerdictCounts()
        counts.violated = group.count { $0.rule.rawValue == rule }
        trace.verdicts[rule] = counts
        trace.evaluatedRules.append(rule)
      }
      traces.append(trace)
    }
  }
}
