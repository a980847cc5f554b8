// Durations in rules: a number and a unit, as in the timeline notation.

import TraceModel

/// Reads and writes durations such as `5s`, `1.5s` and `500ms`.
enum DurationWords {
  enum Failure: Error {
    case notANumber
    /// A number, and nothing or a word that is no unit after it.
    case noUnit(number: String, unit: String)
    /// A fraction of a nanosecond, or more than 292 years.
    case outOfRange
  }

  static let units: [(name: String, nanoseconds: UInt64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
  ]

  /// The nanoseconds of a text that is a duration and nothing else.
  static func nanoseconds(_ text: String) throws(Failure) -> Int64 {
    var rest = text.unicodeScalars[...]
    let isNegative = rest.first == "-"
    if isNegative { rest.removeFirst() }
    let whole = rest.prefix { isDigit($0) }
    rest = rest.dropFirst(whole.count)
    var decimals = Substring.UnicodeScalarView()
    if rest.first == "." {
      decimals = rest.dropFirst().prefix { isDigit($0) }
      rest = rest.dropFirst(decimals.count + 1)
      if decimals.isEmpty { throw .notANumber }
    }
    if whole.isEmpty { throw .notANumber }
    let number =
      (isNegative ? "-" : "") + String(whole)
      + (decimals.isEmpty ? "" : "." + String(decimals))
    let unitName = String(rest)
    guard let unit = units.first(where: { $0.name == unitName })?.nanoseconds else {
      throw .noUnit(number: number, unit: unitName)
    }
    guard let units = UInt64(String(whole)), decimals.count <= 18 else { throw .outOfRange }
    var scale: UInt64 = 1
    for _ in decimals { scale *= 10 }
    let fraction = UInt64(String(decimals)) ?? 0
    let (part, left) = scale.dividingFullWidth(fraction.multipliedFullWidth(by: unit))
    let (product, overflow) = units.multipliedReportingOverflow(by: unit)
    let (magnitude, carry) = product.addingReportingOverflow(part)
    guard left == 0, !overflow, !carry, magnitude <= UInt64(Int64.max) else { throw .outOfRange }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// A duration in the largest unit up to seconds that needs no decimals.
  static func text(_ nanoseconds: Int64) -> String {
    if nanoseconds == 0 { return "0s" }
    if nanoseconds == .min { return "-9223372036854775808ns" }
    for unit in units[...3].reversed() where nanoseconds.magnitude % unit.nanoseconds == 0 {
      return "\(nanoseconds / Int64(unit.nanoseconds))\(unit.name)"
    }
    return "\(nanoseconds)ns"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
