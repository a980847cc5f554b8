// LC851: unsaved data when the background is entered, or when the app is suspended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC851 {
  private static let dirtied = EventPattern.on(.dataDirty)
  private static let saved = EventPattern.end(.dataSave, where: .not(.isFalse(.ok)))

  private static func clause(_ reason: String, needs: [String], due: [Due], _ when: String)
    -> Clause
  {
    Clause(
      reason: reason, .warning, needs: needs,
      .expect(Expect(opens: [dirtied], closes: [saved], key: [.argument(.store)], due: due)),
      message: MessageTemplate("the changes of store {key} were not saved when the app \(when)"))
  }

  static let rule = Rule(
    id: "LC851",
    slug: "data/unsaved-at-background",
    severity: .warning,
    summary: "Changes are saved by the time the app is in the background.",
    rationale: """
      An app in the background may be suspended at any moment and purged after that without \
      another call. What isn't on disk when the background is entered, or, under a background \
      task, when the app is suspended, exists in memory only.
      """,
    consequence: "The changes are lost if the system purges the app.",
    advice: """
      Save in applicationDidEnterBackground:, or begin a background task there and save on \
      another thread before you end it.
      """,
    sources: [
      .appStates("What to Do When Moving to the Background"),
      .iOS4Guide("Being a Responsible, Multitasking-Aware Application"),
    ],
    needs: ["data"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [.taskOpen],
    clauses: [
      clause(
        "at-entry", needs: ["delegate", "bgtask"],
        due: [.at([.end(.delegateDidEnterBackground, while: .not(.anyFact("task open")))])],
        "entered the background"),
      clause(
        "at-suspension", needs: ["proc"],
        due: [.suspension(inferred: false), .suspension(inferred: true)], "was suspended"),
    ],
    clausesAreIndependent: true,
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The save comes a second after the callback, with no task that gives it the time.",
      reasons: ["at-entry"],
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     data.save store=notes ok=true
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Nothing is saved at all: it is told once for the entry and once for the suspension.",
      reasons: ["at-entry", "at-suspension"],
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false  # here
      +60s    proc.kill cause=jetsam
      """),
    .violates(
      "A task was open at the entry, so that only the suspension counts.",
      reasons: ["at-suspension"],
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=ui_state
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +1s     bgtask.end token=1
      +1s     proc.suspend inferred=false  # here
      +60s    proc.kill cause=jetsam
      """),
    .violates(
      "The task that was open is ended before the callback returns.", reasons: ["at-entry"],
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +5ms    bgtask.end token=1
      +20ms   <delegate.did_enter_background  # here
      +1s     data.save store=notes ok=true
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A save that fails saves nothing, and that of another store neither.",
      reasons: ["at-entry"],
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +5ms    data.save store=notes ok=false
      +5ms    data.save store=photos ok=true
      +20ms   <delegate.did_enter_background  # here
      +1s     data.save store=notes ok=true
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A save that is under way when the callback returns is not done.", reasons: ["at-entry"],
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +5ms @4 >data.save store=notes
      +20ms   <delegate.did_enter_background  # here
      +1s @4  <data.save store=notes
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A suspension that was concluded from silent heartbeats, and that the clocks confirm.",
      reasons: ["at-suspension"],
      """
      \(Step.launch)
      +0s     trace.clock_sync continuous_ns=1000000000 uptime_ns=1000000000 wall_ns=0
      \(Step.toBackground)
      +1s     data.dirty store=notes kind=user_data
      +1s     proc.suspend inferred=true evidence=heartbeat_gap  # here
      +60s    proc.resume inferred=true reason=user_icon
      +1ms    trace.clock_sync continuous_ns=64031000000 uptime_ns=4031000000 wall_ns=63031000000
      \(Step.toForeground)
      +1s     data.save store=notes ok=true
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A return of a callback that was never entered is no way into the background.",
      """
      \(Step.launch)
      +1s     <delegate.did_enter_background
      +3s     trace.marker text=later
      \(Step.end)
      """),
    .holds(
      "A background task lets another thread save after the callback.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +10ms @4 data.save for 50ms store=notes ok=true
      +1s     bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Saved inside the callback; an outcome that isn't recorded counts as a success.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +5ms    data.save for 5ms store=notes
      +20ms   <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A save within the tolerance of the suspension was in time.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     data.dirty store=notes kind=user_data
      +1s     proc.suspend inferred=false
      +40ms @4 data.save store=notes ok=true
      +60s    proc.resume inferred=false reason=user_icon
      \(Step.toForeground)
      """),
    .holds(
      "In the foreground unsaved changes are a matter of course.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      \(Step.resign)
      \(Step.becomeActive)
      +1s     data.save store=notes ok=true
      \(Step.toSuspended)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "A task was open at the entry, and the trace ends before the suspension.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +1s     trace.marker text=last
      """),
    .unknown(
      "A complete recording ends in the background, before any suspension.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     data.dirty store=notes kind=user_data
      \(Step.toBackground)
      \(Step.end)
      """),
    .unknown(
      "The app may have been suspended with it; nothing confirms what was inferred.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     data.dirty store=notes kind=user_data
      \(Step.toBackground)
      +1s     proc.suspend inferred=true
      +60s    proc.resume inferred=true
      +1s     data.save store=notes ok=true
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      \(Step.end)
      """),
    .unknown(
      "The same at the end of the recording.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     data.dirty store=notes kind=user_data
      \(Step.toBackground)
      +1s     proc.suspend inferred=true
      \(Step.end)
      """),
    .unknown(
      "A task may have been open before the recording was attached.",
      """
      +0s     trace.start reason=attach
      +1s     delegate.will_resign_active for 1ms
      +1s     data.dirty store=notes kind=user_data
      +10ms   delegate.did_enter_background for 20ms
      +1s     data.save store=notes ok=true
      """),
    .unknown(
      "The save may be among the events that were lost.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      +1s     trace.lost count=3
      \(Step.toSuspended)
      """),
  ]
}
