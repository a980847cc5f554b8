// What a redaction leaves as it is: the only place that says so. Whatever isn't listed here, new
// arguments and fields among it, is hashed.
//
// A text may stay if it comes from a fixed set of the system's or of the vocabulary's words, or if
// it holds nothing but numbers. Where a rule looks inside a text, that part stays and nothing else.

import TraceModel
import TraceRules

/// What stays of the texts of one argument.
struct KeptText {
  /// Texts that stay whole.
  var words: Set<String> = []
  /// Beginnings, parts and ends of texts that stay beside the hash.
  var beginnings: [String] = []
  var parts: [String] = []
  var ends: [String] = []
  /// Other texts that stay whole.
  var alsoKeeps: @Sendable (String) -> Bool = { _ in false }

  static let nothing = KeptText()

  /// Words that stand for a missing value whatever the argument.
  static let everywhere: Set = ["", "<private>"]

  /// What stays of an argument of a kind of the vocabulary.
  static func of(_ name: ArgumentName) -> KeptText { byName[name] ?? .nothing }

  /// Whether the vocabulary calls an argument of a kind a text; of an argument that the kind
  /// doesn't have, whether it calls it so anywhere.
  static func isText(_ name: ArgumentName, of kind: EventKind) -> Bool {
    let own = Vocabulary.description(of: kind)?.arguments.first { $0.name == name }
    return own.map { isText($0.shape) } ?? textNames.contains(name)
  }

  private static let textNames = Set(
    Vocabulary.kinds.flatMap(\.arguments).filter { isText($0.shape) }.map(\.name))

  private static func isText(_ shape: ArgumentShape) -> Bool {
    switch shape {
    case .string, .words: true
    case .integer, .token, .number, .boolean: false
    }
  }

  /// What stays by argument: the words that the vocabulary has for it, and what the table says.
  private static let byName: [ArgumentName: KeptText] = {
    var kept = table
    for kind in Vocabulary.kinds {
      for argument in kind.arguments {
        guard case .words(let words) = argument.shape else { continue }
        kept[argument.name, default: .nothing].words.formUnion(words)
      }
    }
    return kept
  }()

  /// What stays of arguments beside the vocabulary's words.
  private static let table: [ArgumentName: KeptText] = [
    .name: KeptText(words: Set(Vocabulary.notificationNames.map(\.text))),
    .soundName: KeptText(words: ["none", "default", "UILocalNotificationDefaultSoundName"]),
    .status: KeptText(words: [
      "none", "granted", "authorized", "not_determined", "completed", "error",
    ]),
    .seconds: KeptText(words: ["never", "unlimited"]),
    .fireWallNs: KeptText(words: ["now"]),
    .repeatInterval: KeptText(words: ["none", "0"]),
    .errorDomain: KeptText(
      words: ["MTLCommandBufferErrorDomain"], beginnings: ["IOGPU", "IOAF"]),
    .description: KeptText(parts: [
      "scene-create", "scene-update", "process-launch", "process-exit", "failed to launch",
      "failed to resume", "failed to suspend", "terminate gracefully",
      "active assertions beyond permitted time", "exhausted CPU time allowance",
      "exceeding limit of 80% cpu over 60 seconds", "limit of 80% cpu over 60 seconds",
    ]),
    .namespace: KeptText(words: [
      "SPRINGBOARD", "FRONTBOARD", "RUNNINGBOARD", "JETSAM", "SIGNAL", "WATCHDOG", "CPU",
      "THERMAL", "DYLD", "CODESIGNING", "TCC", "OBJC", "GUARD", "LIBXPC", "PORT_SPACE",
    ]),
    .role: KeptText(words: [
      "Foreground", "Background", "UIWindowSceneSessionRoleApplication",
      "UIWindowSceneSessionRoleExternalDisplay",
    ]),
    .optionKeys: KeptText(
      words: launchOptions, parts: ["UIApplicationLaunchOptionsLocationKey"]),
    .key: KeptText(words: launchOptions, ends: launchOptionEnds),
    .category: KeptText(
      words: [
        "AVAudioSessionCategoryAmbient", "AVAudioSessionCategorySoloAmbient",
        "AVAudioSessionCategoryPlayback", "AVAudioSessionCategoryRecord",
        "AVAudioSessionCategoryPlayAndRecord", "AVAudioSessionCategoryMultiRoute",
      ],
      alsoKeeps: { Terminations.counted($0) != nil || exitCounters.contains($0) }),
    // Rules take a number and its text for the same token.
    .token: KeptText(alsoKeeps: { UInt64($0) != nil || Int64($0) != nil }),
    // A loss may name its thread by a text.
    .thread: KeptText(alsoKeeps: { Int64($0) != nil }),
  ]

