// LC204: a lock of a file or a database is held when the app is suspended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC204 {
  private static let isShared = FieldTest.isText(.container, ["app_group"])
  private static let modern = HeaderTest.profile([.ios13, .scene])

  private static func clause(
    _ severity: Severity, applies: HeaderTest?, _ container: FieldTest, _ message: MessageTemplate
  ) -> Clause {
    Clause(
      severity, applies: applies,
      .expect(
        Expect(
          opens: [.on(.fileLock, where: .all([.isText(.op, ["acquire"]), container]))],
          closes: [.on(.fileLock, where: .isText(.op, ["release"]))],
          key: [.argument(.lock)],
          due: [.suspension(inferred: false), .suspension(inferred: true)])),
      message: message)
  }

  static let rule = Rule(
    id: "LC204",
    slug: "suspension/file-lock-held",
    severity: .error,
    summary: "No lock of a file or a database is held when the app is suspended.",
    rationale: """
      A suspended app can't release a lock. Whoever waits for it, such as an extension that shares \
      the file, waits until the app runs again, and a transaction that is open stays half done.
      """,
    consequence: """
      For a file that other processes share the system kills the app (0xdead10cc). A private \
      database can be left damaged if the suspended app is purged.
      """,
    advice: """
      Keep transactions short, run them under a background task, and commit or roll back before \
      the task ends.
      """,
    sources: [
      .cocoanetics("readers' comments"),
      .apple("Understanding the exception types in a crash report"),
    ],
    needs: ["file", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      clause(
        .error, applies: nil, isShared,
        "a lock in a shared container was held when the app was suspended"),
      clause(
        .warning, applies: .not(modern), .not(isShared),
        "a lock was held when the app was suspended"),
      clause(
        .note, applies: modern, .not(isShared),
        "a lock in the app's own container was held when the app was suspended"),
    ],
    explains: ["file-lock"],
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "A transaction is open in a database that an extension shares.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 kind=sqlite container=app_group
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "A suspension that was inferred, and confirmed by a processor that stood still.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      +1s     proc.suspend inferred=true  # here
      +60s    proc.resume inferred=true
      +1ms    proc.cpu cpu_ns=0 window_ns=60001000000
      \(Step.toForeground)
      """),
    .violates(
      "The release comes a nanosecond after the tolerance of the suspension.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +50000001ns @3  file.lock op=release lock=1
      \(Step.resumed)
      """),
    .violates(
      "On iOS 8 a private database is at risk as well; no container means a private one.",
      reasons: [nil, nil], severities: [.warning, .warning],
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 kind=sqlite container=private
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1s     file.lock op=release lock=1
      +1s     file.lock op=acquire lock=2 kind=file
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "From iOS 13 on a private lock is worth a note.", severities: [.note],
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[]
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=private
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "In an app with scenes, too.", severities: [.note],
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +1s     file.lock op=acquire lock=1
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   scene.did_enter_background for 20ms scene=main
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Released in the background, before the suspension.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      +1s     file.lock op=release lock=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A private lock is released as well, on iOS 8 …",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 kind=sqlite
      \(Step.toBackground)
      +1s     file.lock op=release lock=1 kind=sqlite
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "… and from iOS 13 on.",
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[]
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=private
      \(Step.toBackground)
      +1s     file.lock op=release lock=1 container=private
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Released within the tolerance of the suspension.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      +50ms @3  file.lock op=release lock=1
      \(Step.resumed)
      """),
    .holds(
      "A lock that is taken twice is one lock.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      +1ms    file.lock op=acquire lock=1 container=app_group
      +1s     file.lock op=release lock=1
      \(Step.toSuspended)
      """),
    .holds(
      "In the foreground a lock may last.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      +60s    file.lock op=release lock=1
      \(Step.end)
      """),
    .unknown(
      "A complete recording ends in the background, before any suspension.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      \(Step.end)
      """),
    .unknown(
      "The app may have been suspended with it; nothing confirms what was inferred.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      +1s     proc.suspend inferred=true
      +60s    proc.resume inferred=true
      +1s     file.lock op=release lock=1
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      \(Step.end)
      """),
    .unknown(
      "The same at the end of the recording.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      +1s     proc.suspend inferred=true
      \(Step.end)
      """),
    .unknown(
      "The trace stops in the background, before any suspension.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      \(Step.toBackground)
      +1s     trace.marker text=last
      """),
    .unknown(
      "The release may be among the events that were lost.",
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 container=app_group
      +1s     trace.lost count=3
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      """),
  ]
}
