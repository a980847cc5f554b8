// LC512: the app is sent to the background in the middle of an in-app purchase.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC512 {
  static let rule = Rule(
    id: "LC512",
    slug: "transition/purchase-sent-to-background",
    severity: .note,
    summary: "The dialogs of an in-app purchase don't send the app to the background.",
    rationale: """
      Each dialog makes the app inactive and, when it is gone, active again; two or three such \
      pairs in one purchase are usual. The background is entered only if the user leaves the app \
      meanwhile.
      """,
    consequence: "The state of the payment may be lost if the app is purged before it returns.",
    advice: """
      Finish transactions from the payment queue's observer at the next launch as well. Check \
      whether the user left the app unseen by the recorder.
      """,
    sources: [.cocoanetics("readers' comments")],
    needs: ["delegate", "sys"],
    profiles: Profile.ios4ToIOS8,
    parameters: [],
    facts: [
      Fact(
        "purchase", set: [.on(.sysInterruption, where: .isText(.kind, ["iap_prompt"]))],
        clear: [.end(.sysInterruption)]),
      Fact(
        "left", set: [.on(.sysHomeButton, .sysLock, .sysAppSwitch, .sysSwitcher)],
        clear: [.on(.delegateDidBecomeActive)]),
    ],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(
              .delegateDidEnterBackground,
              while: .all([.fact("purchase"), .not(.fact("left"))])),
            per: .event)),
        message: "The app entered the background during a dialog of an in-app purchase")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "The dialog is open, and the app goes to the background.",
        """
        \(Step.launch)
        +1s     >sys.interruption kind=iap_prompt
        +10ms   delegate.will_resign_active for 1ms
        +1s     delegate.did_enter_background for 1ms  # here
        +1s     <sys.interruption
        """),
      .violates(
        "That the user left the app before is no excuse for the second time.",
        """
        \(Step.launch)
        +1s     sys.home_button
        \(Step.toBackground)
        \(Step.toForeground)
        +1s     >sys.interruption kind=iap_prompt
        +10ms   delegate.will_resign_active for 1ms
        +1s     delegate.did_enter_background for 1ms  # here
        +1s     <sys.interruption
        """),
      .holds(
        "Three pairs in one purchase.",
        """
        \(Step.launch)
        +1s     >sys.interruption kind=iap_prompt
        \(Step.resign)
        \(Step.becomeActive)
        \(Step.resign)
        \(Step.becomeActive)
        \(Step.resign)
        \(Step.becomeActive)
        +1s     <sys.interruption
        """),
      .holds(
        "Four ways in which the user leaves the app while the dialog is open.",
        """
        \(Step.launch)
        +1s     >sys.interruption kind=iap_prompt
        +1s     sys.home_button
        \(Step.toBackground)
        \(Step.toForeground)
        +1s     sys.lock cause=auto
        \(Step.toBackground)
        \(Step.toForeground)
        +1s     sys.app_switch target=com.example.mail
        \(Step.toBackground)
        \(Step.toForeground)
        +1s     sys.switcher for 1s
        \(Step.toBackground)
        \(Step.toForeground)
        +1s     <sys.interruption
        """),
      .holds(
        "After the purchase, and during other interruptions, it means nothing.",
        """
        \(Step.launch)
        +1s     sys.interruption for 10ms kind=iap_prompt
        \(Step.toBackground)
        \(Step.toForeground)
        +1s     >sys.interruption kind=phone_call
        \(Step.toBackground)
        +1s     <sys.interruption outcome=accepted
        """),
    ])
}
