// Frees reports from what stands around them where people paste them: marks of quoting, fences,
// and words above and between. This file must not know any key of a report.

extension ReportText {
  /// What is left of a text, and how many lines as of a log stood above its first report.
  struct Unwrapped {
    var text: [UInt8]
    var linesAbove = 0
  }

  /// How far into a text a report may begin, and how much of it is looked at there.
  private static let prefixBytesMax = 65_536
  private static let headBytesMax = 8_192
  /// Lines that are looked at for being the first of a report.
  private static let attemptsMax = 1_000
  private static let fences = [bytes("```"), bytes("~~~")]

  /// A text from its first report on, without the marks of quoting; nil if it has neither words
  /// above a report nor marks. Lines keep their numbers.
  static func unwrapped(_ text: Span<UInt8>) -> Unwrapped? {
    guard let place = quotedReport(text) else { return unfenced(text) }
    let plain = unquoted(text)
    if let found = unfenced(plain.span) { return found }
    return place == firstWord(text) ? Unwrapped(text: plain) : nil
  }

  static func beginsWithFence(_ text: Span<UInt8>) -> Bool { isFence(text, at: firstWord(text)) }

  /// The place of the first byte that isn't blank.
  static func firstWord(_ text: Span<UInt8>) -> Int {
    var place = 0
    while place < text.count, text[place] <= Byte.space { place += 1 }
    return place
  }

  private static func isFence(_ text: Span<UInt8>, at place: Int) -> Bool {
    fences.contains { text.has($0, at: place) }
  }

  private static func endOfLine(_ text: Span<UInt8>, _ line: Int) -> Int {
    text.first(Byte.newline, from: line, to: text.count) ?? text.count
  }

  // MARK: Quoting

  /// The first line that is quoted, if it is the first of all or an object begins in it.
  private static func quotedReport(_ text: Span<UInt8>) -> Int? {
    let first = firstWord(text)
    if first < text.count, text[first] == Byte.closeAngle { return first }
    var line = first
    while line < min(text.count, prefixBytesMax) {
      if text[line] == Byte.closeAngle {
        let word = afterMarks(text, line)
        if word < text.count, text[word] == Byte.openBrace { return line }
      }
      line = endOfLine(text, line) + 1
    }
    return nil
  }

  /// The place behind the marks that a line begins with; a mail that was answered twice has two.
  private static func afterMarks(_ text: Span<UInt8>, _ line: Int) -> Int {
    var place = line
    while place < text.count, text[place] == Byte.closeAngle {
      place += 1
      if place < text.count, text[place] == Byte.space { place += 1 }
    }
    return place
  }

  private static func unquoted(_ text: Span<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var line = 0
    while line < text.count {
      let end = min(text.count, endOfLine(text, line) + 1)
      for offset in min(end, afterMarks(text, line))..<end { plain.append(text[offset]) }
      line = end
    }
    return plain
  }

  // MARK: Fences

  /// The text from the first line on in which a report of JSON begins, without what stands outside
  /// of fences.
  private static func unfenced(_ text: Span<UInt8>) -> Unwrapped? {
    var found = Unwrapped(text: [])
    var attempts = 0
    guard let start = firstObject(text, &attempts, linesAbove: &found.linesAbove) else {
      return nil
    }
    found.text.reserveCapacity(text.count)
    for offset in 0..<start where text[offset] == Byte.newline { found.text.append(Byte.newline) }
    var line = start
    var isInside = true
    var hasFence = false
    while line < text.count {
      let end = min(text.count, endOfLine(text, line) + 1)
      let word = line + firstWord(text.extracting(line..<end))
      if isFence(text, at: word) {
        hasFence = true
        isInside.toggle()
        found.text.append(Byte.newline)
      } else {
        if !isInside { isInside = beginsObject(text, word, &attempts) }
        if isInside {
          for offset in line..<end { found.text.append(text[offset]) }
        } else {
          found.text.append(Byte.newline)
        }
      }
      line = end
    }
    return start == 0 && !hasFence ? nil : found
  }

  /// Where the first line begins whose first word is the object of a report.
  private static func firstObject(
    _ text: Span<UInt8>, _ attempts: inout Int, linesAbove: inout Int
  ) -> Int? {
    var line = 0
    while line < min(text.count, prefixBytesMax) {
      let end = endOfLine(text, line)
      let word = line + firstWord(text.extracting(line..<end))
      if word < end {
        if beginsObject(text, word, &attempts) { return line }
        if looksLogged(text, word..<end) { linesAbove += 1 }
      }
      line = end + 1
    }
    return nil
  }

  private static func beginsObject(
    _ text: Span<UInt8>, _ place: Int, _ attempts: inout Int
  ) -> Bool {
    guard place < text.count, text[place] == Byte.openBrace, attempts < attemptsMax else {
      return false
    }
    attempts += 1
    let limit = place + min(headBytesMax, text.count - place)
    return ReportHead.isJSON(text.extracting(0..<limit), at: place)
  }
}
