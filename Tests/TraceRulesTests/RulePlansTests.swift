// What was made of the rules for one trace serves the next one as if it were made anew.

import Testing
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

@Suite struct RulePlansTests {
  private static var options: CheckOptions {
    var options = CheckOptions()
    options.minimisesWitnesses = false
    return options
  }

  /// One violating trace of every fourth rule.
  private static func traces() -> [TraceFixture] {
    stride(from: 0, to: Catalogue.all.count, by: 4).compactMap { place in
      Catalogue.all[place].examples.last.map { TraceFixture($0.document) }
    }
  }

  @Test func whatWasJudgedBeforeChangesNothing() {
    let traces = Self.traces()
    let alone = traces.map { $0.judge(Self.options) }
    #expect(alone.contains { !$0.findings.isEmpty })
    let plans = RulePlans(Self.options)
    let orders: [[Int]] = [Array(traces.indices), traces.indices.reversed()]
    for order in orders {
      for place in order {
        #expect(traces[place].judge(plans) == alone[place], "trace \(place)")
      }
    }
  }

  /// Evidence is cut down with plans of one rule, which traces share too.
  @Test func evidenceIsCutDownAsAlone() {
    let options = CheckOptions()
    let plans = RulePlans(options)
    let traces = Self.traces()
    for place in stride(from: 0, to: traces.count, by: 5) {
      let alone = traces[place].judge(options)
      for _ in 0..<2 { #expect(traces[place].judge(plans) == alone, "trace \(place)") }
    }
  }

  @Test func tracesThatAreJudgedAtOnceDoNotMeet() {
    let traces = Self.traces().map { trace in
      trace.rebuilt(eventsPerBatch: 1) { assembler, batch, index in
        assembler.copy(index, of: batch)
      }
    }
    let plans = RulePlans(Self.options)
    for start in stride(from: 0, to: traces.count, by: 3) {
      let together = Array(traces[start..<min(start + 3, traces.count)])
      var checkers = together.map { Checker(header: $0.header, plans: plans) }
      let turns = together.map(\.batches.count).max() ?? 0
      for turn in 0..<turns {
        for place in together.indices where turn < together[place].batches.count {
          var batch = together[place].batches[turn]
          checkers[place].consume(&batch)
        }
      }
      for place in together.indices {
        let judgement = checkers[place].finish(isDamaged: false)
        #expect(judgement == together[place].judge(Self.options), "trace \(start + place)")
      }
    }
  }

  /// Each rule reads anew what its examples say of a field, whatever the trace before said. Of a
  /// field that none names, such as how exact times are, some of all examples are tried.
  @Test(arguments: HeaderField.allCases)
  func aFieldThatDiffersIsReadAnew(_ field: HeaderField) {
    let all = Catalogue.all.flatMap { rule in
      rule.examples.map { (rule: rule, example: $0) }
    }
    let naming = all.filter { $0.example.timeline.contains("\(field.name)=") }
    let examples = naming.isEmpty ? all : naming
    let step = max(1, examples.count / 6)
    for place in stride(from: 0, to: examples.count, by: step) {
      var options = Self.options
      options.rules = [examples[place].rule]
      let plans = RulePlans(options)
      let original = TraceFixture(examples[place].example.document)
      let alone = original.judge(options)
      let values: [HeaderValue?] = [original.header[field], nil]
      for value in values + Self.values(of: field) {
        let words = "\(examples[place].rule.id) and \(field.name) \(String(describing: value))"
        var trace = original
        trace.header[field] = value
        #expect(trace.judge(plans) == trace.judge(options), "\(words)")
        #expect(original.judge(plans) == alone, "after \(words)")
      }
    }
  }

  /// Values that differ for some rule.
  private static func values(of field: HeaderField) -> [HeaderValue?] {
    switch field.type {
    case .integer: [.integer(1), .integer(200_000_000)]
    case .boolean: [.boolean(false), .boolean(true)]
    case .string:
      [
        .string("3.1"), .string("8.1"), .string("15.0"), .string("uptime"), .string("game"),
        .string("denied"),
      ]
    case .strings: [.strings([]), .strings(["*"]), .strings(["audio", "bgtask"])]
    }
  }

  /// A namespace that may still turn out to be covered is no namespace that is.
  @Test func openCoverageIsNoCoverage() {
    let closed = TraceFixture(
      """
      header os_version="8.1" coverage=["bgtask","proc"]
      0s proc.start into=foreground reason=user_icon
      1s bgtask.begin token=4
      2s trace.end reason=clean
      """)
    var open = closed
    open.header[.coverage] = .strings(["proc"])
    open.header.openCoverage = ["bgtask"]
    let plans = RulePlans(Self.options)
    for trace in [closed, open, closed, open] {
      #expect(trace.judge(plans) == trace.judge(Self.options))
    }
  }

  /// Tests let go of the texts of a large trace, and remember those of the next one.
  @Test func manyTextsAreForgotten() {
    func begun(_ name: String) -> TraceFixture {
      let begins = (1...1_100).map { "+1ms bgtask.begin token=\($0) name=\"\(name) \($0)\"" }
      return TraceFixture(
        """
        header os_version="8.1"
        0s proc.start into=foreground reason=user_icon
        \(begins.joined(separator: "\n"))
        +1s trace.end reason=clean
        """)
    }
    let plans = RulePlans(Self.options)
    for trace in [begun("save"), begun("upload"), begun("save")] {
      #expect(trace.judge(plans) == trace.judge(Self.options))
    }
  }
}

extension TraceFixture {
  /// Judges the trace with what was made of the rules for those before.
  fileprivate func judge(_ plans: RulePlans) -> Judgement {
    var checker = Checker(header: header, plans: plans)
    for var batch in batches { checker.consume(&batch) }
    return checker.finish(isDamaged: false)
  }
}
