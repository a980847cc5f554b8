// Takes out what tools and publishing put into text. This file must not know any format.

/// Repairs of text: escapes of Markdown, HTML and vis(3), colours of terminals, apostrophes.
enum TextRepair {
  /// Begins a control sequence of a terminal.
  static let escape: UInt8 = 27

  /// Whether damage may begin with this byte.
  @inline(__always)
  static func isMark(_ byte: UInt8) -> Bool {
    byte == Byte.backslash || byte == 0xe2 || byte == 38 || byte == escape
  }

  /// Whether a line that fits no grammar may fit one once it is repaired.
  static func isDamaged(_ line: Span<UInt8>) -> Bool {
    line.first(Byte.backslash, from: 0, to: line.count) != nil
      || line.first(escape, from: 0, to: line.count) != nil
      || line.find(closeReference, from: 0) != nil
  }

  /// What a line that was copied out of a page has behind its level.
  private static let closeReference = bytes("&gt;")

  private static let references: [(text: [UInt8], byte: UInt8)] = [
    (bytes("&lt;"), Byte.openAngle), (bytes("&gt;"), Byte.closeAngle), (bytes("&amp;"), 38),
    (bytes("&quot;"), 34), (bytes("&#39;"), 39),
  ]

  private static let apostrophe: [UInt8] = [0xe2, 0x80, 0x99]
  /// The same, as a device's log encodes bytes beyond ASCII.
  private static let encodedApostrophe = bytes("\\M-b\\M^@\\M^Y")

  /// Appends bytes without Markdown's escapes (`\[`, `\<`, `\_`), HTML's references and colours,
  /// with the bytes that vis(3) encodes, and with a plain apostrophe.
  static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      guard isMark(byte) else {
        output.append(byte)
        offset += 1
        continue
      }
      if byte == Byte.backslash {
        appendEscape(text, at: &offset, to: &output)
      } else if byte == escape {
        offset = sequenceEnd(text, at: offset)
      } else if text.has(apostrophe, at: offset) {
        output.append(39)
        offset += apostrophe.count
      } else if byte == 38,
        let reference = references.first(where: { text.has($0.text, at: offset) })
      {
        output.append(reference.byte)
        offset += reference.text.count
      } else {
        output.append(byte)
        offset += 1
      }
    }
  }

  /// A name as text, repaired where it needs to be.
  static func name(_ line: Span<UInt8>, _ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<line.count)
    guard line.first(Byte.backslash, from: range.lowerBound, to: range.upperBound) != nil else {
      return line.text(range)
    }
    var repaired: [UInt8] = []
    append(line.extracting(range), to: &repaired)
    return repaired.span.text(0..<repaired.count)
  }

  private static func appendEscape(
    _ text: Span<UInt8>, at offset: inout Int, to output: inout [UInt8]
  ) {
    if text.has(encodedApostrophe, at: offset) {
      output.append(39)
      offset += encodedApostrophe.count
    } else if let byte = encodedByte(text, at: offset) {
      // Line breaks and other controls are blanks, as in joined lines.
      output.append(byte < 32 ? Byte.space : byte)
      offset += 4
    } else if offset + 1 < text.count, isPunctuation(text[offset + 1]) {
      output.append(text[offset + 1])
      offset += 2
    } else {
      output.append(Byte.backslash)
      offset += 1
    }
  }

  /// The byte that vis(3) writes as `\M-c`, `\M^c` or three octal digits.
  private static func encodedByte(_ text: Span<UInt8>, at offset: Int) -> UInt8? {
    guard offset + 3 < text.count else { return nil }
    let (one, two, three) = (text[offset + 1], text[offset + 2], text[offset + 3])
    if one == 77 {
      if two == Byte.minus { return three | 0x80 }
      return two == 94 ? (three ^ 0x40) | 0x80 : nil
    }
    guard one &- 48 < 4, two &- 48 < 8, three &- 48 < 8 else { return nil }
    return (one - 48) << 6 | (two - 48) << 3 | (three - 48)
  }

  /// The place behind a control sequence such as `ESC [ 3 2 m`.
  private static func sequenceEnd(_ text: Span<UInt8>, at offset: Int) -> Int {
    guard offset + 1 < text.count, text[offset + 1] == Byte.openBracket else { return offset + 1 }
    var place = offset + 2
    while place < text.count, text[place] >= 0x20, text[place] < 0x40 { place += 1 }
    return min(place + 1, text.count)
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 33...47, 58...64, 91...96, 123...126: true
    default: false
    }
  }
}
