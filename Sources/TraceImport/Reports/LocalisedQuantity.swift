// Numbers with units as MetricKit prints them, in the words and separators of the user's region.
// This file must not know any key.

import TraceModel

/// A number and its unit, for example of `20 secs.`, `1.234,5 kB` or `2,717秒`.
struct LocalisedQuantity: Sendable {
  /// What the number counts, once brought to seconds or bytes.
  enum Dimension: Sendable {
    case seconds, bytes, unknown
  }

  private(set) var value: Double
  private(set) var dimension: Dimension

  /// Regions that write a comma before the decimals, and group by dots or blanks.
  private static let commaRegions: Set<String> = [
    "AR", "AT", "BE", "BG", "BR", "BY", "CL", "CO", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR",
    "HR", "HU", "ID", "IS", "IT", "LT", "LU", "LV", "NL", "NO", "PL", "PT", "RO", "RS", "RU", "SE",
    "SI", "SK", "TR", "UA", "UY", "VE", "VN", "ZA",
  ]

  /// Units by the beginnings of their words; of several that fit the longest counts.
  private static let units: [(word: String, factor: Double, dimension: Dimension)] = [
    ("ms", 1e-3, .seconds), ("milli", 1e-3, .seconds), ("msec", 1e-3, .seconds),
    ("毫秒", 1e-3, .seconds), ("ミリ秒", 1e-3, .seconds), ("밀리", 1e-3, .seconds),
    ("мс", 1e-3, .seconds),
    ("s", 1, .seconds), ("秒", 1, .seconds), ("초", 1, .seconds), ("с", 1, .seconds),
    ("ث", 1, .seconds), ("min", 60, .seconds), ("分", 60, .seconds), ("분", 60, .seconds),
    ("мин", 60, .seconds), ("h", 3600, .seconds), ("std", 3600, .seconds),
    ("小时", 3600, .seconds), ("小時", 3600, .seconds), ("時間", 3600, .seconds),
    ("시간", 3600, .seconds), ("ч", 3600, .seconds), ("µs", 1e-6, .seconds),
    ("b", 1, .bytes), ("字节", 1, .bytes), ("バイト", 1, .bytes), ("바이트", 1, .bytes),
    ("o", 1, .bytes), ("байт", 1, .bytes), ("kb", 1e3, .bytes), ("kilob", 1e3, .bytes),
    ("千字节", 1e3, .bytes), ("кб", 1e3, .bytes), ("ko", 1e3, .bytes), ("mb", 1e6, .bytes),
    ("megab", 1e6, .bytes), ("兆字节", 1e6, .bytes), ("мб", 1e6, .bytes), ("mo", 1e6, .bytes),
    ("gb", 1e9, .bytes), ("gigab", 1e9, .bytes), ("гб", 1e9, .bytes), ("go", 1e9, .bytes),
  ]

  /// Reads a text; nil if it has no number.
  ///
  /// - Parameter region: The region's two letters; nil if they aren't known.
  init?(_ text: String, region: String?) {
    var digits: [UInt8] = []
    var separators: [(scalar: Unicode.Scalar, digitsBefore: Int)] = []
    var unit = ""
    var isNegative = false
    var hasUnit = false
    for scalar in text.unicodeScalars.prefix(ImportLimits.nameBytesMax) {
      if hasUnit {
        unit.unicodeScalars.append(scalar)
      } else if let digit = Self.digit(scalar) {
        guard digits.count < 18 else { return nil }
        digits.append(digit)
      } else if Self.isSeparator(scalar) {
        if !digits.isEmpty { separators.append((scalar, digits.count)) }
      } else if digits.isEmpty, scalar == "-" || scalar == "\u{2212}" {
        isNegative = true
      } else if !digits.isEmpty {
        hasUnit = true
        unit.unicodeScalars.append(scalar)
      }
    }
    guard !digits.isEmpty else { return nil }
    // A separator behind the last digit stands before the unit.
    separators.removeAll { $0.digitsBefore == digits.count }
    var number = 0.0
    for digit in digits { number = number * 10 + Double(digit) }
    let decimals = Self.decimalCount(digits.count, separators, region)
    for _ in 0..<decimals { number /= 10 }
    let found = Self.unit(unit)
    value = (isNegative ? -number : number) * found.factor
    dimension = found.dimension
  }

  /// How many of the digits stand behind the decimal separator.
  private static func decimalCount(
    _ count: Int, _ separators: [(scalar: Unicode.Scalar, digitsBefore: Int)], _ region: String?
  ) -> Int {
    guard let last = separators.last else { return 0 }
    let behind = count - last.digitsBefore
    // Different ones: the last divides the decimals. The same ones again: they group.
    if separators.count > 1 {
      return separators.allSatisfy { $0.scalar == last.scalar } ? 0 : behind
    }
    let usesComma = region.map(commaRegions.contains) ?? false
    switch last.scalar {
    case ",": return usesComma || behind != 3 ? behind : 0
    case ".": return usesComma && behind == 3 ? 0 : behind
    case "\u{66b}": return behind
    default: return 0
    }
  }

  private static func unit(_ text: String) -> (factor: Double, dimension: Dimension) {
    let word = text.lowercased()
    var best: (word: String, factor: Double, dimension: Dimension) = ("", 1, .unknown)
    for unit in units where word.hasPrefix(unit.word) {
      if unit.word.utf8.count > best.word.utf8.count { best = unit }
    }
    return (best.factor, best.dimension)
  }

  /// Digits of ASCII, Arabic, Persian, Devanagari and of full width.
  private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    for zero: UInt32 in [0x30, 0x660, 0x6f0, 0x966, 0xff10]
    where scalar.value >= zero && scalar.value < zero + 10 {
      return UInt8(scalar.value - zero)
    }
    return nil
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", ".", " ", "'", "\u{a0}", "\u{202f}", "\u{2019}", "\u{66b}", "\u{66c}": true
    default: false
    }
  }
}
