// Tells whether a file that grew still begins as it did, at a cost that doesn't grow with the file.

import TraceModel

/// Hashes of the first bytes of a file and of the last ones that it had at some time.
public struct FileBeginning: Hashable, Sendable, Codable {
  /// Bytes of the file when it was looked at.
  public let byteCount: Int64
  private let first: UInt64
  private let last: UInt64

  /// Bytes that are read at each end: more than any header, and with it the first events.
  private static let partBytes = 65_536

  /// Looks at the first bytes of a regular file, so many as it had at some time.
  ///
  /// - Returns: Nil if the file is shorter, or can't be read.
  public init?(path: String, byteCount: Int64) {
    do throws(FileError) {
      let file = try InputFile(path: path, onlyRegular: true)
      guard byteCount >= 0 else { return nil }
      let count = Int(min(byteCount, Int64(Self.partBytes)))
      guard let first = file.bytes(at: 0, count: count),
        let last = file.bytes(at: UInt64(byteCount - Int64(count)), count: count)
      else { return nil }
      self.byteCount = byteCount
      self.first = Self.hash(first)
      self.last = Self.hash(last)
    } catch {
      return nil
    }
  }

  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}
