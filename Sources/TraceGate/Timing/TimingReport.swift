// What a comparison of durations says: to people as a table, to reports as findings.

import TraceExport
import TraceModel

/// What a budget says of an app.
public struct BudgetResult: Hashable, Sendable {
  public var budget: Budget
  /// The bundle id; empty if it isn't known, or if nothing was measured at all.
  public var app: String
  /// Durations of the candidate, of all devices.
  public var count: Int
  /// What is held against the limit; nil if nothing was measured.
  public var nanoseconds: Int64?

  public var isOver: Bool { nanoseconds.map { $0 > budget.limitNanoseconds } ?? false }
}

/// The outcome of a timing gate.
public struct TimingReport: Hashable, Sendable {
  public let results: [TimingResult]
  public let budgets: [BudgetResult]

  /// - Parameters:
  ///   - samples: All durations of the call.
  ///   - comparesSides: Whether there is a reference to compare the candidate with.
  ///   - budgets: Limits for the candidate.
  public init(_ samples: [TimingSamples], comparesSides: Bool, budgets: [Budget]) {
    results = comparesSides ? TimingComparison.results(of: samples) : []
    self.budgets = budgets.flatMap { Self.results(of: $0, samples) }
  }

  private static func results(of budget: Budget, _ samples: [TimingSamples]) -> [BudgetResult] {
    let measured = samples.filter { $0.metric == budget.metric && !$0.candidate.isEmpty }
    if measured.isEmpty { return [BudgetResult(budget: budget, app: "", count: 0)] }
    return Dictionary(grouping: measured, by: \.app).sorted { $0.key < $1.key }.map { app, group in
      let all = group.flatMap(\.candidate)
      return BudgetResult(
        budget: budget, app: app, count: all.count, nanoseconds: budget.value(of: all))
    }
  }

  private var slower: [TimingResult] { results.filter { $0.decision == .slower } }
  private var over: [BudgetResult] { budgets.filter(\.isOver) }

  /// Whether something grew, or is over its budget.
  public var hasRegression: Bool { !slower.isEmpty || !over.isEmpty }

  /// What got slower, and what is over its budget.
  public var findings: [GateFinding] {
    var findings = slower.map(Self.finding(of:))
    for result in over {
      let measured = TimeText.exact(result.nanoseconds ?? 0)
      let durations = result.count == 1 ? "1 duration" : "\(result.count) durations"
      findings.append(
        GateFinding(
          .overBudget, app: result.app, subject: "\(result.budget.metric) budget",
          reason: result.budget.text,
          message: "the budget \(result.budget.text) is broken: it is \(measured) of"
            + " \(durations)"))
    }
    return findings
  }

  private static func finding(of result: TimingResult) -> GateFinding {
    let subject = "\(result.metric) on \(result.stratum)"
    let before = "\(text(result.referenceMedianNanoseconds)) of \(result.referenceCount)"
    let after = "\(text(result.candidateMedianNanoseconds)) of \(result.candidateCount)"
    let shift = text(result.shiftNanoseconds)
    return GateFinding(
      .slower, app: result.app, subject: subject, reason: result.stratum,
      message: "\(subject) grew by \(shift): the median was \(before), and is \(after)"
        + " (p \(chance(result.adjustedP)))")
  }

  // MARK: The table

  /// Lines for people. Texts of captures are made printable.
  ///
  /// - Parameter isQuiet: Only what got slower or is over its budget.
  public func table(isQuiet: Bool) -> String {
    var text = ""
    let shown = isQuiet ? slower : results
    if !shown.isEmpty {
      text += Self.aligned(
        [["duration", "app", "device", "reference", "candidate", "shift", "p", "verdict"]]
          + shown.map(Self.timingRow))
    }
    let shownBudgets = isQuiet ? over : budgets
    if !shownBudgets.isEmpty {
      if !text.isEmpty { text += "\n" }
      text += Self.aligned(
        [["budget", "app", "measured", "verdict"]] + shownBudgets.map(Self.budgetRow))
    }
    return isQuiet ? text : text + (text.isEmpty ? "" : "\n") + totals
  }

  private var totals: String {
    if results.isEmpty, budgets.isEmpty { return "no durations were measured\n" }
    func count(_ word: String) -> String {
      "\(results.count { $0.decision.word == word }) \(word)"
    }
    let words = ["slower", "faster", "unchanged", "inconclusive"].map(count)
    let limits = budgets.isEmpty ? [] : ["\(over.count) of \(budgets.count) budgets broken"]
    let parts = results.isEmpty ? limits : words + limits
    return parts.joined(separator: ", ") + "\n"
  }

  private static func timingRow(_ result: TimingResult) -> [String] {
    var verdict = result.decision.word
    if case .inconclusive(let reason) = result.decision { verdict += ": \(reason)" }
    let isTested = result.interval != nil
    let sign = result.shiftNanoseconds < 0 ? "-" : "+"
    return [
      result.metric, name(result.app), PrintableText.printable(result.stratum, scalarsMax: 80),
      median(result.referenceMedianNanoseconds, of: result.referenceCount),
      median(result.candidateMedianNanoseconds, of: result.candidateCount),
      isTested ? sign + text(result.shiftNanoseconds.magnitude) : "-",
      isTested ? chance(result.adjustedP) : "-", verdict,
    ]
  }

  private static func budgetRow(_ result: BudgetResult) -> [String] {
    let verdict = result.nanoseconds == nil ? "inconclusive" : result.isOver ? "broken" : "kept"
    return [
      result.budget.text, result.count == 0 ? "-" : name(result.app),
      result.nanoseconds.map { "\(TimeText.exact($0)) (\(result.count))" } ?? "nothing", verdict,
    ]
  }

  private static func name(_ app: String) -> String {
    app.isEmpty ? "unknown" : PrintableText.printable(app, scalarsMax: 80)
  }

  private static func median(_ nanoseconds: Double, of count: Int) -> String {
    count == 0 ? "-" : "\(text(nanoseconds)) (\(count))"
  }

  private static func text(_ nanoseconds: Double) -> String {
    TimeText.rounded(Location.whole(nanoseconds))
  }

  /// A chance to four decimals, rounded up so that it never looks smaller than it is.
  private static func chance(_ p: Double) -> String {
    if p < 0.0001 { return "<0.0001" }
    let parts = Int((min(p, 1) * 10_000).rounded(.up))
    if parts >= 10_000 { return "1.0000" }
    let digits = String(parts)
    return "0." + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// Cells under each other; the last column ends where its text ends.
  private static func aligned(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.unicodeScalars.count)
      }
    }
    var text = ""
    for row in rows {
      for (column, cell) in row.enumerated() {
        text += cell
        if column + 1 == row.count { continue }
        text += String(repeating: " ", count: widths[column] - cell.unicodeScalars.count + 2)
      }
      text += "\n"
    }
    return text
  }
}
