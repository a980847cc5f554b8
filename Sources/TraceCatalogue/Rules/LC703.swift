// LC703: after the unlock a file with complete protection is used without being opened again.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC703 {
  private static let protected = Fact(
    "protected", set: [.on(.fileOpen, where: .isText(.protection, ["complete"]))],
    clear: [.on(.fileClose)], key: [.argument(.handle)])

  /// The handle was opened after the last lock.
  private static let fresh = Fact(
    "fresh", set: [.on(.fileOpen)], clearAll: [.on(.sysLock)], key: [.argument(.handle)])

  /// The app has become active since the last lock.
  private static let back = Fact(
    "back", set: [.on(.delegateDidBecomeActive)], clear: [.on(.sysLock)])

  private static let passcode = Fact(
    "passcode", set: [.on(.sysLock, where: .isTrue(.passcodeSet))])

  static let rule = Rule(
    id: "LC703",
    slug: "resource/protected-file-not-reopened",
    severity: .note,
    summary: """
      After a lock, files with complete protection are opened anew when the app becomes active.
      """,
    rationale: """
      The keys behind an open file were thrown away at the lock. The unlock brings new ones, for \
      files that are opened after it; what an old reference is worth depends on how long the lock \
      lasted.
      """,
    consequence: "Reads and writes by the old reference may fail although the device is unlocked.",
    advice: """
      Close protected files in applicationWillResignActive: and open new references in \
      applicationDidBecomeActive:.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["file", "sys", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    facts: [protected, fresh, back, passcode],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(
              .fileAccess,
              while: .all([
                .fact("protected"), .not(.fact("fresh")), .fact("back"),
                .any([.fact("passcode"), .header(.isTrue(.passcodeEnabled))]),
              ])),
            per: .key, key: [.argument(.handle)])),
        message: "{what} used protected file {key}, which was opened before the lock")
    ],
    examples: [
      .violates(
        "The device was locked and unlocked, and the app goes on with its old file.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=true
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        +1s     sys.lock cause=button
        \(Step.toBackground)
        +60s    sys.unlock
        \(Step.toForeground)
        +1s     file.access handle=1 op=read  # here
        """),
      .violates(
        "Two old files are two findings; the lock tells of the passcode.", reasons: [nil, nil],
        """
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        +1s     file.open handle=2 protection=complete
        +1s     sys.lock cause=auto passcode_set=true
        +10ms   delegate.will_resign_active for 1ms
        +60s    sys.unlock
        +10ms   delegate.did_become_active for 1ms
        +1s     file.access handle=1 op=read  # here
        +1s     file.access handle=1 op=read
        +1s     file.access handle=2 op=write  # here
        """),
      .holds(
        "The file is opened again as the app becomes active.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=true
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +60s    sys.unlock
        +10ms   >delegate.did_become_active
        +1ms    file.open handle=2 protection=complete
        +1ms    <delegate.did_become_active
        +1s     file.access handle=2 op=read
        """),
      .holds(
        "A number that was closed and given to another file is another file.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=true
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        +1s     file.close handle=1
        +1s     file.open handle=1 protection=none
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +60s    sys.unlock
        +10ms   delegate.did_become_active for 1ms
        +1s     file.access handle=1 op=read
        """),
      .holds(
        "Before the app is active again, other rules judge the access.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=true
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +1s     file.access handle=1 op=write
        +1s     file.close handle=1
        """),
      .holds(
        "Without a lock the file stays good.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=true
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        \(Step.toBackground)
        \(Step.toForeground)
        +1s     file.access handle=1 op=read
        """),
      .holds(
        "Weaker protection and a device without a passcode keep their keys.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[] passcode_enabled=false
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        +1s     file.open handle=2 protection=until_first_unlock
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +60s    sys.unlock
        +10ms   delegate.did_become_active for 1ms
        +1s     file.access handle=1 op=read
        +1s     file.access handle=2 op=read
        """),
      .unknown(
        "Nobody says whether the device has a passcode.",
        """
        \(Step.launch)
        +1s     file.open handle=1 protection=complete
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +60s    sys.unlock
        +10ms   delegate.did_become_active for 1ms
        +1s     file.access handle=1 op=read
        """),
    ])
}
