// What is told while a trace still comes: nothing that is taken back later.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

@Suite struct LiveFindingTests {
  /// Rules of the findings that are told before the end of a trace, and those of its judgement.
  private func told(_ document: String, _ rules: [String]) -> (early: [String], all: [String]) {
    let fixture = TraceFixture(document)
    var options = CheckOptions()
    options.rules = rules.flatMap { Catalogue.rules(matching: $0) }
    var checker = Checker(header: fixture.header, options: options)
    for var batch in fixture.batches { checker.consume(&batch) }
    let early = checker.takeFindings().map(\.rule)
    return (early, checker.finish(isDamaged: false).findings.map(\.rule))
  }

  private static let header = "header os_version=9.0 sdk_linked=9.0 background_modes=[]"
  /// Another launch, so that the one before is over.
  private static let next = """
    +5s     proc.start into=foreground reason=user_icon
    +1s     trace.marker text=later
    """

  @Test func aTaskThatWasNeverEndedIsToldWhenItsLaunchIsOver() {
    let life = """
      \(Self.header)
      \(Step.launch)
      +1s     bgtask.begin token=7 has_expiration_handler=true
      \(Step.toBackground)
      +180s   proc.kill cause=bgtask_expired code=562215634
      """
    let over = told(life + "\n" + Self.next, ["LC001", "LC102"])
    #expect(over.early == ["LC001"])
    #expect(over.all == ["LC001"])
  }

  @Test func whatGivesWayToAnotherFindingOfItsLaunchIsNotTold() {
    let life = """
      \(Self.header)
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.kill cause=bgtask_expired
      """
    let over = told(life + "\n" + Self.next, ["LC001", "LC102"])
    #expect(over.early == ["LC102"])
    #expect(over.all == ["LC102"])
  }

  @Test func aKillThatNothingElseExplainsIsToldOnceItsLaunchIsOver() {
    let life = """
      header os_version=17.0 sdk_linked=17.0
      +0s     trace.start reason=attach
      +1s     proc.kill cause=watchdog code=2343432205 description="scene-update watchdog"
      """
    let over = told(life + "\n" + Self.next, ["LM14"])
    #expect(over.early == ["LM14"])
    #expect(over.all == ["LM14"])
  }

  @Test func aKillThatAFindingOfItsLaunchExplainsIsNotTold() {
    let life = """
      \(Self.header)
      +0s     trace.start reason=attach
      +1s     >delegate.did_enter_background
      +7s     <delegate.did_enter_background
      +1s     proc.kill cause=watchdog description="scene-update watchdog transgression"
      """
    let over = told(life + "\n" + Self.next, ["LC003", "LM14"])
    #expect(!over.early.contains("LM14"))
    #expect(over.all == ["LC003"])
  }

  @Test func whatUIKitItselfRefusedIsToldWhileTheAppLives() {
    let life = """
      header os_version=17.0 sdk_linked=17.0
      +0s     trace.start reason=attach
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7
      +1s     bgtask.end token=7 refused=true
      +60s    trace.marker text=later
      +60s    trace.marker text=later
      """
    let live = told(life, ["LC001", "LC102"])
    #expect(live.early == ["LC001"])
    #expect(live.all == ["LC001"])
  }

  @Test func nothingIsToldOfALaunchThatMayStillShowMore() {
    let life = """
      \(Self.header)
      \(Step.launch)
      +1s     bgtask.begin token=7 has_expiration_handler=true
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      +60s    trace.marker text=later
      """
    let early = told(life, ["LC001", "LC102"]).early
    #expect(early.isEmpty)
  }
}
