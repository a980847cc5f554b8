// The calls for files that may be pipes by now, and for files that one process at a time holds.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SystemCalls {
  /// Opens a file for reading. A named pipe opens at once, whether somebody writes to it or not.
  static func openWithoutWaiting(_ path: String) throws(SystemError) -> Int32 {
    try open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0)
  }

  /// Opens or creates a file of the user's own to read and write it.
  static func openOwned(_ path: String) throws(SystemError) -> Int32 {
    try open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
  }

  /// Takes the lock of an open file, which lasts until the file is closed or the process ends.
  ///
  /// - Returns: False if another process has it.
  static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let error = SystemError.last
      if error.isAgain { return false }
      if !error.isInterrupted { throw error }
    }
    return true
  }
}
