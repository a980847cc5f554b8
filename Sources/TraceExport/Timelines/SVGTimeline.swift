// The timeline as a picture for documents: an SVG without scripts, for light and dark pages alike.
// This file must not know how intervals are found.

import TraceLifecycle
import TraceModel
import TraceRules

extension TimelineFormat {
  /// A picture of bounded size.
  public static let svg = TimelineFormat(
    name: "svg", mediaType: "image/svg+xml", title: "picture"
  ) { SVGTimeline($0) }
}

private struct SVGTimeline: PictureSink {
  // In pixels.
  private static let width = 1000
  private static let left = 168
  private static let right = 16
  private static let rowHeight = 18
  private static let gap = 6
  private static let findingsShown = 8
  /// The heights of letters.
  private static let size = 11.0
  private static let titleSize = 16.0
  private static let nameSize = 10.5

  var output: [UInt8] = []
  private let context: TimelineContext
  var trace: TimelineTrace?
  var picture = TimelinePicture()

  init(_ context: TimelineContext) { self.context = context }

  mutating func draw(_ judgement: Judgement) {
    let tracks = picture.sortedTracks
    let rows = tracks.reduce(0) { $0 + max(1, Self.rows(of: $1)) }
    let lanesTop = 66
    let lanesEnd = lanesTop + rows * Self.rowHeight + tracks.count * Self.gap
    let listed = picture.findings.prefix(Self.findingsShown)
    let rest = picture.findingCount - listed.count
    let omitted = picture.tracksOmittedCount
    let remarks = (omitted > 0 ? 1 : 0) + (rest > 0 ? 1 : 0)
    let height = lanesEnd + 12 + (listed.count + remarks) * 18 + 6
    open(height: height, judgement)
    axis(top: lanesTop, end: lanesEnd)
    var y = lanesTop
    for track in tracks {
      draw(track, y: y)
      y += max(1, Self.rows(of: track)) * Self.rowHeight + Self.gap
    }
    for finding in picture.findings { flag(finding, top: lanesTop, end: lanesEnd) }
    numbers(of: listed, y: lanesEnd + 10)
    y = lanesEnd + 24
    if omitted > 0 {
      text(
        x: 12, y: y, omitted == 1 ? "and 1 more track" : "and \(omitted) more tracks", style: "m")
      y += 18
    }
    for (index, finding) in listed.enumerated() {
      text(
        x: 12, y: y, "\(index + 1)", style: "n \(finding.severity.rawValue)")
      let time = finding.shownTime(relative: picture.relative(finding.timeNanoseconds))
      line(x: 32, y: y, "\(time)  \(finding.rule)  " + finding.message, style: "t")
      y += 18
    }
    if rest > 0 { text(x: 32, y: y, "and \(rest) more findings", style: "m") }
    raw("</svg>\n")
  }

  // MARK: Parts

