// Patterns for an app's own log lines: text with wildcards and named fields.
// This file must not know events.

/// A pattern for a whole message: `*` stands for any text, `<name>` for any text that is kept.
///
///     let glob = try LineGlob("sync <id> of <what> began*")
///
/// Each piece of text between two wildcards is found where it first occurs, and never looked for
/// again: a match costs no more than the sum of both lengths, whatever they hold. `\*`, `\<` and
/// `\\` are the characters themselves.
public struct LineGlob: Hashable, Sendable {
  /// Why a text is no pattern.
  public struct Problem: Error, Hashable, Sendable {
    public var message: String
    /// The place of the character at fault, in bytes from 0.
    public var offset: Int
  }

  /// Bytes of a pattern: a line of a log is rarely longer.
  public static let bytesMax = 512
  /// Fields of a pattern: no event has more arguments.
  public static let fieldsMax = 16

  /// A wildcard with the text after it.
  private struct Part: Hashable {
    var isField: Bool
    var literal: [UInt8] = []
    /// How the text is found; made when all of it is there.
    var search = LiteralSearch([])
  }

  /// The pattern as it was written.
  public let text: String
  /// The text before the first wildcard.
  private(set) var prefix: [UInt8] = []
  private var parts: [Part] = []
  /// The names of the fields, in their order.
  public private(set) var fields: [String] = []

  /// Reads a pattern.
  ///
  /// - Throws: ``Problem`` if a field has no name or no end, a name stands twice, two wildcards
  ///   touch, nothing but wildcards is there, or a limit is passed.
  public init(_ text: String) throws(Problem) {
    self.text = text
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.bytesMax else {
      throw Problem(
        message: "the pattern has \(bytes.count) bytes, and may have \(Self.bytesMax)", offset: 0)
    }
    var offset = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "*"):
        try addWildcard(isField: false, at: offset)
        offset += 1
      case Byte.openAngle:
        offset = try addField(bytes, at: offset) + 1
      case Byte.backslash:
        guard offset + 1 < bytes.count,
          [UInt8(ascii: "*"), Byte.openAngle, Byte.backslash].contains(bytes[offset + 1])
        else {
          throw Problem(
            message: "after a backslash stands *, < or another backslash", offset: offset)
        }
        add(bytes[offset + 1])
        offset += 2
      default:
        add(bytes[offset])
        offset += 1
      }
    }
    if prefix.isEmpty && parts.allSatisfy({ $0.literal.isEmpty }) {
      throw Problem(message: "the pattern fits every line: it has no text of its own", offset: 0)
    }
    prepare()
  }

  /// Makes ready for matching what the text of the pattern holds.
  private mutating func prepare() {
    for place in parts.indices { parts[place].search = LiteralSearch(parts[place].literal) }
  }

  private mutating func add(_ byte: UInt8) {
    if parts.isEmpty { prefix.append(byte) } else { parts[parts.count - 1].literal.append(byte) }
  }

  private mutating func addWildcard(isField: Bool, at offset: Int) throws(Problem) {
    if let last = parts.last, last.literal.isEmpty {
      throw Problem(
        message: "two wildcards touch, and nothing tells where one ends", offset: offset)
    }
    parts.append(Part(isField: isField))
  }

  /// Reads a field, and returns the place of its end.
  private mutating func addField(_ bytes: [UInt8], at offset: Int) throws(Problem) -> Int {
    guard let (name, end) = Self.field(bytes, at: offset) else {
      throw Problem(message: "the field has no >; write \\< for the character", offset: offset)
    }
    guard Self.isName(name) else {
      throw Problem(
        message: "the name of a field is made of letters, digits and _, and begins with a letter",
        offset: offset)
    }
    guard !fields.contains(name) else {
      throw Problem(message: "the field <\(name)> stands twice", offset: offset)
    }
    guard fields.count < Self.fieldsMax else {
      throw Problem(message: "there are more than \(Self.fieldsMax) fields", offset: offset)
    }
    try addWildcard(isField: true, at: offset)
    fields.append(name)
    return end
  }

  /// The text between the `<` at an offset and the next `>`, and the place of the latter.
  static func field(_ bytes: [UInt8], at offset: Int) -> (name: String, end: Int)? {
    guard let end = bytes[offset...].firstIndex(of: Byte.closeAngle) else { return nil }
    return (String(decoding: bytes[(offset + 1)..<end], as: UTF8.self), end)
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (first | 32) &- 97 < 26 else { return false }
    return text.utf8.allSatisfy { ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 || $0 == 95 }
  }

  // MARK: Matching

  /// The longest text that every message of the pattern holds: those without it can't match.
  var literal: [UInt8] {
    parts.reduce(prefix) { $1.literal.count > $0.count ? $1.literal : $0 }
  }

  /// Whether a message matches, and where its fields are, in their order.
  func matches(_ message: Span<UInt8>, fields: inout [Range<Int>]) -> Bool {
    fields.removeAll(keepingCapacity: true)
    guard message.has(prefix, at: 0) else { return false }
    if parts.isEmpty { return message.count == prefix.count }
    var offset = prefix.count
    for place in parts.indices {
      let literal = parts[place].literal
      let end: Int
      if place == parts.count - 1 {
        end = message.count - literal.count
        guard end >= offset, message.has(literal, at: end) else { return false }
      } else {
        guard let found = parts[place].search.first(in: message, from: offset) else { return false }
        end = found
      }
      if parts[place].isField { fields.append(offset..<end) }
      offset = end + literal.count
    }
    return true
  }

  /// Whether a name matches.
  func matches(_ name: String) -> Bool {
    var fields: [Range<Int>] = []
    let bytes = Array(name.utf8)
    return matches(bytes.span, fields: &fields)
  }
}
