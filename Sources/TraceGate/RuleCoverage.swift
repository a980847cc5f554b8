// In how many traces of an app each rule was evaluated. This file must not know how that is stored.

/// How far the captures of one app let rules look.
struct RuleCoverage: Hashable, Sendable {
  /// So many of so many traces.
  struct Share: Hashable, Sendable {
    var evaluatedCount: Int
    var traceCount: Int

    /// Traces that are counted: more than any folder holds, and their products fit.
    static let countMax = 1 << 30

    /// All of them, however many these are.
    static let whole = Share(evaluatedCount: 1, traceCount: 1)

    var isWhole: Bool { evaluatedCount >= traceCount }

    /// Whether it is the smaller part, whatever the numbers of traces are.
    func isLess(than other: Share) -> Bool {
      Self.bounded(evaluatedCount) * Self.bounded(other.traceCount)
        < Self.bounded(other.evaluatedCount) * Self.bounded(traceCount)
    }

    private static func bounded(_ count: Int) -> Int { min(max(0, count), countMax) }
  }

  /// The traces that were counted.
  private(set) var traceCount = 0
  private var evaluatedCounts: [String: Int] = [:]
  /// What a file says.
  private var readShares: [String: Share] = [:]

  /// The rules that were evaluated in some trace that was counted.
  var evaluatedRules: Set<String> { Set(evaluatedCounts.keys) }

  /// Counts a trace.
  mutating func add(evaluated rules: [String]) {
    traceCount += 1
    for rule in rules { evaluatedCounts[rule, default: 0] += 1 }
  }

  /// Takes note of a share that a file says. Of two, as a merge leaves them, the smaller one
  /// counts: it was accepted by somebody.
  mutating func add(_ share: Share, of rule: String) {
    if let known = readShares[rule], !share.isLess(than: known) { return }
    readShares[rule] = share
  }

  /// In how many traces a rule was evaluated; nil if it was in none or nobody counted.
  func share(of rule: String) -> Share? {
    if let count = evaluatedCounts[rule] {
      return Share(evaluatedCount: count, traceCount: traceCount)
    }
    return readShares[rule]
  }
}
