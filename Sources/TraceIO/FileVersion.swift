// Tells whether a file is still the one that was read, and whether it only grew.

import TraceModel

/// What a file was at one moment, as far as the file system says.
public struct FileVersion: Hashable, Sendable, Codable {
  public let byteCount: Int64
  /// When the content changed last, since 1970.
  public let modifiedNanoseconds: Int64
  private let device: UInt64
  private let inode: UInt64
  /// When anything about it changed last, for example who may read it.
  private let changedNanoseconds: Int64

  /// The version of a regular file; nil for anything else, and for what isn't there.
  public init?(path: String) {
    do throws(SystemError) {
      let status = try SystemCalls.status(of: path)
      guard status.kind == .file else { return nil }
      byteCount = status.byteCount
      modifiedNanoseconds = status.modifiedNanoseconds
      device = status.device
      inode = status.inode
      changedNanoseconds = status.changedNanoseconds
    } catch {
      return nil
    }
  }

  /// Says which file of the disk it is, whatever its name and content. The number of a file that is
  /// gone may be given to another one.
  public struct Number: Hashable, Sendable {
    fileprivate let device: UInt64
    fileprivate let inode: UInt64
  }

  /// The number of the file that this is a version of.
  public var number: Number { Number(device: device, inode: inode) }

  /// Whether two versions have the same content, as far as the file system says.
  public static func == (a: FileVersion, b: FileVersion) -> Bool {
    a.byteCount == b.byteCount && a.modifiedNanoseconds == b.modifiedNanoseconds
      && a.device == b.device && a.inode == b.inode
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(byteCount)
    hasher.combine(modifiedNanoseconds)
    hasher.combine(device)
    hasher.combine(inode)
  }

  /// The version as a text that differs whenever anything about the file has changed.
  public var text: String {
    "\(device):\(inode):\(byteCount):\(modifiedNanoseconds):\(changedNanoseconds)"
  }

  /// Whether the file was changed so shortly before a moment that a change after it might bear the
  /// same time.
  ///
  /// - Parameter nanoseconds: The moment, in nanoseconds since 1970.
  public func isFresh(at nanoseconds: Int64) -> Bool {
    // Clocks of file systems go by the ticks of the kernel, of which none is longer than 10 ms.
    max(changedNanoseconds, modifiedNanoseconds) > nanoseconds - 100_000_000
  }

  /// Whether not even the permissions have changed since another version.
  public func isUntouched(since earlier: FileVersion) -> Bool {
    self == earlier && changedNanoseconds == earlier.changedNanoseconds
  }

  /// Whether this may be the same file as an earlier one with something appended to it.
  public func mayContinue(_ earlier: FileVersion) -> Bool {
    device == earlier.device && inode == earlier.inode && byteCount >= earlier.byteCount
  }
}
