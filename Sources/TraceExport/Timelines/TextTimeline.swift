// The timeline for terminals: a line for each row, a column for each stretch of time.
// This file must not know how intervals are found.

import TraceLifecycle
import TraceModel
import TraceRules

extension TimelineFormat {
  /// Lines of Unicode characters.
  public static let text = TimelineFormat(
    name: "txt", mediaType: "text/plain; charset=utf-8", title: "text"
  ) { TextTimeline($0) }
}

private struct TextTimeline: PictureSink {
  private static let labelColumns = 22
  private static let findingsShown = 20

  var output: [UInt8] = []
  private let context: TimelineContext
  var trace: TimelineTrace?
  var picture = TimelinePicture()

  init(_ context: TimelineContext) { self.context = context }

  mutating func draw(_ judgement: Judgement) {
    let facts =
      "  \(judgement.eventCount) events, " + shown(TimeText.exact(picture.durationNanoseconds))
    line(
      fitted(trace?.title ?? "", columnsMax: context.columns - DisplayColumns.count(facts)) + facts)
    axis()
    var group: LifeTrackGroup?
    for track in picture.sortedTracks {
      if group != track.track.group, !track.track.name.isEmpty {
        line(track.track.group.title)
      }
      group = track.track.group
      draw(track)
    }
    if picture.tracksOmittedCount > 0 {
      line("and \(picture.tracksOmittedCount) more tracks")
    }
    drawFindings()
  }

  // MARK: Lines

  private var columns: Int { context.columns - Self.labelColumns }

  private func column(of nanoseconds: Int64) -> Int {
    let share =
      Double(picture.relative(nanoseconds)) / Double(max(1, picture.durationNanoseconds))
    return min(columns - 1, Int(min(1, max(0, share)) * Double(columns)))
  }

  private mutating func axis() {
    let step = picture.tickNanoseconds(countMax: max(2, columns / 12))
    var cells = blank
    var time: Int64 = 0
    while time <= picture.durationNanoseconds {
      let label = "╷" + shown(TimeText.exact(time))
      let start = column(of: (picture.firstNanoseconds ?? 0).plus(time))
      if start + DisplayColumns.count(label) <= columns { write(label, at: start, into: &cells) }
      let (next, overflow) = time.addingReportingOverflow(step)
      if overflow { break }
      time = next
    }
    row("", cells)
  }

  private mutating func draw(_ track: PictureTrack) {
    let isNamed = !track.track.name.isEmpty
    var label = isNamed ? "  \(track.track.name)" : track.track.group.title
    for stretches in track.rows {
      var cells = blank
      for span in stretches.stretches { draw(span, into: &cells) }
      row(label, cells)
      label = ""
    }
    if !track.marks.stretches.isEmpty {
      var cells = blank
      for mark in track.marks.stretches {
        for place in column(of: mark.startNanoseconds)...column(of: mark.endNanoseconds) {
          cells[place] = cells[place] == " " && mark.count == 1 ? "·" : "•"
        }
      }
      row(label, cells)
    }
    if track.deeperCount > 0 {
      line(String(repeating: " ", count: Self.labelColumns) + "and \(track.deeperCount) more")
    }
  }

  private func draw(_ span: PictureStretch, into cells: inout [Character?]) {
    let start = column(of: span.startNanoseconds)
    let end = max(start, column(of: span.endNanoseconds))
    let fill = span.state.map(Self.character) ?? "━"
    for place in start...end { cells[place] = fill }
    // What nobody saw end may have gone on.
    if span.isCut { cells[end] = "→" }
    let name = shown(picture.names[span.name])
    if span.count == 1, DisplayColumns.count(name) + 4 <= end - start + 1 {
      write(" \(name) ", at: start + 1, into: &cells)
    }
  }

  private var blank: [Character?] { [Character?](repeating: " ", count: columns) }

  /// Writes a text; a wide letter takes its cell and the next one, which is then nil.
  private func write(_ text: String, at start: Int, into cells: inout [Character?]) {
    var place = start
    for letter in text {
      let width = DisplayColumns.count(letter)
      guard width > 0 else { continue }
      if place + width > cells.count { return }
      cells[place] = letter
      if width > 1 { cells[place + 1] = nil }
      place += width
    }
  }

  /// The darker the more the app may do.
  private static func character(of state: LifecycleState) -> Character {
    switch state {
    case .active: "█"
    case .launchingForeground, .enteringForeground, .resigning, .inactive: "▓"
    case .launchingBackground, .enteringBackground, .background: "▒"
    case .suspended: "░"
    case .terminating: "╳"
    case .notRunning, .unknown: "?"
    }
  }

  private mutating func drawFindings() {
    if picture.findings.isEmpty { return }
    var cells = blank
    for finding in picture.findings {
      cells[column(of: finding.timeNanoseconds)] = "▲"
    }
    row("Findings", cells)
    line("")
    for finding in picture.findings.prefix(Self.findingsShown) {
      let time = finding.shownTime(relative: picture.relative(finding.timeNanoseconds))
      let title =
        (context.usesASCII ? "^ " : "▲ ") + shown(time)
        + "  \(finding.severity.rawValue) \(finding.rule)  "
      let message = shown(PrintableText.printable(finding.message, scalarsMax: 200))
      let paragraph = WrappedText.lines(
        message, indent: 2, title: title, width: context.columns, breaksWords: true)
      for part in paragraph.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
        line(String(part))
      }
    }
    let rest = picture.findingCount - min(Self.findingsShown, picture.findings.count)
    if rest > 0 { line("and \(rest) more findings") }
  }

  // MARK: Letters

  private mutating func row(_ label: String, _ cells: [Character?]) {
    var text = fitted(label, columnsMax: Self.labelColumns - 1)
    text += String(repeating: " ", count: Self.labelColumns - DisplayColumns.count(text))
    for cell in cells.compactMap({ $0 }) {
      text.append(context.usesASCII ? Self.plain[cell] ?? cell : cell)
    }
    line(text)
  }

  /// What stands for a character of a lane where only ASCII is shown.
  private static let plain: [Character: Character] = [
    "█": "#", "▓": "+", "▒": "=", "░": ".", "╳": "x", "━": "-", "·": "'", "•": "*", "▲": "^",
    "╷": "|", "→": ">",
  ]

  /// What stands for signs in texts.
  private static let words: [Unicode.Scalar: String] = [
    "·": "-", "…": "...", "–": "-", "—": "-", "→": "->", "’": "'", "‘": "'", "“": "\"",
    "”": "\"", "µ": "u", "×": "x", "≤": "<=", "≥": ">=",
  ]

  /// A text as it may be shown: where only ASCII is, other letters by their numbers.
  private func shown(_ text: String) -> String {
    if !context.usesASCII || text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      shown +=
        scalar.isASCII
        ? String(scalar)
        : Self.words[scalar] ?? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  /// A name of strangers in so many columns.
  private func fitted(_ text: String, columnsMax: Int) -> String {
    let text = DisplayColumns.fitted(
      shown(PrintableText.printable(text)), columnsMax: columnsMax)
    // Three dots take the room of the two letters before.
    guard context.usesASCII, text.hasSuffix("…") else { return text }
    return String(text.dropLast(min(3, text.count))) + "..."
  }

  /// A line without blanks at its end.
  private mutating func line(_ text: String) {
    var line = Substring(text)
    while line.last == " " { line.removeLast() }
    output.append(contentsOf: line.utf8)
    output.append(UInt8(ascii: "\n"))
  }
}
