// In whose name the system ends processes, and by which signals they die: names and numbers.
// What a code or a namespace means is in the table of ends.

import TraceModel

/// The parts of the system in whose name processes are ended.
enum TerminationNamespace {
  /// Whether processes are ended in its name for faults that have nothing to do with the life
  /// cycle.
  static func isOfFault(_ namespace: String) -> Bool {
    Terminations.all.contains { $0.cause == "crash" && $0.namespaces.contains(namespace) }
  }

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
