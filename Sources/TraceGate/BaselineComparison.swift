// Compares the captures of a call with a baseline: what is new, known or gone, and what can't be
// told any more.

import TraceCatalogue
public import TraceExport
import TraceModel
import TraceRules

/// A comparison that takes captures one at a time.
public struct BaselineComparison {
  /// Rules that ask the header, which traces without events have, too.
  private static let headerRules = Set(Catalogue.all.filter(\.isOfHeader).map(\.id))

  public let baseline: Baseline
  public let path: String
  private var seen: Set<Baseline.Key> = []
  private var newKeys: Set<Baseline.Key> = []
  private var graverKeys: Set<Baseline.Key> = []
  /// Of what the baseline knows and the captures show: the gravest.
  private var severities: [Baseline.Key: Severity] = [:]
  /// By app: in how many of its traces each rule was evaluated.
  private var coverage: [String: RuleCoverage] = [:]
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
      coverage[app, default: RuleCoverage()].add(evaluated: trace.evaluatedRules)
      for (rule, counts) in trace.verdicts where counts.unknown > 0 {
        unknown[app, default: []].insert(rule)
      }
      for place in trace.findings.indices {
        let finding = trace.findings[place]
        let key = Baseline.Key(rule: finding.rule, fingerprint: finding.fingerprint)
        let state = state(of: finding, baseline.entries[key])
        switch state {
        case .new: newKeys.insert(key)
        case .graver:
          graverKeys.insert(key)
          note(key, finding.severity)
        case .unchanged: note(key, finding.severity)
        }
        capture.traces[index].findings[place].baseline = state
      }
      for item in trace.suppressed {
        note(
          Baseline.Key(rule: item.finding.rule, fingerprint: item.finding.fingerprint),
          item.finding.severity)
      }
    }
  }

  /// A finding that is graver than before is one that the team didn't accept.
  private func state(of finding: Finding, _ entry: Baseline.Entry?) -> BaselineState {
    guard let entry else { return .new }
    return finding.severity > entry.gravity ? .graver : .unchanged
  }

  private mutating func note(_ key: Baseline.Key, _ severity: Severity) {
    seen.insert(key)
    severities[key] = max(severities[key] ?? severity, severity)
  }

  /// Entries that stand for nothing any more: their rules were evaluated in no smaller share of the
  /// traces than before, were decided, and didn't find them.
  public var staleEntries: [Baseline.Entry] { unseen.filter(isDecided) }

  private var unseen: [Baseline.Entry] {
    baseline.sortedEntries.filter {
      !seen.contains(Baseline.Key(rule: $0.rule, fingerprint: $0.fingerprint))
    }
  }

  /// Entries of what is still found, and milder wherever it is, with the severity that it has now.
  public var milderEntries: [Baseline.Entry] {
    baseline.sortedEntries.compactMap { entry in
      let key = Baseline.Key(rule: entry.rule, fingerprint: entry.fingerprint)
      guard let severity = severities[key], severity < entry.gravity, isDecided(entry) else {
        return nil
      }
      var milder = entry
      milder.severity = severity.rawValue
      return milder
    }
  }

  /// The baseline without what isn't found any more, and no graver than what is found.
  public var pruned: Baseline { baseline.without(staleEntries).replacing(milderEntries) }

  /// Whether what wasn't found isn't there. A trace that a rule can't look into may hide it.
  private func isDecided(_ entry: Baseline.Entry) -> Bool {
    guard let share = coverage[entry.app]?.share(of: entry.rule) else { return false }
    return unknown[entry.app]?.contains(entry.rule) != true
      && !hasFallen(share, of: entry.rule, app: entry.app)
  }

  /// Whether a rule was evaluated in a smaller share of an app's traces than the baseline says; in
  /// some only, if it says nothing.
  private func hasFallen(_ share: RuleCoverage.Share, of rule: String, app: String) -> Bool {
    guard let before = baseline.coverage[app]?.share(of: rule) else { return !share.isWhole }
    return share.isLess(than: before)
  }

  /// How the captures compare with the baseline, after the last of them.
  public var summary: GateSummary {
    var summary = GateSummary(path: path)
    summary.newCount = newKeys.count
    summary.graverCount = graverKeys.count
    summary.unchangedCount =
      seen.subtracting(graverKeys).intersection(baseline.entries.keys).count
    let stale = staleEntries
    summary.fixed = stale.map {
      GateSummary.Fixed(
        app: $0.app, rule: $0.rule, subject: $0.subject, fingerprint: $0.fingerprint)
    }
    summary.undecidableCount = unseen.count - stale.count
    summary.milder = milderEntries.map {
      let key = Baseline.Key(rule: $0.rule, fingerprint: $0.fingerprint)
      return GateSummary.Milder(
        app: $0.app, rule: $0.rule, subject: $0.subject, fingerprint: $0.fingerprint,
        before: baseline.entries[key]?.gravity ?? .error, now: severities[key] ?? .error)
    }
    summary.partial = partialCoverage
    return summary
  }

  /// Apps with rules that fewer of their traces allow than the baseline's did.
  private var partialCoverage: [GateSummary.Partial] {
    coverage.keys.sorted().compactMap { fallenCoverage(of: $0) }
  }

  private func fallenCoverage(of app: String) -> GateSummary.Partial? {
    guard let coverage = coverage[app] else { return nil }
    var fallen: [(rule: String, share: RuleCoverage.Share)] = []
    for rule in (baseline.evaluatedRules[app] ?? []).sorted() {
      guard let share = coverage.share(of: rule), hasFallen(share, of: rule, app: app) else {
        continue
      }
      fallen.append((rule: rule, share: share))
    }
    // The first of those that are evaluated least: the others are in as many traces, or more.
    let order = fallen.sorted {
      ($0.share.evaluatedCount, $0.rule) < ($1.share.evaluatedCount, $1.rule)
    }
    guard let least = order.first else { return nil }
    let before = baseline.coverage[app]?.share(of: least.rule).map {
      $0.isWhole ? "all" : "\($0.evaluatedCount) of \($0.traceCount)"
    }
    return GateSummary.Partial(
      app: app, rule: least.rule, evaluatedCount: least.share.evaluatedCount,
      traceCount: least.share.traceCount, before: before, otherRuleCount: fallen.count - 1)
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
      guard let coverage = coverage[app] else {
        findings.append(
          GateFinding(
            .coverageLost, app: app, subject: name,
            message: "no capture of \(name) was checked, and the baseline holds what"
              + " \(before.count) rules found in it"))
        continue
      }
      let lost = before.subtracting(coverage.evaluatedRules)
        .filter { isOn($0, app) && family($0) != nil }
      if !lost.isSubset(of: Self.headerRules),
        coverage.evaluatedRules.isSubset(of: Self.headerRules)
      {
        let traces = coverage.traceCount == 1 ? "its trace tells" : "its traces tell"
        findings.append(
          GateFinding(
            .coverageLost, app: app, subject: name,
            message: "no rule on events can be evaluated any more for \(name), and"
              + " \(lost.count) could: \(traces) nothing that rules look at"))
        continue
      }
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
