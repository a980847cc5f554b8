// The table of the ways in which the system ends apps: what each means, and the rules that find in
// a trace what led to it. This file must not know traces or how an end is told.

import TraceModel

/// What is known of the reason of an end.
struct EndingExplanation {
  /// The end of a sentence that begins with the app.
  var meaning: String
  /// Rules that explain it, the nearest first; none where the app broke no rule.
  var rules: [String] = []
  /// Whether the system's own words say which rule it is, and not only which family.
  var isNamed = false
  /// Whether such an end can come of nothing but a broken rule.
  var provesFault = true

  private struct Row {
    var code: Int64?
    /// A part of the description.
    var word: String?
    var cause: String?
    /// Where the app was, as the report says it.
    var visibility: String?
    var meaning: String
    var rules: [String] = []
    var isNamed = true
    var provesFault = true
  }

  /// The first row that fits counts: words, then codes, then causes.
  private static let rows: [Row] = [
    Row(
      word: "active assertions beyond permitted time",
      meaning: "kept a background task open longer than the system permits",
      rules: ["LC102", "LC001", "LC105"]),
    Row(word: "scene-create", cause: "watchdog", meaning: launch, rules: launchRules),
    Row(word: "process-launch", cause: "watchdog", meaning: launch, rules: launchRules),
    Row(word: "failed to launch", cause: "watchdog", meaning: launch, rules: launchRules),
    Row(word: "scene-update", cause: "watchdog", meaning: update, rules: updateRules),
    Row(word: "failed to resume", cause: "watchdog", meaning: resume, rules: updateRules),
    Row(word: "failed to suspend", cause: "watchdog", meaning: suspend, rules: updateRules),
    Row(word: "process-exit", cause: "watchdog", meaning: exit, rules: ["LC306"]),
    Row(word: "terminate gracefully", cause: "watchdog", meaning: exit, rules: ["LC306"]),
    Row(
      code: 0x2182_bad2, meaning: "did not end a background task in time",
      rules: ["LC102", "LC001", "LC105", "LM02"]),
    Row(
      code: 0x2182_bad3, meaning: "did not handle a background URL session in time",
      rules: ["LM19", "LC613"]),
    Row(
      code: 0x2182_bad4, meaning: "did not complete a background fetch in time",
      rules: ["LC613", "LM18"]),
    Row(
      code: 0xdead_10cc, meaning: "held a lock on a file or a database while it was suspended",
      rules: ["LM11", "LC204"]),
    Row(code: 0xbaad_ca11, meaning: "did not report a VoIP push as a call", rules: ["LM12"]),
    Row(code: 0xbad2_2222, meaning: "was resumed for calls too often", rules: ["LM13"]),
    Row(code: 0xc51b_ad01, meaning: "used too much processor time in the background of a watch"),
    Row(code: 0xc51b_ad02, meaning: "took too long in the background of a watch"),
    Row(code: 0xc51b_ad03, meaning: "was not given enough time in the background of a watch"),
    Row(
      code: 0x2bad_45ec, meaning: "drew what is not allowed while the device was locked",
      isNamed: false),
    // What the importers say where a log speaks against what the code mostly stands for.
    Row(
      code: 0x8bad_f00d, cause: "unknown",
      meaning: "ran out of time that the system allowed, and only a code says so",
      rules: ["LC001", "LC102", "LC003", "LM14"], isNamed: false),
    Row(
      cause: "watchdog", meaning: "did not answer the system in time",
      rules: ["LC003", "LC301", "LC306", "LM14"], isNamed: false),
    Row(
      cause: "bgtask_expired", meaning: "did not end a background task in time",
      rules: ["LC102", "LC001", "LC105"]),
    Row(
      cause: "file_lock", meaning: "held a lock on a file while it was suspended",
      rules: ["LM11", "LC204"]),
    Row(cause: "cpu_limit", meaning: "used too much processor time", rules: ["LC207"]),
    Row(
      cause: "gpu_in_background", meaning: "drew with OpenGL ES in the background",
      rules: ["LC004", "LC401"]),
    Row(
      cause: "keepalive_timeout", meaning: "did not return from its keep-alive handler in time",
      rules: ["LC310"]),
    Row(
      cause: "shared_resource", meaning: "held a shared resource while it was suspended",
      rules: ["LC201"]),
    Row(
      word: "per-process-limit", cause: "jetsam", visibility: "background", meaning: memory,
      rules: ["LC841", "LC843"], provesFault: false),
    Row(
      word: "per-process-limit", cause: "jetsam", meaning: memory, rules: ["LC843"],
      provesFault: false),
    Row(
      word: "mem limit", cause: "jetsam", meaning: memory, rules: ["LC843"], provesFault: false),
    Row(
      word: "due to memory issue", cause: "jetsam", meaning: memory, rules: ["LC843"],
      provesFault: false),
    Row(
      word: "highwater", cause: "jetsam",
      meaning: "used more memory than it may keep while others need some", rules: ["LC843"],
      provesFault: false),
    Row(
      code: 7, cause: "jetsam", visibility: "background", meaning: memory,
      rules: ["LC841", "LC843"], provesFault: false),
    Row(code: 7, cause: "jetsam", meaning: memory, rules: ["LC843"], provesFault: false),
    Row(
      code: 2, cause: "jetsam",
      meaning: "used more memory than it may keep while others need some", rules: ["LC843"],
      provesFault: false),
    Row(
      code: 9, cause: "jetsam", meaning: "had nothing to do, and made room for others"),
    Row(
      word: "idle-exit", cause: "jetsam", meaning: "had nothing to do, and made room for others"),
    Row(
      cause: "jetsam", visibility: "foreground",
      meaning: "was in the foreground, and the device had no memory left at all",
      rules: ["LC843"], provesFault: false),
    Row(
      cause: "jetsam", visibility: "background",
      meaning: "had to give its memory to others, which is usual for an app in the background"),
    Row(
      cause: "jetsam",
      meaning: "had to give its memory to others; this is usual for an app in the background only"),
    Row(cause: "thermal", meaning: "had to stop because the device was too hot"),
    Row(cause: "disk_space", meaning: "had to stop while its caches were deleted to free space"),
    Row(cause: "user_force_quit", meaning: "was forced to quit by the user"),
    Row(cause: "crash", meaning: "crashed"),
  ]

