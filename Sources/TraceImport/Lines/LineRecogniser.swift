// How sure a line format is that a capture is its own. This file must not know a grammar.

/// Judges the beginning of a capture by the share of lines that fit a grammar.
struct LineRecogniser<Grammar: LineGrammar> {
  /// Lines that aren't blank.
  private var all = 0
  /// Lines that fit, also behind marks or once repaired.
  private var fitting = 0
  /// Lines that fit as they are, from their first byte on.
  private var plain = 0
  /// Life-cycle messages without a prefix, where the format has such.
  private var known = 0

  /// Lines with a zero, which a log has only where a file system lost a block of it.
  private var zeros = 0

  /// Bytes that are looked at.
  private static var bytesMax: Int { 65_536 }
  /// Of so many lines one may have a zero; of other files more have.
  private static var zerosShare: Int { 5 }
  /// Fitting lines after which more don't make surer.
  private static var linesEnough: Int { 3 }

  private init() {}

  /// From 0 to 95. A line among many foreign ones, as a log quoted in source code, stays below 30;
  /// four fifths of the lines may be more of long messages.
  static func confidence(_ text: Span<UInt8>) -> Int {
    var recogniser = LineRecogniser()
    var start = 0
    let end = min(text.count, bytesMax)
    while start < end {
      let stop = text.first(Byte.newline, from: start, to: end) ?? end
      // The last line may be cut.
      if stop == end, recogniser.all > 0, end == bytesMax { break }
      let line = text.extracting(start..<stop)
      if line.first(0, from: 0, to: line.count) != nil {
        guard recogniser.all > 0 || !isBinary(line) else { return 0 }
        recogniser.all += 1
        recogniser.zeros += 1
      } else {
        recogniser.judge(line)
      }
      start = stop + 1
    }
    return recogniser.sureness
  }

  private static var tarMark: [UInt8] { bytes("ustar") }
  /// Where a tar archive says that it is one.
  private static var tarPlace: Int { 257 }

  /// Whether a first line with zeros is that of another file, such as an archive of logs.
  private static func isBinary(_ line: Span<UInt8>) -> Bool {
    if line.has(tarMark, at: tarPlace) { return true }
    for offset in 0..<line.count where line[offset] != 0 && line[offset] < Byte.tab { return true }
    return false
  }

  private var sureness: Int {
    guard all > 0, zeros * Self.zerosShare <= all else { return 0 }
    if fitting == 0 { return known == 0 ? 0 : 20 + 20 * known / all }
    let percent = fitting * 100 / all
    let count = 5 * min(fitting, Self.linesEnough)
    if percent >= 20 { return min(95, 60 + min(percent, 100) / 5 + count) }
    // Prints of an app may outnumber the lines with a prefix.
    if Grammar.bareLinesAreMessages, plain >= Self.linesEnough { return 50 }
    return 5 + percent / 2 + count
  }

  private mutating func judge(_ line: Span<UInt8>) {
    let mark = Grammar.markEnd(of: line)
    guard mark < line.count, line[mark] != Byte.carriageReturn else { return }
    all += 1
    var start = 0
    if Grammar.isHeading(line) {
      fitting += Self.linesEnough
      all += Self.linesEnough - 1
    } else if Grammar.columnsBehindMarks(of: line, start: &start) != nil {
      fitting += 1
      if start == 0 { plain += 1 }
    } else if Self.fitsRepaired(line) {
      fitting += 1
    } else if Grammar.bareLinesAreMessages, MessageReader.shared.isCandidate(line, from: mark) {
      known += 1
    }
  }

  private static func fitsRepaired(_ line: Span<UInt8>) -> Bool {
    guard TextRepair.isDamaged(line) else { return false }
    var repaired: [UInt8] = []
    TextRepair.append(line, to: &repaired)
    var start = 0
    return Grammar.columnsBehindMarks(of: repaired.span, start: &start) != nil
  }
}
