// Eight bytes of a text at a time: what is in them is told without a look at each.
// This file must not know what the text is for.

import TraceModel

/// Eight bytes as one number, the first of them lowest.
enum ByteWord {
  static let count = 8

  /// The eight bytes at an index, which must be there: the load checks it.
  @inline(__always)
  static func load(_ text: Span<UInt8>, at index: Int) -> UInt64 {
    // Every pattern of bits is a number, so that nothing but the bounds can be wrong.
    let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    return UInt64(littleEndian: word)
  }

  /// The bytes of a range of at most eight, with zeros behind them.
  @inline(__always)
  static func load(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    if range.isEmpty { return 0 }
    let surplus = 64 - 8 * range.count
    if range.lowerBound + count <= text.count {
      return (load(text, at: range.lowerBound) << surplus) >> surplus
    }
    if range.upperBound >= count { return load(text, at: range.upperBound - count) >> surplus }
    var word: UInt64 = 0
    for index in range.reversed() { word = word << 8 | UInt64(text[index]) }
    return word
  }

  /// The first eight bytes of a text as a number.
  static func of(_ text: String) -> UInt64 {
    text.utf8.prefix(count).reversed().reduce(0) { word, byte in word << 8 | UInt64(byte) }
  }

  /// How many bytes are none of: a quote, a backslash, a control character, part of a character
  /// outside ASCII; up to the first that is.
  @inline(__always)
  static func plainCount(_ word: UInt64) -> Int {
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    // What a subtraction borrows reaches only bytes behind the first that is found.
    let found =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- ones &* 0x20) & ~word) | word
    return (found & highBits).trailingZeroBitCount >> 3
  }

  /// How many bytes are not this one; up to the first that is.
  @inline(__always)
  static func count(before byte: UInt8, in word: UInt64) -> Int {
    let other = word ^ (ones &* UInt64(byte))
    return ((other &- ones) & ~other & highBits).trailingZeroBitCount >> 3
  }

  /// How many bytes are decimal digits; up to the first that is none.
  @inline(__always)
  static func digitCount(_ word: UInt64) -> Int {
    let digits = word ^ (ones &* 0x30)
    // What the addition carries reaches only bytes behind the first that is no digit.
    return (((digits &+ ones &* 0x76) | digits) & highBits).trailingZeroBitCount >> 3
  }

  /// The number that the first one to eight bytes are in decimal digits.
  @inline(__always)
  static func number(_ word: UInt64, digits: Int) -> UInt64 {
    var pairs = (word << (64 - 8 * digits)) & (ones &* 0x0F)
    pairs = (pairs &* (1 + 10 << 8)) >> 8 & 0x00FF_00FF_00FF_00FF
    pairs = (pairs &* (1 + 100 << 16)) >> 16 & 0x0000_FFFF_0000_FFFF
    return (pairs &* (1 + 10_000 << 32)) >> 32
  }

  /// Powers of ten, by the number of digits of a word.
  static let powers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
}
