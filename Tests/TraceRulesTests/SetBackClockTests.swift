// Deadlines when the clock of the run time is set back: a resumption proves that the app was
// suspended before, so that what began meanwhile is due later than what begins now.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

struct SetBackClockTests {
  @Test func whatBeginsAfterASuspensionIsDueBeforeWhatBeganInIt() {
    var options = CheckOptions()
    options.rules = Catalogue.rules(matching: "LM07")
    let judgement = TraceFixture(
      """
      timeline 1
      header os_version=17.0 sdk_linked=17.0 background_modes=[] scene_manifest=true
      152s bgtask.begin token=1
      158s bgtask.begin token=3
      159s proc.resume inferred=false
      160s bgtask.begin token=2
      190.5s trace.marker text=later
      """
    ).judge(options)
    #expect(
      judgement.findings.map(\.message) == [
        "background task 1 was open for more than 30 s",
        "background task 2 was open for more than 30 s",
      ])
  }
}
