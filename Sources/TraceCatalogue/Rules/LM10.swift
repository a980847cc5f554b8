// LM10: Metal work is unfinished when the app enters the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM10 {
  private static let header = "header os_version=15.0 sdk_linked=15.0 background_modes=[]"

  static let rule = Rule(
    id: "LM10",
    slug: "graphics/metal-unfinished-at-background",
    severity: .warning,
    summary: "Metal command buffers committed before are done when the background is entered.",
    rationale: """
      What is committed in the foreground may still be queued when the callback returns, and \
      belongs to the background then. Apple asks that earlier work is at least scheduled by that \
      time.
      """,
    consequence: "The system may refuse the buffer, and its result is lost.",
    advice: """
      Stop committing when the app resigns active, and wait for the last buffer with \
      waitUntilScheduled or waitUntilCompleted before the background callback returns.
      """,
    sources: [.apple("Preparing your Metal app to run in the background")],
    needs: ["metal", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("delay", .nanoseconds, 100_000_000, .toolDefault)],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [.on(.metalCommit, where: .not(.isTrue(.gpuAssertion)))],
            closes: [.on(.metalComplete)], key: [.argument(.buffer)],
            due: [
              .after(
                [.end(.delegateDidEnterBackground)], .parameter("delay"), orSuspension: false)
            ],
            per: .background)),
        message:
          "command buffer {buffer} was not done {limit} after the app had entered the background")
    ],
    examples: [
      .violates(
        "Done a nanosecond too late.",
        """
        \(header)
        \(Step.launch)
        +1s     metal.commit buffer=1 kind=draw
        \(Step.toBackground)
        +100.000001ms  metal.complete buffer=1 status=completed  # here
        """),
      .violates(
        "Several buffers are one finding; the one committed inside the callback counts.",
        """
        \(header)
        \(Step.launch)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +10ms   metal.commit buffer=1 kind=draw gpu_assertion=false
        +1ms    metal.commit buffer=2 kind=draw gpu_assertion=false
        +10ms   <delegate.did_enter_background
        +1s @7  trace.marker text=later  # here
        """),
      .violates(
        "Another buffer's completion isn't this one's.",
        """
        \(header)
        \(Step.launch)
        +1s     metal.commit buffer=1 kind=draw
        +1ms    metal.commit buffer=2 kind=draw
        \(Step.toBackground)
        +10ms @7 metal.complete buffer=2 status=completed
        +1s @7  trace.marker text=later  # here
        """),
      .holds(
        "Done a tenth of a second after the callback.",
        """
        \(header)
        \(Step.launch)
        +1s     metal.commit buffer=1 kind=draw
        \(Step.toBackground)
        +100ms  metal.complete buffer=1 status=completed
        """),
      .holds(
        "Finished inside the callback.",
        """
        \(header)
        \(Step.launch)
        +1s     metal.commit buffer=1 kind=draw
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +10ms @7 metal.complete buffer=1 status=completed
        +10ms   <delegate.did_enter_background
        +5s     trace.marker text=later
        """),
      .holds(
        "One may be computed in the background; what is committed there is another rule's.",
        """
        \(header)
        \(Step.launch)
        +1s     metal.commit buffer=1 kind=compute gpu_assertion=true
        \(Step.toBackground)
        +1s     metal.commit buffer=2 kind=compute gpu_assertion=false
        +5s @7  metal.complete buffer=1 status=completed
        +1s @7  metal.complete buffer=2 status=completed
        """),
      .unknown(
        "The trace stops too early.",
        """
        \(header)
        \(Step.launch)
        +1s     metal.commit buffer=1 kind=draw
        \(Step.toBackground)
        +50ms   trace.marker text=last
        """),
    ])
}
