// LC801: more local notifications are scheduled than the system keeps.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC801 {
  private static let repeats = FieldTest.all([
    .isPresent(.repeatInterval), .not(.isText(.repeatInterval, ["none", "0"])),
    .not(.compare(.repeatInterval, .equal, .fixed(0))),
  ])

  private static let active = OpenAtMost(
    opens: [.on(.localnoteSchedule, where: .not(.isText(.fireWallNs, ["now"])))],
    closes: [
      .on(.localnoteCancel),
      .on(.localnoteFire, where: .isPresent(.id), while: .not(.fact("repeating"))),
      // Which one that was nobody knows: one that repeats is taken for one that doesn't.
      .on(.localnoteFire, where: .not(.isPresent(.id))),
    ],
    closesAll: [.on(.localnoteCancelAll)],
    key: [.argument(.id)], max: .parameter("limit"), per: .launch, outlivesLaunch: true)

  static let rule = Rule(
    id: "LC801",
    slug: "notification/local-limit",
    severity: .warning,
    summary: "An app has at most 128 local notifications active at any time.",
    rationale: """
      The system keeps a fixed number of scheduled local notifications for each app. They stay \
      scheduled from launch to launch, and one that repeats counts until it is cancelled.
      """,
    consequence: "Notifications beyond the limit are dropped without a word and never fire.",
    advice: """
      Schedule only those that fire next and add more at each launch; cancel those that have lost \
      their meaning, and use a repeat interval in place of a row of single ones.
      """,
    sources: [
      .appStates("Scheduling the Delivery of Local Notifications"),
      .iOS4Guide("Scheduling the Delivery of Local Notifications"),
    ],
    needs: ["localnote"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .count, 128, .documented)],
    facts: [
      Fact(
        "repeating", set: [.on(.localnoteSchedule, where: repeats)],
        clear: [.on(.localnoteSchedule, where: .all([.isPresent(.id), .not(repeats)]))],
        key: [.argument(.id)],
        life: .trace)
    ],
    clauses: [
      Clause(
        .warning, .openAtMost(active),
        message: "{what} made more than {limit} local notifications active at once")
    ],
    examples: violating + holding + undecided)

  /// Schedules so many notifications, n1 and on.
  private static func scheduled(_ count: Int, _ arguments: String = "") -> String {
    (1...count)
      .map { "+1ms    localnote.schedule id=n\($0) fire_wall_ns=1\(arguments)" }
      .joined(separator: "\n")
  }

  /// The same event so many times; nothing tells which notification it is about.
  private static func unnamed(_ count: Int, _ event: String) -> String {
    (1...count).map { _ in "+1ms    localnote.\(event)" }.joined(separator: "\n")
  }

  private static let hundredTwentyEight = scheduled(128)
  private static let repeating = scheduled(128, " repeat_interval=day")
  private static let single = scheduled(128, " repeat_interval=0")

  private static let violating: [RuleExample] = [
    .violates(
      "A local notification has no identifier of the system: each one without is one more.",
      """
      \(Step.launch)
      \(unnamed(128, "schedule fire_wall_ns=1"))
      +1ms    localnote.schedule fire_wall_ns=1  # here
      """),
    .violates(
      "One notification too many.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1ms    localnote.schedule id=last fire_wall_ns=1  # here
      \(Step.end)
      """),
    .violates(
      "What was scheduled in the launch before is still active.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1s     proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(Step.launch)
      +1s     localnote.schedule id=last fire_wall_ns=1  # here
      \(Step.end)
      """),
    .violates(
      "A notification that repeats stays active when it fires.",
      """
      \(Step.launch)
      \(repeating)
      +60s    localnote.fire id=n1 to=app
      +1s     localnote.schedule id=last fire_wall_ns=1  # here
      \(Step.end)
      """),
    .violates(
      "One without an identifier says nothing of the others: those that repeat go on.",
      """
      \(Step.launch)
      \(scheduled(127, " repeat_interval=day"))
      +1ms    localnote.schedule fire_wall_ns=1
      +60s    localnote.fire id=n1 to=app
      +1s     localnote.schedule id=last fire_wall_ns=1  # here
      \(Step.end)
      """),
    .violates(
      "An interval may be a number.",
      """
      \(Step.launch)
      \(scheduled(127))
      +1ms    localnote.schedule id=n128 fire_wall_ns=1 repeat_interval=1
      +60s    localnote.fire id=n128 to=app
      +1s     localnote.schedule id=last fire_wall_ns=1  # here
      \(Step.end)
      """),
    .violates(
      "To cancel what wasn't scheduled makes no room; further excess is the same finding.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1s     localnote.cancel id=unheard
      +1s     localnote.schedule id=last fire_wall_ns=1  # here
      +1s     localnote.schedule id=more fire_wall_ns=1
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "One is cancelled before another is scheduled: never more than 128.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1s     localnote.cancel id=n1
      +1s     localnote.schedule id=last fire_wall_ns=1
      \(Step.end)
      """),
    .holds(
      "A notification that has fired makes room for another.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +60s    localnote.fire id=n1 to=app
      +1s     localnote.schedule id=last fire_wall_ns=1
      \(Step.end)
      """),
    .holds(
      "Where identifiers are missing each one that fires makes room, though one of them repeats.",
      """
      \(Step.launch)
      \(unnamed(64, "schedule fire_wall_ns=1"))
      +1ms    localnote.schedule fire_wall_ns=1 repeat_interval=day
      \(unnamed(64, "fire to=app"))
      \(unnamed(64, "schedule fire_wall_ns=1"))
      \(Step.end)
      """),
    .holds(
      "It may also have fired while the app was not running.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1s     proc.kill cause=jetsam
      +60s    localnote.fire id=n1 to=user
      +60s    trace.marker text=between
      \(Step.launch)
      +1s     localnote.schedule id=last fire_wall_ns=1
      \(Step.end)
      """),
    .holds(
      "All are cancelled at once.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1s     localnote.cancel_all
      +1s     localnote.schedule id=last fire_wall_ns=1
      \(Step.end)
      """),
    .holds(
      "A repeat interval of zero means that the notification doesn't repeat.",
      """
      \(Step.launch)
      \(single)
      +60s    localnote.fire id=n1 to=app
      +1s     localnote.schedule id=last fire_wall_ns=1
      \(Step.end)
      """),
    .holds(
      "A notification that once repeated and was scheduled again without it is gone when it fires.",
      """
      \(Step.launch)
      \(repeating)
      +1s     localnote.schedule id=n1 fire_wall_ns=1
      +1s     localnote.schedule id=n2 fire_wall_ns=1 repeat_interval=0
      +60s    localnote.fire id=n1 to=app
      +1s     localnote.schedule id=last fire_wall_ns=1
      +60s    localnote.fire id=n2 to=app
      +1s     localnote.schedule id=more fire_wall_ns=1
      \(Step.end)
      """),
    .holds(
      "What is presented at once is never pending.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1s     localnote.schedule id=last fire_wall_ns=now
      \(Step.end)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Nobody knows how many were scheduled before the recording began.",
      """
      +0s     trace.start reason=attach
      +1s     localnote.schedule id=n1 fire_wall_ns=1
      \(Step.end)
      """),
    .unknown(
      "One of them may have been cancelled in the gap.",
      """
      \(Step.launch)
      \(hundredTwentyEight)
      +1s     trace.lost count=3
      +1s     localnote.schedule id=last fire_wall_ns=1
      \(Step.end)
      """),
  ]
}