  private mutating func open(height: Int, _ judgement: Judgement) {
    raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.width)\" height=\"\(height)\""
        + " viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\" aria-labelledby=\"title\">\n")
    let title = trace?.title ?? ""
    raw("<title id=\"title\">Timeline of ")
    escaped(title)
    raw("</title>\n<style>\n")
    raw(Self.style)
    raw("</style>\n")
    line(x: 12, y: 22, title, style: "h", size: Self.titleSize)
    var remarks = [String]()
    if let version = trace?.header.string(.appVersion) { remarks.append(version) }
    if let device = trace?.header.string(.deviceModel) { remarks.append(device) }
    if let system = trace?.header.string(.osVersion) { remarks.append("iOS \(system)") }
    let launches = judgement.launchCount == 1 ? "1 launch" : "\(judgement.launchCount) launches"
    remarks += ["\(judgement.eventCount) events", launches]
    line(x: 12, y: 40, remarks.joined(separator: " · "), style: "m")
  }

  private static let style: String = {
    var style = """
      text{font:11px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#57606a}
      .h{font-size:15px;font-weight:600;fill:#1f2328}
      .l{fill:#424a53}.t{fill:#1f2328}.k{fill:#10161d;font-size:10.5px}
      .n{font-weight:700}
      .g{stroke:#8b949e;stroke-opacity:.28}
      .c{font-variant-numeric:tabular-nums}

      """
    for severity in Severity.allCases {
      style += ".\(severity.rawValue){fill:#\(TimelineColors.color(of: severity))}\n"
      style += "line.\(severity.rawValue){stroke:#\(TimelineColors.color(of: severity))}\n"
    }
    style += "@media (prefers-color-scheme:dark){text{fill:#9da7b3}.h,.t{fill:#e6edf3}"
    style += ".l{fill:#c3ccd6}.k{fill:#10161d}"
    for severity in Severity.allCases {
      let color = TimelineColors.colorOnDark(of: severity)
      style += ".\(severity.rawValue){fill:#\(color)}line.\(severity.rawValue){stroke:#\(color)}"
    }
    return style + "}\n"
  }()

  private static func rows(of track: PictureTrack) -> Int {
    track.rows.count + (track.marks.stretches.isEmpty ? 0 : 1) + (track.deeperCount > 0 ? 1 : 0)
  }

  private mutating func axis(top: Int, end: Int) {
    let step = picture.tickNanoseconds(countMax: 8)
    var time: Int64 = 0
    while time <= picture.durationNanoseconds {
      let x = place(of: time)
      raw("<line class=\"g\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(top - 8)\" y2=\"\(end)\"/>\n")
      let label = TimeText.exact(time)
      // The last one may have no room to its right.
      let isLast = pixels(time) + TextPixels.width(label, size: Self.size) / 2 > Double(Self.width)
      let anchor = isLast ? "end" : "middle"
      let place = isLast ? "\(Self.width - 2)" : x
      raw("<text class=\"c\" x=\"\(place)\" y=\"\(top - 12)\" text-anchor=\"\(anchor)\">")
      escaped(label)
      raw("</text>\n")
      let (next, overflow) = time.addingReportingOverflow(step)
      if overflow { break }
      time = next
    }
  }

  private mutating func draw(_ track: PictureTrack, y: Int) {
    let name =
      track.track.name.isEmpty ? track.track.group.title : track.track.name
    line(x: 12, y: y + 13, name, style: "l", end: Self.left - 4)
    var row = 0
    if !track.marks.stretches.isEmpty {
      for mark in track.marks.stretches { drawMark(mark, y: y) }
      row = 1
    }
    for spans in track.rows {
      for span in spans.stretches { draw(span, y: y + row * Self.rowHeight) }
      row += 1
    }
    if track.deeperCount > 0 {
      text(
        x: Self.left, y: y + row * Self.rowHeight + 13, "and \(track.deeperCount) more", style: "m")
    }
  }

  private mutating func draw(_ span: PictureStretch, y: Int) {
    let x = pixels(picture.relative(span.startNanoseconds))
    let end = pixels(picture.relative(span.endNanoseconds))
    let width = max(1, end - x)
    let name = picture.names[span.name]
    let color = span.state.map(TimelineColors.color) ?? TimelineColors.color(ofName: name)
    if span.isCut, width >= 8 {
      torn(x: x, y: y + 1, width: width, color: color)
    } else {
      raw(
        "<rect x=\"\(Self.decimal(x))\" y=\"\(y + 1)\" width=\"\(Self.decimal(width))\""
          + " height=\"\(Self.rowHeight - 3)\" rx=\"2\" fill=\"#\(color)\"><title>")
    }
    escaped(name)
    if span.count > 1 { raw(" and \(span.count - 1) more") }
    raw(span.isCut ? ", at least " : ", ")
    raw(TimeText.exact(span.durationNanoseconds))
    raw(span.isCut && width >= 8 ? "</title></path>\n" : "</title></rect>\n")
    guard span.count == 1 else { return }
    let shown = TextPixels.fitted(name, widthMax: width - 8, size: Self.nameSize)
    if shown.isEmpty || (shown.count < 3 && shown != name) { return }
    raw("<text class=\"k\" x=\"\(Self.decimal(x + 4))\" y=\"\(y + 12)\">")
    escaped(shown)
    raw("</text>\n")
  }

  /// Opens a bar with a torn right edge: nobody saw its end.
  private mutating func torn(x: Double, y: Int, width: Double, color: String) {
    let quarter = Self.decimal(Double(Self.rowHeight - 3) / 4)
    raw("<path d=\"M\(Self.decimal(x)) \(y)h\(Self.decimal(width))")
    for step in ["-3", "3", "-3", "3"] { raw("l\(step) \(quarter)") }
    raw("h-\(Self.decimal(width))z\" fill=\"#\(color)\"><title>")
  }

  private mutating func drawMark(_ mark: PictureStretch, y: Int) {
    let x = pixels(picture.relative(mark.startNanoseconds))
    let end = pixels(picture.relative(mark.endNanoseconds))
    let name = picture.names[mark.name]
    raw(
      "<rect x=\"\(Self.decimal(x - 1))\" y=\"\(y + 4)\" width=\"\(Self.decimal(end - x + 2))\""
        + " height=\"\(Self.rowHeight - 9)\" rx=\"1\""
        + " fill=\"#\(TimelineColors.color(ofName: name))\"><title>")
    escaped(name)
    if mark.count > 1 { raw(" and \(mark.count - 1) more") }
    raw("</title></rect>\n")
  }

  private mutating func flag(_ finding: Finding, top: Int, end: Int) {
    let x = place(of: picture.relative(finding.timeNanoseconds))
    let style = finding.severity.rawValue
    raw(
      "<line class=\"\(style)\" stroke-dasharray=\"3 2\" x1=\"\(x)\" x2=\"\(x)\""
        + " y1=\"\(top - 4)\" y2=\"\(end)\"><title>")
    escaped("\(finding.rule): \(PrintableText.printable(finding.message))")
    raw("</title></line>\n")
  }

  /// The numbers of the findings that are listed; those too close to each other share a label.
  private mutating func numbers(of findings: ArraySlice<Finding>, y: Int) {
    let room = TextPixels.width("8–8", size: Self.size) + 4
    let places = findings.enumerated().map { index, finding in
      (x: pixels(picture.relative(finding.timeNanoseconds)), number: index + 1, finding.severity)
    }.sorted { ($0.x, $0.number) < ($1.x, $1.number) }
    var first = places.startIndex
    while first < places.endIndex {
      let next = places[first...].firstIndex { $0.x - places[first].x > room } ?? places.endIndex
      let group = places[first..<next]
      let numbers = group.map(\.number).sorted()
      let isRange =
        numbers.count > 2 && numbers[numbers.count - 1] - numbers[0] == numbers.count - 1
      let label =
        isRange
        ? "\(numbers[0])–\(numbers[numbers.count - 1])"
        : numbers.map(String.init).joined(separator: ",")
      let style = (group.map(\.2).max() ?? .note).rawValue
      raw("<text class=\"n \(style)\" x=\"\(Self.decimal(places[first].x))\" y=\"\(y)\"")
      raw(" text-anchor=\"middle\">\(label)</text>\n")
      first = next
    }
  }

  // MARK: Places and bytes

  private func pixels(_ nanoseconds: Int64) -> Double {
    let room = Double(Self.width - Self.left - Self.right)
    let share = Double(nanoseconds) / Double(max(1, picture.durationNanoseconds))
    return Double(Self.left) + min(1, max(0, share)) * room
  }

  private func place(of nanoseconds: Int64) -> String { Self.decimal(pixels(nanoseconds)) }

  /// A number with one decimal. Places are between -1 and the width.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  private mutating func text(x: Int, y: Int, _ words: String, style: String) {
    raw("<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">")
    escaped(words)
    raw("</text>\n")
  }

  /// A text of strangers, cut where the line ends.
  private mutating func line(
    x: Int, y: Int, _ words: String, style: String, size: Double = Self.size,
    end: Int = Self.width - 12
  ) {
    text(
      x: x, y: y,
      TextPixels.fitted(PrintableText.printable(words), widthMax: Double(end - x), size: size),
      style: style)
  }

  private mutating func raw(_ text: String) { output.append(contentsOf: text.utf8) }

  /// Appends text of strangers: what XML or a reader could trip over is escaped.
  private mutating func escaped(_ text: String) {
    for byte in PrintableText.printable(text).utf8 {
      switch byte {
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "<"): raw("&lt;")
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "\""): raw("&quot;")
      case UInt8(ascii: "'"): raw("&#39;")
      default: output.append(byte)
      }
    }
  }
}
