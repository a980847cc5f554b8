// Faults of background modes, of files and the network, and of notifications.

import TraceModel

extension Fault {
  static let modeFaults: [Fault] = [
    Fault(
      "mode-undeclared", "LC601", "fetches are asked for without their mode",
      "0s open; 2s home; 20s wait",
      at: [.delegateDidFinishLaunching: { $0.note(.fetchInterval, [.seconds: 3_600]) }]),
    Fault(
      "plays-silence", "LC602", "silence is played to stay awake",
      app: [.player], failing: [.playsSilence], "0s open; 1s touch 12; 1s home; 60s wait"),
    Fault(
      "tidies-while-playing", "LC603", "an app that plays music tidies up, too",
      "0s open; 2s touch; 3s home; 60s wait",
      declare: { $0.declare(mode: "audio") },
      at: [
        .uiTouch: { play($0) },
        .delegateDidEnterBackground: { system in
          system.after(.seconds(20), thread: 4) {
            system.work(.workSpan, .seconds(4), thread: 4, [.id: 1, .class: "housekeeping"])
          }
        },
      ]),
    Fault(
      "audio-unconfigured", "LC604", "music plays without a configured session",
      app: [.player], failing: [.configuresNoAudio], "0s open; 1s touch 12; 1s home; 60s wait"),
    Fault(
      "socket-untagged", "LC606", "the connection for calls isn't marked as such",
      app: [.calls], failing: [.tagsNoSocket], "0s open; 2s home; 20s wait"),
    Fault(
      "no-keep-alive", "LC607", "an app for calls installs no keep-alive handler",
      app: [.calls], failing: [.setsNoKeepAlive], "0s open; 2s home; 20s wait"),
    Fault(
      "calls-without-audio", "LC608", "an app for calls plays sound without the mode",
      // The session is configured and activated, and the sound starts and stops.
      "0s open; 2s touch; 5s wait", count: 4, declare: { $0.modes = ["voip"] },
      at: [
        .uiTouch: { system in
          play(system)
          system.after(.seconds(2), thread: 1) {
            system.note(.audioPlay, [.op: "stop", .stream: 1])
          }
        }
      ]),
    Fault(
      "keep-alive-short", "LC609", "the keep-alive handler is to be called too often",
      "0s open; 5s wait", declare: { $0.modes = ["voip", "audio"] },
      at: [
        .delegateDidFinishLaunching: {
          $0.note(.voipKeepaliveSet, [.timeoutS: 300, .accepted: false])
        }
      ]),
    Fault(
      "connection-not-recreated", "LC611", "an app for calls doesn't connect after a restart",
      app: [.calls], failing: [.recreatesNoConnection], "1s wake boot; 40s wait"),
    Fault(
      "fetch-not-completed", "LC613", "a fetch never says that it is done",
      app: [.fetch], failing: [.completesNever], "0s open; 2s home; 30s wake fetch; 60s wait"),
    Fault(
      "fetch-completed-twice", "LC614", "a fetch says twice that it is done",
      app: [.fetch], failing: [.completesTwice], "0s open; 2s home; 30s wake fetch; 60s wait"),
    Fault(
      "location-not-restarted", "LC619", "an app launched for a place doesn't ask for it again",
      "0s open; 2s home; 20s reclaim; 20s wake location; 30s wait",
      at: [.delegateDidBecomeActive: { $0.note(.locStart, [.service: "significant"]) }]),
    Fault(
      "no-bluetooth-session", "LC621", "data of a device comes without a session",
      app: [.navigator], "0s open; 2s home; 20s wake location; 20s wait",
      declare: { $0.declare(mode: "bluetooth-central") },
      at: [
        .locUpdate: { system in
          system.work(
            .btData, .milliseconds(5), [.role: "central", .peer: "p1", .kind: "data"])
        }
      ]),
    Fault(
      "woken-though-denied", "LC622", "an app is woken for a fetch that the user doesn't want",
      app: [.fetch], "0s open; 1s refresh denied; 2s home; 30s call wake.window; 20s wait"),
    Fault(
      "microphone-denied", "LC626", "sound is recorded without the user's permission",
      "0s open; 2s touch; 5s wait",
      at: [
        .uiTouch: { system in
          system.note(.privAuth, [.kind: "microphone", .status: "denied"])
          system.note(.audioRecord, [.op: "start", .stream: 2])
          system.after(.seconds(1), thread: 1) {
            system.note(.audioRecord, [.op: "stop", .stream: 2])
          }
        }
      ]),
    Fault(
      "call-without-session", "LC628", "a call begins without an audio session",
      "0s open; 2s touch; 9s wait", declare: { $0.modes = ["voip", "audio"] },
      at: [
        .uiTouch: { $0.work(.voipCall, .seconds(5), thread: 1, [.id: 1, .incoming: true]) }
      ]),
  ]

