// How long an app may run without a reason is said by each rule for itself.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

struct GraceTests {
  private static let life = """
    timeline 1
    \(Step.header)
    \(Step.launch)
    \(Step.toBackground)
    +3s @3  trace.marker text="within five seconds"
    +20s @3 trace.marker text="long after"
    +1s     proc.suspend inferred=false

    """

  /// LC002 under another id, with a grace of its own.
  private static func own(_ nanoseconds: Int64) throws -> Rule {
    var rule = try #require(Catalogue.rules(matching: "LC002").first)
    rule.id = "own"
    rule.examples = []
    let place = try #require(rule.parameters.firstIndex { $0.name == "grace" })
    rule.parameters[place] = RuleParameter("grace", .nanoseconds, nanoseconds, .toolDefault)
    return rule
  }

  /// The times of the work that a rule reports first, beside another one.
  private func firsts(_ rules: [Rule], _ thresholds: [String: Int64] = [:]) -> [String: Int64] {
    var options = CheckOptions()
    options.rules = rules
    options.thresholds = thresholds
    let findings = TraceFixture(Self.life).judge(options).findings
    return Dictionary(findings.map { ($0.rule, $0.timeNanoseconds) }) { first, _ in first }
  }

  @Test(arguments: [false, true])
  func rulesDontShareIt(_ isOwnFirst: Bool) throws {
    let shared = Catalogue.rules(matching: "LC002")
    let own = [try Self.own(1_000_000_000)]
    let found = firsts(isOwnFirst ? own + shared : shared + own)
    #expect(found == ["own": 4_240_000_000, "LC002": 24_240_000_000])
  }

  @Test func aThresholdIsThatOfItsRule() throws {
    let rules = Catalogue.rules(matching: "LC002") + [try Self.own(5_000_000_000)]
    let found = firsts(rules, ["LC002.grace": 1_000_000_000])
    #expect(found == ["LC002": 4_240_000_000, "own": 24_240_000_000])
  }
}
