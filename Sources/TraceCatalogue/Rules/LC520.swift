// LC520: callbacks of the life cycle lie in each other.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC520 {
  static let rule = Rule(
    id: "LC520",
    slug: "delegate-order/nested-lifecycle-span",
    severity: .warning,
    summary: "A callback of the life cycle returns before the next one is made.",
    rationale: """
      The main run loop takes one event after the other, so the system never calls one of the \
      seven callbacks inside another. Who sees it calls the methods of its own delegate, or spins \
      the run loop inside a callback.
      """,
    consequence: """
      Steps are taken twice or in the wrong order, and the app's idea of its state no longer \
      agrees with the system's.
      """,
    advice: """
      Move what two callbacks share into a method of its own and call that; don't run the run loop \
      inside a callback.
      """,
    sources: [.appStates("The Main Run Loop")],
    needs: ["delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .handWritten(
          .nestedCallbacks,
          because: "only the outer callback's return tells nesting from a return that was lost"),
        message: "{what} was called inside {callback}")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "One callback is called inside the other.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    >delegate.did_enter_background
        +1ms    <delegate.did_enter_background
        +1ms    <delegate.will_resign_active  # here
        """),
      .violates(
        "The launch activates the app by its own hand; the system does it again.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   >delegate.did_become_active
        +10ms   <delegate.did_become_active
        +10ms   <delegate.did_finish_launching  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "A callback that calls itself by way of another object.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     >delegate.will_enter_foreground
        +1ms    >delegate.will_enter_foreground
        +1ms    <delegate.will_enter_foreground
        +1ms    <delegate.will_enter_foreground  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "The save at the end goes through the callback for the background.",
        """
        header os_version=3.1 sdk_linked=3.1
        \(Step.launch)
        +1s     >delegate.will_terminate
        +1ms    >delegate.did_enter_background
        +1ms    <delegate.did_enter_background
        +1ms    <delegate.will_terminate  # here
        +10ms   proc.exit by=uikit_after_will_terminate
        """),
      .violates(
        "Events of another thread were lost: those of the main thread are all there.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +10ms   delegate.did_enter_background for 10ms  # here
        +1ms    trace.lost thread=4 count=3
        +5s     <delegate.will_resign_active
        """),
      .holds(
        "A notification that is delivered inside a callback is no callback of the life cycle.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    note.deliver for 1ms name=UIApplicationDidEnterBackgroundNotification
        +10ms   <delegate.did_enter_background
        """),
      .holds(
        "Work, a task and an opened URL may lie in a callback.",
        """
        +0s     proc.start into=foreground reason=open_url
        +10ms   >delegate.did_finish_launching
        +10ms   delegate.open_url for 1ms scheme=x
        +10ms   work.span for 1ms id=1 class=ui
        +10ms   bgtask.begin token=1
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        +1s     bgtask.end token=1
        """),
      .holds(
        "Callbacks follow each other without a pause.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    <delegate.will_resign_active
        +0ns    >delegate.did_enter_background
        +1ms    <delegate.did_enter_background
        """),
      .holds(
        "A callback on another thread lies in none of the main thread's.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms @3 >delegate.did_enter_background
        +1ms @3 <delegate.did_enter_background
        +1ms    <delegate.will_resign_active
        """),
      .unknown(
        "The outer return never comes: the callbacks may have followed each other.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +10ms   delegate.did_enter_background for 10ms
        +5s     delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_become_active for 1ms
        """),
    ])
}