  static let resourceFaults: [Fault] = [
    Fault(
      "file-open-at-lock", "LC701", "a protected file stays open when the phone is locked",
      app: [.files], failing: [.keepsFiles], "0s open; 2s lock; 5s unlock; 2s wait"),
    Fault(
      "file-opened-while-locked", "LC702", "a protected file is opened on a locked phone",
      "0s open; 2s lock; 30s unlock; 2s wait",
      declare: { $0.otherFields[.passcodeEnabled] = .boolean(true) },
      at: [
        .delegateDidEnterBackground: { system in
          guard let token = system.beginTask("export", thread: 1, expiration: {}) else { return }
          system.after(.seconds(15), thread: 4) {
            system.note(
              .fileOpen,
              [.handle: 9, .path: "diary", .protection: "complete", .container: "private"],
              thread: 4)
            system.note(.fileClose, [.handle: 9], thread: 4)
            system.endTask(token, thread: 4)
          }
        }
      ]),
    Fault(
      "dead-socket-used", "LC704", "a connection that failed is used on",
      app: [.sockets], failing: [.keepsDeadSocket],
      "0s open; 2s home; 30s open; 8s touch; 8s touch; 2s wait"),
    Fault(
      "disconnection-unobserved", "LC705", "nobody looks whether an accessory goes away",
      "0s open; 2s touch; 2s home; 20s wait",
      at: [.uiTouch: { $0.note(.eaSession, [.op: "open", .accessory: "a1"]) }]),
    Fault(
      "session-kept", "LC706", "the session of an accessory that went away stays open",
      app: [.accessory], failing: [.closesNoAccessory],
      "0s open; 3s notice EAAccessoryDidDisconnectNotification; 5s wait"),
    Fault(
      "session-without-launch", "LC708", "a background session doesn't launch the app",
      "0s open; 2s touch; 2s wait",
      at: [
        .uiTouch: {
          $0.note(
            .urlSession,
            [
              .identifier: "sync", .kind: "background", .sendsLaunchEvents: false,
              .discretionary: true,
            ])
        }
      ]),
    Fault(
      "session-not-recreated", "LC710", "the session isn't made again after a launch for it",
      app: [.transfers], failing: [.recreatesNoSession],
      "0s open; 2s touch; 2s home; 20s reclaim; 20s wake url_session; 30s wait"),
  ]

  static let noticeFaults: [Fault] = [
    Fault(
      "too-many-reminders", "LC801", "more notifications are scheduled than the system keeps",
      app: [.reminders], failing: [.schedulesTooMany], "0s open; 2s home; 20s wait"),
    Fault(
      "sound-missing", "LC802", "the sound of a notification isn't in the app",
      "0s open; 2s touch; 2s wait",
      at: [
        .uiTouch: {
          $0.note(
            .localnoteSchedule,
            [.id: "r1", .soundName: "bell.caf", .soundInBundle: false, .soundFormat: "ma4"])
        }
      ]),
    Fault(
      "sound-format", "LC803", "the sound of a notification can't be played",
      "0s open; 2s touch; 2s wait",
      at: [
        .uiTouch: {
          $0.note(
            .localnoteSchedule,
            [.id: "r1", .soundName: "bell.mp3", .soundInBundle: true, .soundFormat: "other"])
        }
      ]),
    Fault(
      "notice-off-main", "LC808", "a notice that was held back is handled on another thread",
      "0s open; 2s home; 30s open; 2s wait",
      at: [
        .delegateWillEnterForeground: {
          $0.work(
            .noteDeliver, .milliseconds(2), thread: 3,
            [.name: "NSCurrentLocaleDidChangeNotification", .queued: true, .coalescedCount: 1])
        }
      ]),
    Fault(
      "settings-unobserved", "LC809", "changes of the settings aren't observed",
      app: [.settings], failing: [.observesNoSettings], "0s open; 2s home; 20s wait"),
    Fault(
      "no-new-login", "LC811", "security settings change, and nobody is asked for the password",
      app: [.settings], "0s open; 2s touch 2; 2s wait",
      at: [.uiTouch: { $0.note(.appReact, [.subject: "settings", .security: true]) }]),
    Fault(
      "cloud-asked-again", "LC814", "the user is asked again where to store files",
      "0s open; 2s touch 2; 2s wait",
      declare: { $0.otherFields[.usesICloud] = .boolean(true) },
      at: [.uiTouch: { $0.note(.uiIcloudPrompt, [.choiceInDefaults: true]) }]),
  ]
}
