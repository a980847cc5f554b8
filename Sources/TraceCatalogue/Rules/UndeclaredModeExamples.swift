// The examples of LC601: services with and without their background mode.

import TraceRules

enum UndeclaredModeExamples {
  static let all: [RuleExample] =
    ofAudio + ofLocation + ofVoIP + ofAccessories + ofFetch + ofNotifications + ofNewsstand

  private static let ofAudio: [RuleExample] = [
    .violates(
      "Sound goes on ten seconds into the background.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +10s    audio.callback for 1ms stream=1  # here
      """),
    .violates(
      "A recording goes on a nanosecond too long.",
      """
      \(Step.launch)
      +1s     audio.record op=start stream=1
      \(Step.toBackground)
      +5.000000001s  trace.marker text="still recording"  # here
      """),
    .violates(
      "A task covers the sound for a time, and then no longer.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +20s    bgtask.end token=1
      +6s     audio.callback for 1ms stream=1  # here
      """),
    .holds(
      "The mode is declared.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +10s    audio.callback for 1ms stream=1
      """),
    .holds(
      "Playing and recording are stopped within five seconds.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     audio.record op=start stream=2
      \(Step.toBackground)
      +1s     audio.record op=stop stream=2
      +4s     audio.play op=stop stream=1
      +10s    trace.marker text=later
      """),
    .holds(
      "The sound stops before the task that covers it ends.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +20s    audio.play op=stop stream=1
      +1s     bgtask.end token=1
      +6s     trace.marker text=later
      """),
    .holds(
      "The user is back before five seconds of run time are over; a suspension doesn't count.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toSuspended)
      \(Step.resumed)
      \(Step.toForeground)
      +10s    audio.callback for 1ms stream=1
      """),
  ]

  private static let ofLocation: [RuleExample] = [
    .violates(
      "Standard location goes on in the background.",
      """
      \(Step.launch)
      +1s     loc.start accuracy=10
      \(Step.toBackground)
      +5.000000001s  loc.update for 1ms  # here
      """),
    .violates(
      "It goes on across a suspension.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    loc.update for 1ms service=standard  # here
      """),
    .holds(
      "Significant changes wake the app without any mode.",
      """
      \(Step.launch)
      +1s     loc.start service=significant
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=location
      +1ms    loc.update for 1ms
      """),
    .holds(
      "So do regions; and whose update it is that names no service isn't known.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      +1s     loc.start service=region
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=region
      +1ms    loc.update for 1ms service=region
      +5ms    loc.update for 1ms
      """),
    .holds(
      "Updates of the first five seconds were under way.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +5s     loc.update for 1ms service=standard
      """),
    .holds(
      "The service is stopped at the entry into the background.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +1s     loc.stop service=standard
      +9s     loc.update for 1ms service=standard
      """),
    .holds(
      "In front, location needs no mode, and in the background a task covers it.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      +9s     loc.update for 1ms service=standard
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +9s     loc.update for 1ms service=standard
      +1s     loc.stop service=standard
      +1s     bgtask.end token=1
      """),
    .holds(
      "A second visit to the background begins with no seconds used.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +10s    delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      \(Step.toBackground)
      +1s     loc.update for 1ms service=standard
      """),
  ]

  private static let ofVoIP: [RuleExample] = [
    .violates(
      "A keep-alive handler is installed without the mode.",
      """
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600
      \(Step.toBackground)  # here
      """),
    .violates(
      "A socket is tagged without the mode.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      +1s     voip.tag socket=1 interface=NSStream
      \(Step.toBackground)  # here
      """),
    .violates(
      "A task covers the entry, and the suspension tells.",
      """
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +5s     bgtask.end token=1
      +1s     proc.suspend inferred=false  # here
      """),
    .holds(
      "The handler is cleared, or the system refused it, and the tagged socket is closed.",
      """
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600
      +1s     voip.keepalive_clear
      +1s     voip.keepalive_set timeout_s=300 accepted=false
      +1s     net.connect op=open socket=1 peer=a
      +1s     voip.tag socket=1 interface=NSStream
      +1s     net.connect op=close socket=1
      \(Step.toSuspended)
      """),
    .holds(
      "The mode is declared.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600
      +1s     voip.tag socket=1 interface=NSStream
      \(Step.toSuspended)
      """),
  ]

