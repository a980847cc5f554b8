// LC616: the app keeps the system waiting after its last download.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC616 {
  private static let isDownload = FieldTest.isText(.class, ["download"])
  private static let taskStarts = EventPattern.on(.urlTask, where: .isText(.op, ["start"]))
  private static let spanBegins = EventPattern.on(.workSpan, where: isDownload)

  private static let waiting = Fact(
    "waiting",
    set: [
      .on(
        .delegatePerformFetch, .delegateDidReceiveRemoteNotification,
        where: .isPresent(.completionId))
    ],
    clear: [.on(.completionCall)], key: [.argument(.completionId)])

  private static let transferring = Fact(
    "transferring", set: [taskStarts],
    clear: [.on(.urlTask, where: .isText(.op, ["finish", "error", "cancel"]))],
    key: [.argument(.task)])

  private static let downloading = Fact(
    "downloading", set: [spanBegins], clear: [.end(.workSpan, where: isDownload)], nests: true)

  /// A download was begun while a handler waited.
  private static let begun = Fact(
    "begun",
    set: [
      .on(.urlTask, where: .isText(.op, ["start"]), while: .anyFact("waiting")),
      .on(.workSpan, where: isDownload, while: .anyFact("waiting")),
    ],
    clear: [.on(.completionCall)])

  private static let isDone = Condition.all([
    .phase([.background]), .fact("begun"), .not(.anyFact("transferring")),
    .not(.anyFact("downloading")),
  ])

  static let rule = Rule(
    id: "LC616",
    slug: "background-mode/completion-late",
    severity: .note,
    summary: """
      The completion handler is called within a second of the last download of the wake-up.
      """,
    rationale: """
      From the call of the handler on the app may sleep again. The time between the last byte and \
      the handler is power that the system books to the app.
      """,
    consequence: "The app's power rating suffers, and the system wakes it more rarely.",
    advice: """
      Call the handler where the last download ends, and leave housekeeping to the next time that \
      the app is in front.
      """,
    sources: [.backgroundExecution("Fetching Small Amounts of Content Opportunistically")],
    needs: ["delegate", "completion", "url", "work"],
    profiles: Profile.ios7Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [waiting, transferring, downloading, begun],
    clauses: [
      Clause(
        .note,
        .expect(
          Expect(
            opens: [
              .on(
                .urlTask, where: .isText(.op, ["finish", "error", "cancel"]), while: isDone),
              .end(.workSpan, where: isDownload, while: isDone),
            ],
            closes: [.on(.completionCall), taskStarts, spanBegins], reopening: .replace,
            due: [.within(.parameter("limit"))], per: .background)),
        message: "The completion handler was not called within {limit} of the last download")
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The download is finished, the handler is called six seconds later.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +2s     url.task op=finish task=1 bytes=20000
      +6s     completion.call completion_id=1 result=new_data  # here
      """),
    .violates(
      "A nanosecond after a second, on a download by hand.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
      +10ms @3  >work.span id=1 class=download
      +2s @3    <work.span
      +1.000000001s  completion.call completion_id=1 result=new_data  # here
      """),
    .violates(
      "Two downloads side by side: the later end counts, even if it is a failure.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +10ms   url.task op=start task=2 type=download
      +2s     url.task op=finish task=1 bytes=20000
      +5s     url.task op=error task=2
      +3s     completion.call completion_id=1 result=new_data  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The handler follows the download at once.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +2s     url.task op=finish task=1 bytes=20000
      +200ms  completion.call completion_id=1 result=new_data
      """),
    .holds(
      "Exactly a second is in time.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +2s     url.task op=finish task=1 bytes=20000
      +1s     completion.call completion_id=1 result=new_data
      """),
    .holds(
      "As long as one download of either sort goes on, the app is busy.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +10ms   url.task op=start task=2 type=download
      +1s     url.task op=finish task=1 bytes=20000
      +5s     url.task op=finish task=2 bytes=20000
      +200ms  completion.call completion_id=1 result=new_data
      +1s     delegate.perform_fetch for 1ms completion_id=2
      +10ms   url.task op=start task=3 type=download
      +10ms @3  >work.span id=1 class=download
      +1s     url.task op=finish task=3 bytes=20000
      +5s @3  <work.span
      +200ms  completion.call completion_id=2 result=new_data
      """),
    .holds(
      "One download leads to the next; between them is no gap of a second.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=data
      +1s     url.task op=finish task=1 bytes=200
      +900ms  url.task op=start task=2 type=download
      +5s     url.task op=finish task=2 bytes=20000
      +900ms @3  >work.span id=1 class=download
      +5s @3  <work.span
      +200ms  completion.call completion_id=1 result=new_data
      """),
    .holds(
      "Downloads after the answer are judged by other rules, if at all.",
      """
      \(Step.backgroundLaunch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +1s     url.task op=finish task=1 bytes=200
      +10ms   completion.call completion_id=1 result=new_data
      +1s     url.task op=start task=2 type=download
      +1s     url.task op=finish task=2 bytes=200
      +6s     delegate.did_receive_remote_notification for 1ms completion_id=2
      +10ms @3  >work.span id=1 class=download
      +1s @3  <work.span
      +10ms   completion.call completion_id=2 result=new_data
      +1s @3  >work.span id=2 class=download
      +1s @3  <work.span
      +6s     bgtask.end token=1
      """),
    .holds(
      "Downloads in the foreground have nothing to do with a wake-up.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +1s     url.task op=finish task=1 bytes=200
      +6s     completion.call completion_id=1 result=new_data
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops half a second after the download.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10ms   url.task op=start task=1 type=download
      +2s     url.task op=finish task=1 bytes=20000
      +500ms  trace.marker text=last
      """)
  ]
}
