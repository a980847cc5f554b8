// The table of the codes with which the system ends apps: cause, meaning, and the rules that judge
// what led to it. This file must not know in which text or report a code stands.

/// Codes of terminations (Apple, "Understanding the exception types in a crash report", and crash
/// reports).
enum TerminationCode {
  static let watchdog: Int64 = 0x8bad_f00d
  static let fileLock: Int64 = 0xdead_10cc
  static let stackshot: Int64 = 0xbaaa_aaad
  /// Of the namespace JETSAM alone (XNU, sys/reason.h: MEMORY_PERPROCESSLIMIT).
  static let perProcessLimit: Int64 = 7

  /// What is known of one code.
  struct Description: Sendable {
    let code: Int64
    /// The cause of the vocabulary; nil where the code is no termination, or none that the
    /// vocabulary knows.
    let cause: String?
    /// What the code says, as the end of "the system ended the app: …".
    let meaning: String
    /// Rules that find in a trace what led to it.
    var rules: [String] = []
    /// Whether it is about how the app follows the life cycle.
    var isLifecycle = true
  }

  /// One row for each code.
  static let all: [Description] = [
    Description(
      code: watchdog, cause: "watchdog", meaning: "it did not answer the system in time",
      rules: ["LC003", "LC301", "LC306", "LM14"]),
    Description(
      code: 0x2182_bad2, cause: "bgtask_expired",
      meaning: "a background task did not complete in time", rules: ["LC001", "LC102", "LM02"]),
    Description(
      code: 0x2182_bad3, cause: "watchdog",
      meaning: "the events of a background URL session were not handled in time",
      rules: ["LM19"]),
    Description(
      code: 0x2182_bad4, cause: "watchdog",
      meaning: "a background fetch did not complete in time", rules: ["LC613", "LM18"]),
    Description(
      code: fileLock, cause: "file_lock",
      meaning: "it held a lock on a file or a database while it was suspended",
      rules: ["LC204", "LM11"]),
    Description(
      code: 0xc000_10ff, cause: "thermal", meaning: "the device was too hot", rules: ["LC207"],
      isLifecycle: false),
    Description(
      code: 0xbaad_ca11, cause: "watchdog", meaning: "a VoIP push was not reported as a call",
      rules: ["LM12"]),
    Description(
      code: 0xbad2_2222, cause: "watchdog", meaning: "it was resumed for calls too often",
      rules: ["LM13"]),
    Description(
      code: 0xbadd_d15c, cause: "disk_space", meaning: "its caches were deleted to free disk space",
      isLifecycle: false),
    Description(
      code: 0xc51b_ad01, cause: "cpu_limit",
      meaning: "on the watch, a background refresh took too much processor time"),
    Description(
      code: 0xc51b_ad02, cause: "watchdog",
      meaning: "on the watch, a background refresh took too long"),
    Description(
      code: 0xc51b_ad03, cause: "watchdog",
      meaning: "on the watch, a background refresh got too little time to run",
      isLifecycle: false),
    Description(
      code: 0xdead_fa11, cause: "user_force_quit", meaning: "the user forced it to quit",
      rules: ["LC515"], isLifecycle: false),
    Description(
      code: 0x2bad_45ec, cause: nil,
      meaning: "it drew what is not allowed while the device was locked", isLifecycle: false),
    Description(
      code: stackshot, cause: nil, meaning: "a snapshot of all processes, no termination",
      isLifecycle: false),
  ]

  /// The row of a code, which may have lost its upper half to a sign.
  static func description(of code: Int64) -> Description? {
    let code = unsigned(code)
    return all.first { $0.code == code }
  }

  /// The cause that stands for a code; nil for codes that say nothing.
  static func cause(_ code: Int64) -> String? { description(of: code)?.cause }

  /// Codes have 32 bits; some tools print them with a sign.
  static func unsigned(_ code: Int64) -> Int64 {
    code < 0 && code >= Int64(Int32.min) ? code + 1 << 32 : code
  }

  /// The code as people write it.
  static func hexadecimal(_ code: Int64) -> String {
    let code = unsigned(code)
    return (code < 0 ? "-0x" : "0x") + String(code.magnitude, radix: 16)
  }
}

/// The parts of the system in whose name processes are ended.
enum TerminationNamespace {
  /// Namespaces of faults of the program that have nothing to do with the life cycle.
  private static let faults: [String: String] = [
    "DYLD": "a library could not be loaded",
    "TCC": "it touched private data without saying in its Info.plist what for",
    "OBJC": "the Objective-C runtime found a fault", "SWIFT": "the Swift runtime found a fault",
    "CODESIGNING": "its code signature is invalid", "GUARD": "it misused a guarded resource",
    "LIBSYSTEM": "a system library found a fault", "LIBXPC": "it misused XPC",
    "EXEC": "it could not be started", "PORT_SPACE": "it had too many Mach ports open",
  ]

  /// The meaning of a namespace of faults; nil for others.
  static func fault(_ namespace: String) -> String? { faults[namespace] }

  /// The name that stands for a number of RunningBoard's contexts.
  static func name(domain: Int64) -> String? {
    switch domain {
    case 1: "JETSAM"
    case 2: "SIGNAL"
    case 3: "CODESIGNING"
    case 6: "DYLD"
    case 10: "FRONTBOARD"
    case 11: "TCC"
    case 15: "RUNNINGBOARD"
    default: nil
    }
  }
}

/// Signals by which processes end.
enum TerminationSignal {
  /// Signals by which a process dies of its own fault.
  static let crashes: Set<Int64> = [4, 5, 6, 7, 8, 10, 11, 12]

  private static let numbers: [String: Int64] = [
    "SIGHUP": 1, "SIGINT": 2, "SIGQUIT": 3, "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6, "SIGEMT": 7,
    "SIGFPE": 8, "SIGKILL": 9, "SIGBUS": 10, "SIGSEGV": 11, "SIGSYS": 12, "SIGPIPE": 13,
    "SIGTERM": 15,
  ]

  static func number(_ name: String) -> Int64? { numbers[name] }
}
