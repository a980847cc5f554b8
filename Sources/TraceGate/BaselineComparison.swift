// Compares the captures of a call with a baseline: what is new, known or gone, and what can't be
// told any more.

public import TraceExport
import TraceModel
import TraceRules

/// A comparison that takes captures one at a time.
public struct BaselineComparison {
  public let baseline: Baseline
  public let path: String
  private var seen: Set<Baseline.Key> = []
  private var newKeys: Set<Baseline.Key> = []
  /// By app: how many of its traces allowed to evaluate each rule.
  private var evaluated: [String: [String: Int]] = [:]
  private var traceCounts: [String: Int] = [:]
  private var unknown: [String: Set<String>] = [:]

  /// - Parameter path: The baseline's path as it is shown.
  public init(_ baseline: Baseline, path: String) {
    self.baseline = baseline
    self.path = path
  }

  /// Marks the findings of a capture as new or unchanged.
  public mutating func compare(_ capture: inout JudgedCapture) {
    if capture.copyOf != nil { return }
    for index in capture.traces.indices {
      let trace = capture.traces[index]
      let app = trace.header.string(.appBundleID) ?? ""
      for rule in trace.evaluatedRules { evaluated[app, default: [:]][rule, default: 0] += 1 }
      traceCounts[app, default: 0] += 1
      for (rule, counts) in trace.verdicts where counts.unknown > 0 {
        unknown[app, default: []].insert(rule)
      }
      for place in trace.findings.indices {
        let finding = trace.findings[place]
        let key = Baseline.Key(rule: finding.rule, fingerprint: finding.fingerprint)
        let state = state(of: finding, baseline.entries[key])
        if state != .new { seen.insert(key) }
        if state != .unchanged { newKeys.insert(key) }
        capture.traces[index].findings[place].baseline = state
      }
      for item in trace.suppressed {
        seen.insert(Baseline.Key(rule: item.finding.rule, fingerprint: item.finding.fingerprint))
      }
    }
  }

  /// A finding that is graver than before is one that the team didn't accept.
  private func state(of finding: Finding, _ entry: Baseline.Entry?) -> BaselineState {
    guard let entry else { return .new }
    return finding.severity > entry.gravity ? .graver : .unchanged
  }

  /// Entries that stand for nothing any more: their rules were evaluated and decided, and didn't
  /// find them.
  public var staleEntries: [Baseline.Entry] { unseen.filter(isDecided) }

  private var unseen: [Baseline.Entry] {
    baseline.sortedEntries.filter {
      !seen.contains(Baseline.Key(rule: $0.rule, fingerprint: $0.fingerprint))
    }
  }

  /// Whether every trace of the app shows that an entry isn't there: a trace that no longer allows
  /// the rule may be the one in which it was found.
  private func isDecided(_ entry: Baseline.Entry) -> Bool {
    guard let count = evaluated[entry.app]?[entry.rule] else { return false }
    return count == traceCounts[entry.app]
      && unknown[entry.app]?.contains(entry.rule) != true
  }

  /// How the captures compare with the baseline, after the last of them.
  public var summary: GateSummary {
    var summary = GateSummary(path: path)
    summary.newCount = newKeys.count
    summary.unchangedCount = seen.subtracting(newKeys).intersection(baseline.entries.keys).count
    let stale = staleEntries
    summary.fixed = stale.map {
      GateSummary.Fixed(
        app: $0.app, rule: $0.rule, subject: $0.subject, fingerprint: $0.fingerprint)
    }
    summary.undecidableCount = unseen.count - stale.count
    summary.partial = partialCoverage
    return summary
  }

  /// Apps some of whose traces don't allow what others do, and the baseline's did.
  private var partialCoverage: [GateSummary.Partial] {
    traceCounts.sorted { $0.key < $1.key }.compactMap { app, traceCount in
      let before = baseline.evaluatedRules[app] ?? []
      let counts = (evaluated[app] ?? [:]).filter { before.contains($0.key) }.values
      guard let fewest = counts.min(), fewest < traceCount else { return nil }
      return GateSummary.Partial(
        app: app, ruleCount: counts.count { $0 < traceCount }, evaluatedCount: fewest,
        traceCount: traceCount)
    }
  }

  /// What the comparison itself finds: coverage that was lost and, if they count, stale entries.
  ///
  /// - Parameters:
  ///   - isStrict: Whether entries that stand for nothing any more are findings.
  ///   - isOn: Whether a rule is judged for an app: what was switched off isn't missed.
  ///   - family: The family of a rule; nil for a rule that isn't known any more.
  public func findings(
    isStrict: Bool, isOn: (_ rule: String, _ app: String) -> Bool, family: (String) -> String?
  ) -> [GateFinding] {
    var findings: [GateFinding] = []
    for (app, before) in baseline.evaluatedRules.sorted(by: { $0.key < $1.key }) {
      let name = app.isEmpty ? "apps without a name" : app
      guard traceCounts[app] != nil else {
        findings.append(
          GateFinding(
            .coverageLost, app: app, subject: name,
            message: "no capture of \(name) was checked, and the baseline holds what"
              + " \(before.count) rules found in it"))
        continue
      }
      let lost = before.subtracting((evaluated[app] ?? [:]).keys).filter { isOn($0, app) && family($0) != nil }
      for (family, rules) in Dictionary(grouping: lost, by: { family($0) ?? "" })
        .sorted(by: { $0.key < $1.key })
      {
        let count = rules.count == 1 ? "1 rule" : "\(rules.count) rules"
        findings.append(
          GateFinding(
            .coverageLost, app: app, subject: family,
            message: "\(count) of \(family) can no longer be evaluated for \(name):"
              + " \(rules.sorted().joined(separator: ", "))"))
      }
    }
    if isStrict {
      for entry in staleEntries {
        findings.append(
          GateFinding(
            .staleEntry, app: entry.app, subject: "\(entry.rule) \(entry.subject)",
            reason: entry.fingerprint,
            message: "the baseline holds \(entry.rule) \(entry.fingerprint), and it isn't found"
              + " any more"))
      }
    }
    return findings
  }
}
