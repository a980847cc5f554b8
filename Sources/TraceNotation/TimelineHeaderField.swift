// One field of a header line of the timeline notation, in both directions.

import TraceModel

enum TimelineHeaderField {
  /// Reads `name=value` or `name:=JSON` into the header.
  static func read(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner, into header: inout TraceHeader
  ) throws(NotationError) {
    let start = scanner.position
    var bytes: [UInt8] = []
    _ = try scanner.name(
      in: line, to: &bytes, "a field such as os_version=8.1", isField: true)
    let name = String(decoding: bytes, as: UTF8.self)
    let isJSON = scanner.byte(in: line) == UInt8(ascii: ":")
    if isJSON { scanner.position += 1 }
    guard scanner.byte(in: line) == UInt8(ascii: "=") else {
      throw NotationError(at: scanner.position, in: line, expected: "'=' and a value")
    }
    scanner.position += 1
    let field = HeaderField.named(name)
    if let field, !isJSON, let value = try plainValue(line, &scanner, as: field.type) {
      try scanner.endPiece(in: line)
      try header.setOnce(field, value, at: start)
      return
    }
    bytes.removeAll()
    if !isJSON, let word = scanner.word(in: line) {
      let text = line.extracting(word)
      if isLiteral(text) {
        for index in word { bytes.append(line[index]) }
      } else {
        JSONText.append(string: text, to: &bytes)
      }
    } else {
      try scanner.json(in: line, to: &bytes)
    }
    try scanner.endPiece(in: line)
    try header.set(name, json: bytes.span, at: start)
  }

  /// Reads a value that is written in the way of its field's type; nil if it isn't.
  private static func plainValue(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner, as type: HeaderType
  ) throws(NotationError) -> HeaderValue? {
    switch type {
    case .integer, .boolean: return nil
    case .strings:
      var ahead = scanner
      guard let strings = list(line, &ahead) else { return nil }
      scanner = ahead
      return .strings(strings)
    case .string:
      guard let first = scanner.byte(in: line), first != UInt8(ascii: "["),
        first != UInt8(ascii: "{")
      else { return nil }
      var bytes: [UInt8] = []
      if first == UInt8(ascii: "\"") {
        try scanner.quoted(in: line, to: &bytes)
      } else {
        while let byte = scanner.byte(in: line), !TimelineScanner.isSpace(byte) {
          guard isPlain(byte) else {
            throw NotationError(
              at: scanner.position, in: line, expected: "a text in quotes, or a space")
          }
          bytes.append(byte)
          scanner.position += 1
        }
        if bytes.isEmpty {
          throw NotationError(at: scanner.position, in: line, expected: "a value")
        }
        if bytes.count > BatchLimits.stringBytesMax { return nil }
      }
      return .string(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Reads `[word,"text",*]`; nil if it isn't that.
  private static func list(_ line: Span<UInt8>, _ scanner: inout TimelineScanner) -> [String]? {
    guard scanner.byte(in: line) == UInt8(ascii: "[") else { return nil }
    scanner.position += 1
    var strings: [String] = []
    if scanner.byte(in: line) == UInt8(ascii: "]") {
      scanner.position += 1
      return strings
    }
    while true {
      var bytes: [UInt8] = []
      if let word = scanner.word(in: line) {
        for index in word { bytes.append(line[index]) }
      } else if scanner.byte(in: line) == UInt8(ascii: "*") {
        bytes.append(UInt8(ascii: "*"))
        scanner.position += 1
      } else if (try? scanner.quoted(in: line, to: &bytes)) == nil {
        return nil
      }
      strings.append(String(decoding: bytes, as: UTF8.self))
      switch scanner.byte(in: line) {
      case UInt8(ascii: ","): scanner.position += 1
      case UInt8(ascii: "]"):
        scanner.position += 1
        return strings
      default: return nil
      }
    }
  }

  /// Appends `name=value` or `name:=JSON`.
  static func append(_ field: HeaderField, _ value: HeaderValue, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: field.name.utf8)
    switch value {
    case .json(let text):
      bytes.append(contentsOf: ":=".utf8)
      HeaderText.append(json: Array(text.utf8).span, to: &bytes)
    case .integer, .boolean:
      bytes.append(UInt8(ascii: "="))
      HeaderText.append(value, to: &bytes)
    case .string(let text):
      bytes.append(UInt8(ascii: "="))
      if !text.isEmpty, text.utf8.allSatisfy(isPlain) {
        bytes.append(contentsOf: text.utf8)
      } else {
        JSONText.append(text, to: &bytes)
      }
    case .strings(let texts):
      bytes.append(contentsOf: "=[".utf8)
      for (index, text) in texts.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        let utf8 = Array(text.utf8)
        if TimelineScanner.isWord(utf8.span) || text == "*" {
          bytes.append(contentsOf: utf8)
        } else {
          JSONText.append(text, to: &bytes)
        }
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Appends a field that the vocabulary doesn't know.
  static func append(_ field: TraceHeader.UnknownField, to bytes: inout [UInt8]) {
    let name = Array(field.name.utf8)
    // A colon at the end would be read as a part of `:=`.
    if TimelineScanner.isWord(name.span), name.last != UInt8(ascii: ":") {
      bytes.append(contentsOf: name)
    } else {
      JSONText.append(field.name, to: &bytes)
    }
    bytes.append(UInt8(ascii: "="))
    HeaderText.append(json: Array(field.json.utf8).span, to: &bytes)
  }

  /// Bytes of texts that need no quotes in a field of type string.
  private static func isPlain(_ byte: UInt8) -> Bool {
    TimelineScanner.isWordByte(byte) || byte == UInt8(ascii: ",")
  }

  private static func isLiteral(_ word: Span<UInt8>) -> Bool {
    TimelineScanner.isWord(0..<word.count, "true", in: word)
      || TimelineScanner.isWord(0..<word.count, "false", in: word)
      || TimelineScanner.isWord(0..<word.count, "null", in: word)
  }
}
