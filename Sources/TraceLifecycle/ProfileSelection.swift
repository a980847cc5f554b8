// Finds the profile of a trace from its header.
// This file must not know what a profile means.

public import TraceModel

/// The profile of a trace, and which condition of the header chose it.
public struct ProfileSelection: Hashable, Sendable {
  public let profile: Profile
  /// The row of the table of conditions, 1 to 11; the first that matches wins.
  public let row: Int
  /// Whether the header doesn't say which system it was, so that the profile is a guess.
  public var isAssumed: Bool { row == 11 }

  public init(header: TraceHeader) {
    let system = header.version(.osVersion)
    if let system, system < SystemVersion(4) {
      (profile, row) = (.os3, 1)
    } else if let sdk = header.version(.sdkLinked), sdk < SystemVersion(4) {
      (profile, row) = (.sdk3, 2)
    } else if header.boolean(.multitaskingSupported) == false {
      (profile, row) = (.nomt, 3)
    } else if header.boolean(.exitsOnSuspend) == true, let system, system < SystemVersion(13) {
      (profile, row) = (.optout, 4)
    } else if let system {
      if system >= SystemVersion(13) {
        (profile, row) = header.boolean(.sceneManifest) == true ? (.scene, 5) : (.ios13, 6)
      } else if system >= SystemVersion(8) {
        (profile, row) = (.ios8, 7)
      } else if system >= SystemVersion(7) {
        (profile, row) = (.ios7, 8)
      } else if system >= SystemVersion(5) {
        (profile, row) = (.ios5, 9)
      } else {
        (profile, row) = (.ios4, 10)
      }
    } else {
      (profile, row) = (.ios8, 11)
    }
  }
}
