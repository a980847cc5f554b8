// What every rule must state, and how the catalogue is searched.

import Testing
import TraceCatalogue
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
    let asksHeaderOnly = rule.clauses.allSatisfy {
      if case .header = $0.pattern { true } else { false }
    }
    #expect(!rule.needs.isEmpty || asksHeaderOnly)
    #expect(!rule.profiles.isEmpty)
    #expect(!rule.clauses.isEmpty)
    #expect(rule.slug.split(separator: "/").count == 2)
    let holds = rule.examples.count { $0.expectation == .holds }
    let violates = rule.examples.count {
      if case .violates = $0.expectation { true } else { false }
    }
    let wanted = rule.severity == .error ? 4 : 2
    #expect(holds >= wanted, "\(id) has \(holds) examples that hold")
    #expect(violates >= wanted, "\(id) has \(violates) examples that violate")
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
    #expect(Catalogue.rules(matching: "ui").map(\.id) == ["LC821", "LC822"])
    #expect(Catalogue.rules(matching: "nonsense").isEmpty)
  }
}
