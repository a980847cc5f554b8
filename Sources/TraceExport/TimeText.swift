// Times as people read them in a report.

/// Durations in words.
public enum TimeText {
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
