// The bounds of an import, each with its reason.

/// How much of a capture an importer keeps. What the bounds cut off is said as a problem.
enum ImportLimits {
  /// Bytes of a line that are looked at: the longest life-cycle line seen has under 2 KiB.
  static let lineBytesMax = 65_536
  /// Bytes of an object of a JSON log: a line, escaped, and the rest of its keys.
  static let objectBytesMax = 131_072
  /// Bytes of a message of several lines: a termination context has about 2 KiB.
  static let messageBytesMax = 16_384
  /// Bytes of a name of a process, a bundle or a task that are kept.
  static let nameBytesMax = 256
  /// Processes with life-cycle lines: a device runs a few dozen apps at once.
  static let processesMax = 64
  /// Traces of a log: a device starts some hundred apps a day, and what is found in each
  /// is kept until the end.
  static let logTracesMax = 1_024
  /// Assertions of background tasks held at once: an app has one, and a device few such apps.
  static let assertionsMax = 4_096
  /// Processes that report a state, of which the capture remembers whose: daemons do it too.
  static let reportersMax = 512
  /// Level words of a capture: the system has seven.
  static let levelWordsMax = 8
  /// Bytes of a level word: "Standardeinstellung" has 19, other scripts need more bytes a letter.
  static let levelBytesMax = 40
  /// Warnings of the system that are repeated as remarks: enough to see what they are about.
  static let warningsMax = 16

  /// Bytes of a report that are read: crash reports and event lists have some hundred kilobytes,
  /// and growing to this size takes less than twice as much memory.
  static let reportBytesMax = 24 << 20
  /// Traces that one report becomes: a shortage of memory ends some dozens of processes.
  static let reportTracesMax = 256
  /// Events of one trace of a report: MetricKit has some twenty counters.
  static let reportEventsMax = 64
  /// Remarks on one trace or on a report: enough to explain it, few enough to be read.
  static let reportRemarksMax = 32
  /// Keys of a JSON object that recognition looks at: headers and payloads have under thirty.
  static let reportKeysMax = 64
  /// Words for the state of a process: the system knows about ten.
  static let reportStatesMax = 16
}
