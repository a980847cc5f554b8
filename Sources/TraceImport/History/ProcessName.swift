// When two names are those of one process. This file must not know what is known of processes.

/// Names of processes as logs print them.
enum ProcessName {
  /// The kernel keeps so many bytes of the name of a process (`MAXCOMLEN` of `sys/param.h`).
  private static let keptBytes = 16

  /// Whether a name is what the kernel keeps of a longer one.
  static func isCut(_ name: String, of whole: String) -> Bool {
    name.utf8.count == keptBytes && whole.utf8.count > keptBytes && whole.hasPrefix(name)
  }
}
