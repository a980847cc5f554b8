// LC854: what was saved on the way to the background isn't read back at the next launch.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC854 {
  /// A launch whose first activation is the last line.
  private static let relaunch = "+60s    trace.marker text=between\n" + Step.launch

  /// A launch that saves in the callback of the background.
  private static let saving = """
    \(Step.launch)
    +1s     delegate.will_resign_active for 1ms
    +10ms   >delegate.did_enter_background
    +10ms   data.save for 5ms store=notes kind=user_data ok=true
    +20ms   <delegate.did_enter_background
    """

  static let rule = Rule(
    id: "LC854",
    slug: "data/not-restored",
    severity: .note,
    summary: "What an app saves on its way to the background it reads back at its next launch.",
    rationale: """
      State is saved in the background so that a purge goes unnoticed. If the next launch into \
      the foreground doesn't read it, the save was for nothing.
      """,
    consequence: "The user finds the app at its beginning instead of where it was left.",
    advice: """
      Read the saved state in application:didFinishLaunchingWithOptions:, before the app becomes \
      active.
      """,
    sources: [
      .iOS4Guide("Supporting Background State Transitions"),
      .xamarin("Application Lifecycle Methods"),
    ],
    needs: ["data", "delegate", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .note,
        .handWritten(
          .restoredState,
          because: "what one launch saved and how it ended is compared with what the next one reads"
        ),
        message:
          "store {key}, saved in the background by the launch before, was not read back"
      )
    ],
    examples: [
      .violates(
        "Purged while suspended; the next launch starts from nothing.",
        """
        \(saving)
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        \(relaunch)  # here
        """),
      .violates(
        "Saved in the background under a task, purged there; another store is read.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +1s @4  data.save for 5ms store=notes kind=user_data
        +1s     bgtask.end token=1
        +1s     proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   data.restore store=photos
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms  # here
        +10ms   data.restore store=notes
        """),
      .violates(
        "The callback that asks whether to save is nested in the one of the background.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    delegate.should_save_state for 1ms
        +2ms    data.save for 5ms store=notes kind=user_data ok=true
        +20ms   <delegate.did_enter_background
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        \(relaunch)  # here
        """),
      .violates(
        "Every launch that forgets is told.", reasons: [nil, nil],
        """
        \(saving)
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        \(relaunch)  # here
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +10ms   data.save store=notes kind=ui_state ok=true
        +10ms   <delegate.did_enter_background
        +1s     proc.kill cause=jetsam
        \(relaunch)  # here
        """),
      .violates(
        "The end of the first launch isn't recorded, but the start of the second is.",
        """
        \(saving)
        +1s     proc.suspend inferred=false
        \(relaunch)  # here
        """),
      .violates(
        "What was lost before the app was in front once more doesn't matter.",
        """
        \(saving)
        +1s     trace.lost count=3
        \(Step.toForeground)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +10ms   data.save for 5ms store=notes kind=user_data ok=true
        +20ms   <delegate.did_enter_background
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        \(relaunch)  # here
        """),
      .holds(
        "With scenes the delegate's callback is an echo: the scene's is the last moment.",
        """
        header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 1ms
        +10ms   scene.will_enter_foreground for 1ms scene=main
        +10ms   scene.did_become_active for 1ms scene=main
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms   >scene.did_enter_background scene=main
        +10ms   data.save store=notes kind=user_data ok=true
        +10ms   <scene.did_enter_background scene=main
        +60s    proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 1ms
        +10ms   scene.will_enter_foreground for 1ms scene=main
        +10ms   >scene.did_become_active scene=main
        +1ms    delegate.did_become_active
        +10ms   data.restore store=notes
        +10ms   <scene.did_become_active scene=main
        """),
      .holds(
        "The app came back to the front in between: nothing is waiting any more.",
        """
        \(saving)
        \(Step.toForeground)
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        \(relaunch)
        """),
      .holds(
        "Read while launching.",
        """
        \(saving)
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   data.restore store=notes
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "Read inside the first activation, which is the last moment.",
        """
        \(saving)
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 1ms
        +10ms   >delegate.did_become_active
        +10ms   data.restore store=notes
        +10ms   <delegate.did_become_active
        """),
      .holds(
        "What is saved in the foreground needn't be the state to come back to.",
        """
        \(Step.launch)
        +1s     data.save store=notes kind=user_data ok=true
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        \(relaunch)
        """),
      .holds(
        "The launch ended in the foreground: there is nothing to come back to.",
        """
        \(saving)
        \(Step.toForeground)
        +1s     proc.kill cause=crash
        \(relaunch)
        """),
      .holds(
        "A save that failed left nothing to read.",
        """
        \(Step.launch)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +10ms   data.save store=notes kind=user_data ok=false
        +20ms   <delegate.did_enter_background
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        \(relaunch)
        """),
      .holds(
        "Only neighbours are compared: a launch into the background lies between.",
        """
        \(saving)
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        +60s    trace.marker text=between
        \(Step.backgroundLaunch)
        +1s     proc.kill cause=jetsam
        \(relaunch)
        """),
      .unknown(
        "Events were lost before the first launch ended, and perhaps a launch with them.",
        """
        \(saving)
        +1s     trace.lost count=3
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        \(relaunch)
        """),
      .unknown(
        "Events were lost while the app launched.",
        """
        \(saving)
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 1ms
        +10ms   trace.lost count=3
        +10ms   delegate.did_become_active for 1ms
        """),
      .unknown(
        "The trace stops before the app became active.",
        """
        \(saving)
        +1s     proc.suspend inferred=false
        +60s    proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 1ms
        """),
    ])
}
