// What a simulated system promises an app: the life cycle of each profile, described anew.
// This file must not know how the checker describes the same systems: it is what that is tested by.

import TraceModel

/// A family of systems that treat an app alike.
package enum SystemProfile: String, CaseIterable, Sendable {
  case os3, sdk3, nomt, optout, ios4, ios5, ios7, ios8, ios13, scene

  /// The systems on which an app that the user leaves goes on to live.
  package static let multitasking: [SystemProfile] = [.ios4, .ios5, .ios7, .ios8, .ios13, .scene]
}

/// How a system behaves.
package struct SystemTraits: Sendable {
  package let profile: SystemProfile

  package init(profile: SystemProfile) { self.profile = profile }

  package var osVersion: String {
    switch profile {
    case .os3: "3.1.3"
    case .sdk3: "4.1.0"
    case .nomt: "4.2.1"
    case .optout: "7.1.0"
    case .ios4: "4.3.0"
    case .ios5: "5.1.0"
    case .ios7: "7.1.0"
    case .ios8: "8.1.0"
    case .ios13: "13.4.0"
    case .scene: "15.2.0"
    }
  }

  package var sdkVersion: String {
    switch profile {
    case .os3: "3.1"
    case .sdk3: "3.2"
    default: String(osVersion.dropLast(2))
    }
  }

  package var deviceModel: String {
    switch profile {
    case .os3, .nomt: "iPhone1,2"
    case .sdk3, .ios4: "iPhone3,1"
    case .ios5: "iPhone4,1"
    case .optout, .ios7: "iPhone6,1"
    case .ios8: "iPhone7,2"
    case .ios13: "iPhone12,1"
    case .scene: "iPhone14,5"
    }
  }

  private var majorVersion: Int { SystemVersion(osVersion)?.major ?? 0 }

  /// Whether an app that the user leaves stays in memory.
  package var keepsApps: Bool { SystemProfile.multitasking.contains(profile) }
  package var hasScenes: Bool { profile == .scene }

  /// Whether an app that ends because the user leaves it is told that it becomes inactive first.
  package var resignsBeforeEnding: Bool { profile == .os3 || profile == .sdk3 }
  /// Whether an app that ends because the user leaves it is told of the background first.
  package var entersBackgroundBeforeEnding: Bool { profile == .sdk3 || profile == .nomt }
  /// Whether locking the screen puts the app into the background; otherwise it stays inactive.
  package var lockEntersBackground: Bool { keepsApps && profile != .ios4 }
  /// Whether a notification appears as a banner, which leaves the app active.
  package var hasBanners: Bool { majorVersion >= 5 }
  /// Whether a running app in the background is told that the user ends it.
  package var tellsOfForceQuit: Bool { keepsApps && majorVersion >= 7 }
  package var hasFetch: Bool { keepsApps && majorVersion >= 7 }
  package var hasBackgroundSessions: Bool { keepsApps && majorVersion >= 7 }
  package var hasAccessoryModes: Bool { keepsApps && majorVersion >= 5 }
  package var hasKeepAlive: Bool { keepsApps && majorVersion <= 8 }
  package var hasNewsstand: Bool { keepsApps && (5...8).contains(majorVersion) }
  package var hasTaskScheduler: Bool { keepsApps && majorVersion >= 13 }
  package var hasPushKit: Bool { keepsApps && majorVersion >= 13 }
  package var hasPeripheralMode: Bool { keepsApps && majorVersion >= 6 }
  /// Whether data of a device launches an app that ended.
  package var launchesForDevices: Bool { keepsApps && majorVersion >= 7 }
  /// Whether processes are started before the user opens the app.
  package var prewarmsApps: Bool { keepsApps && majorVersion >= 15 }
  /// Whether purchases are confirmed in dialogues that make the app inactive, one after another.
  package var hasPurchaseDialogues: Bool { keepsApps && majorVersion <= 8 }

  /// How long tasks may stay open in the background, in seconds; 0 where there are none.
  package var taskSeconds: Int64 {
    guard keepsApps else { return 0 }
    if majorVersion >= 13 { return 30 }
    return majorVersion >= 7 ? 180 : 600
  }

  /// What the watchdogs allow before they kill, in seconds. Systems with RunningBoard were seen to
  /// wait longer than the five seconds of the guides.
  package var launchAllowanceSeconds: Int64 { majorVersion >= 13 ? 20 : 5 }
  package var entryAllowanceSeconds: Int64 { majorVersion >= 13 ? 10 : 5 }
  package static let endAllowanceSeconds: Int64 = 5
  package static let keepAliveAllowanceSeconds: Int64 = 30
  /// How long an app may keep four fifths of a processor busy in the background.
  package static let busyNanosecondsMax = Int64.seconds(90)
  /// How long a wake lasts unless the app has more time for another reason.
  package static let wakeAllowanceSeconds: Int64 = 30

  /// Whether a wake may launch an app that the user has force quit.
  package func launchesAfterForceQuit(_ reason: WakeReason) -> Bool {
    switch reason {
    case .location, .region: majorVersion >= 8
    case .pushkit: majorVersion >= 13
    default: false
    }
  }

  /// Whether the system knows this kind of wake at all.
  package func knows(_ reason: WakeReason) -> Bool {
    guard keepsApps else { return false }
    switch reason {
    case .location, .region, .audio: return true
    case .bluetoothPeripheral: return hasPeripheralMode
    case .keepalive, .voipSocket, .voipExit, .boot: return hasKeepAlive
    case .fetch, .remoteNotification: return hasFetch
    case .urlSession: return hasBackgroundSessions
    case .externalAccessory, .bluetoothCentral: return hasAccessoryModes
    case .newsstand: return hasNewsstand
    case .backgroundScheduler: return hasTaskScheduler
    case .pushkit: return hasPushKit
    }
  }
}

/// Why a system runs an app that the user doesn't see.
package enum WakeReason: String, CaseIterable, Sendable {
  case location, region, audio, keepalive, fetch, newsstand, pushkit, boot
  case voipSocket = "voip_socket"
  case voipExit = "voip_exit"
  case remoteNotification = "remote_notification"
  case urlSession = "url_session"
  case externalAccessory = "external_accessory"
  case bluetoothCentral = "bluetooth_central"
  case bluetoothPeripheral = "bluetooth_peripheral"
  case backgroundScheduler = "bg_scheduler"

  /// The mode that an app must declare for it; nil if it needs none.
  package var mode: String? {
    switch self {
    case .location, .region, .urlSession, .backgroundScheduler: nil
    case .keepalive, .voipSocket, .voipExit, .boot, .pushkit: "voip"
    case .audio: "audio"
    case .fetch: "fetch"
    case .newsstand: "newsstand-content"
    case .remoteNotification: "remote-notification"
    case .externalAccessory: "external-accessory"
    case .bluetoothCentral: "bluetooth-central"
    case .bluetoothPeripheral: "bluetooth-peripheral"
    }
  }

  /// Whether the event comes at once, whatever the app does.
  var isPush: Bool { self == .remoteNotification || self == .pushkit }
  /// Whether it is data of a device, which the app has ten seconds for.
  var isOfDevice: Bool {
    self == .externalAccessory || self == .bluetoothCentral || self == .bluetoothPeripheral
  }

  /// Whether the user's setting for refreshing apps in the background switches it off.
  package var obeysRefreshSetting: Bool {
    switch self {
    case .fetch, .remoteNotification, .location, .region, .audio, .backgroundScheduler: true
    default: false
    }
  }
}
