// How the texts of logs become values of arguments. This file must not know patterns.

public import TraceModel
import TraceNotation

/// What a text must be to be the value of an argument.
public enum ValueReading: Hashable, Sendable {
  case integer
  /// A raw 64-bit value, decimal or hexadecimal, or `<private>`.
  case token
  case number
  case boolean
  case string
  case words([String])
  /// A time in the unit that the argument's name says, or with a unit of its own.
  case duration(unitNanoseconds: Int64, isWhole: Bool)

  /// How an argument of the vocabulary is read.
  public init(_ argument: ArgumentDescription) {
    let name = argument.name.knownText ?? ""
    switch argument.shape {
    case .integer:
      self =
        Self.unitNanoseconds(name).map { .duration(unitNanoseconds: $0, isWhole: true) }
        ?? .integer
    case .number:
      self =
        Self.unitNanoseconds(name).map { .duration(unitNanoseconds: $0, isWhole: false) }
        ?? .number
    case .token: self = .token
    case .boolean: self = .boolean
    case .string: self = .string
    case .words(let words): self = .words(words)
    }
  }

  /// The unit that ends a name such as `interval_s`; times on the wall are no durations.
  private static func unitNanoseconds(_ name: String) -> Int64? {
    if name.hasSuffix("wall_ns") { return nil }
    if name.hasSuffix("_ns") { return 1 }
    if name.hasSuffix("_ms") { return 1_000_000 }
    return name.hasSuffix("_s") || name == "seconds" ? 1_000_000_000 : nil
  }

  /// What is expected, for messages.
  public var expectation: String {
    switch self {
    case .integer: "a whole number"
    case .token: "a whole number, decimal or hexadecimal"
    case .number: "a number"
    case .boolean: "true or false"
    case .string: "a text"
    case .words(let words): "one of \(words.joined(separator: ", "))"
    case .duration(1, _): "a number of nanoseconds, or a duration such as 250ms"
    case .duration(1_000_000, _): "a number of milliseconds, or a duration such as 1.5s"
    case .duration: "a number of seconds, or a duration such as 250ms"
    }
  }

  /// The value of a text; nil if the text is none. Blanks around it don't count.
  public func value(_ text: String) -> ArgumentValue? {
    let bytes = Array(text.utf8)
    return value(bytes.span)
  }

  /// The value of a text; nil if the text is none. Blanks around it don't count.
  func value(_ text: Span<UInt8>) -> ArgumentValue? {
    var first = 0
    var end = text.count
    if self != .string {
      while first < end, text[first] <= Byte.space { first += 1 }
      while end > first, text[end - 1] <= Byte.space { end -= 1 }
    }
    let text = text.extracting(first..<end)
    switch self {
    case .integer: return Self.integer(text)
    case .token: return text.equals(Self.hidden) ? .string("<private>") : Self.integer(text)
    case .number: return Self.number(text).map { .number($0) }
    case .boolean: return Self.boolean(text).map { .boolean($0) }
    case .string: return .string(text.text(0..<text.count))
    case .words(let words):
      let word = text.text(0..<text.count)
      return words.first { $0 == word || $0 == word.lowercased() }.map { .string($0) }
    case .duration(let unit, let isWhole): return Self.duration(text, unit, isWhole)
    }
  }

  private static let hidden = bytes("<private>")

  /// Decimal with a sign, or hexadecimal with `0x`.
  private static func integer(_ text: Span<UInt8>) -> ArgumentValue? {
    var offset = 0
    if text.has([48, 120], at: 0) || text.has([48, 88], at: 0) {
      offset = 2
      guard let value = text.hexadecimal(at: &offset), offset == text.count else { return nil }
      return whole(value)
    }
    let isNegative = text.take(Byte.minus, at: &offset)
    if !isNegative { _ = text.take(Byte.plus, at: &offset) }
    guard let value = text.decimal(at: &offset), offset == text.count else { return nil }
    if !isNegative { return whole(value) }
    guard value <= UInt64(Int64.max) + 1 else { return nil }
    return .integer(Int64(truncatingIfNeeded: 0 &- value))
  }

  private static func whole(_ value: UInt64) -> ArgumentValue {
    Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
  }

  /// Digits with at most one dot; exponents are taken as Swift writes them.
  private static func number(_ text: Span<UInt8>) -> Double? {
    guard text.count > 0, text.count <= 64 else { return nil }
    for offset in text.indices {
      switch text[offset] {
      case 48...57, Byte.plus, Byte.minus, Byte.dot, UInt8(ascii: "e"), UInt8(ascii: "E"): break
      default: return nil
      }
    }
    guard let value = Double(text.text(0..<text.count)), value.isFinite else { return nil }
    return value
  }

  private static func boolean(_ text: Span<UInt8>) -> Bool? {
    switch text.text(0..<Swift.min(text.count, 8)).lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }

  private static func duration(
    _ text: Span<UInt8>, _ unit: Int64, _ isWhole: Bool
  ) -> ArgumentValue? {
    if isWhole, let plain = integer(text) { return plain }
    if let plain = number(text) {
      return isWhole ? Int64(exactly: plain).map { .integer($0) } : .number(plain)
    }
    // A blank may stand before the unit.
    var tight: [UInt8] = []
    for offset in text.indices.prefix(64) where text[offset] != Byte.space {
      tight.append(text[offset])
    }
    guard let nanoseconds = try? DurationText.nanoseconds(String(decoding: tight, as: UTF8.self))
    else { return nil }
    if !isWhole { return .number(Double(nanoseconds) / Double(unit)) }
    return nanoseconds % unit == 0 ? .integer(nanoseconds / unit) : nil
  }
}

extension Span where Element == UInt8 {
  /// Whether these bytes are all there is.
  func equals(_ other: [UInt8]) -> Bool { count == other.count && has(other, at: 0) }
}
