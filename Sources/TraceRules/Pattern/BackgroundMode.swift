// The background modes an app may declare, and the system that first knew each.

import TraceModel

package enum BackgroundMode {
  /// The names of all modes.
  package static let names = firstSystems.keys.sorted()

  /// Modes by name, with the first system that has them: major and minor version.
  static let firstSystems: [String: (major: Int, minor: Int)] = [
    "audio": (4, 0), "location": (4, 0), "voip": (4, 0),
    "newsstand-content": (5, 0), "external-accessory": (5, 0), "bluetooth-central": (5, 0),
    "bluetooth-peripheral": (6, 0), "fetch": (7, 0), "remote-notification": (7, 0),
    "network-authentication": (9, 0), "processing": (13, 0), "nearby-interaction": (15, 0),
    "push-to-talk": (16, 0),
  ]

  /// Whether the header declares a mode that its system doesn't know; nil where it is silent.
  static func hasUnknown(_ header: TraceHeader) -> Bool? {
    guard let modes = header.strings(.backgroundModes) else { return nil }
    let system = header.string(.osVersion).flatMap { SystemVersion($0) }
    var isKnown = true
    for mode in modes {
      guard let first = firstSystems[mode] else { return true }
      guard let system else {
        isKnown = false
        continue
      }
      if (system.major, system.minor) < (first.major, first.minor) { return true }
    }
    return isKnown ? false : nil
  }
}
