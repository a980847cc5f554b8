// Pages about rules, and examples of rules that are judged otherwise than they say.

import Testing
import TraceCatalogue
import TraceLifecycle
import TraceModel
import TraceRules

@testable import TraceCheckKit

struct RulePageTests {
  private static let timeline = """
    +0s    proc.start into=foreground reason=user_icon
    +100ms delegate.did_become_active for 1ms
    +1s    gl.call context=1 kind=draw
    """

  /// Forbids every draw, and has one example.
  private static func rule(_ example: RuleExample? = nil, reason: String? = nil) -> Rule {
    Rule(
      id: "own", slug: "user/own", severity: .warning, summary: "No drawing.",
      rationale: "", consequence: "", advice: "", sources: [], needs: ["gl"],
      profiles: Profile.allCases, parameters: [],
      clauses: [
        Clause(reason: reason, .warning, .never(Never(.on(.glCall))), message: "it drew")
      ],
      examples: example.map { [$0] } ?? [])
  }

  private static func failure(_ example: RuleExample, reason: String? = nil) -> [String]? {
    ExampleRun(of: example, rule(example, reason: reason)).failure?.lines
  }

  @Test func examplesThatAreJudgedAsTheySayPass() {
    #expect(Self.failure(.violates("", Self.timeline)) == nil)
    #expect(Self.failure(.violates("", Self.timeline + "  # here")) == nil)
    #expect(Self.failure(.violates("", Self.timeline), reason: "draw") == nil)
    #expect(Self.failure(.violates("", reasons: ["draw"], Self.timeline), reason: "draw") == nil)
    #expect(Self.failure(.holds("", "+0s proc.start into=foreground reason=user_icon")) == nil)
  }

  @Test func failuresSayWhatWasExpectedAndFound() {
    let found = "found a violation (line 3): it drew"
    #expect(Self.failure(.holds("", Self.timeline)) == ["expected no violation", found])
    #expect(
      Self.failure(.unknown("", Self.timeline)) == ["expected that it can't be decided", found])
    #expect(
      Self.failure(.violates("", reasons: ["other"], Self.timeline), reason: "draw") == [
        "expected 1 violation (other)", "found a violation (line 3): draw: it drew",
      ])
    let marked = Self.timeline.replacing("1ms\n", with: "1ms  # here\n")
    #expect(Self.failure(.violates("", marked)) == ["expected 1 violation in line 2", found])
    #expect(
      Self.failure(.violates("", marked + "  # here"))
        == ["expected 2 violations in lines 2, 3", found])
    #expect(
      Self.failure(.violates("", severities: [.error], Self.timeline)) == [
        "expected 1 violation of severity error", "found a violation (line 3, warning): it drew",
      ])
    #expect(Self.failure(.violates("", severities: [.warning], Self.timeline)) == nil)
    let broken = Self.failure(.violates("", Self.timeline + "\n+1s gl.call ="))
    #expect(broken?.count == 3)
    #expect(broken?[1].hasPrefix("found a mistake in line 4 of the trace, column ") == true)
    let uncovered = "header os_version=8.0 coverage=[\"proc\"]\n" + Self.timeline
    #expect(
      Self.failure(.violates("", uncovered))?.last
        == "found that the header's coverage lacks what the rule needs")
  }

  @Test func textsOfStrangersAreHarmless() {
    var rule = Self.rule(.holds("a\u{1B}[2Jb", "```\n+0s x\u{202E}"))
    rule.slug = "user/`own`"
    rule.rationale = "first\nsecond  *third* <b>"
    rule.consequence = "# no heading"
    let page = RulePage(rule)
    #expect(page.text.contains("\nWhy\n  first second *third* <b>\n"))
    #expect(!page.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    #expect(!page.text.contains("\u{202E}"))
    let markdown = page.markdown()
    #expect(markdown.hasPrefix("# own user/\\`own\\`\n\n**warning**: No drawing.\n"))
    #expect(markdown.contains("\nfirst second \\*third\\* \\<b>\n"))
    #expect(markdown.contains("\n\\# no heading\n"))
    #expect(markdown.contains("\n````text\n```\n"))
  }

  @Test func textsOfStrangersBeginNoListAndGiveNoOrders() {
    var rule = Self.rule(.holds("3) it", "::error::a\n  ::error::b\n##[error]c"))
    rule.rationale = "1. one"
    rule.consequence = "- one"
    rule.summary = "::error::d"
    let page = RulePage(rule)
    let markdown = page.markdown()
    #expect(markdown.contains("\n1&#46; one\n"))
    #expect(markdown.contains("\n&#45; one\n"))
    #expect(markdown.contains("\n3&#41; it\n"))
    for text in [page.text, markdown] {
      for line in text.split(separator: "\n") {
        #expect(!line.drop { $0 == " " }.hasPrefix("::") && !line.contains("##["), "\(line)")
      }
    }
  }

  @Test func partsWithoutContentAreLeftOut() {
    let page = RulePage(Self.rule())
    #expect(page.sections.map(\.title) == ["Applies to", "Evidence"])
    #expect(page.text.hasPrefix("own  user/own  (warning)\n\nNo drawing.\n\nApplies to\n"))
  }

  @Test func aFewExamplesShowEachReasonAndWhatHolds() throws {
    for rule in Catalogue.all {
      let titles = RulePage(rule).sections.map(\.title).filter { $0.hasPrefix("Example") }
      let all = RulePage(rule, examples: .all).sections.map(\.title)
      #expect(all.count { $0.hasPrefix("Example") } == rule.examples.count)
      #expect(titles.contains { $0.hasPrefix("Example, violates") }, "\(rule.id)")
      #expect(titles.contains("Example, holds"), "\(rule.id)")
      for example in rule.examples {
        guard case .violates(let reasons) = example.expectation else { continue }
        for reason in reasons.compactMap({ $0 }) {
          #expect(titles.contains { $0.contains(reason) }, "\(rule.id): \(reason)")
        }
      }
    }
  }
}
