// The value of an argument as a pattern says it: text with the fields of the line in it.
// This file must not know which arguments there are.

/// A text with fields, such as `<t>ms`; without fields it is a constant.
public struct ValueTemplate: Hashable, Sendable {
  /// Why a text is no template.
  public struct Problem: Error, Hashable, Sendable {
    public var message: String
    /// The place of the character at fault, in bytes from 0.
    public var offset: Int
    /// The name of a field that the pattern doesn't have; nil for other mistakes.
    public var unknownField: String?
  }

  private enum Piece: Hashable {
    case literal([UInt8])
    /// The number of the field.
    case field(Int)
  }

  private var pieces: [Piece] = []

  /// Bytes of a template: an argument's text is rarely longer.
  public static let bytesMax = 512

  /// Reads a template; `\<` and `\\` are the characters themselves.
  ///
  /// - Parameter fields: The names of the fields of the line, in their order.
  public init(_ text: String, fields: [String]) throws(Problem) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.bytesMax else {
      throw Problem(
        message: "the value has \(bytes.count) bytes, and may have \(Self.bytesMax)", offset: 0)
    }
    var literal: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == Byte.openAngle {
        guard let (name, end) = LineGlob.field(bytes, at: offset) else {
          throw Problem(message: "the field has no >; write \\< for the character", offset: offset)
        }
        guard let field = fields.firstIndex(of: name) else {
          throw Problem(
            message: "the message has no field <\(name)>", offset: offset, unknownField: name)
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = []
        pieces.append(.field(field))
        offset = end + 1
        continue
      }
      if bytes[offset] == Byte.backslash, offset + 1 < bytes.count,
        bytes[offset + 1] == Byte.openAngle || bytes[offset + 1] == Byte.backslash
      {
        offset += 1
      }
      literal.append(bytes[offset])
      offset += 1
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
  }

  /// The text where there are no fields; nil where there are.
  public var constant: String? {
    switch pieces.first {
    case nil: ""
    case .literal(let bytes)? where pieces.count == 1: String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }

  /// Appends the text for a line, given the places of its fields.
  func append(_ message: Span<UInt8>, _ fields: [Range<Int>], to text: inout [UInt8]) {
    for piece in pieces {
      switch piece {
      case .literal(let bytes): text.append(contentsOf: bytes)
      case .field(let index): for offset in fields[index] { text.append(message[offset]) }
      }
    }
  }
}
