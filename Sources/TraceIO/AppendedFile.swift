// A new file that grows by whole pieces: a piece that fails is written again at the same place.
// Memory may stand in for the file.

import TraceModel

/// A file of this process's own to which pieces are appended.
public struct AppendedFile: ~Copyable, Sendable {
  public private(set) var path: String
  /// The bytes of all pieces that were written whole.
  public private(set) var byteCount: Int64 = 0
  /// -1 if memory stands in for the file.
  private let descriptor: Int32
  private var memory: [UInt8] = []

  /// Creates the file, for its owner only.
  ///
  /// - Throws: ``FileError``, also if there is a file of that name.
  public init(creating path: String) throws(FileError) {
    do throws(SystemError) {
      descriptor = try SystemCalls.createShared(path)
    } catch {
      throw FileError(error, path, "can't create it")
    }
    self.path = path
  }

  /// Keeps everything in memory, under no name.
  public init() {
    descriptor = -1
    path = ""
  }

  deinit { if descriptor >= 0 { SystemCalls.close(descriptor) } }

  /// Appends a piece. If that fails, the file has the size it had, or a torn end that the next
  /// piece replaces.
  public mutating func append(_ bytes: [UInt8]) throws(FileError) {
    if descriptor < 0 {
      memory += bytes
      byteCount = Int64(memory.count)
      return
    }
    var failure: SystemError?
    let offset = byteCount
    let descriptor = descriptor
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      do throws(SystemError) {
        while written < buffer.count {
          // `written` is below the count, so the part lies inside the buffer.
          written += try unsafe SystemCalls.write(
            descriptor, at: offset + Int64(written),
            UnsafeRawBufferPointer(rebasing: buffer[written...]))
        }
      } catch {
        failure = error
      }
    }
    if let failure {
      try? SystemCalls.truncate(descriptor, to: offset)
      throw FileError(failure, path, "can't write to it")
    }
    byteCount += Int64(bytes.count)
  }

  /// Takes back the pieces behind a place, because something else failed.
  public mutating func takeBack(to byteCount: Int64) {
    guard byteCount < self.byteCount else { return }
    if descriptor < 0 {
      memory.removeLast(memory.count - Int(byteCount))
    } else {
      // If it can't be cut now, the next piece replaces what is too much.
      try? SystemCalls.truncate(descriptor, to: byteCount)
    }
    self.byteCount = byteCount
  }

  /// Reads some of the pieces back, and appends them to a buffer.
  ///
  /// - Parameters:
  ///   - bytes: Takes at most `limit` bytes at its end.
  ///   - offset: Where to begin, at most ``byteCount``.
  ///   - limit: The most bytes to read, at least 1.
  /// - Returns: How many bytes were read; 0 at the end.
  public func read(
    into bytes: inout [UInt8], at offset: Int64, limit: Int
  ) throws(FileError) -> Int {
    let count = Int(min(Int64(limit), max(0, byteCount - offset)))
    if count == 0 { return 0 }
    if descriptor < 0 {
      bytes += memory[Int(offset)..<Int(offset) + count]
      return count
    }
    var part = [UInt8](repeating: 0, count: count)
    var failure: SystemError?
    var read = 0
    let descriptor = descriptor
    unsafe part.withUnsafeMutableBytes { buffer in
      do throws(SystemError) {
        // The buffer lives as long as this closure.
        read = try unsafe SystemCalls.read(descriptor, at: offset, into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw FileError(failure, path, "can't read it") }
    bytes += part[..<read]
    return read
  }

  /// Takes the place of another file, all at once. In memory nothing has a name.
  public mutating func rename(to path: String) throws(FileError) {
    if descriptor < 0 { return }
    do throws(SystemError) {
      try SystemCalls.rename(self.path, to: path)
    } catch {
      throw FileError(error, path, "can't replace it")
    }
    self.path = path
  }

  /// Waits until everything is on the disk.
  public func synchronize() throws(FileError) {
    if descriptor < 0 { return }
    do throws(SystemError) {
      try SystemCalls.synchronize(descriptor)
    } catch {
      throw FileError(error, path, "can't write it to the disk")
    }
  }
}

/// Folders and names, for who keeps files of several parts.
public enum Folder {
  /// Creates a folder that only its owner may use, unless it is there.
  public static func create(_ path: String) throws(FileError) {
    do throws(SystemError) {
      try SystemCalls.makeFolder(path)
    } catch {
      throw FileError(error, path, "can't create the folder")
    }
  }

  /// Waits until the names in a folder are on the disk.
  public static func synchronize(_ path: String) throws(FileError) {
    do throws(SystemError) {
      let descriptor = try SystemCalls.openFolder(path)
      defer { SystemCalls.close(descriptor) }
      try SystemCalls.synchronize(descriptor)
    } catch {
      if error.isUnsupported { return }
      throw FileError(error, path, "can't write the folder to the disk")
    }
  }

  /// Waits until the name of a file is on the disk.
  public static func synchronizeName(of path: String) throws(FileError) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    try synchronize(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
  }

  /// Takes a file's name away; nothing happens if there is none.
  public static func remove(_ path: String) { SystemCalls.remove(path) }

  /// The names of a folder, sorted by their bytes.
  public static func names(in path: String) throws(FileError) -> [String] {
    do throws(SystemError) {
      return try SystemCalls.names(in: path, limit: DirectoryListing.filesMax)
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      throw FileError(error, path, "can't list the folder")
    }
  }
}
