// A hash under a key: SipHash-2-4, with 128 bits of key and 64 of result.
// This file must not know what is hashed, nor who keeps the key.

/// Hashes bytes under a key. Who doesn't have the key can't find out by trying which bytes a hash
/// stands for.
///
///     let key = SipHash(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
///     let hash = key.hash(Array("notes".utf8).span)
///
/// SipHash is by Aumasson and Bernstein ("SipHash: a fast short-input PRF", 2012).
public struct SipHash: Sendable {
  private let low: UInt64
  private let high: UInt64

  /// A hash under the key whose first eight bytes are the first number and whose last eight are
  /// the second, each with the least byte first.
  public init(_ low: UInt64, _ high: UInt64) {
    self.low = low
    self.high = high
  }

  /// A hash under a key that the system's source of random numbers makes up, and nobody knows.
  public static func random() -> SipHash {
    SipHash(.random(in: .min ... .max), .random(in: .min ... .max))
  }

  /// The hash of a message. Allocates nothing; O(n).
  public func hash(_ message: Span<UInt8>) -> UInt64 {
    var state = State(low, high)
    var offset = 0
    while offset <= message.count - 8 {
      // Every pattern of bits is a number, and the load checks its bounds.
      let word = unsafe message.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      state.absorb(UInt64(littleEndian: word))
      offset += 8
    }
    var last = UInt64(truncatingIfNeeded: message.count) << 56
    var shift: UInt64 = 0
    while offset < message.count {
      last |= UInt64(message[offset]) << shift
      offset += 1
      shift += 8
    }
    state.absorb(last)
    return state.finish()
  }

  /// The four words that take up a message.
  private struct State {
    private var v0, v1, v2, v3: UInt64

    init(_ low: UInt64, _ high: UInt64) {
      v0 = low ^ 0x736f_6d65_7073_6575
      v1 = high ^ 0x646f_7261_6e64_6f6d
      v2 = low ^ 0x6c79_6765_6e65_7261
      v3 = high ^ 0x7465_6462_7974_6573
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
