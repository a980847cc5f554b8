// The states an app can be in, and the small words that stand beside a state.
// This file must not know what leads from one state to another.

/// Where an app stands in its life cycle, in the view of the system.
public enum LifecycleState: UInt8, CaseIterable, Hashable, Sendable {
  /// Never started, or ended.
  case notRunning
  /// From the start of the process to the enter of did_become_active.
  case launchingForeground
  /// From the start of the process to the return of did_finish_launching.
  case launchingBackground
  /// In the foreground and receiving events.
  case active
  /// Inside will_resign_active.
  case resigning
  /// In the foreground without touch events.
  case inactive
  /// Inside did_enter_background.
  case enteringBackground
  /// In the background, executing code.
  case background
  /// In memory, executing nothing.
  case suspended
  /// Inside will_enter_foreground.
  case enteringForeground
  /// From the enter of will_terminate to the end of the process.
  case terminating
  /// The trace began in the middle of a life, or events were lost.
  case unknown

  /// Two letters, as in the table of transitions.
  public var symbol: String {
    switch self {
    case .notRunning: "NR"
    case .launchingForeground: "LF"
    case .launchingBackground: "LB"
    case .active: "AC"
    case .resigning: "RA"
    case .inactive: "IN"
    case .enteringBackground: "EB"
    case .background: "BG"
    case .suspended: "SU"
    case .enteringForeground: "EF"
    case .terminating: "TM"
    case .unknown: "UN"
    }
  }

  /// Whether the state is background or suspended.
  public var isBackgroundOrSuspended: Bool { self == .background || self == .suspended }

  /// Whether the app is on the screen or on its way there: LF, AC, RA, IN and EF.
  public var isForeground: Bool {
    switch self {
    case .launchingForeground, .active, .resigning, .inactive, .enteringForeground: true
    default: false
    }
  }
}

/// How the background was reached.
public enum BackgroundOrigin: Hashable, Sendable, CaseIterable {
  /// The app left the foreground.
  case entered
  /// The system launched the app into the background.
  case launched
  /// The app was resumed from suspension.
  case woken
}

/// Why the system starts, resumes or wakes an app.
public enum StartReason: String, Hashable, Sendable, CaseIterable {
  case userIcon = "user_icon"
  case switcher
  case openURL = "open_url"
  case localNotification = "local_notification"
  case remoteNotification = "remote_notification"
  case location, region, audio
  case voipSocket = "voip_socket"
  case keepalive
  case voipExit = "voip_exit"
  case boot
  case externalAccessory = "external_accessory"
  case bluetoothCentral = "bluetooth_central"
  case bluetoothPeripheral = "bluetooth_peripheral"
  case fetch
  case urlSession = "url_session"
  case newsstand
  case backgroundScheduler = "bg_scheduler"
  case pushkit, prewarm
  /// Not recorded, or a word that the vocabulary doesn't have.
  case unknown
}
