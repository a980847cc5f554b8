// Short names for long texts, and a check that bytes are those that were written. It is against
// accidents, and not against who wants two texts to have one digest.

import TraceModel

enum StateDigest {
  /// The digits of a digest.
  static let digitCount = 32

  /// Two hashes of some bytes, as hexadecimal digits.
  static func text(of bytes: some Sequence<UInt8>) -> String {
    var first: UInt64 = 0xCBF2_9CE4_8422_2325
    var second: UInt64 = 0x9AE1_6A3B_2F90_404F
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      second = (second &+ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
      second ^= second >> 29
    }
    let digits = [first, second].map { hash in
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    return digits.joined()
  }
}
