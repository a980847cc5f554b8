// LM01: a launch handler is registered after the app has finished launching.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM01 {
  static let rule = Rule(
    id: "LM01",
    slug: "bgsched/registered-late",
    severity: .error,
    summary: "Handlers of scheduled tasks are registered before the app has finished launching.",
    rationale: """
      The system may launch the app for a scheduled task alone. It looks for the handler as soon \
      as application(_:didFinishLaunchingWithOptions:) has returned, and a handler that comes \
      later would be missed.
      """,
    consequence: "BGTaskScheduler throws an exception, and the app crashes.",
    advice: """
      Register every identifier inside application(_:didFinishLaunchingWithOptions:), also those \
      that are submitted much later.
      """,
    sources: [
      .apple("BGTaskScheduler, register(forTaskWithIdentifier:using:launchHandler:)"),
      .reports("the exception of a late registration"),
    ],
    needs: ["bgsched", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      // Listed before the fact that it asks for, which the return clears. A callback of which the
      // log has one line doesn't say when it returned: an app that is active has.
      Fact(
        "launched",
        set: [
          .end(.delegateDidFinishLaunching, while: .fact("launching")),
          .on(.delegateDidBecomeActive),
        ]),
      Fact(
        "launching", set: [.on(.delegateDidFinishLaunching)],
        clear: [.end(.delegateDidFinishLaunching)]),
    ],
    clauses: [
      Clause(
        .error,
        .never(
          Never(
            .on(.bgschedRegister, while: .fact("launched")), per: .key,
            key: [.argument(.identifier)])),
        message: "the handler of {identifier} was registered after the app had finished launching")
    ],
    examples: [
      .violates(
        "Registered when the user opens a screen.",
        """
        header os_version=13.0 sdk_linked=13.0
        \(Step.launch)
        +10s    bgsched.register identifier=com.example.refresh result=true  # here
        """),
      .violates(
        "A millisecond after the callback returned, before the app is active.",
        """
        header os_version=13.0 sdk_linked=13.0
        +0s     proc.start into=foreground reason=user_icon
        +50ms   >delegate.did_finish_launching
        +50ms   <delegate.did_finish_launching
        +1ms    bgsched.register identifier=com.example.refresh  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "In a launch for the task itself.",
        """
        header os_version=13.0 sdk_linked=13.0
        \(Step.backgroundLaunch)
        +200ms  bgsched.register identifier=com.example.refresh  # here
        """),
      .violates(
        "Each identifier is told once.", reasons: [nil, nil],
        """
        header os_version=15.0 sdk_linked=15.0
        \(Step.launch)
        +1s     bgsched.register identifier=com.example.refresh  # here
        +1s     bgsched.register identifier=com.example.clean  # here
        +1s     bgsched.register identifier=com.example.clean
        """),
      .violates(
        "In a log with one line for each callback an active app has surely launched.",
        """
        header os_version=13.0 sdk_linked=13.0
        +0s     proc.start into=foreground reason=user_icon
        +50ms   delegate.did_finish_launching
        +50ms   delegate.did_become_active
        +1ms    bgsched.register identifier=com.example.refresh  # here
        """),
      .holds(
        "Registered inside the callback.",
        """
        header os_version=13.0 sdk_linked=13.0
        +0s     proc.start into=foreground reason=user_icon
        +50ms   >delegate.did_finish_launching
        +10ms   bgsched.register identifier=com.example.refresh result=true
        +50ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "Before the callback is as good.",
        """
        header os_version=13.0 sdk_linked=13.0
        +0s     proc.start into=background reason=bg_scheduler
        +10ms   >delegate.will_finish_launching
        +10ms   bgsched.register identifier=com.example.refresh
        +10ms   <delegate.will_finish_launching
        +10ms   delegate.did_finish_launching for 10ms
        """),
      .holds(
        "The next launch registers anew.",
        """
        header os_version=13.0 sdk_linked=13.0
        \(Step.launch)
        +1s     proc.kill cause=jetsam
        +60s    proc.start into=background reason=bg_scheduler
        +10ms   bgsched.register identifier=com.example.refresh
        +10ms   delegate.did_finish_launching for 10ms
        """),
      .holds(
        "One line for the callback: the registration may lie inside it.",
        """
        header os_version=13.0 sdk_linked=13.0
        +0s     proc.start into=foreground reason=user_icon
        +50ms   delegate.did_finish_launching
        +1ms    bgsched.register identifier=com.example.refresh
        +50ms   delegate.did_become_active
        """),
      .holds(
        "A log that has the line twice says no more.",
        """
        header os_version=13.0 sdk_linked=13.0
        +0s     proc.start into=foreground reason=user_icon
        +50ms   delegate.did_finish_launching
        +1ms    delegate.did_finish_launching
        +1ms    bgsched.register identifier=com.example.refresh
        +50ms   delegate.did_become_active
        """),
      .unknown(
        "In mid-life nobody knows whether the launch is over.",
        """
        header os_version=13.0 sdk_linked=13.0
        +0s     trace.start reason=attach
        +1s     bgsched.register identifier=com.example.refresh
        """),
    ])
}
