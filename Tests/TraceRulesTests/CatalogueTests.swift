// What every rule must state, and how the catalogue is searched.

import Testing
import TraceRules

struct CatalogueTests {
  @Test(arguments: Catalogue.all.map(\.id))
  func ruleIsComplete(_ id: String) throws {
    let rule = try #require(Catalogue.rules(matching: id).first)
    for text in [rule.summary, rule.rationale, rule.consequence, rule.advice] {
      #expect(!text.isEmpty)
      #expect(text.hasSuffix("."), "\(id): \(text)")
    }
    #expect(!rule.sources.isEmpty)
    #expect(!rule.needs.isEmpty)
    #expect(!rule.profiles.isEmpty)
    #expect(!rule.clauses.isEmpty)
    #expect(rule.slug.split(separator: "/").count == 2)
    let holds = rule.examples.count { $0.expectation == .holds }
    let violates = rule.examples.count {
      if case .violates = $0.expectation { true } else { false }
    }
    #expect(holds >= 6)
    #expect(violates >= 6)
    for clause in rule.clauses {
      if case .handWritten(_, let because) = clause.pattern { #expect(!because.isEmpty) }
    }
  }

  @Test func idsAndSlugsAreUniqueAndSorted() {
    let ids = Catalogue.all.map(\.id)
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
    #expect(Set(Catalogue.all.map(\.slug)).count == ids.count)
  }

  @Test func findsByIdSlugAndFamily() {
    #expect(Catalogue.rules(matching: "lc003").map(\.id) == ["LC003"])
    #expect(Catalogue.rules(matching: "graphics/gl-in-background").map(\.id) == ["LC004"])
    #expect(Catalogue.rules(matching: "suspension").map(\.id) == ["LC002"])
    #expect(Catalogue.rules(matching: "nonsense").isEmpty)
  }
}