  private static let launchOptionEnds = [
    "URLKey", "LocalNotificationKey", "RemoteNotificationKey", "LocationKey",
    "NewsstandDownloadsKey", "BluetoothCentralsKey", "BluetoothPeripheralsKey",
  ]

  private static let launchOptions = Set(
    (launchOptionEnds + ["SourceApplicationKey", "AnnotationKey"]).map {
      "UIApplicationLaunchOptions\($0)"
    })

  /// Names under which MetricKit counts ends that no rule foresees.
  private static let exitCounters: Set = [
    "cumulativeNormalAppExitCount", "cumulativeAbnormalExitCount", "cumulativeBadAccessExitCount",
    "cumulativeIllegalInstructionExitCount", "normalTerminationCount",
    "illegalInstructionTerminationCount",
  ]
}

/// What stays of the fields of the header, where all numbers and truth values do.
enum KeptHeader {
  enum Decision {
    /// The field is left out.
    case dropped
    /// One of these words stays, and any other text is hashed.
    case words(Set<String>)
    /// A version stays: digits and dots, and a build in brackets.
    case version
    /// The identifier of a model or a build stays, if it looks like one of Apple's.
    case model, build
    /// The same for the texts of a list, of which the others are hashed so that they stay names.
    case names(Set<String>)
    case hashed
  }

  static func decision(_ field: HeaderField) -> Decision {
    switch field {
    case .traceID: .dropped
    case .formatVersion, .appVersion, .recorderVersion, .osVersion, .sdkLinked: .version
    case .endianness: .words(["little", "big"])
    case .clockKind: .words(["continuous", "uptime"])
    case .refreshStatus: .words(["available", "denied", "restricted"])
    case .appKind: .words(["app", "game", "voip", "audio", "navigation", "newsstand"])
    case .osBuild: .build
    case .deviceModel: .model
    case .backgroundModes: .names(Set(BackgroundMode.names))
    case .coverage: .names(namespaces.union(["*"]))
    case .logLevels: .names(["default", "info", "debug", "error", "fault", "notice"])
    // Rules ask whether there is one.
    case .mainStoryboard, .mainNib: .words(["none"])
    default: .hashed
    }
  }

  static let namespaces = Set(Vocabulary.kinds.map(\.namespace))

  /// Whether a text is a version, such as `1.4` or `1.4 (120)`: it holds digits and their signs.
  static func isVersion(_ text: String) -> Bool {
    text.utf8.count <= 40
      && text.utf8.allSatisfy { (48...57).contains($0) || " .()".utf8.contains($0) }
  }

  private static let families = [
    "iPhone", "iPad", "iPod", "AppleTV", "Watch", "RealityDevice", "Mac",
  ]

  /// Whether a text is the identifier of a model, such as `iPhone7,2`.
  static func isModel(_ text: String) -> Bool {
    if ["x86_64", "i386", "arm64"].contains(text) { return true }
    guard let family = families.first(where: { text.hasPrefix($0) }) else { return false }
    let parts = text.dropFirst(family.count).split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
      }
  }

  /// Whether a text is the number of a build of the system, such as `12B411` or `21A5248v`.
  static func isBuild(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (4...10).contains(bytes.count) else { return false }
    let isDigit = bytes.map { (48...57).contains($0) }
    guard let letter = isDigit.firstIndex(of: false), (1...2).contains(letter),
      (65...90).contains(bytes[letter])
    else { return false }
    var rest = bytes[(letter + 1)...]
    if let last = rest.last, (97...122).contains(last) { rest.removeLast() }
    return !rest.isEmpty && rest.allSatisfy { (48...57).contains($0) }
  }
}
