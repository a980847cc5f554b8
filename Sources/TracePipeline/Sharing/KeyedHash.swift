// A keyed hash for texts that must not be read back, as the letters that stand in their place.
// This file must not know what is hashed.

import TraceModel

/// Hashes texts under a key. Who doesn't have the key can't find out by trying which text a hash
/// stands for.
public struct KeyedHash: Sendable {
  /// Bytes of a key.
  public static let keyBytes = 16

  private let sipHash: SipHash

  /// - Parameter key: 16 bytes; nil for any other number of them.
  public init?(key: [UInt8]) {
    guard key.count == Self.keyBytes else { return nil }
    sipHash = SipHash(Self.word(key[0..<8]), Self.word(key[8..<16]))
  }

  private init(_ sipHash: SipHash) { self.sipHash = sipHash }

  /// A hash under a key that the system's source of random numbers makes up, and nobody knows.
  public static func random() -> KeyedHash { KeyedHash(SipHash.random()) }

  /// The hash of a message: SipHash-2-4.
  public func hash(_ message: some Collection<UInt8>) -> UInt64 {
    sipHash.hash(Array(message).span)
  }

  /// The hash as 16 letters from `g` to `v`: no digit and no hexadecimal number, which fingerprints
  /// of findings leave out.
  func letters(_ message: some Collection<UInt8>) -> String {
    let number = hash(message)
    let first = UInt8(ascii: "g")
    let letters = stride(from: UInt64(60), through: 0, by: -4).map { shift in
      first + UInt8(truncatingIfNeeded: number >> shift & 15)
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Eight bytes as a number, the least first.
  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
