// What is wrong with one line of a text form. The reader adds the line's number.

/// A defect of a line.
struct NotationError: Error {
  /// Bytes from the beginning of the line.
  var offset: Int
  var message: String
  /// Whether the line simply stops: more bytes might have made it right.
  var isAtEnd = false

  init(at offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }

  init(_ error: JSONError) {
    offset = error.offset
    isAtEnd = error.isAtEnd
    message = error.message
    if error.isAtEnd, case .unexpected(let expectation) = error.reason {
      message = "found the end of the line, expected \(expectation.rawValue)"
    }
  }

  /// Something else was expected than the byte at the offset.
  init(at offset: Int, in line: Span<UInt8>, expected: String) {
    self.offset = offset
    isAtEnd = offset >= line.count
    let found = isAtEnd ? "the end of the line" : JSONError.name(of: line[offset])
    message = "found \(found), expected \(expected)"
  }

  /// A name from the input, short enough for a message.
  static func quote(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(nameCharactersMax)
    var bytes: [UInt8] = []
    JSONText.append(String(String.UnicodeScalarView(shown)), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
      + (shown.endIndex == text.unicodeScalars.endIndex ? "" : "…")
  }

  /// Characters of a name that messages show: enough to find it.
  private static let nameCharactersMax = 64
}
