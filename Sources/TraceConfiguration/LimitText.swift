// Reads and writes the values of rules' parameters, each in its unit.

import TraceModel
import TraceNotation
public import TraceRules

/// Values of parameters as people write them: `8s`, `80`, `20 MiB`.
public enum LimitText {
  public struct Failure: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case notANumber, notADuration, noUnit
    }

    public var kind: Kind
    /// What was expected, without the word.
    public var expected: String
    /// What was probably meant.
    public var suggestion: String?
  }

  /// The value of a text in a parameter's unit; not below zero.
  public static func value(
    _ text: String, of parameter: RuleParameter
  ) throws(Failure) -> Int64 {
    let example = Self.text(parameter.value, parameter.unit)
    switch parameter.unit {
    case .nanoseconds: return try duration(text)
    case .count: return try number(text, units: [], example: "\(parameter.value)")
    case .framesPerSecond: return try number(text, units: [], example: "\(parameter.value)")
    case .percent: return try number(text, units: [("%", 1)], example: example)
    case .seconds: return try number(text, units: [("s", 1)], example: example)
    case .bytes: return try number(text, units: byteUnits, example: example)
    }
  }

  /// A value for people.
  public static func text(_ value: Int64, _ unit: RuleParameter.Unit) -> String {
    unit == .nanoseconds ? DurationText.text(value) : unit.readable(value)
  }

  private static let byteUnits: [(String, Int64)] = [
    ("bytes", 1), ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
  ]

  private static func duration(_ text: String) throws(Failure) -> Int64 {
    let value: Int64
    do throws(DurationText.Failure) {
      value = try DurationText.nanoseconds(text)
    } catch {
      if isNumber(text) {
        throw Failure(
          kind: .noUnit, expected: "a duration with its unit, such as \(text)s or \(text)ms",
          suggestion: "\(text)s")
      }
      throw Failure(
        kind: .notADuration, expected: "a duration such as 1.5s or 250ms",
        suggestion: durationMeant(by: text))
    }
    guard value >= 0 else {
      throw Failure(
        kind: .notADuration, expected: "a duration such as 1.5s or 250ms", suggestion: nil)
    }
    return value
  }

  private static func number(
    _ text: String, units: [(name: String, factor: Int64)], example: String
  ) throws(Failure) -> Int64 {
    let digits = text.prefix { isDigit($0) }
    let unit = text[digits.endIndex...].drop { $0 == " " }
    let factor = unit.isEmpty ? 1 : units.first { $0.name == unit }?.factor
    if let number = Int64(digits), let factor {
      let (product, overflow) = number.multipliedReportingOverflow(by: factor)
      if !overflow { return product }
    }
    let names = units.isEmpty ? "" : ", in " + units.map(\.name).joined(separator: ", ")
    throw Failure(
      kind: .notANumber, expected: "a whole number such as \(example)\(names)", suggestion: nil)
  }

  /// `5 sec` means `5s`.
  private static func durationMeant(by text: String) -> String? {
    let number = text.prefix { isDigit($0) || $0 == "." }
    guard !number.isEmpty, number.utf8.count <= 20 else { return nil }
    let unit =
      switch text[number.endIndex...].drop(while: { $0 == " " }).lowercased() {
      case "s", "sec", "secs", "second", "seconds": "s"
      case "ms", "msec", "millisecond", "milliseconds": "ms"
      case "us", "µs", "μs", "usec", "microseconds": "us"
      case "m", "min", "mins", "minute", "minutes": "m"
      case "h", "hr", "hrs", "hour", "hours": "h"
      default: ""
      }
    if unit.isEmpty || (try? DurationText.nanoseconds(number + unit)) == nil { return nil }
    return number + unit
  }

  private static func isNumber(_ text: String) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return text.utf8.count <= 20 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character >= "0" && character <= "9"
  }
}
