// Numbers of JSON texts: their grammar, and the 64 bits that hold them.

import TraceModel

/// A number of a JSON text: its value, and where it stands.
public struct JSONNumber: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    /// No fraction, no exponent, in the range of `Int64`.
    case integer(Int64)
    /// No fraction, no exponent, above `Int64.max`.
    case unsigned(UInt64)
    /// A finite number with fraction or exponent; also `-0`.
    case double(Double)
    /// A number that no 64 bits hold: too large, too small, or of too many digits.
    case other
  }

  public let value: Value
  public let range: Range<Int>
}

extension JSONPullParser {
  /// Bytes of a number that is converted; a longer one is kept as text. The exact digits of any
  /// double that a program prints are fewer.
  static let numberBytesMax = 128

  /// Reads the number whose first byte stands at the position.
  @inline(__always)
  mutating func scanNumber(in text: Span<UInt8>) throws(JSONError) -> JSONNumber {
    let start = position
    if let value = plainInteger(in: text) {
      return JSONNumber(value: .integer(value), range: start..<position)
    }
    return try scanLongNumber(in: text)
  }

  /// Reads an integer of at most 18 digits; nil, and nothing is read, if it is anything else.
  @inline(__always)
  mutating func plainInteger(in text: Span<UInt8>) -> Int64? {
    var index = position
    let isNegative = index < text.count && text[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let firstDigit = index
    var magnitude: UInt64 = 0
    // A number of too many digits wraps around and is of no use below.
    while index <= text.count - ByteWord.count {
      let word = ByteWord.load(text, at: index)
      let count = ByteWord.digitCount(word)
      if count == 0 { break }
      magnitude = magnitude &* ByteWord.powers[count] &+ ByteWord.number(word, digits: count)
      index += count
      if count < ByteWord.count { break }
    }
    while index < text.count {
      let digit = text[index] &- 0x30
      guard digit < 10 else { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      index += 1
    }
    let digitCount = index - firstDigit
    guard digitCount > 0, digitCount < 19, digitCount == 1 || text[firstDigit] != 0x30,
      index == text.count || !Self.continuesNumber(text[index]), !isNegative || magnitude != 0
    else { return nil }
    position = index
    let value = Int64(truncatingIfNeeded: magnitude)
    return isNegative ? 0 &- value : value
  }

  @inline(__always)
  private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }

  private mutating func scanLongNumber(in text: Span<UInt8>) throws(JSONError) -> JSONNumber {
    let start = position
    var index = start
    var decimal = Decimal()
    if text[index] == UInt8(ascii: "-") {
      decimal.isNegative = true
      index += 1
    }
    if index < text.count, text[index] == 0x30 {
      index += 1
    } else {
      try digits(from: &index, in: text) { digit in decimal.append(digit) }
    }
    var isWhole = true
    if index < text.count, text[index] == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      try digits(from: &index, in: text) { digit in
        decimal.append(digit)
        decimal.exponent -= 1
      }
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      index += 1
      var isNegative = false
      if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
        isNegative = text[index] == UInt8(ascii: "-")
        index += 1
      }
      var exponent = 0
      try digits(from: &index, in: text) { digit in
        // Far outside the range of doubles, where more digits change nothing.
        if exponent < 1_000_000 { exponent = exponent * 10 + Int(digit) }
      }
      decimal.exponent += isNegative ? -exponent : exponent
    }
    position = index
    let value = isWhole ? decimal.integer : nil
    return JSONNumber(
      value: value ?? decimal.double(start..<index, isWhole: isWhole, in: text),
      range: start..<index)
  }

  /// Reads one or more digits.
  private func digits(
    from index: inout Int, in text: Span<UInt8>, _ take: (UInt8) -> Void
  ) throws(JSONError) {
    let start = index
    while index < text.count {
      let digit = text[index] &- 0x30
      guard digit < 10 else { break }
      take(digit)
      index += 1
    }
    if index == start { throw JSONError(.unexpected(.digit), at: index, in: text) }
  }
}

/// A decimal number while its digits are read.
private struct Decimal {
  var isNegative = false
  var magnitude: UInt64 = 0
  var isOverflown = false
  var isZero = true
  var exponent = 0

  mutating func append(_ digit: UInt8) {
    if digit != 0 { isZero = false }
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
    if overflow || carry { isOverflown = true }
    magnitude = sum
  }

  /// The value of a number without fraction and exponent, if 64 bits hold it.
  var integer: JSONNumber.Value? {
    if isOverflown || (isNegative && magnitude == 0) { return nil }
    if !isNegative {
      return magnitude > UInt64(Int64.max)
        ? .unsigned(magnitude) : .integer(Int64(magnitude))
    }
    guard magnitude <= UInt64(Int64.max) + 1 else { return nil }
    return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  /// The value as a double, if one holds it.
  func double(_ range: Range<Int>, isWhole: Bool, in text: Span<UInt8>) -> JSONNumber.Value {
    if isZero { return .double(isNegative ? -0.0 : 0.0) }
    guard !isWhole, range.count <= JSONPullParser.numberBytesMax else { return .other }
    // Both factors are exact, so that one rounding gives the nearest double.
    if !isOverflown, magnitude < 1 << 53, exponent >= -22, exponent <= 22 {
      let power = Self.powers[abs(exponent)]
      let value = exponent < 0 ? Double(magnitude) / power : Double(magnitude) * power
      return .double(isNegative ? -value : value)
    }
    var bytes: [UInt8] = []
    for index in range { bytes.append(text[index]) }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite, value != 0
    else { return .other }
    return .double(value)
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
