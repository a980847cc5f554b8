// What users' rules say of traces: their examples, and random traces beside a second reading of the
// pattern language.

import Testing
import TraceCatalogue
import TraceLifecycle
import TraceModel
import TraceNaive
import TraceNotation
import TraceRuleFile
import TraceRules

@Suite struct VerdictTests {
  @Test(arguments: [scopes, ends]) func examplesAreJudgedAsTheySay(_ text: String) throws {
    let (rules, problems) = RuleFile.parse(text, name: "f")
    #expect(problems.map(\.text) == [])
    for rule in rules {
      #expect(!rule.examples.isEmpty)
      for (number, example) in rule.examples.enumerated() {
        let judgement = try #require(judge(example, rule))
        let reasons = judgement.findings.map(\.reason)
        let unknown = judgement.verdicts[rule.id]?.unknown ?? 0
        let comment = Comment(rawValue: "\(rule.id) example \(number + 1): \(example.remark)")
        switch example.expectation {
        case .holds: #expect(reasons == [] && unknown == 0, comment)
        case .violates(let expected): #expect(reasons == expected, comment)
        case .unknown: #expect(reasons == [] && unknown > 0, comment)
        }
      }
    }
  }

  /// What is read, printed and read again means the same.
  @Test(arguments: [scopes, ends]) func theyReadBack(_ text: String) {
    let rules = RuleFile.parse(text, name: "f").rules
    let again = RuleFile.parse(RuleFile.print(rules), name: "g")
    #expect(again.problems.filter { $0.level == .error }.map(\.text) == [])
    #expect(again.rules.map { CanonicalDump.text($0) } == rules.map { CanonicalDump.text($0) })
  }

  @Test func aSecondReadingOfTheLanguageAgrees() {
    let (rules, problems) = RuleFile.parse(Self.ofTheVocabulary, name: "f")
    #expect(problems.map(\.text) == [])
    let result = sweep(rules: rules, pairs: 160, seed: 11)
    #expect(result.failures.prefix(3) == [])
    #expect(result.tallies.values.contains { $0.violated > 0 })
  }

  private func judge(_ example: RuleExample, _ rule: Rule) -> Judgement? {
    var decoder = TimelineDecoder()
    let bytes = Array(example.document.utf8)
    decoder.feed(bytes.span)
    decoder.finish()
    var options = CheckOptions()
    options.rules = [rule]
    var checker: Checker?
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header): checker = Checker(header: header, options: options)
      case .batch:
        var source = batch
        checker?.consume(&source)
      case .problem, .remark, .stream: continue
      case .needsInput, .end: return checker?.finish(isDamaged: false)
      }
    }
  }

  /// Rules of kinds that random traces have.
  private static let ofTheVocabulary = """
    tracecheck: 1
    rules:
      - id: most-keyed
        at_most: { event: bgtask.expire, count: 1 }
        after_until: [bgtask.begin, bgtask.end]
        key: token
      - id: most-per-event
        at_most: { event: data.save, count: 2 }
        per: event
      - id: least
        at_least: { event: gl.call, count: 2 }
        after_until: [ui.touch, data.save]
      - id: least-between
        at_least: { event: gl.call, count: 1 }
        between: [ui.touch, data.save]
      - id: required
        require: { event: gl.call, before: data.dirty }
        after_until: [ui.touch, data.save]
      - id: held
        holds: { resource: [bgtask.begin, bgtask.end], at: data.save }
        key: token
      - id: held-between
        holds: { resource: [gl.context_create, data.dirty], at: data.save }
        between: [delegate.will_resign_active, delegate.did_become_active]
      - id: answered
        after: ui.touch
        expect: data.save
        within: 2s
      - id: answered-between
        after: ui.touch
        expect: data.save
        within: 2s
        between: [delegate.did_become_active, delegate.will_resign_active]
      - id: replaced-between
        paired: { open: ui.touch, close: data.save, reopen: replace }
        within: 2s
        between: [delegate.did_become_active, delegate.will_resign_active]
      - id: ordered
        order:
          start: a
          a: { ui.touch: b, data.dirty: a }
          b: { ui.touch: c, data.save: a }
          c: { data.save: c, data.dirty: b }
      - id: ordered-keyed
        order:
          key: token
          start: closed
          closed: { bgtask.begin: open }
          open: { bgtask.expire: expired, bgtask.end: closed }
          expired: { bgtask.end: closed }
      - id: long
        lasts: { span: work.span, max: 1s }
      - id: large
        never: { event: bgtask.begin, where: token >= 18446744073709551615 or token == 3 }
    """
}
