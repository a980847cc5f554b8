// What the documentation of users' rules shows can be read, and means what is said there.

import Foundation
import Testing
import TraceRuleFile
import TraceRules

@Suite struct DocumentationTests {
  private func examples() throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: folder.appending(path: "Sources/TraceRuleFile/TraceRuleFile.docc/UserRules.md"),
      encoding: .utf8)
    return page.components(separatedBy: "```yaml\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0] + "\n"
    }
  }

  @Test func everyExampleIsRead() throws {
    let examples = try examples()
    #expect(examples.count >= 6)
    for text in examples {
      let (rules, problems) = RuleFile.parse(text, name: "doc.yaml")
      #expect(!rules.isEmpty)
      let unexpected = problems.filter { $0.code != .unusedParameter }
      #expect(unexpected.map(\.text) == [])
      // What is read can be printed and read again.
      let again = RuleFile.parse(RuleFile.print(rules), name: "again.yaml")
      #expect(again.problems.filter { $0.level == .error }.map(\.text) == [])
      #expect(
        again.rules.map { CanonicalDump.text($0) } == rules.map { CanonicalDump.text($0) })
    }
  }

  @Test func theExampleOfTheDesignIsRead() {
    let text = """
      tracecheck: 1
      rules:
        - id: config-before-request
          require: { event: net.config, before: net.request }
          key: session
          between: [session.open, session.close]
          severity: warning
          message: "request on session {key} before its configuration"
        - id: no-location-in-background
          never: loc.update
          while: phase == background
          unless: { declared: background_modes, has: location }
          severity: error
      """
    let (rules, problems) = RuleFile.parse(text, name: "rules.yaml")
    #expect(rules.count == 2)
    // `net` has kinds of the vocabulary; the two of the app's own could be declared.
    #expect(problems.map(\.level) == [.warning, .warning])
    #expect(problems.allSatisfy { $0.code == .unknownEvent })
  }

  @Test func aPrintedRuleReadsWell() throws {
    let text = """
      tracecheck: 1
      rules:
        - id: slow-save
          slug: user/slow-save
          severity: warning
          summary: Saving is quick.
          tags: [io]
          needs: [data]
          profiles: [ios7, ios8]
          parameters: { limit: 2s }
          clauses:
            - severity: warning
              lasts: { span: data.save, max: $limit, per: event }
              message: "{what} took {duration}"
          examples:
            - holds: Nothing is saved.
              trace: |-
                +0s  proc.start into=foreground
                +1s  trace.end reason=clean

      """
    let (rules, problems) = RuleFile.parse(text, name: "rules.yaml")
    #expect(problems.map(\.text) == [])
    #expect(RuleFile.print(rules) == text)
    let bare = RuleFile.print(rules, withExamples: false)
    #expect(!bare.contains("examples") && text.hasPrefix(bare))
  }
}
