// What a `.lctrace` file begins with: magic number and version.
// Every later version keeps these twelve bytes, so that an old reader can say what it has met.

/// The first bytes of a trace, and the version they carry.
public enum FileSignature {
  /// A byte that is no ASCII, the name, CR LF, end-of-file, LF: a transfer that changes line ends
  /// or cuts the eighth bit is noticed at once, and `type` on Windows stops here.
  public static let magic: [UInt8] = [0x89, 0x4C, 0x43, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
  /// A reader refuses a higher major version.
  public static let majorVersion: UInt8 = 1
  /// A higher minor version only adds what a reader may skip: 1 added blocks of columns.
  public static let minorVersion: UInt8 = 1
  /// Magic, major, minor, and two bytes of checksum over them.
  static let byteCount = 12

  static func append(to output: inout [UInt8]) {
    let start = output.count
    output.append(contentsOf: magic)
    output.append(majorVersion)
    output.append(minorVersion)
    let check = CRC32C.checksum(output.span, start..<start + 10)
    output.append(UInt8(truncatingIfNeeded: check))
    output.append(UInt8(truncatingIfNeeded: check >> 8))
  }

  enum Probe: Equatable {
    /// These bytes are no signature.
    case absent
    /// More bytes are needed to say.
    case incomplete
    case present(major: UInt8, minor: UInt8)
  }

  /// Looks for a signature at a place.
  static func probe(_ bytes: Span<UInt8>, at start: Int) -> Probe {
    let count = min(byteCount, bytes.count - start)
    for place in 0..<min(count, magic.count) where bytes[start + place] != magic[place] {
      return .absent
    }
    guard count == byteCount else { return .incomplete }
    let check = CRC32C.checksum(bytes, start..<start + 10)
    guard bytes[start + 10] == UInt8(truncatingIfNeeded: check),
      bytes[start + 11] == UInt8(truncatingIfNeeded: check >> 8)
    else { return .absent }
    return .present(major: bytes[start + 8], minor: bytes[start + 9])
  }
}
