// Writes a file so that its reader sees the old content or the new, and never half of it.

import TraceModel

/// A file being written beside its place, which it takes when it is committed.
///
/// The bytes go to a temporary file in the same directory, created exclusively and never through
/// a link. Without ``commit()`` the temporary file is removed and the old file stays. Devices,
/// pipes, and files that somebody holds open for us are written directly.
public struct OutputFile: ~Copyable {
  /// Who may read a new file.
  public enum Privacy: Sendable {
    /// Everybody whom the user's file creation mask admits.
    case shared
    /// Only the user.
    case ownerOnly
  }

  public let path: String
  /// Nil for what is written directly.
  private let temporaryPath: String?
  private let descriptor: Int32
  private var isOpen = true
  private var byteCount: Int64 = 0

  /// Names that are tried before giving up: a collision needs another process with our number.
  private static let nameAttemptsMax = 64

  /// Begins to write a file.
  ///
  /// - Throws: ``FileError``, also if the path names a directory.
  public init(path: String, privacy: Privacy = .shared) throws(FileError) {
    let kind = Self.kind(of: path)
    if kind == .directory {
      throw FileError(
        .isDirectory, path, "it is a directory, and a file is to be written",
        advice: "name a file in it")
    }
    let opened: (descriptor: Int32, temporaryPath: String?)
    do throws(SystemError) {
      if let descriptor = Self.openDescriptor(path) {
        opened = (try SystemCalls.duplicate(descriptor), nil)
      } else if kind == .other || path.hasPrefix("/proc/") {
        opened = (try SystemCalls.openExisting(path), nil)
      } else {
        opened = try Self.createTemporary(beside: path, privacy)
      }
    } catch {
      throw FileError(error, path, "can't write to it")
    }
    self.path = path
    (descriptor, temporaryPath) = opened
  }

  deinit {
    if isOpen {
      SystemCalls.close(descriptor)
      if let temporaryPath { SystemCalls.remove(temporaryPath) }
    }
  }

  public mutating func write(_ bytes: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      if temporaryPath != nil { try SystemCalls.checkFileLimit(byteCount + Int64(bytes.count)) }
      try DescriptorWriter.write(bytes, to: descriptor)
      byteCount += Int64(bytes.count)
    } catch {
      throw FileError(error, path, "can't write to it")
    }
  }

  /// Puts the file in its place.
  ///
  /// - Throws: ``FileError``; the old file then still stands.
  public consuming func commit() throws(FileError) {
    do throws(SystemError) {
      if let temporaryPath {
        try SystemCalls.synchronize(descriptor)
        try SystemCalls.rename(temporaryPath, to: path)
      }
    } catch {
      throw FileError(error, path, "can't put it in its place")
    }
    isOpen = false
    SystemCalls.close(descriptor)
  }

  /// The open file that a path stands for, however it is written: another can't take its place, and
  /// writing goes on behind what was written to it before. Nil if it stands for none.
  private static func openDescriptor(_ path: String) -> Int32? {
    if path.hasPrefix("/dev/fd/") { return Int32(path.dropFirst("/dev/fd/".count)) }
    guard let file = try? SystemCalls.status(of: path), file.kind == .file else { return nil }
    return [1, 2].first { descriptor in
      guard let open = try? SystemCalls.status(of: descriptor) else { return false }
      return open.device == file.device && open.inode == file.inode
    }
  }

  private static func kind(of path: String) -> FileStatus.Kind? {
    do throws(SystemError) {
      return try SystemCalls.status(of: path).kind
    } catch {
      return nil
    }
  }

  private static let temporaryBeginning = ".tracecheck-"
  private static let temporaryEnd = ".tmp"

  private static func temporaryName(_ process: Int32, _ number: UInt32) -> String {
    "\(temporaryBeginning)\(process)-\(number)\(temporaryEnd)"
  }

  /// The process that writes, or wrote, a temporary file of this name; nil if it has another name.
  public static func process(ofTemporary name: String) -> Int32? {
    guard name.hasPrefix(temporaryBeginning), name.hasSuffix(temporaryEnd) else { return nil }
    let numbers = name.dropFirst(temporaryBeginning.utf8.count).dropLast(temporaryEnd.utf8.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = Int32(numbers[0]), process > 0,
      UInt32(numbers[1]) != nil
    else { return nil }
    return process
  }

  private static func createTemporary(
    beside path: String, _ privacy: Privacy
  ) throws(SystemError) -> (Int32, String?) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let directory = slash.map { String(path[...$0]) } ?? ""
    let mode: UInt32 = privacy == .shared ? 0o666 : 0o600
    var attempt = 0
    while true {
      let name = Self.temporaryName(SystemCalls.processNumber(), .random(in: .min ... .max))
      do throws(SystemError) {
        return (try SystemCalls.create(directory + name, mode: mode), directory + name)
      } catch {
        attempt += 1
        if !error.isExisting || attempt >= nameAttemptsMax { throw error }
      }
    }
  }
}
