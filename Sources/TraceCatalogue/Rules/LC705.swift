// LC705: an app with an accessory session doesn't observe that the accessory goes.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC705 {
  private static let observes = EventPattern.on(
    .noteObserve, where: .isText(.name, ["EAAccessoryDidDisconnectNotification"]))

  /// The framework keeps the session open in the background, or may: nobody says which modes the
  /// app declares.
  private static let isKept = HeaderTest.all([
    .profile(Profile.ios5Plus),
    .any([.not(.isSet(.backgroundModes)), .has(.backgroundModes, "external-accessory")]),
  ])

  private static func clause(_ severity: Severity, _ applies: HeaderTest) -> Clause {
    Clause(
      severity, applies: applies,
      .expect(
        Expect(
          opens: [
            .on(.eaSession, where: .isText(.op, ["open"]), while: .not(.fact("observing")))
          ],
          closes: [.on(.eaSession, where: .isText(.op, ["close"]))], closesAll: [observes],
          key: [.argument(.accessory)], due: [.at([.end(.delegateDidEnterBackground)])],
          per: .launch)),
      message:
        "The background was entered with an accessory session open and no observer of its end")
  }

  static let rule = Rule(
    id: "LC705",
    slug: "resource/accessory-disconnect-unobserved",
    severity: .warning,
    summary: """
      An app that opens an accessory session observes EAAccessoryDidDisconnectNotification before \
      it is in the background.
      """,
    rationale: """
      The accessory is taken from the app when it moves to the background, and the notification is \
      the only word of it. Without an observer the session stays as it was, with a stream to \
      nowhere.
      """,
    consequence: "The session isn't closed; reads and writes fail after the return.",
    advice: """
      Register for local notifications of EAAccessoryManager, observe connection and \
      disconnection, and close the session in the latter.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["ea", "note", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [Fact("observing", set: [observes])],
    clauses: [clause(.warning, .not(isKept)), clause(.note, isKept)],
    examples: [
      .violates(
        "The app leaves the foreground with a session and without an observer.",
        """
        \(Step.launch)
        +1s     ea.session op=open accessory=1
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +20ms   <delegate.did_enter_background  # here
        """),
      .violates(
        "Observing the connection alone isn't enough; two sessions are one finding.",
        """
        header os_version=4.3 sdk_linked=4.3 background_modes=[]
        \(Step.launch)
        +1s     note.observe name=EAAccessoryDidConnectNotification
        +1s     ea.session op=open accessory=1
        +1s     ea.session op=open accessory=2
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +20ms   <delegate.did_enter_background  # here
        """),
      .violates(
        "With the mode the framework keeps the session open, so it is a note.", severities: [.note],
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[external-accessory]
        \(Step.launch)
        +1s     ea.session op=open accessory=1
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +20ms   <delegate.did_enter_background  # here
        """),
      .holds(
        "The app observes before it opens the session.",
        """
        \(Step.launch)
        +1s     note.observe name=EAAccessoryDidDisconnectNotification
        +1s     ea.session op=open accessory=1
        \(Step.toBackground)
        """),
      .holds(
        "Inside the callback is early enough, also with the mode.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[external-accessory]
        \(Step.launch)
        +1s     ea.session op=open accessory=1
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +1ms    note.observe name=EAAccessoryDidDisconnectNotification
        +1ms    <delegate.did_enter_background
        +1s     ea.session op=open accessory=2
        \(Step.toForeground)
        \(Step.toBackground)
        """),
      .holds(
        "Observed while the session is open, on a system without the mode.",
        """
        header os_version=4.3 sdk_linked=4.3 background_modes=[]
        \(Step.launch)
        +1s     ea.session op=open accessory=1
        +1s     note.observe name=EAAccessoryDidDisconnectNotification
        \(Step.toBackground)
        """),
      .holds(
        "The session is closed before the background is entered.",
        """
        \(Step.launch)
        +1s     ea.session op=open accessory=1
        +1s     ea.session op=close accessory=1
        \(Step.toBackground)
        """),
      .holds(
        "The same with the mode.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[external-accessory]
        \(Step.launch)
        +1s     ea.session op=open accessory=1
        +1s     ea.session op=close accessory=1
        \(Step.toBackground)
        """),
      .unknown(
        "In mid-life the observer may be older than the recording.",
        """
        +0s     trace.start reason=attach
        +1s     ea.session op=open accessory=1
        +1s     delegate.did_enter_background for 1ms
        """),
    ])
}
