// Who is to blame when a process ran out of its time: the app, or a device that gave it none.
// This file must not know how reports or events look.

/// What the numbers of a watchdog's kill say of the app.
package enum Blame: String, Sendable {
  /// The device had no processor time for the app.
  case starved
  /// The app waited: for a lock, for the network, for another process.
  case blocked
  /// The app computed.
  case busy
  /// Between waiting and computing.
  case mixed

  /// Of the time that the app had, the share below which it waited.
  private static let lowShare = 0.15
  /// The share above which it computed.
  private static let highShare = 0.5

  /// Weighs the numbers; nil if they don't tell.
  ///
  /// - Parameters:
  ///   - appSeconds: The processor time that the app used.
  ///   - seconds: The time that it took, or that was allowed.
  ///   - isHot: Whether the device slowed itself down.
  package init?(appSeconds: Double?, of seconds: Double?, isHot: Bool) {
    guard let appSeconds, let seconds, seconds > 0 else { return nil }
    let share = appSeconds / seconds
    if share >= Self.highShare {
      self = .busy
    } else if share > Self.lowShare {
      self = .mixed
    } else {
      self = isHot ? .starved : .blocked
    }
  }

  /// Whether a device in this thermal state slows itself down.
  package static func isHot(_ thermalState: String) -> Bool {
    thermalState == "serious" || thermalState == "critical"
  }

  /// How sure it is that the app is to blame.
  package var certainty: String {
    switch self {
    case .starved: "low"
    case .mixed: "medium"
    case .blocked, .busy: "high"
    }
  }

  /// What it means, in a few words.
  package var meaning: String {
    switch self {
    case .starved: "the hot device left it little time to run"
    case .blocked: "its main thread waited"
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
