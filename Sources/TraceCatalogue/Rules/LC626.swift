// LC626: the microphone or the Bluetooth peripheral role is used without permission.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC626 {
  /// Permission of a kind is refused. Not known before the system said so, and remembered from
  /// launch to launch.
  private static func refused(_ name: String, _ kind: String) -> Fact {
    let refusals = ["denied", "restricted", "none"]
    return Fact(
      name,
      set: [
        .on(.privAuth, where: .all([.isText(.kind, [kind]), .isText(.status, refusals)]))
      ],
      clear: [
        .on(.privAuth, where: .all([.isText(.kind, [kind]), .not(.isText(.status, refusals))]))
      ],
      initially: nil, life: .trace)
  }

  static let rule = Rule(
    id: "LC626",
    slug: "background-mode/permission-missing",
    severity: .warning,
    summary: """
      The app records sound, or acts as a Bluetooth peripheral, only with the user's permission.
      """,
    rationale: """
      The user is asked once. After a refusal the calls still succeed, so an app that doesn't look \
      believes that it records or advertises.
      """,
    consequence: "The recording is silent, or nobody can find the peripheral.",
    advice: """
      Ask for the permission before the first use, read its state before each later one, and say \
      what is missing instead of going on.
      """,
    sources: [.backgroundExecution("Declaring Your App's Supported Background Tasks")],
    needs: ["priv"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: [
      refused("microphone refused", "microphone"),
      refused("peripheral refused", "bluetooth_peripheral"),
    ],
    clauses: [
      Clause(
        .warning, needs: ["audio"],
        .never(
          Never(
            .on(
              .audioRecord, where: .isText(.op, ["start"]), while: .fact("microphone refused")))),
        message: "{what} began without permission to use the microphone"),
      Clause(
        .warning, needs: ["bt"],
        .never(
          Never(
            .on(
              .btSession,
              where: .all([.isText(.op, ["open"]), .isText(.role, ["peripheral"])]),
              while: .fact("peripheral refused")))),
        message: "{what} was opened without permission to act as a Bluetooth peripheral"),
    ],
    clausesAreIndependent: true,
    examples: [
      .violates(
        "The user said no, and the app records.",
        """
        \(Step.launch)
        +1s     priv.auth kind=microphone status=denied
        +1s     audio.record op=start stream=1  # here
        +1s     audio.record op=stop stream=1
        """),
      .violates(
        "Nobody asked the user yet; the state was told before the process began.",
        """
        +0s     priv.auth kind=bluetooth_peripheral status=none
        \(Step.launch)
        +1s     bt.session op=open role=peripheral  # here
        """),
      .violates(
        "The last word counts, for each permission on its own.", reasons: [nil, nil],
        """
        \(Step.launch)
        +1s     priv.auth kind=microphone status=granted
        +1s     priv.auth kind=bluetooth_peripheral status=granted
        +1s     priv.auth kind=microphone status=denied
        +1s     audio.record op=start stream=1  # here
        +1s     audio.record op=stop stream=1
        +1s     bt.session op=open role=peripheral
        +1s     bt.session op=close role=peripheral
        +1s     priv.auth kind=bluetooth_peripheral status=denied
        +1s     bt.session op=open role=peripheral  # here
        +1s     audio.record op=start stream=2
        """),
      .holds(
        "The user said yes.",
        """
        \(Step.launch)
        +1s     priv.auth kind=microphone status=denied
        +1s     priv.auth kind=microphone status=granted
        +1s     audio.record op=start stream=1
        +1s     priv.auth kind=bluetooth_peripheral status=none
        +1s     priv.auth kind=bluetooth_peripheral status=granted
        +1s     bt.session op=open role=peripheral
        """),
      .holds(
        "Playing sound and looking for peripherals need no permission.",
        """
        \(Step.launch)
        +1s     priv.auth kind=microphone status=denied
        +1s     priv.auth kind=bluetooth_peripheral status=denied
        +1s     audio.play op=start stream=1
        +1s     bt.session op=open role=central
        """),
      .unknown(
        "The trace doesn't say what the user decided.",
        """
        \(Step.launch)
        +1s     priv.auth kind=location status=denied
        +1s     audio.record op=start stream=1
        """),
    ])
}
