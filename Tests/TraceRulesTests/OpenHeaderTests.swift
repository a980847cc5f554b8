// Headers that say more while a trace is read.

import Testing
import TraceCatalogue
import TraceModel
import TraceRules

private let timeline = """
  header coverage=[bgtask] log_levels=[default]
  0s trace.start reason=attach
  1s bgtask.begin token=4
  2s metal.complete status=error error_domain=IOGPU error_code=6
  5s bgtask.end token=4
  6s bgtask.end token=4

  """

@Suite struct OpenHeaderTests {
  private func judged(_ change: (inout TraceHeader) -> Void) -> Judgement {
    let trace = TraceFixture(timeline)
    var header = trace.header
    header.openCoverage = ["bgtask", "proc", "metal"]
    var checker = Checker(header: header, options: CheckOptions())
    for var batch in trace.batches { checker.consume(&batch) }
    change(&header)
    checker.amend(header)
    return checker.finish(isDamaged: false)
  }

  private func judgedAtOnce(_ change: (inout TraceHeader) -> Void) -> Judgement {
    let trace = TraceFixture(timeline)
    var header = trace.header
    change(&header)
    var checker = Checker(header: header, options: CheckOptions())
    for var batch in trace.batches { checker.consume(&batch) }
    return checker.finish(isDamaged: false)
  }

  /// What becomes known at the end is judged as if it had been known from the beginning.
  @Test(arguments: [
    ["bgtask"], ["bgtask", "metal"], ["bgtask", "proc", "metal"], ["metal"], [],
  ])
  func whatIsCoveredInTheEndDecides(_ coverage: [String]) {
    for levels in [["default"], ["default", "info"]] {
      func change(_ header: inout TraceHeader) {
        header[.coverage] = .strings(coverage)
        header[.logLevels] = .strings(levels)
      }
      let late = judged(change)
      let early = judgedAtOnce(change)
      #expect(late.findings.map(\.rule) == early.findings.map(\.rule), "\(coverage) \(levels)")
      #expect(
        late.verdicts.filter { $0.value.notEvaluated }.map(\.key).sorted()
          == early.verdicts.filter { $0.value.notEvaluated }.map(\.key).sorted())
      #expect(late.verdicts["LC001"]?.unknown == early.verdicts["LC001"]?.unknown)
    }
  }

  @Test func anAppMayGetItsName() {
    let judgement = judged { $0[.appBundleID] = .string("com.example.notes") }
    #expect(judgement.header.string(.appBundleID) == "com.example.notes")
  }
}
