// The calls that tell what a path or a descriptor names.

import TraceModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a directory entry or an open file is.
struct FileStatus: Equatable {
  enum Kind: Equatable { case file, directory, other }
  var kind: Kind
  var byteCount: Int64
  var device: UInt64
  var inode: UInt64
  /// When the content changed last, since 1970.
  var modifiedNanoseconds: Int64
  /// When anything about it changed last, for example who may read it, since 1970.
  var changedNanoseconds: Int64
}

extension SystemCalls {
  static func status(of path: String) throws(SystemError) -> FileStatus {
    var raw = stat()
    guard unsafe stat(path, &raw) == 0 else { throw SystemError.last }
    return status(raw)
  }

  static func isLink(_ path: String) -> Bool {
    var raw = stat()
    guard unsafe lstat(path, &raw) == 0 else { return false }
    return raw.st_mode & S_IFMT == S_IFLNK
  }

  static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
    var raw = stat()
    guard unsafe fstat(descriptor, &raw) == 0 else { throw SystemError.last }
    return status(raw)
  }

  private static func status(_ raw: stat) -> FileStatus {
    let kind: FileStatus.Kind =
      switch raw.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      default: .other
      }
    let (modified, changed) = times(raw)
    return FileStatus(
      kind: kind, byteCount: Int64(raw.st_size), device: UInt64(truncatingIfNeeded: raw.st_dev),
      inode: UInt64(truncatingIfNeeded: raw.st_ino),
      modifiedNanoseconds: nanoseconds(modified), changedNanoseconds: nanoseconds(changed))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The absolute path of a file without links in it.
  static func realPath(_ path: String) throws(SystemError) -> String {
    // The library allocates as much as the path takes when it is given no buffer.
    guard let real = unsafe realpath(path, nil) else { throw SystemError.last }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
