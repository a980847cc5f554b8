// Times as people read them in a report.

import TraceModel
import TraceNotation

/// Durations in words.
public enum TimeText {
  /// A time in seconds to the microsecond: `0s`, `1.5s`, `0.000001s`.
  public static func exact(_ nanoseconds: Int64) -> String {
    // Cut and not rounded: a time never seems to lie behind a limit that it hasn't reached.
    DurationText.text(nanoseconds - nanoseconds % 1000)
  }

  /// A duration to about three digits: `12 ms`, `1.24 s`, `3 min 5 s`.
  public static func rounded(_ nanoseconds: Int64) -> String {
    let milliseconds = max(0, nanoseconds) / 1_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let seconds = milliseconds / 1000
    if seconds < 60 {
      let hundredths = milliseconds % 1000 / 10
      return "\(seconds).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    }
    return "\(seconds / 60) min \(seconds % 60) s"
  }
}
