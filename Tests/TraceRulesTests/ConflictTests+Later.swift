// Where the sources disagree: one life for each side of a decision, C10 to C18.

@testable import TraceCatalogue
@testable import TraceRules

extension ConflictTests {
  private typealias Life = JudgedLife
  static let later =
    refreshOff + accessories + sharedResources + messages + backgroundLaunches
    + begins + voiceModes + modes + calls

  // MARK: C10, background tasks while Background App Refresh is off

  private static let refreshRules: Set = ["LC002", "LC622"]
  private static let denied = Life.system(
    "7.1", "refresh_status=denied background_modes=[audio,fetch]")

  private static let refreshOff = [
    Life(
      "C10 an open task is honoured", about: refreshRules, denied,
      """
      \(Step.launch)
      \(Life.task)
      \(Step.toBackground)
      +20s @3 work.span for 10ms id=1 class=save protects_token=1
      +1s     bgtask.end token=1
      +1s     proc.suspend inferred=false
      """, []),
    Life(
      "C10 a fetch isn't", about: refreshRules, denied,
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    wake.window for 1s id=1 reason=fetch
      +2s     proc.suspend inferred=false
      """, ["warning LC622"]),
    Life(
      "C10 music isn't", about: refreshRules, denied,
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +20s @3 net.io socket=1 bytes=100
      +1s     audio.play op=stop stream=1
      +1s     proc.suspend inferred=false
      """, ["warning LC002 predicted", "warning LC622"]),
    Life(
      "C10 with the setting on music is", about: refreshRules,
      Life.system("7.1", "background_modes=[audio]"),
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +20s @3 net.io socket=1 bytes=100
      +1s     audio.play op=stop stream=1
      +1s     proc.suspend inferred=false
      """, []),
  ]

  // MARK: C11, whether an accessory's session survives

  private static let disconnected = "name=EAAccessoryDidDisconnectNotification"
  private static let mode = Life.system("5.1", "background_modes=[external-accessory]")

  private static let accessories = [
    Life(
      "C11 without the mode the notification is expected", about: ["LC705"], Life.system("5.1"),
      "\(Step.launch)\n+1s ea.session op=open accessory=1\n\(Step.toBackground)",
      ["warning LC705"]),
    Life(
      "C11 with the mode it need not be", about: ["LC705"], mode,
      "\(Step.launch)\n+1s ea.session op=open accessory=1\n\(Step.toBackground)",
      ["note LC705"]),
    Life(
      "C11 without the mode the session is closed", about: ["LC705", "LC706"], Life.system("5.1"),
      """
      \(Step.launch)
      +1s     note.observe \(disconnected)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +10ms   note.deliver for 1ms \(disconnected)
      +10ms   ea.session op=close accessory=1
      +1s     proc.suspend inferred=false
      """, []),
    Life(
      "C11 without the mode the session is left open", about: ["LC705", "LC706"],
      Life.system("5.1"),
      """
      \(Step.launch)
      +1s     note.observe \(disconnected)
      +1s     ea.session op=open accessory=1
      \(Step.toSuspended)
      """, ["note LC706"]),
    Life(
      "C11 with the mode the session lives on", about: ["LC705", "LC706"], mode,
      """
      \(Step.launch)
      +1s     note.observe \(disconnected)
      +1s     ea.session op=open accessory=1
      \(Step.toSuspended)
      """, []),
  ]

  // MARK: C12, when the holder of a shared resource is killed

  private static let held = "\(Step.launch)\n+1s res.use op=acquire resource=address_book"

  private static let sharedResources = [
    Life(
      "C12 held at the suspension", about: ["LC201"], "",
      "\(held)\n\(Step.toSuspended)\n+1ms proc.kill cause=shared_resource", ["error LC201"]),
    Life(
      "C12 held in the background, but not at the suspension", about: ["LC201"], "",
      """
      \(held)
      \(Step.toBackground)
      +3s     res.use op=release resource=address_book
      +1ms    proc.suspend inferred=false
      """, []),
    Life(
      "C12 terminated instead of suspended: the instant isn't recorded", about: ["LC201"], "",
      "\(held)\n\(Step.toBackground)\n+3s proc.kill cause=shared_resource", [],
      unknown: ["LC201"]),
  ]

  // MARK: C13, whether a message deactivates the app

  private static let messageRules: Set = ["LC501", "LC509", "LC510"]

  private static let messages = [
    Life(
      "C13 a banner doesn't", about: messageRules, Life.system("6.0"),
      "\(Step.launch)\n+1s sys.banner id=chat\n+1s ui.touch\n\(Step.end)", []),
    Life(
      "C13 a banner alone is no cause", about: messageRules, Life.system("6.0"),
      """
      \(Step.launch)
      +1s     sys.banner id=chat
      +10ms   delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms
      """, ["note LC510"]),
    Life(
      "C13 an alert does", about: messageRules, Life.system("6.0"),
      """
      \(Step.launch)
      +1s     >sys.interruption kind=text_message
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=dismissed
      +10ms   delegate.did_become_active for 1ms
      +1s     ui.touch
      """, []),
    Life(
      "C13 while the alert is shown no touch arrives", about: messageRules, Life.system("6.0"),
      """
      \(Step.launch)
      +1s     >sys.interruption kind=text_message
      +10ms   delegate.will_resign_active for 1ms
      +1s     ui.touch
      +2s     <sys.interruption outcome=dismissed
      +10ms   delegate.did_become_active for 1ms
      """, ["warning LC509"]),
    Life(
      "C13 iOS 4 has no banners", about: messageRules, Life.system("4.3"),
      """
      \(Step.launch)
      +1s     sys.banner id=chat
      +10ms   delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms
      """, []),
  ]

  // MARK: C14, whether a background launch passes through inactive

  private static let launchRules: Set = ["LC501", "LC508", "LC521"]

  private static func launched(_ into: String, _ state: String) -> String {
    """
    +0s     proc.start into=\(into) reason=fetch
    +10ms   >delegate.did_finish_launching application_state=\(state)
    +10ms   state.application value=\(state)
    +10ms   <delegate.did_finish_launching
    """
  }

  private static let backgroundLaunches = [
    Life(
      "C14 from the first moment in the background", about: launchRules, "",
      """
      \(launched("background", "background"))
      +1s     state.application value=background
      \(Step.end)
      """,
      []),
    Life(
      "C14 never inactive", about: launchRules, "",
      "\(launched("background", "inactive"))\n\(Step.end)", ["warning LC508", "note LC521"]),
    Life(
      "C14 a launch into the foreground is", about: launchRules, "",
      "\(launched("foreground", "inactive"))\n+10ms delegate.did_become_active for 1ms", []),
    Life(
      "C14 no callback of the inactive state", about: launchRules, "",
      "\(launched("background", "background"))\n+1s delegate.will_resign_active for 1ms",
      ["warning LC501"]),
    Life(
      "C14 the background isn't entered", about: launchRules, "",
      "\(launched("background", "background"))\n+1s delegate.did_enter_background for 1ms",
      ["warning LC501"]),
  ]

  // MARK: C15, when a task may be begun

  private static let taskRules: Set = ["LC001", "LC002", "LC107", "LC501", "LC543"]

  private static let begins = [
    Life(
      "C15 at any time before the suspension", about: taskRules, "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms   bgtask.begin token=1
      +10ms   <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms
      +10ms   bgtask.begin token=2
      +10ms   >delegate.will_resign_active
      +10ms   bgtask.begin token=3
      +10ms   <delegate.will_resign_active
      +10ms   bgtask.begin token=4
      +10ms   >delegate.did_enter_background
      +10ms   bgtask.begin token=5
      +10ms   <delegate.did_enter_background
      +4s @3  bgtask.begin token=6
      +1s @3  bgtask.end token=1
      +1ms @3 bgtask.end token=2
      +1ms @3 bgtask.end token=3
      +1ms @3 bgtask.end token=4
      +1ms @3 bgtask.end token=5
      +1ms @3 bgtask.end token=6
      +1s     proc.suspend inferred=false
      +60s    proc.kill cause=jetsam
      """, []),
    Life(
      "C15 not while suspended", about: taskRules, "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +5s @3  bgtask.begin token=1
      +1ms @3 bgtask.end token=1
      \(Step.resumed)
      """, ["error LC002 observed"]),
    Life(
      "C15 in the last callback it gives no time", about: taskRules, "",
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +1ms    bgtask.begin token=1
      +1ms    bgtask.end token=1
      +1ms    <delegate.will_terminate
      \(Step.end)
      """, ["warning LC107"]),
  ]

