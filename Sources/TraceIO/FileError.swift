// What goes wrong with files and streams, in words for the person who called the program.

/// A failed operation on a file or stream: what was tried, what the system said, what to do.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    case missing
    case denied
    /// The reader of a pipe went away.
    case closedPipe
    /// A directory stands where a file is needed.
    case isDirectory
    /// The user asked for the end while the system waited.
    case interrupted
    /// Nothing more fits on the disk, or into the user's share of it.
    case full
    case other
  }

  public var reason: Reason
  public var path: String
  /// One sentence without a final dot.
  public var message: String
  /// What the reader of the message can do; empty if nothing helps.
  public var advice: String

  public var description: String {
    advice.isEmpty ? "\(path): \(message)" : "\(path): \(message); \(advice)"
  }

  init(_ reason: Reason, _ path: String, _ message: String, advice: String = "") {
    self.reason = reason
    self.path = path
    self.message = message
    self.advice = advice
  }

  /// A pipe, a socket or a device stands where a file is needed.
  public static func noRegularFile(_ path: String) -> FileError {
    FileError(.other, path, "it is a pipe or a device, and a file is needed")
  }

  /// Something else than the system refuses, for example a bound.
  public static func refused(_ path: String, _ message: String) -> FileError {
    FileError(.other, path, message)
  }

  /// An error of the system while doing something, for example `can't open the file`.
  init(_ error: SystemError, _ path: String, _ attempt: String) {
    let message = "\(attempt): \(error.text)"
    if error.isMissing {
      self.init(.missing, path, message, advice: "check the spelling of the path")
    } else if error.isDenied {
      self.init(.denied, path, message, advice: "check who may use it")
    } else if error.isInterrupted {
      self.init(.interrupted, path, message)
    } else if error.isBrokenPipe {
      self.init(.closedPipe, path, message)
    } else if error.isFull {
      self.init(.full, path, message, advice: "free some space, or write somewhere else")
    } else if error.isReadOnly {
      self.init(.other, path, message, advice: "write somewhere else")
    } else {
      self.init(.other, path, message)
    }
  }
}
