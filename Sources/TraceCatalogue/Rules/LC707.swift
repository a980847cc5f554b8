// LC707: a download that the system can't take over is under way when the app leaves.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC707 {
  private static let start = FieldTest.isText(.op, ["start"])

  private static let tasks = Expect(
    opens: [
      .on(
        .urlTask, where: .all([start, .not(.isPresent(.session))]),
        while: .not(.factOf("background session", [.argument(.session)]))),
      .on(
        .urlTask, where: .all([start, .isPresent(.session)]),
        while: .factOf("session in the app", [.argument(.session)])),
    ],
    closes: [.on(.urlTask, where: .isText(.op, ["finish", "error", "cancel"]))],
    key: [.argument(.task), .argument(.session)],
    due: [.at([.end(.delegateDidEnterBackground)])])

  private static let spans = Expect(
    opens: [
      .on(
        .workSpan,
        where: .all([.isText(.class, ["download"]), .not(.isPresent(.session))]))
    ],
    isSpan: true, due: [.at([.end(.delegateDidEnterBackground)])], per: .background)

  static let rule = Rule(
    id: "LC707",
    slug: "networking/download-not-system-managed",
    severity: .note,
    summary: """
      A download that may outlast the foreground runs in a background session, which the system \
      carries on with.
      """,
    rationale: """
      The transfers of a background session run in another process and don't end with the app. A \
      download of the app's own, or a task of a default or ephemeral session, lives in the app and \
      stands still whenever the app does.
      """,
    consequence: """
      The transfer stops when the app is suspended and is lost when the app is ended; the user \
      waits for it again.
      """,
    advice: """
      Start the download as a task of an NSURLSession with a background configuration; a \
      background task is fit only for the short rest of a transfer.
      """,
    sources: [.backgroundExecution("Downloading Content in the Background")],
    needs: ["delegate", "url"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: [
      Fact(
        "background session", set: [.on(.urlSession, where: .isText(.kind, ["background"]))],
        key: [.argument(.identifier)]),
      Fact(
        "session in the app",
        set: [.on(.urlSession, where: .isText(.kind, ["default", "ephemeral"]))],
        key: [.argument(.identifier)]),
    ],
    clauses: [
      Clause(
        .note, needs: ["work"], .expect(spans),
        message: "{what} on {thread} was still under way when the app entered the background"),
      Clause(
        .note, .expect(tasks),
        message: """
          {what} of a session inside the app was still under way when the app entered the \
          background
          """),
    ],
    yields: [Yield(to: "LC110", same: .event)],
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "A background task protects the download, but the system can't take it over.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1ms @3 >work.span id=1 class=download protects_token=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +5s @3  <work.span
      +1ms    bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A task that names no session is one of a default session.",
      """
      \(Step.launch)
      +1s     url.task op=start task=1 type=download
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     url.task op=finish task=1
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A default session ends with the app, whatever it is called.",
      """
      \(Step.launch)
      +1s     url.session identifier=feed kind=default
      +1s     url.task op=start task=1 session=feed type=download
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "An ephemeral session ends with the app as well.",
      """
      \(Step.launch)
      +1s     url.session identifier=private kind=ephemeral
      +1s     url.task op=start task=1 session=private type=download
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The system carries on with the tasks of a background session.",
      """
      \(Step.launch)
      +1s     url.session kind=background
      +1s     url.task op=start type=download
      \(Step.toSuspended)
      """),
    .holds(
      "A task names its background session; a span tells whose transfer it stands for.",
      """
      \(Step.launch)
      +1s     url.session identifier=feed kind=background
      +1s     url.task op=start task=1 session=feed type=download
      +1ms @3 >work.span id=1 class=download session=feed
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=user_icon
      +1s @3  <work.span
      """),
    .holds(
      "All transfers are over before the callback returns, well or not.",
      """
      \(Step.launch)
      +1s     url.task op=start task=1 type=download
      +1s     url.task op=start task=2 type=download
      +1s     url.task op=start task=3 type=download
      +1s @3  work.span for 1s id=1 class=download
      +2s     url.task op=finish task=1
      +1s     url.task op=error task=2
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +10ms   url.task op=cancel task=3
      +10ms   <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Two sessions number their tasks on their own; the end of one task isn't that of the other.",
      """
      \(Step.launch)
      +1s     url.session identifier=feed kind=background
      +1s     url.task op=start task=1 session=feed type=download
      +1s     url.task op=start task=1 type=data
      +1s     url.task op=finish task=1
      \(Step.toSuspended)
      """),
    .holds(
      "Other work than downloads is another rule's business.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1ms @3 >work.span id=1 class=save protects_token=1
      \(Step.toBackground)
      +1s @3  <work.span
      +1ms    bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Before iOS 7 there are no background sessions.",
      """
      header os_version=6.1 sdk_linked=6.1
      \(Step.launch)
      +1s @3  >work.span id=1 class=download
      \(Step.toBackground)
      +1s @3  <work.span
      +1s     proc.suspend inferred=false
      """),
  ]
}
