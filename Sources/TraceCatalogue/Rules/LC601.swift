// LC601: a service of a background mode is used that the app doesn't declare.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC601 {
  private static let hasNoTask: Condition = .not(.anyFact("task open"))
  private static let isAlone: Condition = .all([.phase([.background]), hasNoTask])
  private static let isWoken: Condition = .any([.fact("long in the background"), isInWake])
  private static let isInWake: Condition = .hasReason([.wake])

  private static let facts: [Fact] = [
    .taskOpen, .playing, .recording, .locating,
    Fact(
      "in the background", set: [.end(.delegateDidEnterBackground)],
      clear: [.on(.delegateWillEnterForeground)]),
    Fact(
      "long in the background", set: [.end(.delegateDidEnterBackground)],
      after: .parameter("after_entry", on: .continuous)),
    Fact("resumed", set: [.on(.procResume)], clear: [.on(.delegateWillEnterForeground)]),
    Fact(
      "coarse location",
      set: [.on(.locStart, where: .isText(.service, ["significant", "region"]))]),
  ]

  private static func undeclared(
    _ mode: String, needs: [String], _ pattern: Pattern, message: MessageTemplate
  ) -> Clause {
    Clause(
      .warning, needs: needs, applies: .not(.has(.backgroundModes, mode)), pattern,
      message: message)
  }

  /// Used in the background: the event itself is the violation.
  private static func use(
    _ mode: String, needs: [String], _ kind: EventKind, where test: FieldTest? = nil,
    while condition: Condition
  ) -> Clause {
    undeclared(
      mode, needs: needs,
      .never(
        Never(
          EventPattern(.kinds([kind]), where: test, while: .all([isAlone, condition])),
          per: .background)),
      message: MessageTemplate("{what} in the background, {since}, without the mode \(mode)"))
  }

  /// In force when the background is entered, or when the app is suspended.
  private static func inForce(
    _ mode: String, needs: [String], opens: EventPattern, closes: EventPattern,
    key: [KeyField] = []
  ) -> Clause {
    undeclared(
      mode, needs: needs,
      .expect(
        Expect(
          opens: [opens], closes: [closes], key: key,
          due: [
            .at([.end(.delegateDidEnterBackground, while: hasNoTask)]),
            .suspension(inferred: false),
          ])),
      message: MessageTemplate("{what} was in force in the background without the mode \(mode)"))
  }

  private static let clauses: [Clause] = [
    undeclared(
      "audio", needs: ["audio"],
      .lasts(
        Lasts(
          .condition(
            .all([
              .fact("in the background"), hasNoTask,
              .any([.anyFact("playing"), .anyFact("recording")]),
            ])),
          max: .parameter("after_entry"), per: .background)),
      message: "audio was still active after {limit} in the background, without the mode audio"),
    use(
      "location", needs: ["loc"], .locUpdate,
      where: .not(.isText(.service, ["significant", "region"])),
      while: .all([
        .fact("long in the background"), .fact("locating"), .not(.fact("coarse location")),
      ])),
    inForce(
      "voip", needs: ["voip"],
      opens: .on(.voipKeepaliveSet, where: .not(.isFalse(.accepted))),
      closes: .on(.voipKeepaliveClear)),
    inForce(
      "voip", needs: ["voip", "net"], opens: .on(.voipTag),
      closes: .on(.netConnect, where: .isText(.op, ["close"])), key: [.argument(.socket)]),
    use("external-accessory", needs: ["ea", "wake"], .eaData, while: isInWake),
    use(
      "bluetooth-central", needs: ["bt"], .btData, where: .isText(.role, ["central"]),
      while: isWoken),
    use(
      "bluetooth-peripheral", needs: ["bt"], .btData, where: .isText(.role, ["peripheral"]),
      while: isWoken),
    undeclared(
      "fetch", needs: [],
      .never(Never(.on(.delegatePerformFetch, while: isAlone), per: .background)),
      message: "{what} in the background, {since}, without the mode fetch"),
    inForce(
      "fetch", needs: ["fetch"],
      opens: .on(.fetchInterval, where: .not(isNever)),
      closes: .on(.fetchInterval, where: isNever)),
    use(
      "remote-notification", needs: [], .delegateDidReceiveRemoteNotification,
      while: .any([isInWake, .fact("resumed"), .wasLaunchedIntoBackground])),
    undeclared(
      "newsstand-content", needs: ["news"],
      .never(
        Never(
          .on(.newsDownload, where: .isText(.op, ["start"]), while: isAlone), per: .background)),
      message: "{what} in the background, {since}, without the mode newsstand-content"),
  ]

  /// “Never” is a word, or the largest number that the system has for it.
  private static let isNever: FieldTest = .any([
    .isText(.seconds, ["never"]), .compare(.seconds, .greater, .fixed(1_000_000_000)),
  ])

  static let rule = Rule(
    id: "LC601",
    slug: "background-mode/undeclared",
    severity: .warning,
    summary: """
      A service that goes on in the background is used with its mode in UIBackgroundModes only.
      """,
    rationale: """
      The system lets an app play, locate, talk to accessories or fetch in the background if it \
      has said so beforehand. Without the mode it runs for a few seconds, on its tasks at most.
      """,
    consequence: "Sound stops, the app is suspended with the others, and nothing wakes it.",
    advice: """
      Declare the mode under Background Modes if the service is to go on in the background; \
      otherwise stop the service in applicationDidEnterBackground:.
      """,
    sources: [
      .appStates("Declaring Your App's Supported Background Tasks"),
      .backgroundExecution("Declaring Your App's Supported Background Tasks"),
      .iOS4Guide("Declaring the Background Tasks You Support"),
    ],
    needs: ["delegate", "bgtask"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("after_entry", .nanoseconds, 5_000_000_000, .toolDefault)],
    facts: facts,
    clauses: clauses,
    clausesAreIndependent: true,
    examples: UndeclaredModeExamples.all)
}
