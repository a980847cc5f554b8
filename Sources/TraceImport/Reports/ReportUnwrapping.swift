// Frees a report from what stands around it where people paste it: marks of quoting, fences, and
// words above. This file must not know any key of a report.

extension ReportText {
  /// How far into a text a report may begin.
  private static let prefixBytesMax = 65_536
  private static let fence = bytes("```")

  /// A text from its report on, without the marks of quoting; nil if it has neither words above a
  /// report nor marks. Lines keep their numbers.
  static func unwrapped(_ text: Span<UInt8>) -> [UInt8]? {
    let isQuoted = isQuoted(text)
    let plain = isQuoted ? unquoted(text) : nil
    return plain.map { unfenced($0.span) ?? $0 } ?? unfenced(text)
  }

  /// Whether the first line with anything in it is quoted.
  private static func isQuoted(_ text: Span<UInt8>) -> Bool {
    var place = 0
    while place < text.count, text[place] <= Byte.space { place += 1 }
    return place < text.count && text[place] == Byte.closeAngle
  }

  private static func unquoted(_ text: Span<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var isAtStart = true
    var offset = 0
    while offset < text.count {
      if isAtStart, text[offset] == Byte.closeAngle {
        offset += 1
        if offset < text.count, text[offset] == Byte.space { offset += 1 }
        isAtStart = false
        continue
      }
      isAtStart = text[offset] == Byte.newline
      plain.append(text[offset])
      offset += 1
    }
    return plain
  }

  /// The text from the first line on that is a report's header, up to the end of its fence.
  private static func unfenced(_ text: Span<UInt8>) -> [UInt8]? {
    let limit = min(text.count, prefixBytesMax)
    var line = 0
    var start: Int?
    while line < limit {
      let end = text.first(Byte.newline, from: line, to: text.count) ?? text.count
      let near = text.extracting(0..<min(text.count, line + prefixBytesMax))
      if text[line] == Byte.openBrace, ReportHeaderLine.read(near, from: line) != nil {
        start = line
        break
      }
      line = end + 1
    }
    guard let start else { return nil }
    line = start
    while line < text.count, !text.has(fence, at: line) {
      let end = text.first(Byte.newline, from: line, to: text.count) ?? text.count
      line = min(text.count, end + 1)
    }
    if start == 0, line == text.count { return nil }
    var plain: [UInt8] = []
    plain.reserveCapacity(line)
    for offset in 0..<start where text[offset] == Byte.newline { plain.append(Byte.newline) }
    for offset in start..<line { plain.append(text[offset]) }
    return plain
  }
}
