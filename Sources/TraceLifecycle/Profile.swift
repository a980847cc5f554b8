// The profiles: the ways in which the life cycle differs between systems, SDKs and devices.
// This file must not know how a trace's profile is found.

/// A variant of the life cycle.
public enum Profile: String, CaseIterable, Hashable, Sendable {
  /// A system before iOS 4: no multitasking.
  case os3
  /// An app linked against an SDK before 4.0.
  case sdk3
  /// A device without multitasking.
  case nomt
  /// An app that asks to be ended when it leaves the foreground.
  case optout
  case ios4, ios5, ios7, ios8, ios13
  /// iOS 13 and later with scenes.
  case scene

  public static let ios4Plus: [Profile] = [.ios4, .ios5, .ios7, .ios8, .ios13, .scene]
  public static let ios5Plus: [Profile] = [.ios5, .ios7, .ios8, .ios13, .scene]
  public static let ios7Plus: [Profile] = [.ios7, .ios8, .ios13, .scene]
  public static let ios4ToIOS8: [Profile] = [.ios4, .ios5, .ios7, .ios8]
}
