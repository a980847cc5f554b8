// What would be said of the same life on another system, or with other limits.

import TraceCatalogue
import TraceConfiguration
import TraceExport
import TraceModel
import TracePipeline
import TraceRules

extension RuleOptions {
  /// Whether anything is said that a judgement depends on.
  var isAnythingSaid: Bool {
    !only.isEmpty || !skip.isEmpty || !thresholds.isEmpty || !severities.isEmpty || profile != nil
      || watchdog != nil
  }

  /// The same rules on the system and with the limits of the recording.
  var withoutChanges: RuleOptions {
    var options = self
    options.thresholds = []
    options.severities = []
    options.profile = nil
    options.watchdog = nil
    return options
  }
}

/// Judges each trace of a capture twice, and tells which verdicts differ.
struct WhatIfVisitor: CaptureVisitor {
  private let recorded: EffectiveConfiguration
  private let changed: EffectiveConfiguration
  private var checkers: (recorded: Checker, changed: Checker)?
  private var hasProblems = false
  /// What to print.
  private(set) var text = ""

  init(recorded: EffectiveConfiguration, changed: EffectiveConfiguration) {
    self.recorded = recorded
    self.changed = changed
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    endTrace()
    let app = header.string(.appBundleID)
    checkers = (
      Checker(header: header, options: recorded.settings(app: app).options),
      Checker(header: header, options: changed.settings(app: app).options)
    )
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    var first = batch
    var second = batch
    checkers?.recorded.consume(&first)
    checkers?.changed.consume(&second)
  }

  mutating func problem(_ problem: InputProblem) { hasProblems = true }

  mutating func endTrace() {
    guard var ended = checkers.take() else { return }
    text += Self.text(
      from: ended.recorded.finish(isDamaged: hasProblems),
      to: ended.changed.finish(isDamaged: hasProblems))
    hasProblems = false
  }

  // MARK: Text

  private static func text(from old: Judgement, to new: Judgement) -> String {
    var lines = [
      old.profile == new.profile
        ? "on \(new.profile), with other limits" : "on \(new.profile) instead of \(old.profile)"
    ]
    let ids = Set(old.verdicts.keys).union(new.verdicts.keys)
      .union(old.evaluatedRules).union(new.evaluatedRules)
    var count = 0
    for id in ids.sorted() {
      let (before, after) = (verdict(of: id, in: old), verdict(of: id, in: new))
      let isSilent = ["ok", "does not apply"]
      if before == after || (isSilent.contains(before) && isSilent.contains(after)) { continue }
      count += 1
      let slug = Catalogue.all.first { $0.id == id }.map { " \($0.slug)" } ?? ""
      lines.append("\(id)\(slug): \(before) -> \(after)")
      lines += messages(of: id, in: old, beside: new).map { "  - \($0)" }
      lines += messages(of: id, in: new, beside: old).map { "  + \($0)" }
    }
    lines.append(count == 1 ? "1 verdict changes" : "\(count) verdicts change")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func verdict(of id: String, in judgement: Judgement) -> String {
    let counts = judgement.verdicts[id] ?? VerdictCounts()
    if counts.violated > 0 {
      let level = judgement.findings.filter { $0.rule == id }.map(\.severity).max()
      return "\(level?.rawValue ?? "violated") (\(counts.violated))"
    }
    if counts.unknown > 0 { return "unknown" }
    if counts.notEvaluated { return "not evaluated" }
    return judgement.evaluatedRules.contains(id) ? "ok" : "does not apply"
  }

  /// What only one of two judgements says.
  private static func messages(
    of id: String, in judgement: Judgement, beside other: Judgement
  ) -> [String] {
    let known = Set(other.findings.filter { $0.rule == id }.map(\.message))
    return judgement.findings.filter { $0.rule == id && !known.contains($0.message) }
      .map { PrintableText.printable($0.message, scalarsMax: 1_000) }
  }
}
