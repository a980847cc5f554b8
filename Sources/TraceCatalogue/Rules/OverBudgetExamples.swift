// More examples of LC105: what the app reads, services that stop the count, kills that follow.

import TraceRules

enum OverBudgetExamples {
  static let violating: [RuleExample] = [
    .violates(
      "The code of a watchdog's kill says the same as its cause.", severities: [.error],
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    work.sample thread=9 label=heartbeat
      +171s   trace.marker text=late  # here
      +1s     proc.kill cause=watchdog code=2343432205
      """),
    .violates(
      "The app came back to the front before it was killed there: for something else.",
      severities: [.warning],
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    work.sample thread=9 label=heartbeat
      +171s   bgtask.end token=1  # here
      \(Step.toForeground)
      +60s    proc.kill cause=watchdog code=2343432205
      """),
    .violates(
      "The last time that the app read counts, also where it is shorter than the one before.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +5ms    state.time_remaining seconds=179.5
      +5ms    <delegate.did_enter_background
      +20s    state.time_remaining seconds=5
      +5s     state.time_remaining seconds=0.5
      +500.000001ms  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "What was read before a task was begun doesn't shorten its time, which runs from the begin.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    state.time_remaining seconds=20
      +10s    bgtask.begin token=2
      +1s     bgtask.end token=1
      +179.000000001s  bgtask.end token=2  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Time in which audio played under its mode isn't counted, and the rest is.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +300s   audio.play op=start stream=2
      +1s     audio.play op=stop stream=1
      +1s     audio.play op=stop stream=2
      +180.000000001s  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Playing without the mode stops no countdown.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +200s   bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A token that is used again is reported once.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +181s   bgtask.end token=1  # here
      +1s     bgtask.begin token=1
      +181s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
  ]

  static let holding: [RuleExample] = [
    .holds(
      "The system said that no time is counted.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    state.time_remaining seconds=20
      +10s    state.time_remaining seconds=unlimited
      +290s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "What is read in front says nothing of the background, and is forgotten there.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s     state.time_remaining seconds=5
      \(Step.toBackground)
      +60s    state.time_remaining seconds=5
      \(Step.toForeground)
      \(Step.toBackground)
      +180s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A stream that stops for a moment goes on, and so does the service.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
      \(Step.launch)
      +1s     audio.record op=start stream=1
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    audio.record op=stop stream=1
      +5s     audio.record op=start stream=1
      +10s    audio.record op=stop stream=1
      +180s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Tasks of UIKit's own, and tasks that the system refused, are no matter of the app.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 by=uikit
      +1s     bgtask.begin token=0 is_invalid=true
      \(Step.toBackground)
      +200s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
  ]
}
