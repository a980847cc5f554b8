// Messages as data: one sentence with fields in braces.

import TraceModel

/// A sentence with fields such as `{duration}`, filled in when a rule fires.
public struct MessageTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
  public let text: String

  public init(stringLiteral text: String) { self.text = text }
  public init(_ text: String) { self.text = text }

  /// Whether it names the background task of its key.
  var asksForTask: Bool { text.contains("{task}") }

  /// What stands for an argument that the event doesn't have.
  public static let absent = "(not recorded)"

  /// The sentence with its fields filled in; ``absent`` for those without a value.
  public func filled(_ fields: [(name: String, value: String)]) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}") else { break }
      let name = rest[rest.index(after: open)..<close]
      result += fields.first { $0.name == name }?.value ?? Self.absent
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

/// A duration as a person reads it: three or four significant digits, never rounded onto a limit.
public func readable(nanoseconds: Int64) -> String {
  let magnitude = nanoseconds.magnitude
  let sign = nanoseconds < 0 ? "-" : ""
  func decimals(_ unitNanoseconds: UInt64, _ unit: String) -> String {
    let whole = magnitude / unitNanoseconds
    let fraction = magnitude % unitNanoseconds
    if fraction == 0 { return "\(sign)\(whole) \(unit)" }
    // Enough digits that a value just over a limit isn't printed as the limit.
    var digits = ""
    var rest = fraction
    var unitLeft = unitNanoseconds
    var significant = whole == 0 ? 0 : String(whole).utf8.count
    while rest > 0 && unitLeft > 1 {
      unitLeft /= 10
      let digit = rest / unitLeft
      rest %= unitLeft
      digits += "\(digit)"
      if digit != 0 || significant > 0 { significant += 1 }
      if significant >= 4 && digits.contains(where: { $0 != "0" }) { break }
    }
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? "\(sign)\(whole) \(unit)" : "\(sign)\(whole).\(digits) \(unit)"
  }
  switch magnitude {
  case 0: return "0 s"
  case ..<1_000: return "\(sign)\(magnitude) ns"
  case ..<1_000_000: return decimals(1_000, "µs")
  case ..<1_000_000_000: return decimals(1_000_000, "ms")
  case ..<120_000_000_000: return decimals(1_000_000_000, "s")
  case ..<7_200_000_000_000:
    let seconds = magnitude / 1_000_000_000
    return "\(sign)\(seconds / 60) min \(seconds % 60) s"
  default:
    let minutes = magnitude / 60_000_000_000
    return "\(sign)\(minutes / 60) h \(minutes % 60) min"
  }
}
