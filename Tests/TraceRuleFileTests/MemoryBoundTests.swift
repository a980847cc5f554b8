// How much memory a rule may take is known before it runs.

import Testing
import TraceCatalogue
import TraceRuleFile
import TraceRules

@Suite struct MemoryBoundTests {
  private func bound(_ keys: String) throws -> MemoryBound {
    let text = "tracecheck: 1\nrules:\n  - { id: it, \(keys) }\n"
    let (rules, problems) = RuleFile.parse(text, name: "f")
    #expect(problems.map(\.text) == [])
    return MemoryBound.of(try #require(rules.first))
  }

  @Test func aRuleWithoutKeysTakesAlmostNothing() throws {
    let bound = try bound("never: gl.call, per: launch")
    #expect(bound == MemoryBound(keysMax: 0, bytes: MemoryBound.clauseBytes))
    #expect(bound.text == "no keys, 256 bytes")
  }

  @Test func openInstancesAreBounded() throws {
    let bound = try bound("after: gl.call, expect: data.save, within: 5s")
    #expect(bound.keysMax == MemoryBound.instancesMax)
    #expect(bound.bytes == 16_384 * 24 + 256)
    #expect(bound.text == "at most 16384 keys, 385 KiB")
  }

  @Test func fewerKeysTakeLess() throws {
    let bound = try bound("after: gl.call, expect: data.save, within: 5s, max_keys: 10")
    #expect(bound == MemoryBound(keysMax: 10, bytes: 10 * 24 + 256))
  }

  @Test func aRateRemembersItsTimes() throws {
    let bound = try bound("limit: { event: gl.call, max: 99, per: 1s }")
    #expect(bound == MemoryBound(keysMax: 1, bytes: 24 + 100 * 8 + 256))
    let parameter = try self.bound(
      "parameters: { rate: 99 }, limit: { event: gl.call, max: $rate, per: 1s }")
    #expect(parameter == bound)
  }

  @Test func everyBuiltInRuleHasABound() {
    for rule in Catalogue.all {
      let bound = MemoryBound.of(rule)
      #expect(bound.bytes > 0 && bound.bytes < 512 << 20, "\(rule.id): \(bound.text)")
    }
  }
}
