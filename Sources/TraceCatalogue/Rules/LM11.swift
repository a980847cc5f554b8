// LM11: a lock on a file in a shared container is held when the app is suspended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM11 {
  private static let header = "header os_version=15.0 sdk_linked=15.0 background_modes=[]"

  static let rule = Rule(
    id: "LM11",
    slug: "suspension/locked-file",
    severity: .error,
    summary: "No lock on a file of an App Group is held when the app is suspended.",
    rationale: """
      A file or database in the container of an App Group is shared with extensions and other \
      apps. They would wait for a lock that a suspended app holds, and perhaps for ever.
      """,
    consequence: "The system kills the app instead of suspending it (0xdead10cc).",
    advice: """
      Release locks and end transactions before the last background task is ended; for a shared \
      database begin a task around each transaction.
      """,
    sources: [
      .apple("Understanding the exception types in a crash report, 0xdead10cc"),
      .reports("kills for locks in the container of an App Group"),
    ],
    needs: ["proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .error, needs: ["file"],
        .expect(
          Expect(
            opens: [
              .on(
                .fileLock,
                where: .all([.isText(.op, ["acquire"]), .isText(.container, ["app_group"])]))
            ],
            closes: [.on(.fileLock, where: .isText(.op, ["release"]))], key: [.argument(.lock)],
            due: [.suspension(inferred: false)], per: .launch)),
        message: "lock {lock} in an App Group was held when the app was suspended"),
      Clause(
        .error,
        .never(
          Never(.on(.procKill, where: .end("file-lock")), per: .launch)),
        message: "the system killed the app for a lock on a file"),
      // A log that shows the kill and no suspension.
      .kill(.error, "file-lock", message: "the system killed the app for a lock on a file"),
    ],
    explains: ["file-lock"],
    yields: [Yield(to: "LC204", same: .launch, unlessMilder: true)],
    examples: [
      .violates(
        "A log that shows nothing of the process but its end.",
        """
        header os_version=15.0 coverage=[]
        +0s     trace.start reason=attach
        +5s     proc.kill code=3735883980  # here
        """),
      .violates(
        "A transaction of a shared database is open at the suspension.",
        """
        \(header)
        \(Step.launch)
        +1s     file.lock lock=1 op=acquire kind=sqlite container=app_group
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        +60s    proc.kill cause=jetsam
        """),
      .violates(
        "The code of the kill names the lock, whatever the recorder saw of it.",
        """
        header os_version=10.0 sdk_linked=10.0
        \(Step.launch)
        \(Step.toBackground)
        +5s     proc.kill code=3735883980  # here
        """),
      .violates(
        "The system's log names the cause.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +5s     proc.kill cause=file_lock  # here
        """),
      .violates(
        "One of two locks is released; the kill that follows belongs to the same finding.",
        """
        \(header)
        \(Step.launch)
        +1s     file.lock lock=1 op=acquire kind=sqlite container=app_group
        +1s     file.lock lock=2 op=acquire kind=file container=app_group
        \(Step.toBackground)
        +1s     file.lock lock=2 op=release
        +1s     proc.suspend inferred=false  # here
        +1s     proc.kill cause=file_lock code=3735883980
        """),
      .holds(
        "Released after the callback and before the suspension.",
        """
        \(header)
        \(Step.launch)
        +1s     file.lock lock=1 op=acquire kind=sqlite container=app_group
        \(Step.toBackground)
        +1s     file.lock lock=1 op=release kind=sqlite container=app_group
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Nobody waits for a lock in the app's own container.",
        """
        \(header)
        \(Step.launch)
        +1s     file.lock lock=1 op=acquire kind=sqlite container=private
        +1s     file.lock lock=2 op=acquire kind=sqlite
        \(Step.toSuspended)
        """),
      .holds(
        "Released within the tolerance of the suspension.",
        """
        \(header)
        \(Step.launch)
        +1s     file.lock lock=1 op=acquire kind=sqlite container=app_group
        \(Step.toSuspended)
        +40ms @4 file.lock lock=1 op=release
        +60s    proc.resume inferred=false reason=user_icon
        \(Step.toForeground)
        """),
      .holds(
        "Other kills have other reasons.",
        """
        \(header)
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.kill cause=watchdog code=2343432205
        """),
      .unknown(
        "Locked, and in the background; the trace ends before the suspension.",
        """
        \(header)
        \(Step.launch)
        +1s     file.lock lock=1 op=acquire kind=sqlite container=app_group
        \(Step.toBackground)
        +1s     trace.marker text=last
        """),
    ])
}
