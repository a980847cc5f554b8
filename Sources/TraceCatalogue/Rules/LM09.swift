// LM09: Metal is used in the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM09 {
  private static let header = "header os_version=15.0 sdk_linked=15.0 background_modes=[]"

  private static let committed = EventPattern.on(
    .metalCommit, where: .isFalse(.gpuAssertion), while: .phase([.background]))

  private static let refused = EventPattern.on(
    .metalComplete,
    where: .any([
      .all([
        .isText(.errorDomain, ["MTLCommandBufferErrorDomain"]),
        .compare(.errorCode, .equal, .fixed(7)),
      ]),
      .all([
        .any([.matches(.errorDomain, "IOGPU*"), .matches(.errorDomain, "IOAF*")]),
        .compare(.errorCode, .equal, .fixed(6)),
      ]),
    ]))

  private static let escalation = Clause.Escalation(
    .error, causes: ["crash", "gpu_in_background", "unknown"], whileFact: "used")

  static let rule = Rule(
    id: "LM09",
    slug: "graphics/metal-in-background",
    severity: .warning,
    summary: "No Metal command buffer is committed in the background.",
    rationale: """
      The graphics processor belongs to the app on the screen. Unless the system has granted it \
      by an assertion, work that an app in the background hands to it is refused.
      """,
    consequence: """
      The system refuses the buffers, what they should have drawn or computed is missing, and an \
      app that doesn't expect that crashes.
      """,
    advice: """
      Stop rendering when the app resigns active, and look at the error of every command buffer; \
      put off computing until the app is back.
      """,
    sources: [
      .apple("Preparing your Metal app to run in the background"),
      .apple("MTLCommandBufferError.Code, notPermitted"),
      .reports("errors of Metal command buffers in the background"),
    ],
    needs: ["metal"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      // What happens once the app is on the screen again is no consequence.
      Fact("used", set: [committed, refused], clear: [.on(.delegateWillEnterForeground)])
    ],
    clauses: [
      Clause(
        .warning, needs: ["delegate"], .never(Never(committed, per: .background)),
        escalation: escalation,
        message: "{what} was called on {thread}, {since}, without leave to use the processor"),
      Clause(
        .warning, .never(Never(refused, per: .background)), escalation: escalation,
        message: "the system refused a command buffer as work in the background"),
    ],
    explains: ["metal-refusal"],
    examples: [
      .violates(
        "A frame is committed after the background was entered.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +1s @7  metal.commit buffer=1 kind=draw gpu_assertion=false  # here
        """),
      .violates(
        "Metal says so by the error of the buffer.",
        """
        \(header)
        \(Step.launch)
        +1s     metal.commit buffer=1 kind=draw
        \(Step.toBackground)
        +5ms @7 metal.complete error_domain=MTLCommandBufferErrorDomain error_code=7  # here
        """),
      .violates(
        "The driver says so, under its names of today and of before.", reasons: [nil, nil],
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +5ms @7 metal.complete error_domain=IOGPUCommandQueueErrorDomain error_code=6  # here
        \(Step.toForeground)
        \(Step.toBackground)
        +5ms @7 metal.complete buffer=2 error_domain=IOAF error_code=6  # here
        """),
      .violates(
        "A commit and its refusal are one finding, and a crash makes it an error.",
        severities: [.error],
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +1s @7  metal.commit buffer=1 kind=compute gpu_assertion=false  # here
        +5ms @7 metal.complete buffer=1 error_domain=MTLCommandBufferErrorDomain error_code=7
        +1s     proc.kill cause=crash
        """),
      .violates(
        "Each of the three proofs is enough for it.",
        reasons: [nil, nil, nil], severities: [.error, .error, .error],
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +1s @7  metal.commit buffer=1 kind=draw gpu_assertion=false  # here
        +1s     proc.kill cause=gpu_in_background
        +60s    trace.marker text=between
        \(Step.launch)
        \(Step.toBackground)
        +5ms @7 metal.complete error_domain=MTLCommandBufferErrorDomain error_code=7  # here
        +1s     proc.kill cause=unknown
        +60s    trace.marker text=between
        \(Step.launch)
        \(Step.toBackground)
        +5ms @7 metal.complete error_domain=IOGPUCommandQueueErrorDomain error_code=6  # here
        +1s     proc.kill cause=crash
        """),
      .violates(
        "A crash in front of the user, or a kill for memory, has another cause.",
        reasons: [nil, nil], severities: [.warning, .warning],
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +1s @7  metal.commit buffer=1 kind=draw gpu_assertion=false  # here
        \(Step.toForeground)
        +1s     proc.kill cause=crash
        +60s    trace.marker text=between
        \(Step.launch)
        \(Step.toBackground)
        +1s @7  metal.commit buffer=1 kind=draw gpu_assertion=false  # here
        +1s     proc.kill cause=jetsam
        """),
      .holds(
        "With an assertion the processor may be used, as by a continued task of iOS 26.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +1s @7  metal.commit buffer=1 kind=compute gpu_assertion=true
        +1s @7  metal.complete buffer=1 status=completed
        """),
      .holds(
        "Inactive is still the foreground.",
        """
        \(header)
        \(Step.launch)
        \(Step.resign)
        +1s     metal.commit buffer=1 kind=draw gpu_assertion=false
        +5ms @7 metal.complete buffer=1 status=completed
        \(Step.becomeActive)
        """),
      .holds(
        "Other errors have other reasons: those codes mean something else in each domain.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +5ms @7 metal.complete buffer=1 error_domain=MTLCommandBufferErrorDomain error_code=6
        +5ms @7 metal.complete buffer=2 error_domain=IOGPUCommandQueueErrorDomain error_code=7
        +5ms @7 metal.complete buffer=3 error_domain=com.example error_code=7
        """),
      .unknown(
        "In mid-life nobody knows whether the app is in the background.",
        """
        \(header)
        +0s     trace.start reason=attach
        +1s @7  metal.commit buffer=1 kind=draw gpu_assertion=false
        """),
    ])
}