  private static let memory = "used more memory than one process may"
  private static let launch = "took too long to launch"
  private static let launchRules = ["LM14", "LC301"]
  private static let update =
    "did not update its scene in time, which includes moving to the background"
  private static let resume = "did not resume in time"
  private static let suspend = "did not go to the background in time"
  private static let updateRules = ["LM14", "LC003"]
  private static let exit = "did not come to an end in time"

  /// What a kill says; nil where neither code, words nor cause say anything.
  init?(cause: String?, code: Int64?, description: String?, visibility: String?) {
    let code = code.map { $0 < 0 && $0 >= Int64(Int32.min) ? $0 + 1 << 32 : $0 }
    let isOther = cause == "bgtask_expired" || cause == "unknown"
    let effective = code == 0x8bad_f00d && !isOther ? "watchdog" : cause
    let row = Self.rows.first { row in
      if let wanted = row.visibility, wanted != visibility { return false }
      if let word = row.word {
        guard let description, description.contains(word) else { return false }
        return row.cause == nil || row.cause == effective
      }
      if let wanted = row.code {
        return wanted == code && (row.cause == nil || row.cause == cause)
      }
      return row.cause == effective
    }
    guard let row else { return nil }
    meaning = row.meaning
    rules = row.rules
    isNamed = row.isNamed
    provesFault = row.provesFault
  }

  /// What a category of counted exits says; nil for exits in good order.
  init?(category: String) {
    var word = category.lowercased()
    word.removeAll { $0 == "_" || $0 == "-" || $0 == " " }
    let row = Self.categories.first { word.contains($0.word) }
    guard let row else { return nil }
    meaning = row.meaning
    rules = row.rules
  }

  private static let categories: [(word: String, meaning: String, rules: [String])] = [
    ("watchdog", "did not answer the system in time", ["LC003", "LC301", "LC306", "LM14"]),
    ("cpu", "used too much processor time", ["LC207"]),
    ("memoryresource", "used more memory than one process may", ["LC841", "LC843"]),
    ("memorylimit", "used more memory than one process may", ["LC841", "LC843"]),
    ("pressure", "had to give up its memory while it was in the background", ["LC205", "LC842"]),
    ("lock", "held a lock on a file while it was suspended", ["LM11", "LC204"]),
    ("tasktimeout", "did not end a background task in time", ["LC102", "LC001", "LC105"]),
    ("assertiontimeout", "did not end a background task in time", ["LC102", "LC001", "LC105"]),
    ("urlsession", "did not handle a background URL session in time", ["LM19", "LC613"]),
    ("fetch", "did not complete a background fetch in time", ["LC613", "LM18"]),
    ("abnormal", "crashed", []), ("badaccess", "crashed", []),
    ("illegalinstruction", "crashed", []),
  ]
}
