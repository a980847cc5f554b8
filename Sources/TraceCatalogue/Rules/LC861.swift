// LC861: background tasks are used without asking whether the device has multitasking.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC861 {
  static let rule = Rule(
    id: "LC861",
    slug: "config/multitasking-not-checked",
    severity: .note,
    summary: "Where multitasking may be missing, an app asks for it before it begins a task.",
    rationale: """
      Before iOS 4 neither the property multitaskingSupported nor background tasks exist; on \
      iPhone 3G and for apps of an older SDK they exist and do nothing. An app for such devices \
      must ask whether the property is there, and then what it says.
      """,
    consequence: """
      On iOS 3 the unknown selector ends the app with an exception; elsewhere the task is refused.
      """,
    advice: """
      Guard multitaskingSupported with respondsToSelector:, and begin background tasks only where \
      it is true.
      """,
    sources: [
      .appStates("Determining Whether Multitasking Is Available"),
      .iOS4Guide("Determining Whether Multitasking Support is Available"),
    ],
    needs: ["bgtask", "state"],
    profiles: [.os3, .sdk3, .nomt],
    parameters: [],
    facts: [Fact("asked", set: [.on(.stateMultitasking)])],
    clauses: [
      Clause(
        .error, applies: .profile([.os3]),
        .never(Never(.on(.stateMultitasking, where: .isFalse(.guarded)))),
        message: "{what} was read on {thread} on a system that doesn't have it"),
      Clause(
        .error, applies: .profile([.os3]), .never(Never(.on(.bgtaskBegin))),
        message: "{what} was called on {thread} on a system without background tasks"),
      Clause(
        .note, applies: .profile([.sdk3, .nomt]),
        .never(Never(.on(.bgtaskBegin, while: .not(.fact("asked"))))),
        message: "{what} was called on {thread} before the app asked for multitasking"),
    ],
    examples: [
      .violates(
        "On iOS 3 the call doesn't exist.", severities: [.error],
        """
        header os_version=3.1 sdk_linked=4.0
        \(Step.launch)
        +1s     bgtask.begin token=1  # here
        """),
      .violates(
        "On iOS 3 asking properly and beginning all the same is no better.", severities: [.error],
        """
        header os_version=3.1 sdk_linked=4.0
        \(Step.launch)
        +1s     state.multitasking guarded=true value=false
        +1s     bgtask.begin token=1  # here
        """),
      .violates(
        "On iOS 3 the property itself must not be read unguarded.", severities: [.error],
        """
        header os_version=3.1 sdk_linked=4.0
        \(Step.launch)
        +1s     state.multitasking guarded=false  # here
        """),
      .violates(
        "An iPhone 3G refuses the task of an app that didn't ask.",
        """
        header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
        \(Step.launch)
        +1s     bgtask.begin token=0 is_invalid=true  # here
        +1s     state.multitasking guarded=true value=false
        """),
      .violates(
        "What one launch asked the next doesn't know; an SDK before 4.0 has no tasks either.",
        """
        header os_version=4.2 sdk_linked=3.2
        \(Step.launch)
        +1s     state.multitasking guarded=true value=true
        +1s     proc.kill cause=jetsam
        +60s    trace.marker text=between
        \(Step.launch)
        +1s     bgtask.begin token=1  # here
        """),
      .holds(
        "The app asks, learns that it can't, and begins nothing.",
        """
        header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
        \(Step.launch)
        +1s     state.multitasking guarded=true value=false
        \(Step.end)
        """),
      .holds(
        "A guarded question on iOS 3 is the right way to ask.",
        """
        header os_version=3.1 sdk_linked=4.0
        \(Step.launch)
        +1s     state.multitasking guarded=true
        \(Step.end)
        """),
      .holds(
        "Asked first; from iOS 4 on the property needs no guard.",
        """
        header os_version=4.2 sdk_linked=3.2
        \(Step.launch)
        +1s     state.multitasking guarded=false value=true
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """),
      .holds(
        "Later systems always have multitasking.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """),
      .unknown(
        "The question may have come before the recording.",
        """
        header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
        +0s     trace.start reason=attach
        +1s     bgtask.begin token=1
        """),
    ])
}
