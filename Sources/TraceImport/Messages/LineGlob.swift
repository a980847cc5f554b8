// Patterns for an app's own log lines: text with wildcards and named fields.
// This file must not know events.

/// A pattern for a whole message: `*` stands for any text, `<name>` for any text that is kept.
///
///     let glob = try LineGlob("sync <id> of <what> began*")
///
/// Each piece of text between two wildcards is found where it first occurs, and never looked for
/// again: a match costs at most the product of both lengths. `\*`, `\<` and `\\` are the
/// characters themselves.
public struct LineGlob: Hashable, Sendable {
  /// Why a text is no pattern.
  public struct Problem: Error, Hashable, Sendable {
    public var message: String
    /// The place of the character at fault, from 0.
    public var offset: Int
  }

  /// Bytes of a pattern: a line of a log is rarely longer.
  public static let bytesMax = 512
  /// Fields of a pattern: no event has more arguments.
  public static let fieldsMax = 16

  private struct Part: Hashable {
    var field: Int?
    var literal: [UInt8] = []
  }

  /// The text before the first wildcard.
  private var prefix: [UInt8] = []
  /// Each wildcard with the text after it; the field is nil where the text isn't kept.
  private var parts: [Part] = []
  /// The names of the fields, in their order.
  public private(set) var fields: [String] = []

  /// Reads a pattern.
  ///
  /// - Throws: ``Problem`` if a field has no name or no end, a name stands twice, two wildcards
  ///   touch, nothing but wildcards is there, or a limit is passed.
  public init(_ text: String) throws(Problem) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.bytesMax else {
      throw Problem(
        message: "the pattern has \(bytes.count) bytes, and may have \(Self.bytesMax)", offset: 0)
    }
    var offset = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case 42:
        try addWildcard(field: nil, at: offset)
        offset += 1
      case Byte.openAngle:
        let end = try addField(bytes, at: offset)
        offset = end + 1
      case Byte.backslash:
        guard offset + 1 < bytes.count, [42, Byte.openAngle, Byte.backslash].contains(bytes[offset + 1])
        else {
          throw Problem(message: "after a backslash stands *, < or another backslash", offset: offset)
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
  }

  private mutating func add(_ byte: UInt8) {
    if parts.isEmpty { prefix.append(byte) } else { parts[parts.count - 1].literal.append(byte) }
  }

  private mutating func addWildcard(field: Int?, at offset: Int) throws(Problem) {
    if let last = parts.last, last.literal.isEmpty {
      throw Problem(
        message: "two wildcards touch, and nothing tells where one ends", offset: offset)
    }
    parts.append(Part(field: field))
  }

  /// Reads a field, and returns the place of its end.
  private mutating func addField(_ bytes: [UInt8], at offset: Int) throws(Problem) -> Int {
    guard let end = bytes[offset...].firstIndex(of: Byte.closeAngle) else {
      throw Problem(message: "the field has no >; write \\< for the character", offset: offset)
    }
    let name = String(decoding: bytes[(offset + 1)..<end], as: UTF8.self)
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
    try addWildcard(field: fields.count, at: offset)
    fields.append(name)
    return end
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first | 32) else { return false }
    return text.utf8.allSatisfy { byte in
      (97...122).contains(byte | 32) || (48...57).contains(byte) || byte == 95
    }
  }

  // MARK: Matching

  /// The longest text that every line of the pattern holds: lines without it can't match.
  var literal: [UInt8] {
    parts.reduce(prefix) { $1.literal.count > $0.count ? $1.literal : $0 }
  }

  /// Where the fields are, in their order; nil if the message doesn't match.
  func match(_ message: Span<UInt8>) -> [Range<Int>]? {
    guard message.has(prefix, at: 0) else { return nil }
    if parts.isEmpty { return message.count == prefix.count ? [] : nil }
    var ranges: [Range<Int>] = []
    var offset = prefix.count
    for (place, part) in parts.enumerated() {
      let end: Int
      if place == parts.count - 1 {
        end = message.count - part.literal.count
        guard end >= offset, message.has(part.literal, at: end) else { return nil }
      } else {
        guard let found = message.find(part.literal, from: offset) else { return nil }
        end = found
      }
      if part.field != nil { ranges.append(offset..<end) }
      offset = end + part.literal.count
    }
    return ranges
  }
}
