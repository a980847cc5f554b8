// LC621: Bluetooth or accessory data comes in the background without an open session.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC621 {
  private static let bluetooth = Fact(
    "bluetooth session", set: [.on(.btSession, where: .isText(.op, ["open"]))],
    clear: [.on(.btSession, where: .isText(.op, ["close"]))], key: [.argument(.role)],
    nests: true)

  private static let accessory = Fact(
    "accessory session", set: [.on(.eaSession, where: .isText(.op, ["open"]))],
    clear: [.on(.eaSession, where: .isText(.op, ["close"]))], key: [.argument(.accessory)])

  static let rule = Rule(
    id: "LC621",
    slug: "background-mode/bluetooth-without-session",
    severity: .warning,
    summary: """
      Data of a Bluetooth device or an accessory comes in the background only while a session with \
      it is open.
      """,
    rationale: """
      Background use of accessories is meant to be switched on and off by the user: a session is \
      opened for it and closed after it. Data without a session is data nobody can stop.
      """,
    consequence: """
      The app is woken, and the battery used, for data the user can't control; review may reject \
      the app.
      """,
    advice: """
      Open a session when the user asks for the device, keep it as long as the data is wanted, and \
      disconnect when it is closed.
      """,
    sources: [.appStates("Communicating with a Bluetooth Accessory")],
    needs: ["delegate"],
    profiles: Profile.ios5Plus,
    parameters: [],
    facts: [bluetooth, accessory],
    clauses: [
      Clause(
        .warning, needs: ["bt"],
        .never(
          Never(
            .on(
              .btData,
              where: .all([
                .isPresent(.role), .not(.isText(.kind, ["connect", "disconnect"])),
              ]),
              while: .all([.phase([.background]), .not(.fact("bluetooth session"))])),
            per: .key, key: [.argument(.role)])),
        message: "{what} came in the role {role} without an open session, {since}"),
      Clause(
        .warning, needs: ["ea"],
        .never(
          Never(
            .on(
              .eaData, where: .isPresent(.accessory),
              while: .all([.phase([.background]), .not(.fact("accessory session"))])),
            per: .key, key: [.argument(.accessory)])),
        message: "{what} came from accessory {accessory} without an open session, {since}"),
      // What doesn't say whose data it is may be that of any open session.
      Clause(
        .warning, needs: ["bt"],
        .never(
          Never(
            .on(
              .btData,
              where: .all([
                .not(.isPresent(.role)), .not(.isText(.kind, ["connect", "disconnect"])),
              ]),
              while: .all([.phase([.background]), .not(.anyFact("bluetooth session"))])),
            per: .launch)),
        message: "{what} came while no session of any role was open, {since}"),
      Clause(
        .warning, needs: ["ea"],
        .never(
          Never(
            .on(
              .eaData, where: .not(.isPresent(.accessory)),
              while: .all([.phase([.background]), .not(.anyFact("accessory session"))])),
            per: .launch)),
        message: "{what} came while no session with any accessory was open, {since}"),
    ],
    clausesAreIndependent: true,
    examples: violating + holding + undecided)

  private static let header =
    "header os_version=8.0 sdk_linked=8.0 background_modes=[bluetooth-central,external-accessory]"

  private static let violating: [RuleExample] = [
    .violates(
      "Data of an accessory that it doesn't name, while no session with any is open.",
      """
      \(header)
      \(Step.launch)
      +1s     ea.data for 1ms
      \(Step.toBackground)
      +1s     ea.data for 1ms  # here
      """),
    .violates(
      "The data doesn't say its role, and no session of any role is open.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     bt.data bytes=10  # here
      """),
    .violates(
      "The app is woken for data of a device with which it has no session.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=bluetooth_central
      +1ms    >wake.window reason=bluetooth_central
      +1ms    bt.data for 1ms role=central peer=a kind=data  # here
      +1s     <wake.window
      """),
    .violates(
      "A session in the other role is another session, and a closed one is none.",
      reasons: [nil, nil],
      """
      \(header)
      \(Step.launch)
      +1s     bt.session op=open role=peripheral
      +1s     bt.session op=open role=central peer=a
      +1s     bt.session op=close role=central peer=a
      \(Step.toBackground)
      +1s     bt.data for 1ms role=central peer=a kind=data  # here
      +1s     bt.session op=close role=peripheral
      +1s     bt.data for 1ms role=peripheral peer=b kind=request  # here
      """),
    .violates(
      "An accessory sends data after its session was closed, another before one was opened.",
      reasons: [nil, nil],
      """
      \(header)
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     ea.session op=close accessory=1
      \(Step.toBackground)
      +1s     ea.data for 1ms accessory=1  # here
      +1s     ea.data for 1ms accessory=2  # here
      +1s     ea.data for 1ms accessory=2
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The data doesn't say its role, and a session is open.",
      """
      \(Step.launch)
      +1s     bt.session op=open role=central
      \(Step.toBackground)
      +1s     bt.data bytes=10
      """),
    .holds(
      "The session is open when the data comes.",
      """
      \(header)
      \(Step.launch)
      +1s     bt.session op=open role=central peer=a
      +1s     ea.session op=open accessory=1
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=bluetooth_central
      +1ms    >wake.window reason=bluetooth_central
      +1ms    bt.data for 1ms role=central peer=a kind=data
      +1ms    ea.data for 1ms accessory=1
      +1s     <wake.window
      """),
    .holds(
      "A device says that it is there, and the session is opened in answer.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     >bt.data role=central peer=a kind=connect
      +1ms    bt.session op=open role=central peer=a
      +1ms    <bt.data
      +1s     bt.data for 1ms role=central peer=a kind=data
      +1s     bt.session op=close role=central peer=a
      +1s     bt.data for 1ms role=central peer=a kind=disconnect
      """),
    .holds(
      "Of two sessions in a role one is left.",
      """
      \(header)
      \(Step.launch)
      +1s     bt.session op=open role=central peer=a
      +1s     bt.session op=open role=central peer=b
      +1s     bt.session op=close role=central peer=a
      \(Step.toBackground)
      +1s     bt.data for 1ms role=central peer=b kind=data
      """),
    .holds(
      "In the foreground the user sees what goes on.",
      """
      \(header)
      \(Step.launch)
      +1s     bt.data for 1ms role=central peer=a kind=data
      +1s     ea.data for 1ms accessory=1
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "In mid-life the session may be older than the recording.",
      """
      \(header)
      +0s     trace.start reason=attach
      +1s     delegate.did_enter_background for 1ms
      +1s     bt.data for 1ms role=central peer=a kind=data
      """)
  ]
}
