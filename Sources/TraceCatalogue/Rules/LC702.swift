// LC702: a file with complete protection is used while the device is locked.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC702 {
  private static let unavailable = FieldTest.all([
    .isText(.name, ["UIApplicationProtectedDataWillBecomeUnavailable"]), .not(.isTrue(.queued)),
  ])

  private static let available = FieldTest.isText(
    .name, ["UIApplicationProtectedDataDidBecomeAvailable"])

  /// The device is locked; with a time, for longer than that.
  private static func locked(_ name: String, after time: Time? = nil) -> Fact {
    Fact(
      name, set: [.on(.sysLock), .on(.noteDeliver, where: unavailable)],
      clear: [.on(.sysUnlock), .on(.noteDeliver, where: available)], after: time)
  }

  private static let protected = Fact(
    "protected", set: [.on(.fileOpen, where: .isText(.protection, ["complete"]))],
    clear: [.on(.fileClose)], key: [.argument(.handle)])

  /// Only a device with a passcode takes protected data away.
  private static let passcode = Fact(
    "passcode",
    set: [
      .on(.sysLock, where: .isTrue(.passcodeSet)), .on(.noteDeliver, where: unavailable),
    ])

  private static func clause(
    _ severity: Severity, _ kinds: [EventKind], _ test: FieldTest, while locked: String,
    _ message: MessageTemplate
  ) -> Clause {
    Clause(
      severity,
      .never(
        Never(
          EventPattern(
            .kinds(kinds), where: test,
            while: .all([
              .fact("protected"), .fact(locked),
              .any([.fact("passcode"), .header(.isTrue(.passcodeEnabled))]),
            ])),
          per: .key, key: [.argument(.handle)])),
      message: message)
  }

  static let rule = Rule(
    id: "LC702",
    slug: "resource/protected-file-access-while-locked",
    severity: .error,
    summary: """
      A file with complete protection is neither opened nor used while the screen is locked.
      """,
    rationale: """
      The keys of such files are thrown away about ten seconds after a device with a passcode is \
      locked. The contents can't be read or written before the next unlock, by anybody.
      """,
    consequence: "The access fails; data that was to be saved is lost.",
    advice: """
      Save in applicationWillResignActive:, look at protectedDataAvailable before later accesses, \
      and give files that are needed in the background a weaker protection.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["file", "sys"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("delay", .nanoseconds, 10_000_000_000, .toolDefault)],
    facts: [
      protected, passcode, locked("locked"),
      locked("locked long", after: .parameter("delay", on: .continuous)),
    ],
    clauses: [
      clause(
        .error, [.fileAccess], .compare(.errno, .notEqual, .fixed(0)), while: "locked",
        "{what} on protected file {key} failed (errno {errno}) while the device was locked"),
      clause(
        .error, [.fileAccess, .fileOpen], .not(.isPresent(.errno)), while: "locked long",
        "{what} on protected file {key} came while the device was locked"),
      clause(
        .note, [.fileAccess], .compare(.errno, .equal, .fixed(0)), while: "locked long",
        "{what} on protected file {key} came while the device was locked, and succeeded"),
    ],
    examples: violating + holding + undecided)

  private static let header =
    "header os_version=5.0 sdk_linked=5.0 background_modes=[] passcode_enabled=true"

  private static let violating: [RuleExample] = [
    .violates(
      "The app writes its diary twenty seconds after the lock.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      \(Step.toBackground)
      +20s    file.access handle=1 op=write errno=1  # here
      """),
    .violates(
      "A failure counts at once; the lock tells of the passcode.",
      """
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=auto passcode_set=true
      +2s     file.access handle=1 op=write errno=1  # here
      """),
    .violates(
      "A nanosecond after the ten seconds, for two files.", reasons: [nil, nil],
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +10.000000001s  file.access handle=1 op=read  # here
      +1s     file.open handle=2 protection=complete  # here
      """),
    .violates(
      "The notification says that protected data goes, where no lock was recorded.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     file.open handle=2 protection=complete
      +1s     note.deliver for 1ms name=UIApplicationProtectedDataWillBecomeUnavailable
      +1s     file.access handle=1 op=read errno=1  # here
      +10s    file.access handle=2 op=read  # here
      """),
    .violates(
      "An access that succeeds all the same is worth a note.", severities: [.note],
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +20s    file.access handle=1 op=read errno=0  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Protection until the first unlock ends with it.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=until_first_unlock
      +1s     sys.lock cause=button
      \(Step.toBackground)
      +20s    file.access handle=1 op=write
      +1s     file.open handle=2 protection=complete_unless_open
      +1s     file.access handle=2 op=write errno=28
      """),
    .holds(
      "In the ten seconds after the lock the keys are still there.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +9s     file.access handle=1 op=write errno=0
      +1s     file.access handle=1 op=write
      """),
    .holds(
      "After the unlock everything can be read again, and failures have other causes.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +60s    sys.unlock
      +10ms   file.access handle=1 op=read
      +10ms   file.access handle=1 op=read errno=28
      """),
    .holds(
      "The app is told that its data is there again.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +60s    note.deliver for 1ms name=UIApplicationProtectedDataDidBecomeAvailable
      +10ms   file.access handle=1 op=read
      +10ms   file.access handle=1 op=read errno=28
      """),
    .holds(
      "A number that was closed and given to another file is another file.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     file.close handle=1
      +1s     file.open handle=1 protection=none
      +1s     sys.lock cause=button
      +20s    file.access handle=1 op=read
      """),
    .holds(
      "A notification held back during a suspension speaks of the past.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=user_icon
      +1ms    note.deliver for 1ms name=UIApplicationProtectedDataWillBecomeUnavailable queued=true
      \(Step.toForeground)
      +20s    file.access handle=1 op=read
      """),
    .holds(
      "Without a passcode a locked screen is only dark.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=false
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button passcode_set=false
      +20s    file.access handle=1 op=read
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The file was opened before the recording began; its protection isn't known.",
      """
      \(header)
      +0s     trace.start reason=attach
      +1s     sys.lock cause=button
      +20s    file.access handle=1 op=read
      """),
    .unknown(
      "The header says nothing of a passcode, and neither does the lock.",
      """
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +20s    file.access handle=1 op=read
      """),
  ]
}
