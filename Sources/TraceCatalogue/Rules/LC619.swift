// LC619: an app relaunched for a location event doesn't start location services.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC619 {
  private static let started = Fact("started", set: [.on(.locStart)])

  static let rule = Rule(
    id: "LC619",
    slug: "background-mode/location-not-restarted-after-relaunch",
    severity: .warning,
    summary: """
      An app that is launched for a location event starts location services before it is suspended \
      or ends.
      """,
    rationale: """
      The launch only says that an event waits. It is delivered to a location manager, and the one \
      of the last launch is gone with its process.
      """,
    consequence: "The event for which the system launched the app never reaches it.",
    advice: """
      Look for UIApplicationLaunchOptionsLocationKey when the app is launched, make a location \
      manager, set its delegate and start the service again, before the launch is over.
      """,
    sources: [.iOS4Guide("Receiving Location Events in the Background")],
    needs: ["proc", "loc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [started],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(.procStart, where: .isText(.reason, ["location", "region"])),
              .on(
                .delegateWillFinishLaunching, .delegateDidFinishLaunching,
                where: .matches(.optionKeys, "*UIApplicationLaunchOptionsLocationKey*"),
                while: .not(.fact("started"))),
            ],
            closes: [.on(.locStart, .locUpdate)],
            due: [
              .suspension(inferred: false), .suspension(inferred: true),
              .processEnd(
                [
                  .on(
                    .procKill,
                    where: .not(
                      .isText(.cause, ["jetsam", "user_force_quit", "thermal", "disk_space"]))),
                  .on(.procExit),
                ], orNewStart: false, while: .not(.phase([.terminating]))),
            ])),
        message: "The app was launched for a location event and started no location service")
    ],
    examples: violating + holding + undecided)

  private static let options = "option_keys=UIApplicationLaunchOptionsLocationKey"

  /// A launch into the background.
  private static func launch(_ reason: String) -> String {
    """
    +0s     proc.start into=background reason=\(reason)
    +10ms   delegate.will_finish_launching for 20ms
    +50ms   delegate.did_finish_launching for 100ms
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "Launched for a new place, the app is suspended without asking for it.",
      """
      \(launch("location"))
      +3s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "The app crashes over a region.",
      """
      \(launch("region"))
      +1s     proc.kill cause=crash signal=11  # here
      """),
    .violates(
      "The app exits at once.",
      """
      \(launch("location"))
      +1s     proc.exit code=0 by=app  # here
      """),
    .violates(
      "The reason is in the launch options only.",
      """
      +0s     proc.start into=background reason=unknown
      +10ms   delegate.did_finish_launching for 9ms \(options)
      +3s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "The first callback of the launch has the options, too.",
      """
      +0s     proc.start into=background reason=unknown
      +10ms   delegate.will_finish_launching for 9ms \(options)
      +50ms   delegate.did_finish_launching for 100ms
      +3s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "The suspension was inferred from silence, and the clocks prove it.",
      """
      \(launch("location"))
      +1s     trace.clock_sync continuous_ns=2000000000 uptime_ns=2000000000
      +1s     proc.suspend inferred=true  # here
      +60s    proc.resume inferred=true reason=user_icon
      +10ms   trace.clock_sync continuous_ns=63010000000 uptime_ns=3010000000
      \(Step.toForeground)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The service is started again and delivers the event.",
      """
      \(launch("location"))
      +1s     loc.start service=significant
      +10ms   loc.update for 1ms service=significant
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Starting it is enough; when the event comes is up to the system.",
      """
      \(launch("location"))
      +40s    loc.start service=significant
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A region's event comes as soon as a manager with a delegate is there.",
      """
      \(launch("region"))
      +1s     loc.update for 1ms service=region
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The service is started in the first callback, and the second one has the options again.",
      """
      +0s     proc.start into=background reason=location
      +10ms   >delegate.will_finish_launching \(options)
      +1ms    loc.start service=significant
      +1ms    <delegate.will_finish_launching
      +10ms   delegate.did_finish_launching for 9ms \(options)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A launch for something else needs no location.",
      """
      \(Step.backgroundLaunch)
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops before the app is suspended.",
      """
      \(launch("location"))
      +1s     trace.marker text=last
      """),
    .holds(
      "The user ends the app before it could.",
      """
      \(launch("location"))
      +1s     delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .unknown(
      "The start may lie in the gap.",
      """
      \(launch("location"))
      +1s     trace.lost count=2
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      """),
  ]
}
