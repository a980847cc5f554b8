// Why a verdict couldn't be decided, in words. Machines get the labels themselves.

package enum UnknownReasonText {
  private static let texts: [String: String] = [
    "truncated": "the trace ends too early",
    "mid-life": "it began before the recording",
    "gap": "events were lost",
    "hidden": "the log hides tokens",
    "header-silent": "the header doesn't say what would decide it",
    "no-suspension-recorded": "neither a suspension nor a heartbeat was recorded",
    "coverage": "the recorder doesn't cover what is needed",
    "key-limit": "too many at once",
    "return-lost": "the return was lost",
    "ended-by-system": "the system ended the app first",
    "recording-ended": "the recording ended first",
    "ended-at-suspension": "it ended right at a suspension",
    "locked": "the device was locked or asleep",
    "token-reused": "a token was begun twice",
    "clock": "a clock went back",
    "crossing": "spans cross",
  ]

  /// The words for a label; the label itself if it has none.
  package static func words(for label: String) -> String { texts[label] ?? label }
}
