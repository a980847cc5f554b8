// What was found and what was evaluated at a time, kept in a file of the repository: one entry per
// line, sorted, so that people can read it and git can merge it.

public import TraceExport
import TraceModel
import TraceRules

/// The findings that a team knows of, and the rules that its captures allowed to evaluate.
public struct Baseline: Hashable, Sendable {
  /// A known finding.
  public struct Entry: Hashable, Sendable {
    public var app: String
    public var rule: String
    public var severity: String
    public var fingerprint: String
    /// What it is about, without what changes from run to run.
    public var subject: String

    /// The severity; the gravest where the file says none that is known.
    var gravity: Severity { Severity(rawValue: severity) ?? .error }

    /// All that an entry says, so that the order doesn't depend on the order of lines.
    fileprivate var sortKey: (String, String, String, String, String) {
      (app, rule, fingerprint, severity, subject)
    }
  }

  /// By rule and fingerprint, which holds the app.
  public private(set) var entries: [Key: Entry] = [:]
  /// By app: the rules that were evaluated in some trace.
  public private(set) var evaluatedRules: [String: Set<String>] = [:]
  /// By app: in how many of its traces each rule was evaluated, as far as that is known.
  private(set) var coverage: [String: RuleCoverage] = [:]

  /// What makes two findings the same.
  public struct Key: Hashable, Sendable {
    public var rule: String
    public var fingerprint: String
  }

  public init() {}

  /// Entries sorted by app, rule and fingerprint.
  public var sortedEntries: [Entry] { entries.values.sorted { $0.sortKey < $1.sortKey } }

  /// Adds what a capture shows. Suppressed findings don't count.
  public mutating func add(_ capture: JudgedCapture) {
    if capture.copyOf != nil { return }
    for trace in capture.traces {
      let app = trace.header.string(.appBundleID) ?? ""
      evaluatedRules[app, default: []].formUnion(trace.evaluatedRules)
      coverage[app, default: RuleCoverage()].add(evaluated: trace.evaluatedRules)
      for finding in trace.findings {
        add(
          Entry(
            app: app, rule: finding.rule, severity: finding.severity.rawValue,
            fingerprint: finding.fingerprint, subject: Fingerprint.normalised(finding.subject)))
      }
    }
  }

  mutating func add(_ entry: Entry) {
    let key = Key(rule: entry.rule, fingerprint: entry.fingerprint)
    if let old = entries[key] {
      // Where several captures show it, or a merge left both, the gravest is what is known.
      if old.gravity > entry.gravity { return }
      if old.gravity == entry.gravity, old.sortKey <= entry.sortKey { return }
    }
    entries[key] = entry
  }

  /// Adds what a line of a file says was evaluated.
  ///
  /// - Parameter partly: The share of rules that were evaluated in some traces only; nil if nobody
  ///   counted.
  mutating func add(
    evaluated rules: [String], partly: [String: RuleCoverage.Share]?, app: String
  ) {
    evaluatedRules[app, default: []].formUnion(rules)
    guard let partly else { return }
    for rule in rules {
      coverage[app, default: RuleCoverage()].add(partly[rule] ?? .whole, of: rule)
    }
  }

  /// With some entries in the place of those of the same findings.
  public func replacing(_ entries: [Entry]) -> Baseline {
    var changed = self
    for entry in entries {
      changed.entries[Key(rule: entry.rule, fingerprint: entry.fingerprint)] = entry
    }
    return changed
  }

  /// Without some entries.
  public func without(_ stale: [Entry]) -> Baseline {
    var rest = self
    for entry in stale {
      rest.entries[Key(rule: entry.rule, fingerprint: entry.fingerprint)] = nil
    }
    return rest
  }

  // The file.

  /// The version of the file's form.
  static let version: Int64 = 1
  static let versionKey = "tracecheck_baseline"
  static let partlyKey = "partly"

  /// The file: a line that says what it is, then for each app what was evaluated, by family of
  /// rules, and its findings.
  ///
  /// - Parameter family: The family of a rule; nil for a rule that isn't known any more.
  public func bytes(family: (String) -> String?) -> [UInt8] {
    var output: [UInt8] = []
    func line(_ write: (inout JSONBuilder) -> Void) {
      var json = JSONBuilder()
      json.beginObject()
      write(&json)
      json.endObject()
      output.append(contentsOf: json.bytes)
      output.append(UInt8(ascii: "\n"))
    }
    line {
      $0.key(Self.versionKey)
      $0.integer(Self.version)
    }
    let found = Dictionary(grouping: sortedEntries, by: \.app)
    for app in Set(found.keys).union(evaluatedRules.keys).sorted() {
      let families = Dictionary(grouping: evaluatedRules[app] ?? []) { family($0) ?? "other" }
      for (name, rules) in families.sorted(by: { $0.key < $1.key }) {
        // A line says of all its rules or of none in how many traces they were evaluated.
        let groups = Dictionary(grouping: rules) { coverage[app]?.share(of: $0) != nil }
        for isCounted in [true, false] {
          guard let group = groups[isCounted]?.sorted() else { continue }
          line {
            $0.key("app")
            $0.string(app)
            $0.key("evaluated")
            $0.string(name)
            $0.key("rules")
            $0.beginArray()
            for rule in group { $0.string(rule) }
            $0.endArray()
            if isCounted { partly(group, app, &$0) }
          }
        }
      }
      for entry in found[app] ?? [] {
        line {
          $0.key("app")
          $0.string(app)
          $0.key("rule")
          $0.string(entry.rule)
          $0.key("severity")
          $0.string(entry.severity)
          $0.key("fingerprint")
          $0.string(entry.fingerprint)
          $0.key("subject")
          $0.string(entry.subject)
        }
      }
    }
    return output
  }

  /// Writes the shares of rules that weren't evaluated in every trace. Those of the others aren't
  /// written: a further capture leaves the file as it is.
  private func partly(_ rules: [String], _ app: String, _ json: inout JSONBuilder) {
    json.key(Self.partlyKey)
    json.beginObject()
    for rule in rules {
      guard let share = coverage[app]?.share(of: rule), !share.isWhole else { continue }
      json.key(rule)
      json.beginArray()
      json.integer(share.evaluatedCount)
      json.integer(share.traceCount)
      json.endArray()
    }
    json.endObject()
  }
}
