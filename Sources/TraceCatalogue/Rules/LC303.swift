// LC303: a launch method takes longer than a second.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC303 {
  static let rule = Rule(
    id: "LC303",
    slug: "launch/delegate-heavy",
    severity: .note,
    summary: "The two launch methods of the delegate are as light as they can be.",
    rationale: """
      Nothing is drawn and no touch is handled until both methods have returned. What they do \
      beyond the first screen is paid for at every launch.
      """,
    consequence: "The user waits longer, and a slow device comes close to the launch's limit.",
    advice: """
      Set up what the first screen shows, and put everything else off until after the launch or \
      until it is used.
      """,
    sources: [.appStates("What to Do at Launch Time")],
    needs: ["delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .note,
        .lasts(
          Lasts(
            .span([.on(.delegateWillFinishLaunching, .delegateDidFinishLaunching)]),
            max: .parameter("limit"),
            openMessage:
              "{callback} had not returned after at least {duration}; more than {limit} is heavy")
        ),
        message: "{callback} took {duration}; more than {limit} is heavy")
    ],
    yields: [Yield(to: "LC301", same: .launch)],
    examples: [
      .violates(
        "Caches are filled before the first screen is shown.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +2s     <delegate.did_finish_launching  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "One nanosecond too long, in the method that comes first.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.will_finish_launching
        +1.000000001s  <delegate.will_finish_launching  # here
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  delegate.did_become_active for 1ms
        """),
      .violates(
        "Each of the two methods is judged on its own.", reasons: [nil, nil],
        """
        +0s     proc.start into=background reason=fetch
        +10ms   >delegate.will_finish_launching
        +1.5s   <delegate.will_finish_launching  # here
        +10ms   >delegate.did_finish_launching
        +1.5s   <delegate.did_finish_launching  # here
        """),
      .violates(
        "The method never returns, while another thread is seen working.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +2s @4  trace.marker text="still here"  # here
        """),
      .holds(
        "A light launch.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +400ms  <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "Exactly a second in each method.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.will_finish_launching
        +1s     <delegate.will_finish_launching
        +10ms   >delegate.did_finish_launching
        +1s     <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "Other callbacks have other limits.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +110ms  >delegate.did_become_active
        +2s     <delegate.did_become_active
        """),
      .unknown(
        "The trace stops inside the method.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +500ms @4 trace.marker text=last
        """),
    ])
}
