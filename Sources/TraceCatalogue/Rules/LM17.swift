// LM17: more local notifications are pending than the system keeps today.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM17 {
  /// So many notifications with identifiers from a number on.
  private static func scheduled(
    _ numbers: ClosedRange<Int>, _ arguments: String = "fire_wall_ns=1600000000000000000"
  ) -> String {
    let lines = numbers.map { "+1s     localnote.schedule id=n\($0) \(arguments)" }
    return lines.joined(separator: "\n")
  }

  /// The same event so many times; nothing tells which notification it is about.
  private static func unnamed(_ count: Int, _ event: String) -> String {
    (1...count).map { _ in "+1s     localnote.\(event)" }.joined(separator: "\n")
  }

  private static let repeats = FieldTest.all([
    .isPresent(.repeatInterval), .not(.isText(.repeatInterval, ["none"])),
  ])

  static let rule = Rule(
    id: "LM17",
    slug: "notification/local-limit-64",
    severity: .note,
    summary: "No more than 64 local notifications are pending.",
    rationale: """
      The older guide speaks of 128 notifications; later documentation says that the system keeps \
      the 64 that fire soonest. An app that plans further ahead relies on notifications that are \
      gone.
      """,
    consequence: "The notifications that fire last are dropped without a word.",
    advice: """
      Schedule the next few dozen, and more whenever the app runs; let one that repeats stand for \
      many.
      """,
    sources: [.reports("Apple's later guide to local notifications, which keeps 64")],
    needs: ["localnote"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("pending", .count, 64, .toolDefault)],
    facts: [
      Fact(
        "repeats", set: [.on(.localnoteSchedule, where: repeats)],
        clear: [.on(.localnoteSchedule, where: .all([.isPresent(.id), .not(repeats)]))],
        key: [.argument(.id)],
        life: .trace)
    ],
    clauses: [
      Clause(
        .note,
        .openAtMost(
          OpenAtMost(
            opens: [.on(.localnoteSchedule, where: .not(.isText(.fireWallNs, ["now"])))],
            closes: [
              .on(.localnoteCancel),
              .on(.localnoteFire, where: .isPresent(.id), while: .not(.fact("repeats"))),
              // Which one that was nobody knows: one that repeats is taken for one that doesn't.
              .on(.localnoteFire, where: .not(.isPresent(.id))),
            ],
            closesAll: [.on(.localnoteCancelAll)], key: [.argument(.id)],
            max: .parameter("pending"), per: .launch, outlivesLaunch: true)),
        message: "{total} local notifications were pending; the system keeps {limit}")
    ],
    examples: [
      .violates(
        "A local notification has no identifier of the system: each one without is one more.",
        """
        \(Step.launch)
        \(unnamed(64, "schedule fire_wall_ns=1600000000000000000"))
        +1ms    localnote.schedule fire_wall_ns=1600000000000000000  # here
        """),
      .violates(
        "One more than 64.",
        """
        \(Step.launch)
        \(scheduled(1...64))
        \(scheduled(65...65))  # here
        """),
      .violates(
        "One that repeats is pending after it fired, too.",
        """
        \(Step.launch)
        \(scheduled(1...64, "repeat_interval=day"))
        +1s     localnote.fire id=n1 to=user
        \(scheduled(65...65))  # here
        """),
      .violates(
        "One without an identifier says nothing of the others: those that repeat go on.",
        """
        \(Step.launch)
        \(scheduled(1...63, "repeat_interval=day"))
        +1s     localnote.schedule fire_wall_ns=1600000000000000000
        +1s     localnote.fire id=n1 to=user
        \(scheduled(65...65))  # here
        """),
      .holds(
        "Where identifiers are missing each one that fires makes room, though one of them repeats.",
        """
        \(Step.launch)
        \(unnamed(32, "schedule fire_wall_ns=1600000000000000000"))
        +1s     localnote.schedule repeat_interval=day
        \(unnamed(32, "fire to=user"))
        \(unnamed(32, "schedule fire_wall_ns=1600000000000000000"))
        """),
      .violates(
        "Notifications outlive the app's process.",
        """
        \(Step.launch)
        \(scheduled(1...64))
        +1s     proc.kill cause=jetsam
        +60s    trace.marker text=between
        \(Step.launch)
        \(scheduled(65...65))  # here
        """),
      .holds(
        "Exactly 64, and the same one scheduled twice.",
        """
        \(Step.launch)
        \(scheduled(1...64))
        \(scheduled(64...64))
        """),
      .holds(
        "One is cancelled and one fires before two more are scheduled.",
        """
        \(Step.launch)
        \(scheduled(1...64, "repeat_interval=none"))
        +1s     localnote.cancel id=n1
        +1s     localnote.fire id=n2 to=user
        \(scheduled(65...66))
        """),
      .holds(
        "All are cancelled, and all are scheduled anew.",
        """
        \(Step.launch)
        \(scheduled(1...64))
        +1s     localnote.cancel_all
        \(scheduled(101...164))
        """),
      .holds(
        "One that repeated once, but was scheduled again without, is gone when it fires.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 repeat_interval=day
        \(scheduled(1...64))
        +1s     localnote.fire id=n1 to=user
        \(scheduled(65...65))
        """),
      .holds(
        "What is presented at once is never pending.",
        """
        \(Step.launch)
        \(scheduled(1...65, "fire_wall_ns=now"))
        """),
    ])
}
