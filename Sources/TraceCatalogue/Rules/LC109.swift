// LC109: a background task is refused, and long work goes on as if it had been granted.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC109 {
  static let rule = Rule(
    id: "LC109",
    slug: "background-task/refused-not-handled",
    severity: .warning,
    summary: "After a refused background task no long work relies on time in the background.",
    rationale: """
      A request for a background task can be refused: the answer is UIBackgroundTaskInvalid. The \
      app then has only the few seconds of grace after the background entry, and nothing tells \
      when they are over.
      """,
    consequence: """
      The work is frozen when the app is suspended, and lost if the app is then purged from \
      memory.
      """,
    advice: """
      Compare the token with UIBackgroundTaskInvalid; if it is, don't start the work, or do a \
      piece of it that is short and can be taken up again.
      """,
    sources: [
      .iOS4Guide("Completing a Long-Running Task in the Background"),
      .appStates("Executing a Finite-Length Task in the Background"),
    ],
    needs: ["bgtask", "work", "delegate"],
    profiles: Profile.ios4Plus + [.nomt],
    parameters: [],
    facts: [
      Fact(
        "refused",
        set: [
          .on(
            .bgtaskBegin, where: .all([.isTrue(.isInvalid), .not(.isText(.by, ["uikit"]))]))
        ],
        clearAll: [.on(.delegateWillEnterForeground, .procResume)], key: [.thread])
    ],
    clauses: [
      Clause(
        .warning, needs: ["audio", "loc", "voip", "ea", "bt", "completion", "wake", "bgsched"],
        .expect(
          Expect(
            opens: [
              .on(
                .workSpan,
                while: .all([
                  .factOf("refused", [.thread]), .header(.declares(.backgroundModes)),
                ]))
            ],
            closesAll: [.on(.delegateWillEnterForeground, .procResume)], isSpan: true,
            due: [.graceEnd], per: .background)),
        message: "{what} went on in the background although its background task had been refused"
      )
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The request is refused, and the download runs for eight seconds in the background.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1ms @3 bgtask.begin token=0 is_invalid=true
      +1ms @3 >work.span id=1 class=download
      +8s @3  <work.span  # here
      """),
    .violates(
      "One nanosecond past the grace.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +0s @3  >work.span id=1 class=save
      +4.000000001s @3  <work.span  # here
      """),
    .violates(
      "Begun in the foreground, the work goes on in the stay in the background that follows.",
      """
      \(Step.launch)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @3 >work.span id=1 class=upload
      \(Step.toBackground)
      +6s @3  <work.span  # here
      """),
    .violates(
      "On a device without multitasking every request is refused.",
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false background_modes=[]
      \(Step.launch)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @3 >work.span id=1 class=upload
      +1s     delegate.did_enter_background for 20ms
      +6s @3  <work.span  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The work is done before the app leaves the foreground.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=0 is_invalid=true
      +1ms    >work.span id=1 class=download
      +8s     <work.span
      \(Step.toBackground)
      +6s     proc.suspend inferred=false
      """),
    .holds(
      "Exactly to the end of the grace.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +0s @3  >work.span id=1 class=save
      +4s @3  <work.span
      +2s     proc.suspend inferred=false
      """),
    .holds(
      "A second request was granted, and the work runs under it.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @3 bgtask.begin token=4
      +1ms @3 >work.span id=1 class=download
      +20s @3 <work.span
      +1ms @3 bgtask.end token=4
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The work of another thread had nothing to do with the request.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @4 >work.span id=1 class=download
      +8s @4  <work.span
      """),
    .holds(
      "What UIKit asks for itself is not the app's.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     bgtask.begin token=0 is_invalid=true by=uikit
      +1ms    >work.span id=1 class=download
      +8s     <work.span
      """),
    .holds(
      "A refusal is forgotten when the app comes back; later work is judged by other rules.",
      """
      \(Step.launch)
      +1s @3  bgtask.begin token=0 is_invalid=true
      \(Step.toBackground)
      \(Step.toForeground)
      +1s @3  >work.span id=1 class=download
      \(Step.toBackground)
      +8s @3  <work.span
      """),
    .holds(
      "Work that came through the next stay in the background isn't judged in the one after it.",
      """
      \(Step.launch)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @3 >work.span id=1 class=download
      \(Step.toBackground)
      \(Step.toForeground)
      \(Step.toBackground)
      +8s @3  <work.span
      """),
    .holds(
      "A suspension ends the stay in the background that the refusal belongs to.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @3 >work.span id=1 class=download
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +1s @3  >work.span id=2 class=download
      +7s @3  <work.span
      +1s @3  <work.span
      """),
    .holds(
      "Audio in service keeps the app running without a task.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @3 >work.span id=1 class=download
      +8s @3  <work.span
      +1s     audio.play op=stop stream=1
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The header doesn't say which background modes the app declares.",
      """
      header os_version=8.0 sdk_linked=8.0
      \(Step.launch)
      \(Step.toBackground)
      +1s @3  bgtask.begin token=0 is_invalid=true
      +1ms @3 >work.span id=1 class=download
      +8s @3  <work.span
      """)
  ]
}
