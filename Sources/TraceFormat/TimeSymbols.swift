// How a difference of times becomes a byte that compresses and low bits that don't.
// This file must not know what the differences are taken from.

import TraceModel

/// Numbers as a symbol of their magnitude and the bits below it: four symbols for each doubling.
///
/// Below 8 a number is its own symbol. Above, two bits follow the leading one into the symbol, and
/// the rest are low bits.
enum TimeSymbols {
  /// Symbols that stand for a number of 64 bits.
  static let count = 252
  /// The byte that a symbol equal to its template's centre becomes.
  static let centreByte = 128

  @inline(__always)
  static func symbol(of number: UInt64) -> Int {
    if number < 8 { return Int(number) }
    let exponent = 63 - number.leadingZeroBitCount
    let next = Int(truncatingIfNeeded: number >> UInt64(exponent - 2)) & 3
    return 8 + (exponent - 3) * 4 + next
  }

  /// The number of bits below each symbol; 0 behind the last symbol.
  static let lowBitCounts: [UInt8] = (0..<256).map { symbol in
    symbol < 8 || symbol >= count ? 0 : UInt8((symbol - 8) / 4 + 1)
  }

  /// The least number of each symbol; 0 behind the last symbol.
  static let bases: [UInt64] = (0..<256).map { symbol in
    if symbol < 8 { return UInt64(symbol) }
    if symbol >= count { return 0 }
    let exponent = UInt64(3 + (symbol - 8) / 4)
    return 1 << exponent | UInt64((symbol - 8) & 3) << (exponent - 2)
  }

  @inline(__always)
  static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1) ^ UInt64(bitPattern: number >> 63)
  }

  @inline(__always)
  static func signed(_ zigzag: UInt64) -> Int64 {
    Int64(bitPattern: (zigzag >> 1) ^ (0 &- (zigzag & 1)))
  }
}

/// Packs bits into bytes, the lowest first.
struct BitWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var word: UInt64 = 0
  private var bitCount: UInt64 = 0

  init() {}

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    word = 0
    bitCount = 0
  }

  /// Appends the lowest bits of a value; at most 61.
  mutating func append(_ value: UInt64, bitCount count: Int) {
    var value = value & (1 << UInt64(count) - 1)
    var count = UInt64(count)
    while count > 0 {
      let part = min(count, 56 - bitCount)
      word |= (value & (1 << part - 1)) << bitCount
      bitCount += part
      value >>= part
      count -= part
      while bitCount >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
        bitCount -= 8
      }
    }
  }

  /// Goes on at the next whole byte.
  mutating func align() {
    guard bitCount > 0 else { return }
    bytes.append(UInt8(truncatingIfNeeded: word))
    word = 0
    bitCount = 0
  }
}
