// The snippets of the pages about rules: each belongs to a rule, and is fit to be shown.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

struct SnippetTests {
  @Test func everySnippetIsOfARule() {
    let ids = Set(Catalogue.all.map(\.id))
    var seen: Set<String> = []
    for family in Snippets.families {
      for id in family.keys {
        #expect(ids.contains(id), "\(id) is no rule")
        #expect(seen.insert(id).inserted, "\(id) has two snippets")
      }
    }
    #expect(seen.count >= 80)
  }

  /// The families whose rules are about code that everybody writes.
  @Test(arguments: ["graphics", "watchdog", "launch", "data", "ui", "privacy", "bgsched"])
  func practicalFamiliesHaveSnippets(family: String) {
    for rule in Catalogue.all where rule.family == family {
      #expect(Snippets.of(rule.id) != nil, "\(rule.id) has none")
    }
  }

  @Test func snippetsFitAPage() {
    for (id, snippet) in Snippets.families.flatMap({ $0 }) {
      #expect(!snippet.swift.isEmpty, "\(id)")
      for code in [snippet.swift, snippet.objectiveC] {
        #expect(code.isEmpty || code.last != "\n", "\(id) ends with an empty line")
        for line in code.split(separator: "\n") {
          #expect(line.count <= 96 && line.last != " ", "\(id): \(line)")
          #expect(!line.contains("\t"), "\(id): \(line)")
        }
        for (open, close) in [("{", "}"), ("(", ")"), ("[", "]")] {
          let counts = [open, close].map { mark in code.filter { String($0) == mark }.count }
          #expect(counts[0] == counts[1], "\(id): \(open) and \(close)")
        }
      }
    }
  }
}
