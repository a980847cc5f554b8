// Finding a text in bytes, whatever both hold.

import Testing

@testable import TraceImport

@Suite struct LiteralSearchTests {
  @Test(arguments: [
    ("", "abc", 0), ("a", "", nil), ("a", "ba", 1), ("abab", "abaabab", 3), ("aab", "aaaaab", 3),
    ("abcabd", "abcabcabd", 3), ("aaaa", "aaa", nil), ("aba", "abba", nil),
  ])
  func places(_ literal: String, _ text: String, _ place: Int?) {
    #expect(
      LiteralSearch(Array(literal.utf8)).first(in: Array(text.utf8).span, from: 0) == place)
  }

  @Test func everyPlaceIsThatOfTheSimpleSearch() {
    // All texts of two letters up to a length: every way in which a beginning can come again.
    let texts = (0...8).flatMap { length in
      (0..<1 << length).map { bits in (0..<length).map { UInt8(97 + bits >> $0 & 1) } }
    }
    for literal in texts where literal.count <= 5 && !literal.isEmpty {
      let search = LiteralSearch(literal)
      for text in texts where text.count == 8 {
        #expect(search.first(in: text.span, from: 1) == text.span.find(literal, from: 1))
      }
    }
  }
}
