// A file that says whose a folder is, and that one process at a time holds.

/// The right to use a folder.
///
/// A class, because it is held until the last user is gone: then the file is closed, and with it
/// the lock is given back.
public final class OwnerFile: Sendable {
  private let descriptor: Int32

  /// Bytes of an owner's name: longer than any path.
  private static let nameBytesMax = 65_536

  /// Takes the file, or creates it.
  ///
  /// - Parameter owner: What it says from now on; a line of text.
  /// - Throws: ``FileError`` if another process holds it, or if it names another owner.
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
    let known = try Self.content(path)
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
      throw FileError(error, path, "can't write to it")
    }
  }

  deinit { SystemCalls.close(descriptor) }

  private static func content(_ path: String) throws(FileError) -> [UInt8] {
    let file = try InputFile(path: path, onlyRegular: true)
    let count = Int(min(file.byteCount ?? 0, Int64(nameBytesMax)))
    return file.bytes(at: 0, count: count) ?? []
  }
}
