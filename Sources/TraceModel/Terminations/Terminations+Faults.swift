// Ends by faults of the program, which say nothing of how it follows the life cycle.

extension Terminations {
  private static let aFault = "A crash is no violation of the life cycle."

  /// Ends by a fault of the program, by who found it.
  static let faults: [Termination] =
    [
      fault("dyld", "DYLD", "needs a library that could not be loaded", "iOS 9 and later"),
      fault(
        "privacy", "TCC", "touched private data without saying in its Info.plist what for",
        "iOS 10 and later"),
      fault("objc", "OBJC", "made a fault that the Objective-C runtime found", "iOS 13 and later"),
      fault("swift", "SWIFT", "made a fault that the Swift runtime found", "iOS 13 and later"),
      fault("code-signature", "CODESIGNING", "has a code signature that is invalid", "all"),
      fault(
        "libsystem", "LIBSYSTEM", "made a fault that a system library found", "iOS 11 and later"),
      fault("libxpc", "LIBXPC", "misused XPC", "iOS 13 and later"),
      fault("exec", "EXEC", "could not be started", "iOS 10 and later"),
    ] + guards + [
      counted("bad-access", "badaccess", "touched memory that isn't its own"),
      counted("illegal-instruction", "illegalinstruction", "ran into an illegal instruction"),
      Termination(
        "crash", cause: "crash", isOfCause: true, counters: ["abnormal"], meaning: "crashed",
        proves: "The program made a fault and was ended by a signal.",
        leavesOpen: "What the fault was, unless a report names it.", provesFault: false,
        releases: "all", source: "Apple, Understanding the exception types in a crash report",
        withoutRule: aFault),
    ]

  private static func fault(
    _ id: String, _ namespace: String, _ meaning: String, _ releases: String
  ) -> Termination {
    Termination(
      id, cause: "crash", namespaces: [namespace], meaning: meaning,
      proves: "The program \(meaning).", provesFault: false, releases: releases,
      source: "XNU, sys/reason.h", withoutRule: aFault)
  }

  private static func counted(
    _ id: String, _ counter: String, _ meaning: String
  ) -> Termination {
    Termination(
      id, cause: "crash", counters: [counter], meaning: meaning,
      proves: "The program \(meaning).", provesFault: false, releases: "iOS 14 and later",
      source: "Apple, MetricKit, MXBackgroundExitData", withoutRule: aFault)
  }

  /// EXC_GUARD by what was guarded; the last stands for those that are not named.
  private static let guards: [Termination] = [
    guarded("guard-mach-port", "GUARD_TYPE_MACH_PORT", "misused a guarded Mach port"),
    guarded("guard-descriptor", "GUARD_TYPE_FD", "misused a guarded file descriptor"),
    guarded("guard-file", "GUARD_TYPE_VN", "touched a guarded file"),
    guarded("guard-memory", "GUARD_TYPE_VIRT_MEMORY", "misused guarded memory"),
    guarded("guard-user", "GUARD_TYPE_USER", "did what a library guards against"),
    fault("guard", "GUARD", "misused a guarded resource", "iOS 7 and later"),
  ]

  private static func guarded(_ id: String, _ word: String, _ meaning: String) -> Termination {
    Termination(
      id, cause: "crash", namespaces: ["GUARD"], words: [word], meaning: meaning,
      proves: "The program \(meaning).", provesFault: false, releases: "iOS 7 and later",
      source: "XNU, kern/exc_guard.h", withoutRule: aFault)
  }
}
