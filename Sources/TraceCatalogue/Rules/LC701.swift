// LC701: a file with complete protection is still open when the device is locked.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC701 {
  private static let passcode = Fact(
    "passcode", set: [.on(.sysLock, where: .isTrue(.passcodeSet))], clear: [.on(.sysUnlock)])

  /// Something else than the lock sent the app away less than a second ago.
  private static let called = Fact(
    "called elsewhere",
    set: [.on(.sysHomeButton, .sysAppSwitch, .sysSwitcher, .sysInterruption)],
    clear: [.on(.sysLock)], lasts: .nanoseconds(1_000_000_000, on: .continuous))

  /// The callback has that as its cause, which was recorded before any lock.
  private static let sentAway = Fact(
    "sent away", set: [.on(.delegateWillResignActive, while: .fact("called elsewhere"))],
    clear: [.on(.delegateDidBecomeActive)])

  /// will_resign_active returned less than a second ago: the lock may be recorded after it.
  private static let resigned = Fact(
    "resigned", set: [.end(.delegateWillResignActive, while: .not(.fact("sent away")))],
    clear: [.on(.delegateDidBecomeActive)],
    lasts: .nanoseconds(1_000_000_000, on: .continuous))

  private static let isLocked = Condition.all([
    .isLocked, .any([.fact("passcode"), .header(.isTrue(.passcodeEnabled))]),
  ])

  static let rule = Rule(
    id: "LC701",
    slug: "resource/protected-file-open-at-lock",
    severity: .warning,
    summary: """
      When the device is locked, files with complete protection are closed by the return of \
      applicationWillResignActive:.
      """,
    rationale: """
      With a passcode the system throws the keys of completely protected files away soon after the \
      lock. References that are still open then lead nowhere, though they look valid.
      """,
    consequence: """
      Reads and writes fail until the device is unlocked, and what was to be written is lost.
      """,
    advice: """
      Close these files in applicationWillResignActive: and open them again in \
      applicationDidBecomeActive:; give a file that must be written while locked the protection \
      complete unless open.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["file", "sys", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    facts: [passcode, called, sentAway, resigned],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [.on(.fileOpen, where: .isText(.protection, ["complete"]))],
            closes: [.on(.fileClose)], key: [.argument(.handle)],
            due: [
              .at([
                .end(
                  .delegateWillResignActive, while: .all([isLocked, .not(.fact("sent away"))])),
                .on(.sysLock, while: .all([isLocked, .fact("resigned")])),
              ]),
              // The callback that the lock causes isn't recorded.
              .processEnd(
                [], orNewStart: false,
                while: .all([
                  isLocked, .phase([.active, .resigning]), .not(.fact("sent away")),
                ])),
            ])),
        message: "File {key} with complete protection was open when the device was locked")
    ],
    examples: violating + holding + undecided)

  private static let header =
    "header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=true"

  private static let violating: [RuleExample] = [
    .violates(
      "The user presses the button, and the app keeps its file open.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 path=diary protection=complete
      +1s     sys.lock cause=button
      +10ms   >delegate.will_resign_active
      +1ms    <delegate.will_resign_active  # here
      +10ms   delegate.did_enter_background for 20ms
      +1s     file.close handle=1
      """),
    .violates(
      "The lock itself tells of the passcode; of two files one was closed in time.",
      """
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     file.open handle=2 protection=complete
      +60s    sys.lock cause=auto passcode_set=true
      +10ms   >delegate.will_resign_active
      +1ms    file.close handle=2
      +1ms    <delegate.will_resign_active  # here
      """),
    .violates(
      "The lock is recorded while the callback runs.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     >delegate.will_resign_active
      +1ms    sys.lock cause=button
      +1ms    <delegate.will_resign_active  # here
      """),
    .violates(
      "A press of the Home button a second before the callback isn't its cause, nor an older one.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.home_button
      +10ms   delegate.will_resign_active for 1ms
      +5s     delegate.did_become_active for 1ms
      +1s     sys.home_button
      +1s     >delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      +500ms  sys.lock cause=button  # here
      """),
    .violates(
      "The lock comes last before the callback, and is its cause.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.interruption kind=siri
      +200ms  sys.lock cause=button
      +10ms   >delegate.will_resign_active
      +1ms    <delegate.will_resign_active  # here
      """),
    .violates(
      "The lock is recorded almost a second after the callback it caused.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     >delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      +999.999999ms  sys.lock cause=button  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The file is closed in the callback.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +10ms   >delegate.will_resign_active
      +1ms    file.close handle=1
      +1ms    <delegate.will_resign_active
      \(Step.end)
      """),
    .holds(
      "The Home button locks nothing, and a lock long after it caused no callback.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     >delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      +1s     sys.lock cause=auto
      \(Step.end)
      """),
    .holds(
      "The Home button caused the callback, though a lock follows within a second.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.home_button
      +10ms   >delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      +500ms  sys.lock cause=button
      \(Step.end)
      """),
    .holds(
      "A phone call, another app, or the switcher is the recorded cause, even while it runs.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     >sys.interruption kind=phone_call
      +10ms   >delegate.will_resign_active
      +10ms   sys.lock cause=auto
      +1ms    <delegate.will_resign_active
      +5s     <sys.interruption
      +1s     sys.unlock
      +10ms   delegate.did_become_active for 1ms
      +5s     >sys.switcher
      +10ms   delegate.will_resign_active for 1ms
      +500ms  sys.lock cause=button
      +1s     <sys.switcher
      +1s     sys.unlock
      +10ms   delegate.did_become_active for 1ms
      +5s     sys.app_switch
      +10ms   delegate.will_resign_active for 1ms
      +500ms  sys.lock cause=button
      \(Step.end)
      """),
    .holds(
      "The callback before the last activity has nothing to do with the lock after it.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     delegate.will_resign_active for 1ms
      +100ms  delegate.did_become_active for 1ms
      +100ms  sys.lock cause=button
      +100ms  >delegate.will_resign_active
      +1ms    file.close handle=1
      +1ms    <delegate.will_resign_active
      \(Step.end)
      """),
    .holds(
      "Weaker protection leaves open files readable.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete_unless_open
      +1s     file.open handle=2 protection=until_first_unlock
      +1s     file.open handle=3
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      \(Step.end)
      """),
    .holds(
      "Without a passcode nothing is encrypted away.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=false
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button passcode_set=false
      +10ms   delegate.will_resign_active for 1ms
      \(Step.end)
      """),
    .holds(
      "After the unlock the lock is over, and so is what it said of a passcode.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=false
      \(Step.launch)
      +1s     sys.lock cause=button passcode_set=true
      +10ms   delegate.will_resign_active for 1ms
      +60s    sys.unlock
      +10ms   delegate.did_become_active for 1ms
      +1s     file.open handle=1 protection=complete
      \(Step.resign)
      \(Step.becomeActive)
      +60s    sys.lock cause=button passcode_set=false
      +10ms   delegate.will_resign_active for 1ms
      \(Step.end)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Nobody says whether the device has a passcode.",
      """
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      \(Step.end)
      """),
    .unknown(
      "The callback that the lock causes isn't recorded.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +1s     proc.kill cause=jetsam
      """),
    .unknown(
      "The recording stops in the callback that the lock causes.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +10ms   >delegate.will_resign_active
      \(Step.end)
      """),
    .unknown(
      "Another process begins before the callback that the lock causes is recorded.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     sys.lock cause=button
      +60s    proc.start into=foreground reason=user_icon
      """),
    .unknown(
      "The file may have been closed in the gap.",
      """
      \(header)
      \(Step.launch)
      +1s     file.open handle=1 protection=complete
      +1s     trace.lost count=2
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      \(Step.end)
      """),
  ]
}
