// Durations as people write them: a number and a unit.

import TraceModel

/// Reads and writes durations such as `1.5s`, `250ms` or `-3us`.
///
/// Units are `ns`, `us`, `ms`, `s`, `m` (minutes) and `h`. Decimals are allowed if the duration is
/// a whole number of nanoseconds. Written are always seconds, with as many decimals as needed.
public enum DurationText {
  /// Why a text is no duration.
  public enum Failure: Error, Hashable, Sendable {
    /// No digit where one is needed, at this byte.
    case noDigit(at: Int)
    /// No unit after the number, at this byte.
    case noUnit(at: Int)
    /// A fraction of a nanosecond.
    case notWhole(at: Int)
    /// More nanoseconds than 64 bits hold.
    case outOfRange(at: Int)
    /// Something follows the duration, at this byte.
    case trailing(at: Int)

    public var offset: Int {
      switch self {
      case .noDigit(let offset), .noUnit(let offset), .notWhole(let offset),
        .outOfRange(let offset), .trailing(let offset):
        offset
      }
    }

    /// What was expected.
    public var expectation: String {
      switch self {
      case .noDigit: "a duration such as 1.5s or 250ms"
      case .noUnit: "one of the units ns, us, ms, s, m, h"
      case .notWhole: "a whole number of nanoseconds"
      case .outOfRange: "a duration of at most 292 years"
      case .trailing: "the end of the duration"
      }
    }
  }

  /// The nanoseconds of a text that is a duration and nothing else.
  public static func nanoseconds(_ text: String) throws(Failure) -> Int64 {
    let bytes = Array(text.utf8)
    var position = 0
    let value = try nanoseconds(in: bytes.span, at: &position)
    guard position == bytes.count else { throw .trailing(at: position) }
    return value
  }

  /// Reads the duration that begins at a position, and moves the position behind it.
  public static func nanoseconds(
    in text: Span<UInt8>, at position: inout Int
  ) throws(Failure) -> Int64 {
    let start = position
    let isNegative = position < text.count && text[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var isOverflown = false
    let whole = try number(in: text, at: &position, isOverflown: &isOverflown)
    var fraction: UInt64 = 0
    var scale: UInt64 = 1
    var isTooFine = false
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position += 1
      guard position < text.count, text[position] &- 0x30 < 10 else {
        throw .noDigit(at: position)
      }
      while position < text.count, text[position] &- 0x30 < 10 {
        let digit = UInt64(text[position] - 0x30)
        if scale < decimalsScaleMax {
          fraction = fraction * 10 + digit
          scale *= 10
        } else if digit != 0 {
          isTooFine = true
        }
        position += 1
      }
    }
    guard let unit = unit(in: text, at: &position) else { throw .noUnit(at: position) }
    // The quotient is below the unit, so that it fits.
    let product = fraction.multipliedFullWidth(by: unit)
    let (part, rest) = scale.dividingFullWidth(product)
    guard rest == 0, !isTooFine else { throw .notWhole(at: start) }
    let (units, overflow) = whole.multipliedReportingOverflow(by: unit)
    let (magnitude, carry) = units.addingReportingOverflow(part)
    guard !isOverflown, !overflow, !carry,
      magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0)
    else { throw .outOfRange(at: start) }
    return isNegative
      ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(truncatingIfNeeded: magnitude)
  }

  /// A duration in seconds, for example `1.5s`.
  public static func text(_ nanoseconds: Int64) -> String {
    var bytes: [UInt8] = []
    append(nanoseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a duration in seconds, for example `1.5s`.
  public static func append(_ nanoseconds: Int64, to bytes: inout [UInt8]) {
    if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    JSONText.append(magnitude / 1_000_000_000, to: &bytes)
    var fraction = magnitude % 1_000_000_000
    if fraction > 0 {
      bytes.append(UInt8(ascii: "."))
      var divisor: UInt64 = 100_000_000
      while fraction > 0 {
        bytes.append(0x30 + UInt8(truncatingIfNeeded: fraction / divisor))
        fraction %= divisor
        divisor /= 10
      }
    }
    bytes.append(UInt8(ascii: "s"))
  }

  /// Decimals that are looked at: more can only be zeros in a whole number of nanoseconds, as an
  /// hour has 3,600,000,000,000 of them.
  private static let decimalsScaleMax: UInt64 = 1_000_000_000_000_000_000

  private static func number(
    in text: Span<UInt8>, at position: inout Int, isOverflown: inout Bool
  ) throws(Failure) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    while position < text.count, text[position] &- 0x30 < 10 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(text[position] - 0x30))
      if overflow || carry { isOverflown = true }
      value = sum
      position += 1
    }
    if position == start { throw .noDigit(at: start) }
    return value
  }

  /// Nanoseconds of the unit at a position. A letter behind it makes it no unit.
  private static func unit(in text: Span<UInt8>, at position: inout Int) -> UInt64? {
    let start = position
    var end = start
    while end < text.count, end - start < 3, text[end] | 0x20 >= 0x61, text[end] | 0x20 <= 0x7A {
      end += 1
    }
    let second = end - start == 2 ? text[start + 1] : 0
    guard end - start == 1 || second == UInt8(ascii: "s") else { return nil }
    let unit: UInt64
    switch (text[start], end - start) {
    case (UInt8(ascii: "n"), 2): unit = 1
    case (UInt8(ascii: "u"), 2): unit = 1_000
    case (UInt8(ascii: "m"), 2): unit = 1_000_000
    case (UInt8(ascii: "s"), 1): unit = 1_000_000_000
    case (UInt8(ascii: "m"), 1): unit = 60_000_000_000
    case (UInt8(ascii: "h"), 1): unit = 3_600_000_000_000
    default: return nil
    }
    position = end
    return unit
  }
}
