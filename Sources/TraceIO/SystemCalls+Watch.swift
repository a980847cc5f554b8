// The calls that watch directories, where the kernel offers that as inotify.

#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#endif

extension SystemCalls {
  #if os(Linux)
    /// What may give a file new content or a new name, or bring a new directory.
    private static let changes = UInt32(
      IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        | IN_DELETE_SELF)

    static func makeWatch() throws(SystemError) -> Int32 {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      if descriptor < 0 { throw SystemError.last }
      return descriptor
    }

    static func addWatch(_ descriptor: Int32, _ path: String) throws(SystemError) {
      if unsafe inotify_add_watch(descriptor, path, changes) < 0 { throw SystemError.last }
    }
  #else
    static func makeWatch() throws(SystemError) -> Int32 { throw SystemError(number: 0) }
    static func addWatch(_ descriptor: Int32, _ path: String) throws(SystemError) {}
  #endif

  /// Reads what a descriptor that never waits holds, for nothing.
  static func discardAvailable(_ descriptor: Int32) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
      while true {
        do throws(SystemError) {
          if try unsafe read(descriptor, into: buffer) == 0 { return }
        } catch {
          return
        }
      }
    }
  }
}
