// Who is to blame when a process ran out of its time: the app, or a device that gave it none.
// This file must not know how reports or events look.

/// What the numbers of a watchdog's kill say of the app.
package enum Blame: String, Sendable {
  /// The device had no processor time for the app.
  case starved
  /// Other processes had the processors.
  case crowded
  /// The app waited: for a lock, for the network, for another process.
  case blocked
  /// It waited or was starved: nothing tells how hot the device was.
  case idle
  /// The app computed.
  case busy
  /// Between waiting and computing.
  case mixed

  /// Of the time that the app had, the share below which it waited.
  private static let lowShare = 0.15
  /// The share above which it computed.
  private static let highShare = 0.5

  /// The share of the device's processor time from which others leave an app too little.
  private static let crowdedPercent = 80.0
  /// The thermal level from which a device slows down, where no state says so in a word. Below it
  /// only 0 is known to be cool: what the levels between mean is nowhere said.
  private static let hotLevel = 10.0
  /// No watchdog is known to wait for less (it allows 5 s for the end of a process), so that little
  /// processor time is a low share also where nothing says of how long.
  private static let secondsMin = 5.0

  /// By these words a description says that processor time was allowed, and not time on the wall.
  package static let processorAllowanceWords = "exhausted CPU time allowance"

  /// Weighs the numbers; nil if they don't tell.
  ///
  /// - Parameters:
  ///   - appSeconds: The processor time that the app used.
  ///   - seconds: The time that it took, or that was allowed; nil if nothing says it. Then only a
  ///     share tells that is low of the shortest time allowed.
  ///   - totalPercent: How much of the device's processor time all processes used meanwhile.
  ///   - isHot: Whether the device slowed itself down; nil if nothing tells.
  package init?(appSeconds: Double?, of seconds: Double?, totalPercent: Double?, isHot: Bool?) {
    guard let appSeconds, seconds ?? Self.secondsMin > 0 else { return nil }
    let share = appSeconds / (seconds ?? Self.secondsMin)
    if seconds == nil, share > Self.lowShare { return nil }
    if share >= Self.highShare {
      self = .busy
    } else if share > Self.lowShare {
      self = .mixed
    } else if isHot == true {
      self = .starved
    } else if let totalPercent, totalPercent >= Self.crowdedPercent {
      self = .crowded
    } else {
      self = isHot == nil ? .idle : .blocked
    }
  }

  /// Whether a device slows itself down: its state says so, or without one its level; nil if
  /// neither tells.
  package static func isHot(_ thermalState: String?, level: Double?) -> Bool? {
    guard let thermalState else {
      guard let level, level <= 0 || level >= hotLevel else { return nil }
      return level > 0
    }
    return thermalState == "serious" || thermalState == "critical"
  }

  /// How sure it is that the app is to blame.
  package var certainty: String {
    switch self {
    case .starved, .crowded: "low"
    case .mixed, .idle: "medium"
    case .blocked, .busy: "high"
    }
  }

  /// What it means, in a few words.
  package var meaning: String {
    switch self {
    case .starved: "the hot device left it little time to run"
    case .crowded: "other processes left it little time to run"
    case .blocked, .idle: "its main thread waited"
    case .busy: "it was busy computing"
    case .mixed: "it computed for a part of the time and waited for the rest"
    }
  }

  /// A number of seconds with at most three decimals, and none for whole ones.
  package static func text(seconds: Double) -> String {
    let rounded = (seconds * 1000).rounded() / 1000
    guard rounded.magnitude < 1e15 else { return "\(seconds)" }
    return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
  }
}
