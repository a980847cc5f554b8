// LC201: a shared resource of the system is held when the app is suspended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC201 {
  private static func clause(_ severity: Severity, inferred: Bool) -> Clause {
    Clause(
      severity,
      .expect(
        Expect(
          opens: [.on(.resUse, where: .isText(.op, ["acquire"]))],
          closes: [.on(.resUse, where: .isText(.op, ["release"]))],
          key: [.argument(.resource)], reopening: .nest,
          due: [.suspension(inferred: inferred)])),
      message: "a shared resource that was acquired {duration} before was held at the suspension")
  }

  static let rule = Rule(
    id: "LC201",
    slug: "suspension/shared-resource-held",
    severity: .error,
    summary: "Shared resources such as the address book are released before the suspension.",
    rationale: """
      The databases of contacts and calendars belong to all apps. A suspended app can't let go of \
      them, so the system doesn't let an app sleep that still has them.
      """,
    consequence: "The system kills the app at the moment at which it would be suspended.",
    advice: """
      Release the resource as soon as the work with it is done, at the latest in \
      applicationDidEnterBackground: or before the last background task ends.
      """,
    sources: [
      .appStates("Being a Responsible Background App"),
      .iOS4Guide("Being a Responsible, Multitasking-Aware Application"),
    ],
    needs: ["res", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [clause(.error, inferred: false), clause(.warning, inferred: true)],
    explains: ["shared-resource"],
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "The address book is still in use when the app is suspended.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "One release for two acquisitions leaves one open.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      +1s @3  res.use op=acquire resource=address_book
      +1s     res.use op=release resource=address_book
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "Two resources are two findings.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=location
      +1s     res.use op=release resource=address_book
      +1s     res.use op=acquire resource=calendar
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "The release comes a nanosecond after the tolerance of the suspension.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +50000001ns @3  res.use op=release resource=calendar
      \(Step.resumed)
      """),
    .violates(
      "A suspension that was inferred, and confirmed by a processor that stood still.",
      severities: [.warning],
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      \(Step.toBackground)
      +1s     proc.suspend inferred=true  # here
      +60s    proc.resume inferred=true
      +1ms    proc.cpu cpu_ns=0 window_ns=60001000000
      \(Step.toForeground)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Released after the background entry, under a task, and before the suspension.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      \(Step.toBackground)
      +10ms   bgtask.begin token=1
      +1s     res.use op=release resource=address_book
      +1ms    bgtask.end token=1
      +100ms  proc.suspend inferred=false
      """),
    .holds(
      "A release within the tolerance of the suspension came before it.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      +50ms   res.use op=release resource=address_book
      \(Step.resumed)
      """),
    .holds(
      "In the foreground a resource may be held for as long as the app likes.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      +600s   res.use op=release resource=calendar
      \(Step.toSuspended)
      """),
    .holds(
      "A release that doesn't say what it releases is taken to release all.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      +1s     res.use op=release
      \(Step.toSuspended)
      """),
    .unknown(
      "A complete recording ends in the background, before any suspension.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      \(Step.toBackground)
      \(Step.end)
      """),
    .unknown(
      "The app may have been suspended with it; nothing confirms what was inferred.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      \(Step.toBackground)
      +1s     proc.suspend inferred=true
      +60s    proc.resume inferred=true
      +1s     res.use op=release resource=address_book
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      \(Step.end)
      """),
    .unknown(
      "The same at the end of the recording.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=address_book
      \(Step.toBackground)
      +1s     proc.suspend inferred=true
      \(Step.end)
      """),
    .unknown(
      "The trace stops in the background, before any suspension.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      \(Step.toBackground)
      +1s     trace.marker text=last
      """),
    .unknown(
      "The release may be among the events that were lost.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      +1s     trace.lost count=3
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      """),
  ]
}
