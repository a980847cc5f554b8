// The colours of timelines, in one place: pages, pictures and dashboards show a state alike.
// Chosen so that states that follow each other differ in lightness too, for colour-blind eyes.

public import TraceLifecycle
public import TraceRules

/// The colours of timelines as six hexadecimal digits.
public enum TimelineColors {
  /// The colour of a state, on light and on dark ground.
  public static func color(of state: LifecycleState) -> String {
    switch state {
    case .notRunning: "d8dce1"
    case .launchingForeground: "cc79a7"
    case .launchingBackground: "b97aa0"
    case .active: "2aa876"
    case .resigning: "d9b23a"
    case .inactive: "efd469"
    case .enteringBackground: "56b4e9"
    case .background: "4a96d2"
    case .suspended: "9aa4b1"
    case .enteringForeground: "8fd3b6"
    case .terminating: "d55e00"
    case .unknown: "b9bec6"
    }
  }

  /// The colour of a severity on light ground.
  public static func color(of severity: Severity) -> String {
    switch severity {
    case .error: "cf222e"
    case .warning: "b35900"
    case .note: "0969da"
    }
  }

  /// The colour of a severity on dark ground.
  public static func colorOnDark(of severity: Severity) -> String {
    switch severity {
    case .error: "ff7b72"
    case .warning: "f0a04b"
    case .note: "6cb6ff"
    }
  }

  /// Colours of everything else, picked by name; dark text can be read on each.
  public static let palette = [
    "88ccee", "ddcc77", "e59aa5", "7cc8bd", "b3a6e0", "f0a98a", "a8d08d", "9db8e8", "e6b0d2",
    "cfd16b",
  ]

  /// The colour for a name: always the same one.
  public static func color(ofName name: String) -> String {
    var hash: UInt32 = 0x811C_9DC5
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return palette[Int((hash ^ (hash >> 15)) % UInt32(palette.count))]
  }
}
