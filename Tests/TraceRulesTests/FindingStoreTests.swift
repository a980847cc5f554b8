// What a finding remembers of the violations that it counts.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

struct FindingStoreTests {
  private func draft(_ timeNanoseconds: Int64) -> Draft {
    Draft(
      clause: 0, message: "", subject: "", timeNanoseconds: timeNanoseconds, thread: 1,
      lastTimeNanoseconds: timeNanoseconds, witness: [])
  }

  @Test func aFindingRemembersSoManyViolationsAndNoMore() {
    var store = FindingStore(ruleCount: 1)
    let place = store.add(
      FindingStore.Entry(ruleIndex: 0, draft: draft(0), launch: 1, launchStartNanoseconds: nil))
    for number in 1...FindingStore.furtherMax {
      #expect(store.remembersMore(place))
      store.join(place, draft(Int64(number)))
    }
    #expect(!store.remembersMore(place))
    store.join(place, draft(1_000))
    #expect(store.entries[place].further.count == FindingStore.furtherMax)
    #expect(store.entries[place].draft.count == FindingStore.furtherMax + 2)
    #expect(store.entries[place].draft.lastTimeNanoseconds == 1_000)
  }

  @Test func violationsThatAreNotRememberedAreCounted() {
    let count = FindingStore.furtherMax + 50
    let touches = Array(repeating: "+1ms    ui.touch", count: count).joined(separator: "\n")
    var options = CheckOptions()
    options.rules = ["LC501", "LC509"].flatMap { Catalogue.rules(matching: $0) }
    let life = """
      \(Step.header)
      \(Step.launch)
      \(Step.resign)
      +1s     trace.marker text=waits
      \(touches)
      """
    let findings = TraceFixture(life).judge(options).findings
    #expect(findings.map(\.rule) == ["LC509"])
    #expect(findings.first?.count == count)
  }
}
