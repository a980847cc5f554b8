// What is wrong with a JSON text, and where. This file must not know what the text is for.

/// A defect of a JSON text: what was found, what was expected, and at which byte.
public struct JSONError: Error, Hashable, Sendable {
  /// What would have been right.
  public enum Expectation: String, Hashable, Sendable {
    case value = "a value"
    case valueOrBracket = "a value or ']'"
    case object = "'{'"
    case array = "'['"
    case string = "a string in quotes"
    case number = "a number"
    case key = "a key in quotes"
    case keyOrBrace = "a key in quotes or '}'"
    case colon = "':'"
    case commaOrBrace = "',' or '}'"
    case commaOrBracket = "',' or ']'"
    case end = "the end of the text"
    case digit = "a digit"
    case literal = "true, false or null"
    case escape = "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
    case hexadecimal = "four hexadecimal digits"
    case printable = "an escape in place of a control character"
    case closingQuote = "'\"' at the end of the string"
    case utf8 = "well-formed UTF-8"
  }

  public enum Reason: Hashable, Sendable {
    case unexpected(Expectation)
    case stringTooLong(bytesMax: Int)
    case tooDeep(depthMax: Int)
  }

  /// Bytes from the beginning of the text.
  public var offset: Int
  public var reason: Reason
  /// The byte at the offset; nil at the end of the text.
  public var found: UInt8?

  public init(_ reason: Reason, at offset: Int, in text: Span<UInt8>) {
    self.offset = offset
    self.reason = reason
    found = offset < text.count ? text[offset] : nil
  }

  /// Whether the text simply stops: more bytes might have made it right.
  public var isAtEnd: Bool {
    if case .unexpected = reason { found == nil } else { false }
  }

  /// One sentence without a final dot: what was found, and what was expected.
  public var message: String {
    switch reason {
    case .unexpected(let expectation):
      "found \(Self.name(of: found)), expected \(expectation.rawValue)"
    case .stringTooLong(let bytesMax): "found a string of more than \(bytesMax) bytes"
    case .tooDeep(let depthMax):
      "found a value inside \(depthMax) others, expected at most that depth"
    }
  }

  /// A byte as messages show it.
  static func name(of byte: UInt8?) -> String {
    guard let byte else { return "the end of the text" }
    if byte >= 0x21 && byte < 0x7F { return "'\(Character(UnicodeScalar(byte)))'" }
    if byte == 0x20 { return "a space" }
    let digits = String(byte, radix: 16)
    return "byte 0x" + (digits.utf8.count < 2 ? "0" : "") + digits
  }
}
