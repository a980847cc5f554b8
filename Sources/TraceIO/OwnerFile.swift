// A file that says whose a folder is, and that one process at a time holds.

import TraceModel

/// The right to use a folder.
///
/// A class, because it is held until the last user is gone: then the file is closed, and with it
/// the lock is given back.
public final class OwnerFile: Sendable {
  private let descriptor: Int32

  /// Bytes of an owner's name: longer than any path.
  static let nameBytesMax: Int64 = 65_536

  /// Takes the file, or creates it. On a full disk a new one says nothing, and only the lock keeps
  /// others out.
  ///
  /// - Parameter owner: What it says from now on; a line of text.
  /// - Throws: ``FileError`` if another process holds it, if it names another owner, or if it can't
  ///   be read, since it may name one.
  public init(path: String, owner: String) throws(FileError) {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try SystemCalls.openOwned(path)
    } catch {
      throw FileError(error, path, "can't open it")
    }
    // From here on the end of this value closes the file, also where something is thrown.
    self.descriptor = descriptor
    let isMine: Bool
    do throws(SystemError) {
      isMine = try SystemCalls.lock(descriptor)
    } catch {
      throw FileError(error, path, "can't lock it")
    }
    guard isMine else { throw .refused(path, "another process is using the folder") }
    let name = Array(owner.utf8) + [UInt8(ascii: "\n")]
    let known = try Self.content(of: path)
    // A line without its end is one whose writer was killed.
    if known.last == UInt8(ascii: "\n") {
      guard known != name else { return }
      let other = String(decoding: known.dropLast(), as: UTF8.self)
      throw .refused(path, "the folder belongs to \(other)")
    }
    do throws(SystemError) {
      try SystemCalls.truncate(descriptor, to: 0)
      try DescriptorWriter.write(name, to: descriptor)
    } catch {
      if !error.isFull { throw FileError(error, path, "can't write to it") }
    }
  }

  deinit { SystemCalls.close(descriptor) }

  /// What an owner file says; nothing if it was just created.
  static func content(of path: String) throws(FileError) -> [UInt8] {
    let file = try InputFile(path: path, onlyRegular: true)
    guard let byteCount = file.byteCount, byteCount <= nameBytesMax else {
      throw .refused(path, "it is too long to say whose the folder is")
    }
    guard let bytes = file.bytes(at: 0, count: Int(byteCount)) else {
      throw .refused(path, "can't read whose the folder is")
    }
    return bytes
  }
}
