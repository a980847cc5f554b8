// LM13: a VoIP app is woken too often.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM13 {
  private static let header = "header os_version=15.0 sdk_linked=15.0 background_modes=[voip]"
  private static let isCall = FieldTest.isText(.reason, ["voip_socket", "pushkit"])

  private static func clause(_ kind: EventKind, needs: [String] = []) -> Clause {
    Clause(
      .warning, needs: needs,
      .limit(
        Limit(
          .on(kind, where: isCall), max: .parameter("wakes"), window: .parameter("window"))),
      message: "the app was woken for calls more often than is allowed within {limit}")
  }

  private static let wake = "wake.window for 1ms reason=pushkit"
  /// A resume that ends in a suspension a second later.
  private static let resume = "proc.resume reason=pushkit\n+1s  proc.suspend inferred=false"
  /// The same with the wake-up that goes with it.
  private static let resumeAndWake =
    "proc.resume reason=pushkit\n+1ms \(wake)\n+1s  proc.suspend inferred=false"

  /// So many times the same events.
  private static func repeated(_ count: Int, every time: String, _ events: String) -> String {
    Array(repeating: "+\(time) \(events)", count: count).joined(separator: "\n")
  }

  static let rule = Rule(
    id: "LM13",
    slug: "voip/resumed-too-often",
    severity: .warning,
    summary: "A VoIP app isn't woken more than about fifteen times in five minutes.",
    rationale: """
      Each wake-up for a call costs the battery, and the system limits how often an app may be \
      resumed for them. Servers that use calls to transport other messages meet the limit.
      """,
    consequence: "The system ends the app (0xbad22222).",
    advice: """
      Wake the app for calls only, let the server combine what belongs together, and send the \
      rest as ordinary notifications.
      """,
    sources: [.reports("kills of VoIP apps that were resumed too frequently, 0xbad22222")],
    needs: ["proc"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter("wakes", .count, 15, .toolDefault),
      RuleParameter("window", .nanoseconds, 300_000_000_000, .toolDefault),
    ],
    clauses: [
      clause(.wakeWindow, needs: ["wake"]), clause(.procResume),
      Clause(
        .warning,
        .never(
          Never(
            .on(.procKill, where: .end("voip-wakes")), per: .launch)),
        message: "the system killed the app because it was resumed for calls too often"),
      // A log that shows the kill and little else.
      .kill(
        .warning, "voip-wakes",
        message: "the system killed the app because it was resumed for calls too often"),
    ],
    explains: ["voip-wakes"],
    examples: [
      .violates(
        "A log that shows nothing of the process but its end.",
        """
        header os_version=15.0 coverage=[]
        +0s     trace.start reason=attach
        +5s     proc.kill code=3134333474  # here
        """),
      .violates(
        "Sixteen wake-ups in exactly five minutes.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        \(repeated(15, every: "20s", wake))
        +20s    wake.window for 1ms reason=voip_socket  # here
        """),
      .violates(
        "Counted by the resumes of the process, as not every recorder sees wake-ups.",
        """
        \(header)
        \(Step.launch)
        \(Step.toSuspended)
        \(repeated(15, every: "9s", resume))
        +9s     proc.resume reason=voip_socket  # here
        """),
      .violates(
        "The code of the kill says it all.",
        """
        header os_version=12.0 sdk_linked=12.0
        \(Step.launch)
        \(Step.toSuspended)
        +1s     proc.kill cause=watchdog code=3134333474  # here
        """),
      .holds(
        "Sixteen wake-ups in five minutes and a nanosecond.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        \(repeated(15, every: "20s", wake))
        +20.000000001s  \(wake)
        """),
      .holds(
        "Fifteen wake-ups, each with its resume, are fifteen and not thirty.",
        """
        \(header)
        \(Step.launch)
        \(Step.toSuspended)
        \(repeated(15, every: "5s", resumeAndWake))
        """),
      .holds(
        "Other reasons to be woken have other limits.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        \(repeated(20, every: "5s", "wake.window for 1ms reason=location"))
        +1s     proc.kill cause=jetsam
        """),
    ])
}
