// Why a verdict couldn't be decided, in words. Machines get the labels themselves.

package enum UnknownReasonText {
  private static let texts: [String: String] = [
    "truncated": "the trace ends too early",
    "mid-life": "it began before the recording",
    "gap": "events were lost, or a clock was set",
    "hidden": "the log hides tokens",
    "log-levels": "the log doesn't hold the lines of begins and ends, which are of level info",
    "prewarmed": "the process waited to be launched",
    "header-silent": "the header doesn't say what would decide it",
    "argument-missing": "an event doesn't say what would decide it",
    "no-suspension-recorded": "neither a suspension nor a heartbeat was recorded",
    "coverage": "the recorder doesn't cover what is needed",
    "key-limit": "too many at once",
    "return-lost": "the return was lost",
    "ended-by-system": "the system ended the app first",
    "recording-ended": "the recording ended first",
    "entered-again": "the app came back and left again before it was decided",
    "ended-at-suspension": "it ended right at a suspension",
    "locked": "the device was locked or asleep",
    "token-reused": "a token was begun twice",
    "clock": "a clock went back",
    "crossing": "spans cross",
    "no-sample": "nothing was measured before that",
    "other-socket": "the socket that was used isn't known",
    "unconfirmed": "nothing confirms that the app was suspended",
  ]

  /// The words for a label; the label itself if it has none.
  package static func words(for label: String) -> String { texts[label] ?? label }
}
