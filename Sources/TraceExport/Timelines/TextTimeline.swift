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
    line(
      PrintableText.printable(trace?.title ?? "") + "  \(judgement.eventCount) events, "
        + TimeText.exact(picture.durationNanoseconds))
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
    return min(columns - 1, max(0, Int(share * Double(columns))))
  }

  private mutating func axis() {
    let step = picture.tickNanoseconds(countMax: max(2, columns / 12))
    var cells = [Character](repeating: " ", count: columns)
    var time: Int64 = 0
    while time <= picture.durationNanoseconds {
      let label = TimeText.exact(time)
      let start = column(
        of: time.addingReportingOverflow(picture.firstNanoseconds ?? 0).partialValue)
      if start + label.count < columns { write("╷" + label, at: start, into: &cells) }
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
      var cells = [Character](repeating: " ", count: columns)
      for span in stretches.stretches { draw(span, into: &cells) }
      row(label, cells)
      label = ""
    }
    if track.marks.stretches.isEmpty { return }
    var cells = [Character](repeating: " ", count: columns)
    for mark in track.marks.stretches {
      for place in column(of: mark.startNanoseconds)...column(of: mark.endNanoseconds) {
        cells[place] = cells[place] == " " && mark.count == 1 ? "·" : "•"
      }
    }
    row(label, cells)
  }

  private func draw(_ span: PictureStretch, into cells: inout [Character]) {
    let start = column(of: span.startNanoseconds)
    let end = max(start, column(of: span.endNanoseconds))
    let fill = span.state.map(Self.character) ?? "━"
    for place in start...end { cells[place] = fill }
    let name = picture.names[span.name]
    if span.count == 1, name.count + 4 <= end - start + 1 {
      write(" \(name) ", at: start + 1, into: &cells)
    }
  }

  private func write(_ text: String, at start: Int, into cells: inout [Character]) {
    for (offset, character) in text.enumerated() where start + offset < cells.count {
      cells[start + offset] = character
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
    var cells = [Character](repeating: " ", count: columns)
    for finding in picture.findings {
      cells[column(of: finding.timeNanoseconds)] = "▲"
    }
    row("Findings", cells)
    line("")
    for finding in picture.findings.prefix(Self.findingsShown) {
      let time = TimeText.exact(picture.relative(finding.timeNanoseconds))
      line(
        "\(context.usesASCII ? "^" : "▲") \(time)  \(finding.severity.rawValue) \(finding.rule)  "
          + PrintableText.printable(finding.message, scalarsMax: 200))
    }
    let rest = picture.findingCount - min(Self.findingsShown, picture.findings.count)
    if rest > 0 { line("and \(rest) more findings") }
  }

  private mutating func row(_ label: String, _ cells: [Character]) {
    var shown = Array(PrintableText.printable(label, scalarsMax: Self.labelColumns - 3))
    while shown.count < Self.labelColumns { shown.append(" ") }
    let drawn = context.usesASCII ? cells.map { Self.plain[$0] ?? $0 } : cells
    line(String(shown.prefix(Self.labelColumns)) + String(drawn))
  }

  /// What stands for a character where only ASCII is shown.
  private static let plain: [Character: Character] = [
    "█": "#", "▓": "+", "▒": "=", "░": ".", "╳": "x", "━": "-", "·": "'", "•": "*", "▲": "^",
    "╷": "|",
  ]

  /// A line without blanks at its end.
  private mutating func line(_ text: String) {
    var line = Substring(text)
    while line.last == " " { line.removeLast() }
    output.append(contentsOf: line.utf8)
    output.append(UInt8(ascii: "\n"))
  }
}
