// LC305: the app doesn't look at the launch option that says why it was launched.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC305 {
  /// Launches for one of these reasons bring an option whose key ends so.
  private static func clause(
    _ reasons: [String], _ key: String, applies: HeaderTest? = nil
  ) -> Clause {
    Clause(
      .note, applies: applies,
      .expect(
        Expect(
          opens: [.on(.procStart, where: .isText(.reason, reasons))],
          closes: [
            .on(
              .stateLaunchOptions, where: .any([.matches(.key, "*\(key)"), .not(.isPresent(.key))]))
          ],
          due: [.at([.end(.delegateDidFinishLaunching)])], per: .launch)),
      message: MessageTemplate(
        "the app was launched for {reason} and didn't read UIApplicationLaunchOptions\(key)"))
  }

  /// With scenes these options come with the connection of a scene.
  private static let withoutScenes = HeaderTest.not(.profile([.scene]))

  private static let clauses: [Clause] = [
    clause(["open_url"], "URLKey", applies: withoutScenes),
    clause(["local_notification"], "LocalNotificationKey", applies: withoutScenes),
    clause(["remote_notification"], "RemoteNotificationKey", applies: withoutScenes),
    clause(["location", "region"], "LocationKey"),
    clause(["newsstand"], "NewsstandDownloadsKey"),
    clause(["bluetooth_central"], "BluetoothCentralsKey"),
    clause(["bluetooth_peripheral"], "BluetoothPeripheralsKey"),
  ]

  static let rule = Rule(
    id: "LC305",
    slug: "launch/launch-options-not-checked",
    severity: .note,
    summary: "An app that is launched for an event reads the launch option that tells of it.",
    rationale: """
      The system says why it starts an app only in the launch options. Who doesn't look there \
      starts as if the user had tapped the icon.
      """,
    consequence: "The event for which the app was launched may never be handled.",
    advice: """
      Look for the key of each kind of launch that the app takes part in, in one of the two launch \
      methods, and set up what handles it: a location manager, a Bluetooth manager, the download.
      """,
    sources: [.appStates("What to Do at Launch Time")],
    needs: ["state", "proc", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: clauses,
    examples: violating + holding)

  private static func launch(_ reason: String, read: String = "", here: Bool = false) -> String {
    """
    +0s     proc.start into=background reason=\(reason)
    +10ms   >delegate.did_finish_launching\(read)
    +10ms   <delegate.did_finish_launching\(here ? "  # here" : "")
    """
  }

  private static func unread(_ remark: String, _ reason: String) -> RuleExample {
    .violates(remark, launch(reason, here: true))
  }

  private static func read(_ remark: String, _ reason: String, _ key: String) -> RuleExample {
    .holds(
      remark,
      launch(
        reason, read: "\n+1ms    state.launch_options key=UIApplicationLaunchOptions\(key)"))
  }

  private static let violating: [RuleExample] = [
    unread("A change of place launched the app, and it doesn't ask.", "location"),
    unread("A region was entered.", "region"),
    unread("Another app opened a URL.", "open_url"),
    unread("A local notification was tapped.", "local_notification"),
    unread("A remote notification arrived.", "remote_notification"),
    unread("An issue is there to be downloaded.", "newsstand"),
    unread("A Bluetooth device delivers.", "bluetooth_central"),
    unread("A Bluetooth device asks.", "bluetooth_peripheral"),
    .violates(
      "The app looks for another key, and for the right one too late.",
      """
      +0s     proc.start into=background reason=location
      +10ms   >delegate.did_finish_launching
      +1ms    state.launch_options key=UIApplicationLaunchOptionsURLKey
      +10ms   <delegate.did_finish_launching  # here
      +10ms   state.launch_options key=UIApplicationLaunchOptionsLocationKey
      """),
    .violates(
      "In an app with scenes the place is still told by the launch options.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[location]
      +0s     proc.start into=background reason=location
      +10ms   >delegate.did_finish_launching
      +10ms   <delegate.did_finish_launching  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    read("The key of the location is read.", "location", "LocationKey"),
    read("It stands for regions as well.", "region", "LocationKey"),
    read("The URL.", "open_url", "URLKey"),
    read("The local notification.", "local_notification", "LocalNotificationKey"),
    read("The remote notification.", "remote_notification", "RemoteNotificationKey"),
    read("The downloads of Newsstand.", "newsstand", "NewsstandDownloadsKey"),
    read("The central managers.", "bluetooth_central", "BluetoothCentralsKey"),
    read("The peripheral managers.", "bluetooth_peripheral", "BluetoothPeripheralsKey"),
    .holds(
      "The first of the two launch methods may read it, too.",
      """
      +0s     proc.start into=background reason=location
      +10ms   >delegate.will_finish_launching
      +1ms    state.launch_options key=UIApplicationLaunchOptionsLocationKey
      +10ms   <delegate.will_finish_launching
      +10ms   delegate.did_finish_launching for 10ms
      """),
    .holds(
      "An app that goes through all options reads this one with them.",
      """
      +0s     proc.start into=background reason=location
      +10ms   >delegate.did_finish_launching
      +1ms    state.launch_options
      +10ms   <delegate.did_finish_launching
      """),
    .holds("The user tapped the icon: there is nothing to read.", Step.launch),
    .holds("A fetch has no key.", Step.backgroundLaunch),
    .holds(
      "A scene is told of the URL when it connects.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=open_url
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      """),
    .holds(
      "A recording that begins later doesn't know what was read.",
      """
      +0s     trace.start reason=attach
      +10ms   delegate.did_finish_launching for 100ms
      """),
  ]
}
