// LC852: data that was unsaved in the background is saved in applicationWillTerminate: only.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC852 {
  /// Every fact is kept for each store on its own.
  private static let key: [KeyField] = [.argument(.store)]
  private static let saved = EventPattern.end(.dataSave, where: .not(.isFalse(.ok)))

  /// The store was unsaved at an entry into the background, and is saved only now. Listed before
  /// the facts it asks for, which the same save clears.
  private static let unsavedAtEntry = Fact(
    "unsaved at an entry",
    set: [.on(.dataSave, while: .all([.fact("dirty"), .not(.fact("dirty since the entry"))]))],
    key: key)

  /// The changes were made after the last entry into the background.
  private static let dirtySinceEntry = Fact(
    "dirty since the entry", set: [.on(.dataDirty, while: .not(.fact("dirty")))],
    clearAll: [.end(.delegateDidEnterBackground)], key: key)

  private static let dirty = Fact("dirty", set: [.on(.dataDirty)], clear: [saved], key: key)

  /// The app does save the store on its way to the background, be it in another launch.
  private static let savedInTime = Fact(
    "saved in time",
    set: [
      .any(
        .dataSave, while: .phase([.resigning, .inactive, .enteringBackground, .background]))
    ],
    key: key, life: .trace)

  static let rule = Rule(
    id: "LC852",
    slug: "data/saved-only-at-termination",
    severity: .warning,
    summary: "Saving doesn't wait for applicationWillTerminate:.",
    rationale: """
      Most apps end while they are suspended, and then no method is called. A store that stays \
      unsaved in the background and is written in applicationWillTerminate: alone is saved in the \
      rare case only.
      """,
    consequence: "The method is seldom called, and the changes are lost when it isn't.",
    advice: "Save in applicationDidEnterBackground:, and at termination only what changed since.",
    sources: [.cocoanetics("the article's part on where to save changes")],
    needs: ["data", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [unsavedAtEntry, dirtySinceEntry, dirty, savedInTime],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .dataSave,
              while: .all([
                .phase([.terminating]), .fact("unsaved at an entry"), .not(.fact("saved in time")),
              ])),
            per: .launch)),
        message:
          "store {store} was unsaved in the background, and saved in applicationWillTerminate: only"
      )
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The app has a task in the background, and saves when it is ended.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +5s     >delegate.will_terminate
      +10ms   data.save for 5ms store=notes ok=true  # here
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .violates(
      "The store was unsaved at an entry; the app came back and was ended in the foreground.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     data.dirty store=notes kind=user_data
      +1s     >delegate.will_terminate
      +10ms   data.save store=notes  # here
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .violates(
      "Saving another store on the way doesn't help this one; a save while active had failed.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     data.save store=notes ok=false
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +10ms   data.save store=photos ok=true
      +10ms   <delegate.did_enter_background
      +5s     >delegate.will_terminate
      +10ms   data.save store=notes ok=true  # here
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "An app that opted out of the background has no other place to save.",
      """
      header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     sys.home_button
      +1ms    >delegate.will_terminate
      +10ms   data.save store=notes ok=true
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "The store is saved at each entry; only the changes after it are saved at the end.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +10ms   data.save store=notes ok=true
      +10ms   <delegate.did_enter_background
      +1s     data.dirty store=notes kind=user_data
      +1s     >delegate.will_terminate
      +10ms   data.save store=notes ok=true
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Saves were tried inside will_resign_active, while inactive, and in the background.",
      """
      \(Step.launch)
      +1s     data.dirty store=a kind=user_data
      +1ms    data.dirty store=b kind=user_data
      +1ms    data.dirty store=c kind=user_data
      +1ms    data.dirty store=d kind=user_data
      +1s     >delegate.will_resign_active
      +1ms    data.save store=a ok=false
      +1ms    <delegate.will_resign_active
      +10ms   data.save store=b ok=false
      +10ms   >delegate.did_enter_background
      +1ms    data.save store=c ok=false
      +10ms   <delegate.did_enter_background
      +10ms   data.save store=d ok=false
      +1s     >delegate.will_terminate
      +10ms   data.save store=a ok=true
      +1ms    data.save store=b ok=true
      +1ms    data.save store=c ok=true
      +1ms    data.save store=d ok=true
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "The changes never met an entry into the background.",
      """
      \(Step.launch)
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     data.dirty store=notes kind=user_data
      +1s     >delegate.will_terminate
      +10ms   data.save store=notes ok=true
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "In the launch before the app did save the store on its way out.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      \(Step.resign)
      +10ms   data.save store=notes ok=true
      +1s     proc.kill cause=user_force_quit
      +60s    trace.marker text=between
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      \(Step.toBackground)
      +1s     >delegate.will_terminate
      +10ms   data.save store=notes ok=true
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Nothing was unsaved at the entry; the store is only written again at the end.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     data.save store=notes ok=true
      \(Step.toBackground)
      +1s     >delegate.will_terminate
      +10ms   data.save store=notes ok=true
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "An unsaved store that is written when the user is back is late, but not left to the end.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     data.save store=notes ok=true
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Whether the store was unsaved at an entry lies before the recording.",
      """
      +0s     trace.start reason=attach
      +1s     delegate.did_enter_background for 1ms
      +1s     >delegate.will_terminate
      +10ms   data.save store=notes ok=true
      +20ms   <delegate.will_terminate
      +1ms    proc.exit by=uikit_after_will_terminate
      """)
  ]
}
