// Reading numbers, literals and names from bytes. This file must not know any format.

import TraceModel

/// Small, forward-only readers. None of them looks beyond the bytes, and a number that doesn't fit
/// is no number.
extension Span where Element == UInt8 {
  /// Whether these bytes stand at an offset.
  @inline(__always)
  func has(_ literal: [UInt8], at offset: Int) -> Bool {
    guard offset >= 0, literal.count <= count - offset else { return false }
    for index in literal.indices where self[offset + index] != literal[index] { return false }
    return true
  }

  /// The offset of the first such byte in a range, nil if there is none.
  @inline(__always)
  func first(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
    var offset = start
    let end = Swift.min(end, count)
    while offset < end {
      if self[offset] == byte { return offset }
      offset += 1
    }
    return nil
  }

  /// The offset of the first occurrence of a literal, nil if there is none.
  func find(_ literal: [UInt8], from start: Int) -> Int? {
    guard let head = literal.first else { return start <= count ? start : nil }
    var offset = start
    while let place = first(head, from: offset, to: count) {
      if has(literal, at: place) { return place }
      offset = place + 1
    }
    return nil
  }

  /// A decimal number; the offset moves behind it.
  @inline(__always)
  func decimal(at offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    var place = offset
    while place < count, self[place] &- 48 < 10 {
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, carries) = product.addingReportingOverflow(UInt64(self[place] &- 48))
      guard !tooLarge, !carries else { return nil }
      value = sum
      place += 1
    }
    guard place > offset else { return nil }
    offset = place
    return value
  }

  /// A hexadecimal number without `0x`; the offset moves behind it.
  func hexadecimal(at offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    var place = offset
    while place < count, let digit = Self.hexadecimalDigit(self[place]) {
      guard value >> 60 == 0 else { return nil }
      value = value << 4 | digit
      place += 1
    }
    guard place > offset else { return nil }
    offset = place
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 48...57: UInt64(byte - 48)
    case 65...70: UInt64(byte - 55)
    case 97...102: UInt64(byte - 87)
    default: nil
    }
  }

  /// A number of exactly this many digits; the offset moves behind it.
  @inline(__always)
  func digits(_ width: Int, at offset: inout Int) -> Int? {
    guard width <= count - offset else { return nil }
    var value = 0
    for place in offset..<offset + width {
      let digit = self[place] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    offset += width
    return value
  }

  /// Takes one byte if it is this one.
  @inline(__always)
  func take(_ byte: UInt8, at offset: inout Int) -> Bool {
    guard offset < count, self[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Skips bytes of one value.
  @inline(__always)
  func skip(_ byte: UInt8, at offset: inout Int) {
    while offset < count, self[offset] == byte { offset += 1 }
  }

  /// The text of a range, ill-formed UTF-8 repaired, at most ``ImportLimits/nameBytesMax`` bytes.
  func text(_ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<count)
    var bytes: [UInt8] = []
    for offset in range.prefix(ImportLimits.nameBytesMax) { bytes.append(self[offset]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Bytes that formats are made of.
enum Byte {
  static let tab: UInt8 = 9
  static let newline: UInt8 = 10
  static let carriageReturn: UInt8 = 13
  static let space: UInt8 = 32
  static let plus: UInt8 = 43
  static let minus: UInt8 = 45
  static let dot: UInt8 = 46
  static let colon: UInt8 = 58
  static let openParenthesis: UInt8 = 40
  static let closeParenthesis: UInt8 = 41
  static let openBracket: UInt8 = 91
  static let backslash: UInt8 = 92
  static let closeBracket: UInt8 = 93
  static let openAngle: UInt8 = 60
  static let closeAngle: UInt8 = 62
  static let bar: UInt8 = 124
  static let quote: UInt8 = 34
  static let comma: UInt8 = 44
  static let openBrace: UInt8 = 123
  static let closeBrace: UInt8 = 125
}

/// The UTF-8 of a text.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
