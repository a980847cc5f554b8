// LC518: the app is launched into the background before the first unlock after a restart.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC518 {
  static let rule = Rule(
    id: "LC518",
    slug: "transition/background-launch-before-first-unlock",
    severity: .note,
    summary: """
      On a device with a passcode no app is launched into the background between a restart and the \
      first unlock.
      """,
    rationale: """
      Until the first unlock most of an app's files can't be decrypted, so the system waits. An \
      app that is seen to start earlier can't read its data, or the trace lacks the unlock.
      """,
    consequence: "Protected files and most keychain items can't be read in such a launch.",
    advice: """
      Check that the recorder notes the first unlock; if it does, ask for protected data before \
      reading it, and write nothing over data that merely couldn't be read.
      """,
    sources: [
      .backgroundExecution("Understanding When Your App Gets Launched into the Background")
    ],
    needs: ["proc", "sys"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      Fact(
        "restarted and locked", set: [.on(.sysBoot)],
        clear: [.on(.sysFirstUnlock, .sysUnlock, .delegateDidBecomeActive)], life: .trace)
    ],
    clauses: [
      Clause(
        .note, applies: .isTrue(.passcodeEnabled),
        .never(
          Never(
            .on(
              .procStart,
              where: .all([
                .isText(.into, ["background"]), .not(.isText(.reason, ["prewarm"])),
              ]),
              while: .fact("restarted and locked")))),
        message: """
          the app was launched into the background before the device was unlocked for the first \
          time since its restart
          """)
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "A VoIP app is started at boot.",
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=true background_modes=[voip]
        +0s     sys.boot
        +20s    proc.start into=background reason=boot  # here
        """),
      .violates(
        "Each launch before the first unlock counts.", reasons: [nil, nil],
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=true background_modes=[fetch]
        +0s     sys.boot
        +20s    proc.start into=background reason=fetch  # here
        +10s    proc.kill cause=jetsam
        +60s    proc.start into=background reason=fetch  # here
        """),
      .holds(
        "The device was unlocked first.",
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=true background_modes=[voip]
        +0s     sys.boot
        +20s    sys.first_unlock
        +1s     proc.start into=background reason=boot
        """),
      .holds(
        "An unlock is a first unlock, whatever the recorder calls it.",
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=true background_modes=[voip]
        +0s     sys.boot
        +20s    sys.unlock
        +1s     proc.start into=background reason=boot
        """),
      .holds(
        "The user has used the app since the restart.",
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=true background_modes=[fetch]
        +0s     sys.boot
        +60s    trace.marker text="nobody recorded the unlock"
        \(Step.launch)
        +10s    proc.kill cause=jetsam
        +60s    proc.start into=background reason=fetch
        """),
      .holds(
        "Without a passcode there is nothing to unlock.",
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=false background_modes=[voip]
        +0s     sys.boot
        +20s    proc.start into=background reason=boot
        """),
      .holds(
        "The trace holds no restart.",
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=true background_modes=[fetch]
        +0s     sys.lock cause=button
        +20s    proc.start into=background reason=fetch
        """),
      .holds(
        "A process that is started ahead of time isn't launched yet.",
        """
        header os_version=15.0 sdk_linked=15.0 passcode_enabled=true background_modes=[]
        +0s     sys.boot
        +20s    proc.start into=background reason=prewarm
        """),
      .unknown(
        "The unlock may be among the lost events.",
        """
        header os_version=8.0 sdk_linked=8.0 passcode_enabled=true background_modes=[fetch]
        +0s     sys.boot
        +20s    trace.lost count=3
        +1s     proc.start into=background reason=fetch
        """),
    ])
}