  // MARK: C16 and C17, modes

  private static let voiceModes = [
    Life(
      "C16 voip alone is a warning", about: ["LC608"], "background_modes=[voip]",
      "\(Step.launch)\n+1s audio.play op=start stream=1\n\(Step.end)", ["warning LC608"]),
    Life(
      "C16 voip with audio", about: ["LC608"], "background_modes=[voip,audio]",
      "\(Step.launch)\n+1s audio.play op=start stream=1\n\(Step.end)", []),
  ]

  private static let modes = [
    ("3.1", "audio", ["note LC625"]), ("4.0", "audio,location,voip", []),
    ("4.3", "external-accessory", ["note LC625"]), ("4.3", "newsstand-content", ["note LC625"]),
    ("5.0", "newsstand-content,external-accessory,bluetooth-central", []),
    ("5.1", "bluetooth-peripheral", ["note LC625"]), ("6.0", "bluetooth-peripheral", []),
    ("6.1", "fetch", ["note LC625"]), ("6.1", "remote-notification", ["note LC625"]),
    ("7.0", "fetch,remote-notification", []), ("8.0", "telepathy", ["note LC625"]),
  ].map { system, modes, findings in
    Life(
      "C17 iOS \(system): \(modes)", about: ["LC625"],
      Life.system(system, "background_modes=[\(modes)]"), "\(Step.launch)\n\(Step.end)", findings)
  }

  // MARK: C18, whether the path of a phone call is fixed

  private static func call(
    _ system: String, _ name: String, _ outcome: String, _ rest: String, _ findings: [String] = []
  ) -> JudgedLife {
    Life(
      "C18 iOS \(system): \(name)", about: ["LC501", "LC522"], Life.system(system),
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +5s     <sys.interruption outcome=\(outcome)
      \(rest)
      """, findings)
  }

  private static let calls = [
    call("4.3", "dismissed", "dismissed", "+10ms delegate.did_become_active for 1ms"),
    call("4.3", "accepted", "accepted", "+10ms delegate.did_enter_background for 1ms"),
    call("8.1", "accepted", "accepted", "+10ms delegate.did_enter_background for 1ms"),
    call("4.3", "accepted, to no effect", "accepted", "+8s trace.marker text=a", ["note LC522"]),
    call("8.1", "dismissed, to no effect", "dismissed", "+8s trace.marker text=a", ["note LC522"]),
    call("3.1", "accepted", "accepted", Life.ended),
    call("3.1", "accepted, to no effect", "accepted", "+8s trace.marker text=a", ["note LC522"]),
    call("3.1", "dismissed", "dismissed", "+10ms delegate.did_become_active for 1ms"),
  ]
}
