// The calls that list directories, and that watch them where the kernel offers that as inotify.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SystemCalls {
  /// The names in a directory, in no order, without `.` and `..`; at most `limit` names.
  static func names(in path: String, limit: Int) throws(SystemError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw SystemError.last }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while names.count < limit {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno != 0 { throw SystemError.last }
        break
      }
      // The library ends the name with a zero byte inside the entry.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  #if os(Linux)
    /// What may give a file new content or a new name, let it be read, or bring a new directory.
    private static let changes = UInt32(
      IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        | IN_DELETE_SELF | IN_ATTRIB)

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