  private static let ofAccessories: [RuleExample] = [
    .violates(
      "Woken for an accessory whose mode isn't declared.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=external_accessory
      +1ms    >wake.window id=1 reason=external_accessory
      +1ms    ea.data for 1ms accessory=a  # here
      +1s     <wake.window
      """),
    .violates(
      "Bluetooth is used in a wake-up, and long after the entry into the background.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.toBackground)
      +5.000000001s  bt.data for 1ms role=peripheral peer=a kind=request  # here
      +1s     delegate.will_enter_foreground for 1ms
      +1ms    delegate.did_become_active for 1ms
      \(Step.toBackground)
      +1s     >wake.window id=1 reason=bluetooth_central
      +1ms    bt.data for 1ms role=central peer=a kind=data  # here
      +1s     <wake.window
      """),
    .violates(
      "The other role is declared.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[bluetooth-peripheral]
      \(Step.launch)
      \(Step.toBackground)
      +9s     bt.data for 1ms role=peripheral peer=a kind=request
      +1s     bt.data for 1ms role=central peer=a kind=data  # here
      """),
    .holds(
      "The modes are declared.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[external-accessory,bluetooth-central]
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=external_accessory
      +1ms    >wake.window id=1 reason=external_accessory
      +1ms    ea.data for 1ms accessory=a
      +2ms    bt.data for 1ms role=central peer=a kind=data
      +1s     <wake.window
      """),
    .holds(
      "Outside of a wake-up, in the first seconds, the app runs anyhow.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     ea.data for 1ms accessory=a
      +1s     bt.data for 1ms role=central peer=a kind=data
      +3s     bt.data for 1ms role=peripheral peer=a kind=data
      """),
    .holds(
      "In the foreground, and with a task, no mode is needed.",
      """
      \(Step.launch)
      +1s     bt.data for 1ms role=central peer=a kind=data
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +9s     bt.data for 1ms role=central peer=a kind=data
      +1s     bgtask.end token=1
      """),
  ]

  private static let ofFetch: [RuleExample] = [
    .violates(
      "The system calls for a fetch that the app doesn't declare.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    delegate.perform_fetch for 1ms completion_id=1  # here
      +1s     completion.call completion_id=1 result=no_data
      """),
    .violates(
      "An interval is asked for.",
      """
      \(Step.launch)
      +1s     fetch.interval seconds=1000000000
      \(Step.toBackground)  # here
      """),
    .holds(
      "The interval is “never”, as a word or as a number.",
      """
      \(Step.launch)
      +1s     fetch.interval seconds=3600
      +1s     fetch.interval seconds=never
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     fetch.interval seconds=3600
      +1s     fetch.interval seconds=1000000001
      \(Step.toBackground)
      \(Step.toForeground)
      """),
    .holds(
      "The mode is declared.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[fetch]
      \(Step.launch)
      +1s     fetch.interval seconds=3600
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    delegate.perform_fetch for 1ms completion_id=1
      +1s     completion.call completion_id=1 result=no_data
      """),
  ]

  private static let ofNotifications: [RuleExample] = [
    .violates(
      "A push reaches an app that was resumed, was launched, or is in a wake-up for it.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=remote_notification
      +1ms    delegate.did_receive_remote_notification for 1ms completion_id=1  # here
      +1s     proc.kill cause=jetsam
      +60s    proc.start into=background reason=remote_notification
      +10ms   delegate.did_finish_launching for 10ms
      +20ms   delegate.did_receive_remote_notification for 1ms completion_id=1  # here
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      \(Step.toBackground)
      +1s     >wake.window id=1 reason=remote_notification
      +1ms    delegate.did_receive_remote_notification for 1ms completion_id=2  # here
      +1s     <wake.window
      """),
    .holds(
      "The user tapped the notification: the app is on its way to the foreground.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +1ms    delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_receive_remote_notification for 1ms completion_id=1
      +10ms   delegate.did_become_active for 1ms
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=2
      """),
    .holds(
      "The app was away, came back, and has just left again.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      \(Step.toForeground)
      \(Step.toBackground)
      +1ms    delegate.did_receive_remote_notification for 1ms completion_id=1
      """),
  ]

  private static let ofNewsstand: [RuleExample] = [
    .violates(
      "An issue is downloaded in the background.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     news.download op=start issue=5  # here
      """),
    .holds(
      "The download was started in the foreground, or is covered by a task.",
      """
      \(Step.launch)
      +1s     news.download op=start issue=5
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s     news.download op=start issue=6
      +1s     news.download op=finish issue=6
      +1s     bgtask.end token=1
      +1s     news.download op=finish issue=5
      """),
    .holds(
      "The mode is declared.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[newsstand-content]
      \(Step.launch)
      \(Step.toBackground)
      +1s     news.download op=start issue=5
      """),
  ]
}
