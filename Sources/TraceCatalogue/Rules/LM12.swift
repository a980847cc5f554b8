// LM12: a VoIP push isn't reported as a call.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM12 {
  private static let header = "header os_version=13.0 sdk_linked=13.0 background_modes=[voip]"
  private static let isCall = FieldTest.isText(.type, ["voip"])

  static let rule = Rule(
    id: "LM12",
    slug: "pushkit/call-not-reported",
    severity: .error,
    summary: "Every VoIP push is reported to CallKit before its callback returns.",
    rationale: """
      A VoIP push wakes the app at once and at any time, for calls only. From the SDK of iOS 13 \
      on the system insists that each of them leads to a call that the user sees.
      """,
    consequence: """
      The system ends the app (0xbaadca11), and after a few of them sends it no more VoIP pushes.
      """,
    advice: """
      Call reportNewIncomingCall inside the callback of the push, before anything that may fail, \
      and send other messages as ordinary notifications.
      """,
    sources: [
      .apple("PKPushRegistryDelegate, pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"),
      .reports("kills after VoIP pushes without a call, 0xbaadca11"),
    ],
    needs: ["proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .error, needs: ["pushkit", "callkit"], applies: .sdk(13, 0),
        .expect(
          Expect(
            opens: [.on(.pushkitReceive, where: isCall)], closesAll: [.on(.callkitReport)],
            key: [.thread], due: [.atSameKey([.end(.pushkitReceive, where: isCall)])],
            per: .launch)),
        message: "the callback of a VoIP push returned, and no call had been reported"),
      Clause(
        .error,
        .never(
          Never(
            .on(.procKill, where: .end("voip-call")), per: .launch)),
        message: "the system killed the app for a VoIP push without a call"),
      // A log that shows the kill and little else.
      .kill(
        .error, "voip-call",
        message: "the system killed the app for a VoIP push without a call"),
    ],
    explains: ["voip-call"],
    examples: [
      .violates(
        "A log that shows nothing of the process but its end.",
        """
        header os_version=15.0 coverage=[]
        +0s     trace.start reason=attach
        +5s     proc.kill code=3131951633  # here
        """),
      .violates(
        "The push is taken for an ordinary message.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     pushkit.receive for 5ms type=voip  # here
        """),
      .violates(
        "Reported after the callback is too late.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >pushkit.receive type=voip
        +5ms    <pushkit.receive type=voip  # here
        +1ms    callkit.report uuid=a
        """),
      .violates(
        "The call of the push before isn't that of this one.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >pushkit.receive type=voip
        +5ms    callkit.report uuid=a
        +1ms    <pushkit.receive type=voip
        +1s     pushkit.receive for 1ms type=voip  # here
        """),
      .violates(
        "The code of the kill says it all.",
        """
        header os_version=14.0 sdk_linked=14.0
        \(Step.backgroundLaunch)
        +1s     proc.kill cause=watchdog code=3131951633  # here
        """),
      .holds(
        "Reported inside the callback, on whatever thread.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >pushkit.receive type=voip
        +5ms @4 callkit.report uuid=a
        +1ms    <pushkit.receive type=voip
        """),
      .holds(
        "Pushes of other types are no calls.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     pushkit.receive for 5ms type=complication
        +1s     pushkit.receive for 5ms type=file_provider
        """),
      .holds(
        "An app linked against an older SDK is not held to it.",
        """
        header os_version=13.0 sdk_linked=12.9 background_modes=[voip]
        \(Step.backgroundLaunch)
        +1s     pushkit.receive for 5ms type=voip
        """),
      .holds(
        "Another push returns inside this one's callback; other codes have other reasons.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s @4  >pushkit.receive type=voip
        +1ms @5 pushkit.receive for 1ms type=file_provider
        +5ms @4 callkit.report uuid=a
        +1ms @4 <pushkit.receive type=voip
        +1s     proc.kill cause=jetsam
        """),
      .unknown(
        "Nobody says which SDK the app was linked against.",
        """
        header os_version=13.0 background_modes=[voip]
        \(Step.backgroundLaunch)
        +1s     pushkit.receive for 5ms type=voip
        """),
    ])
}
