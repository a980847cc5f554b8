// LC003: applicationDidEnterBackground: takes longer than five seconds.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC003 {
  static let rule = Rule(
    id: "LC003",
    slug: "watchdog/did-enter-background-over-5s",
    severity: .error,
    summary: "applicationDidEnterBackground: returns within 5 seconds.",
    rationale: """
      The system grants this callback a fixed time to save state, and a watchdog counts it on the \
      clock of the wall, open background tasks or not. A task extends the time after the callback, \
      never the callback itself.
      """,
    consequence: "The watchdog kills the app (0x8badf00d) and purges it from memory.",
    advice: """
      Begin a background task, hand the long work to a queue and return; end the task when the \
      work is done.
      """,
    sources: [
      RuleSource(
        "App Programming Guide for iOS, App States and Multitasking",
        "What to Do When Moving to the Background"),
      RuleSource("Introduction to Backgrounding in iOS (Xamarin)", "Application Lifecycle Methods"),
    ],
    needs: ["delegate"],
    profiles: Profile.ios4Plus + [.nomt, .sdk3, .optout],
    parameters: [
      RuleParameter("limit", .nanoseconds, 5_000_000_000, .documented, limits: .enterBackground)
    ],
    clauses: [
      Clause(
        .error,
        .lasts(
          Lasts(
            .span([.on(.delegateDidEnterBackground)]), max: .parameter("limit", on: .watchdog),
            killCauses: ["watchdog"], killCodes: [0x8bad_f00d],
            openMessage:
              "{callback} had not returned after at least {duration}; the limit is {limit}")),
        message: "{callback} took {duration}; the limit is {limit}")
    ],
    isLoweredUnderDebugger: true,
    allowance: .documented,
    explains: [
      "watchdog-scene-update", "watchdog-resume", "watchdog-suspend", "watchdog", "watchdog-code",
    ],
    examples: [
      .violates(
        "A database is compacted inside the callback.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +5.2s   <delegate.did_enter_background  # here
        """),
      .violates(
        "One nanosecond too long.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +5.000000001s  <delegate.did_enter_background  # here
        """),
      .violates(
        "An open background task doesn't extend the callback.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 name=save has_expiration_handler=true
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +8s     <delegate.did_enter_background  # here
        +1s     bgtask.end token=1
        """),
      .violates(
        "The watchdog's kill is proof enough, even when little time passed in the trace.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +3s     proc.kill cause=watchdog  # here
        """),
      .violates(
        "The watchdog's code says the same where no cause is given.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +3s     proc.kill cause=unknown code=2343432205  # here
        """),
      .violates(
        "The callback never returns, and another thread is seen working six seconds later.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +6s @4  trace.marker text="still here"  # here
        """),
      .violates(
        "With scenes the callback of the last scene in the foreground is judged.",
        """
        header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  scene.will_connect for 1ms scene=main
        +10ms   scene.will_enter_foreground for 1ms scene=main
        +10ms   scene.did_become_active for 1ms scene=main
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms   >scene.did_enter_background scene=main
        +5.5s   <scene.did_enter_background  # here
        """),
      .violates(
        "On a device without multitasking the same limit holds.",
        """
        header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
        \(Step.launch)
        +1s     >delegate.did_enter_background
        +7s     <delegate.did_enter_background  # here
        +10ms   delegate.will_terminate for 10ms
        +50ms   proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "Exactly five seconds are allowed.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +5s     <delegate.did_enter_background
        """),
      .holds(
        "The long work runs on another thread, under a task, after the return.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +10ms   bgtask.begin token=1 name=save has_expiration_handler=true
        +10ms   work.dispatch queue=save critical=true work=1
        +200ms  <delegate.did_enter_background
        +1s @3  >work.span id=1 class=save protects_token=1
        +60s @3 <work.span
        +10ms   bgtask.end token=1
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "The time in which the app was suspended doesn't count.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1s     proc.suspend inferred=false
        +60s    proc.resume inferred=false reason=user_icon
        +1s     <delegate.did_enter_background
        """),
      .holds(
        "A callback of which the log has one line has no duration.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   delegate.did_enter_background
        +30s    trace.marker text=later
        """),
      .holds(
        "A short callback, and work for a minute after it.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +60s    trace.marker text=later
        """),
      .holds(
        "Other callbacks have other limits.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +6s     <delegate.will_resign_active
        +10ms   delegate.did_enter_background for 100ms
        """),
      .unknown(
        "The trace stops after two seconds: it proves nothing.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +2s @2  trace.marker text="last words"
        """),
      .unknown(
        "The app comes back to the foreground: the return was lost.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +30s    delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "Events of another thread were lost: the callback is still the same.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1s     trace.lost thread=4 count=3
        +5s     <delegate.did_enter_background  # here
        """),
      .unknown(
        "Events of its own thread were lost inside the callback.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1s     trace.lost thread=1 count=3
        +5s     <delegate.did_enter_background
        """),
      .unknown(
        "Events were lost inside the callback.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1s     trace.lost count=12
        +9s     <delegate.did_enter_background
        """),
      .unknown(
        "Jetsam killed the app early: no verdict on the callback.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +2s     proc.kill cause=jetsam
        """),
    ])
}
