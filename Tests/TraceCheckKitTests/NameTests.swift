// Suggestions and patterns for names.

import Testing
import TraceConfiguration
import TraceModel

@testable import TraceCheckKit

struct NameTests {
  @Test(arguments: [
    ("LC03", "LC003"), ("lc003", "LC003"), ("jsno", "json"), ("tetx", "text"), ("jsonll", "jsonl"),
  ])
  func theNearestNameIsSuggested(wrong: String, right: String) {
    let names = ["LC003", "LC101", "json", "jsonl", "text"]
    #expect(Suggestion.nearest(to: wrong, among: names) == right)
  }

  @Test(arguments: ["sarif", "", "x", String(repeating: "LC003", count: 100)])
  func nothingIsSuggestedForStrangers(name: String) {
    #expect(Suggestion.nearest(to: name, among: ["LC003", "json", "text"]) == nil)
  }

  @Test(arguments: [
    ("bgtask.*", "bgtask.begin", true), ("bgtask.*", "url.task", false), ("*", "", true),
    ("*.begin", "bgtask.begin", true), ("bg?ask.begin", "bgtask.begin", true), ("", "a", false),
    ("*a*b*c*", "xxaxxbxxcxx", true), ("*a*b*c", "xxaxxbxxcxx", false), ("a**", "a", true),
    ("delegate.did_*", "delegate.did_enter_background", true), ("a?", "a", false),
  ])
  func globsMatchWholeNames(pattern: String, name: String, isMatch: Bool) {
    #expect(Glob(pattern).matches(name) == isMatch)
  }

  @Test func aHostileGlobTakesNoTime() {
    let name = String(repeating: "a", count: 2_000)
    #expect(!Glob(String(repeating: "*a", count: 500) + "b").matches(name))
  }

  @Test func filtersPickByTimeKindAndThread() {
    var assembler = BatchAssembler()
    for time in 0..<10 as Range<Int64> {
      let kind: EventKind = time % 2 == 0 ? .bgtaskBegin : .bgtaskEnd
      assembler.begin(kind, .instant, thread: 1 + time % 3, timeNanoseconds: 100 + time)
      assembler.endEvent()
    }
    func times(_ filter: EventFilter) -> [Int64] {
      var filter = filter
      return filter.parts(of: assembler.batch).flatMap(\.timesNanoseconds)
    }
    #expect(times(EventFilter(afterNanoseconds: 3, beforeNanoseconds: 6)) == [103, 104, 105])
    #expect(times(EventFilter(kinds: [Glob("*.begin")])) == [100, 102, 104, 106, 108])
    #expect(times(EventFilter(threads: [1])) == [100, 103, 106, 109])
    #expect(times(EventFilter(kinds: [Glob("gl.*")])) == [])
    #expect(EventFilter().passesAll)
  }
}
