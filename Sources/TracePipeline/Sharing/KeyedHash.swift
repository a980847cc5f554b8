// A keyed hash for texts that must not be read back: SipHash-2-4 with 128 bits of key and 64 of
// result. This file must not know what is hashed.

/// Hashes texts under a key. Who doesn't have the key can't find out by trying which text a hash
/// stands for.
///
/// SipHash is by Aumasson and Bernstein ("SipHash: a fast short-input PRF", 2012).
public struct KeyedHash: Sendable {
  /// Bytes of a key.
  public static let keyBytes = 16

  private let key: (UInt64, UInt64)

  /// - Parameter key: 16 bytes; nil for any other number of them.
  public init?(key: [UInt8]) {
    guard key.count == Self.keyBytes else { return nil }
    self.key = (Self.word(key[0..<8]), Self.word(key[8..<16]))
  }

  /// A hash under a key that the system's source of random numbers makes up, and nobody knows.
  public static func random() -> KeyedHash {
    KeyedHash(words: (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)))
  }

  private init(words: (UInt64, UInt64)) { key = words }

  /// The hash of a message.
  public func hash(_ message: some Collection<UInt8>) -> UInt64 {
    var state = State(key)
    var word: UInt64 = 0
    var count = 0
    for byte in message {
      word |= UInt64(byte) << UInt64(8 * (count & 7))
      count += 1
      if count & 7 == 0 {
        state.absorb(word)
        word = 0
      }
    }
    state.absorb(word | UInt64(truncatingIfNeeded: count) << 56)
    return state.finish()
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

  private struct State {
    private var v0, v1, v2, v3: UInt64

    init(_ key: (UInt64, UInt64)) {
      v0 = key.0 ^ 0x736f_6d65_7073_6575
      v1 = key.1 ^ 0x646f_7261_6e64_6f6d
      v2 = key.0 ^ 0x6c79_6765_6e65_7261
      v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      mix()
      mix()
      v0 ^= word
    }

    mutating func finish() -> UInt64 {
      v2 ^= 0xff
      for _ in 0..<4 { mix() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func mix() {
      v0 &+= v1
      v1 = Self.rotated(v1, 13) ^ v0
      v0 = Self.rotated(v0, 32)
      v2 &+= v3
      v3 = Self.rotated(v3, 16) ^ v2
      v0 &+= v3
      v3 = Self.rotated(v3, 21) ^ v0
      v2 &+= v1
      v1 = Self.rotated(v1, 17) ^ v2
      v2 = Self.rotated(v2, 32)
    }

    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
      word << bits | word >> (64 - bits)
    }
  }
}
