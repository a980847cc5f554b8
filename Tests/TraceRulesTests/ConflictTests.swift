// Where the sources disagree: one life for each side of a decision, C1 to C9.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

struct ConflictTests {
  @Test(arguments: earlier + later)
  func decision(_ life: JudgedLife) { life.check() }

  @Test func everyConflictHasTwoLives() {
    let names = (Self.earlier + Self.later).map { $0.testDescription.prefix { $0 != " " } }
    let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
    #expect(counts.count == 18)
    for number in 1...18 { #expect(counts["C\(number)", default: 0] >= 2, "C\(number)") }
  }

  private typealias Life = JudgedLife
  private static let earlier =
    locks + optOuts + terminations + forceQuits + locations + withoutSuspension
    + unseenViews + expirations

  // MARK: C1, whether the lock puts the app in the background

  private static let lockRules: Set = ["LC004", "LC406", "LC501", "LC513", "LC521"]
  private static let locked = """
    \(Step.launch)
    +1s     sys.lock cause=button
    +10ms   delegate.will_resign_active for 1ms
    """

  private static let locks = [
    Life(
      "C1 iOS 4: the lock makes the app inactive, and the unlock active", about: lockRules,
      Life.system("4.2"),
      """
      \(locked)
      +1s     state.application value=inactive
      +60s    sys.unlock
      \(Step.becomeActive)
      """, []),
    Life(
      "C1 iOS 4: no lock puts the app in the background", about: lockRules, Life.system("4.2"),
      """
      \(locked)
      +1s     delegate.did_enter_background for 1ms
      """, ["note LC513"]),
    Life(
      "C1 iOS 4: drawing behind the lock is a fault of its own", about: lockRules,
      Life.system("4.2"),
      """
      \(locked)
      +3s     gl.call context=1 kind=draw
      +1s     sys.unlock
      """, ["warning LC406"]),
    Life(
      "C1 iOS 5: the lock puts the app in the background, which may call itself inactive",
      about: lockRules, Life.system("5.1"),
      """
      \(locked)
      +1s     delegate.did_enter_background for 1ms
      +1s     state.application value=inactive
      +1s     state.application value=background
      """, []),
    Life(
      "C1 iOS 5: once unlocked it is no longer inactive", about: lockRules, Life.system("5.1"),
      """
      \(locked)
      +1s     delegate.did_enter_background for 1ms
      +1s     sys.unlock
      +1s     state.application value=inactive
      """, ["note LC521"]),
    Life(
      "C1 iOS 5: an app that stays inactive behind the lock", about: lockRules,
      Life.system("5.1"),
      """
      \(locked)
      +60s    sys.unlock
      \(Step.becomeActive)
      """, ["note LC513"]),
    Life(
      "C1 iOS 5: drawing behind the lock is drawing in the background", about: lockRules,
      Life.system("5.1"),
      """
      \(locked)
      +1s     delegate.did_enter_background for 1ms
      +3s     gl.call context=1 kind=draw
      """, ["error LC004"]),
  ]

  // MARK: C2, whether an app that opts out enters the background

  private static let optOutRules: Set = ["LC501", "LC503", "LC511"]
  private static let optOut = "exits_on_suspend=true"

  private static let optOuts = [
    Life(
      "C2 without a background", about: optOutRules, optOut,
      "\(Step.launch)\n+1s sys.home_button\n\(Step.resign)\n\(Life.ended)", []),
    Life(
      "C2 with a short background", about: optOutRules, optOut,
      "\(Step.launch)\n+1s sys.home_button\n\(Step.toBackground)\n\(Life.ended)", []),
    Life(
      "C2 with a background that nothing announces", about: optOutRules, optOut,
      """
      \(Step.launch)
      +1s     sys.home_button
      +10ms   delegate.did_enter_background for 1ms
      \(Life.ended)
      """, []),
    Life(
      "C2 never suspended", about: optOutRules, optOut,
      "\(Step.launch)\n\(Step.toSuspended)\n+60s proc.kill cause=jetsam", ["warning LC511"]),
  ]

  // MARK: C3, when applicationWillTerminate: is called

  private static let terminationRules: Set = ["LC501", "LC507", "LC514", "LC515"]

  private static func terminated(
    _ name: String, _ header: String, _ life: String, _ findings: [String] = []
  ) -> JudgedLife {
    Life("C3 \(name)", about: terminationRules, header, "\(Step.launch)\n\(life)", findings)
  }

  private static let terminations = [
    terminated("while active", "", "+1s sys.shutdown cause=user\n\(Life.ended)"),
    terminated("while inactive", "", "\(Step.resign)\n\(Life.ended)"),
    terminated(
      "while running in the background", "", "\(Life.task)\n\(Step.toBackground)\n\(Life.ended)"),
    terminated("opted out", optOut, "+1s sys.home_button\n\(Life.ended)"),
    terminated("before iOS 4", Life.system("3.1"), "+1s sys.home_button\n\(Life.ended)"),
    terminated("never while suspended", "", "\(Step.toSuspended)\n+60s proc.kill cause=jetsam"),
    terminated(
      "but told while suspended", "", "\(Step.toSuspended)\n\(Life.ended)", ["warning LC514"]),
    terminated("after a resume", "", "\(Step.toSuspended)\n\(Step.resumed)\n\(Life.ended)"),
    terminated(
      "missing while running", "",
      "\(Life.task)\n\(Step.toBackground)\n+1s proc.kill cause=jetsam", ["note LC515"]),
  ]

  // MARK: C4, whether a force quit sends events

  private static let quit = "+1s sys.force_quit\n+10ms proc.kill cause=user_force_quit"
  private static let quitTold =
    "+1s sys.force_quit\n+10ms delegate.will_terminate for 10ms\n"
    + "+20ms proc.exit code=0 by=uikit_after_will_terminate"

  private static func quits(
    _ system: String, _ name: String, _ life: String, _ findings: [String] = []
  ) -> JudgedLife {
    Life(
      "C4 iOS \(system): \(name)", about: terminationRules, Life.system(system),
      "\(Step.launch)\n\(life)", findings)
  }

  private static let forceQuits =
    ["4.3", "5.1", "7.1", "8.1", "14.2"].flatMap { system in
      [
        quits(system, "nothing comes to a suspended app", "\(Step.toSuspended)\n\(quit)"),
        quits(
          system, "a suspended app that is told", "\(Step.toSuspended)\n\(quitTold)",
          ["warning LC514"]),
        quits(
          system, "a running app that isn't told", "\(Life.task)\n\(Step.toBackground)\n\(quit)",
          ["4.3", "5.1"].contains(system) ? [] : ["note LC515"]),
        quits(
          system, "a running app that is told", "\(Life.task)\n\(Step.toBackground)\n\(quitTold)"),
      ]
    }

  // MARK: C5, whether the location mode prevents suspension

  private static let locating =
    "\(Step.launch)\n+1s loc.start service=standard\n\(Step.toBackground)"

  private static let locations =
    [("4.3", ["note LC623"]), ("6.1", ["note LC623"]), ("7.1", []), ("8.1", [])].flatMap {
      system, findings in
      [
        Life(
          "C5 iOS \(system): suspended while locating", about: ["LC002", "LC623"],
          Life.system(system, "background_modes=[location]"),
          "\(locating)\n+1s proc.suspend inferred=false\n+60s proc.kill cause=jetsam", findings),
        Life(
          "C5 iOS \(system): running on while locating", about: ["LC002", "LC623"],
          Life.system(system, "background_modes=[location]"),
          """
          \(locating)
          +60s    loc.update for 10ms service=standard
          +1s @3  net.io socket=1 bytes=100
          +1s     loc.stop service=standard
          +1s     proc.suspend inferred=false
          """, []),
      ]
    }

  // MARK: C6 and C7, what the Home button does without multitasking

  private static let leavingRules: Set = ["LC501", "LC503", "LC519"]
  private static let device = Life.system("4.2", "multitasking_supported=false")
  private static let oldApp = "os_version=4.0 sdk_linked=3.2"

  private static func left(
    _ name: String, _ header: String, _ life: String, _ findings: [String] = []
  ) -> JudgedLife {
    Life(
      name, about: leavingRules, header, "\(Step.launch)\n+1s sys.home_button\n\(life)", findings)
  }

  private static let enter = "+10ms delegate.did_enter_background for 20ms"
  private static let exit = "+1s proc.exit code=0 by=uikit_after_will_terminate"

  private static let withoutSuspension =
    [("C6", device), ("C7", oldApp)].flatMap { name, header in
      [
        left("\(name) the background, then the end", header, "\(enter)\n\(Life.ended)"),
        left("\(name) resigning first", header, "\(Step.toBackground)\n\(Life.ended)"),
        left(
          "\(name) an end that isn't told", header, "\(enter)\n\(exit)", ["warning LC501"]),
        left(
          "\(name) no end", header, "\(enter)\n+60s trace.marker text=alive", ["warning LC519"]),
        left(
          "\(name) suspended", header, "\(enter)\n+1s proc.suspend inferred=false",
          ["warning LC519"]),
      ]
    }

  // MARK: C8, views in the background; C9, the expiration handler

  private static let unseenViews = [
    Life(
      "C8 inside applicationDidEnterBackground:", about: ["LC821"], "",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    ui.update what=view
      +1ms    <delegate.did_enter_background
      """, []),
    Life(
      "C8 for the snapshot", about: ["LC821"], "",
      "\(Step.launch)\n\(Step.toBackground)\n+1s ui.update what=view for_snapshot=true", []),
    Life(
      "C8 otherwise", about: ["LC821"], "",
      "\(Step.launch)\n\(Step.toBackground)\n+1s ui.update what=view for_snapshot=false",
      ["warning LC821"]),
  ]

  private static let expirations = [
    Life(
      "C9 without a handler", about: ["LC101"], "",
      "\(Step.launch)\n+1s bgtask.begin token=1 has_expiration_handler=false\n"
        + "+1s bgtask.end token=1", ["warning LC101"]),
    Life(
      "C9 with a handler", about: ["LC101"], "",
      "\(Step.launch)\n\(Life.task)\n+1s bgtask.end token=1", []),
  ]
}
