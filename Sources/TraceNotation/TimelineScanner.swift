// The pieces of a line of the timeline notation: words, names, times, values.

import TraceModel

/// Reads a line of the timeline notation from left to right.
struct TimelineScanner {
  var position = 0

  func byte(in line: Span<UInt8>) -> UInt8? {
    position < line.count ? line[position] : nil
  }

  static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isWordStart(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == UInt8(ascii: "_")
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether a text can be written without quotes.
  static func isWord(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, isWordStart(text[0]) else { return false }
    for index in text.indices where !isWordByte(text[index]) { return false }
    return true
  }

  mutating func skipSpace(in line: Span<UInt8>) {
    while Self.isSpace(byte(in: line)) { position += 1 }
  }

  /// Whether nothing but a comment is left of the line.
  mutating func isAtEnd(in line: Span<UInt8>) -> Bool {
    skipSpace(in: line)
    return position == line.count || line[position] == UInt8(ascii: "#")
  }

  /// Checks that a piece is followed by white space or the end of the line.
  func endPiece(in line: Span<UInt8>, expected: String = "a space") throws(NotationError) {
    guard position == line.count || Self.isSpace(line[position]) else {
      throw NotationError(at: position, in: line, expected: expected)
    }
  }

  /// The word at the position; nil if there is none.
  mutating func word(in line: Span<UInt8>) -> Range<Int>? {
    guard let first = byte(in: line), Self.isWordStart(first) else { return nil }
    let start = position
    while position < line.count, Self.isWordByte(line[position]) { position += 1 }
    return start..<position
  }

  /// The word at the position that a name is: it ends before `:=` and `=`.
  mutating func nameWord(in line: Span<UInt8>) -> Range<Int>? {
    guard let range = word(in: line) else { return nil }
    if byte(in: line) == UInt8(ascii: "="), line[position - 1] == UInt8(ascii: ":") {
      position -= 1
      return range.lowerBound..<position
    }
    return range
  }

  static func isWord(_ range: Range<Int>, _ word: String, in line: Span<UInt8>) -> Bool {
    guard range.count == word.utf8.count else { return false }
    var index = range.lowerBound
    for byte in word.utf8 {
      guard line[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// Reads a string in quotes and appends it.
  mutating func quoted(
    in line: Span<UInt8>, to bytes: inout [UInt8]
  ) throws(NotationError) {
    do throws(JSONError) {
      var parser = JSONPullParser(at: position, stringBytesMax: BatchLimits.stringBytesMax)
      let string = try parser.string(in: line)
      string.append(to: &bytes, in: line)
      position = parser.position
    } catch { throw NotationError(error) }
  }

  /// Copies a JSON value in its shortest form.
  mutating func json(in line: Span<UInt8>, to bytes: inout [UInt8]) throws(NotationError) {
    do throws(JSONError) {
      var parser = JSONPullParser(
        at: position, stringBytesMax: BatchLimits.stringBytesMax,
        depthMax: HeaderText.valueDepthMax)
      // White space belongs to the line, not to the value.
      guard !Self.isSpace(byte(in: line)) else {
        throw JSONError(.unexpected(.value), at: position, in: line)
      }
      try parser.copyValue(in: line, to: &bytes)
      position = parser.position
    } catch { throw NotationError(error) }
  }

  /// Reads the name of a kind, an argument or a field, and appends it to the texts.
  ///
  /// - Returns: Whether it was in quotes.
  mutating func name(
    in line: Span<UInt8>, to texts: inout [UInt8], _ what: String, isField: Bool
  ) throws(NotationError) -> Bool {
    let start = position
    let length = texts.count
    var isQuoted = false
    if let word = isField ? nameWord(in: line) : self.word(in: line) {
      for index in word { texts.append(line[index]) }
    } else if byte(in: line) == UInt8(ascii: "\"") {
      try quoted(in: line, to: &texts)
      isQuoted = true
    } else {
      throw NotationError(at: position, in: line, expected: what)
    }
    guard texts.count - length <= BatchLimits.nameBytesMax else {
      throw NotationError(
        at: start,
        "found a name of more than \(BatchLimits.nameBytesMax) bytes, expected a shorter one")
    }
    return isQuoted
  }

  mutating func duration(in line: Span<UInt8>) throws(NotationError) -> Int64 {
    do throws(DurationText.Failure) {
      return try DurationText.nanoseconds(in: line, at: &position)
    } catch {
      throw NotationError(at: error.offset, in: line, expected: error.expectation)
    }
  }

  /// Reads an integer of 64 bits.
  mutating func integer(in line: Span<UInt8>) throws(NotationError) -> Int64 {
    let number: JSONNumber
    do throws(JSONError) {
      var parser = JSONPullParser(at: position)
      number = try parser.number(in: line)
      position = parser.position
    } catch { throw NotationError(error) }
    guard case .integer(let value) = number.value else {
      throw NotationError(
        at: number.range.lowerBound, "found another number, expected an integer of 64 bits")
    }
    return value
  }
}
