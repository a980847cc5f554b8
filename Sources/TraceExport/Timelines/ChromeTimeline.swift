// The timeline in the JSON trace event format, which Chromium's tracing page and many viewers read.
// This file must not know how intervals are found.

import TraceLifecycle
import TraceModel
import TraceNotation
import TraceRules

extension TimelineFormat {
  /// The JSON trace event format.
  public static let chrome = TimelineFormat(
    name: "json", mediaType: "application/json", title: "Chrome trace"
  ) { ChromeTimeline($0) }
}

private struct ChromeTimeline: TimelineSink {
  /// Viewers need a number for the process; the app's own may change with every launch.
  private static let pid = "1"
  private static let findingRow = 1
  /// Rows of one track follow each other.
  private static let rowsPerTrack = 128

  var output: [UInt8] = []
  private let context: TimelineContext
  private var isFirst = true
  private var tracks: [LifeTrack] = []
  private var rowCounts: [Int] = []
  /// The names as JSON.
  private var names: [[UInt8]] = []
  private var threadRows: [Int64: Int] = [:]
  private var flowCount = 0

  init(_ context: TimelineContext) { self.context = context }

  mutating func begin(_ trace: TimelineTrace) {
    text("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"tool\":\"tracecheck ")
    text(context.toolVersion)
    text("\"},\"traceEvents\":[")
    metadata("process_name", row: 0, trace.title)
    nameRow(Self.findingRow, "Findings", sortIndex: 0)
  }

  // MARK: Rows

  private func row(_ track: Int, _ depth: Int) -> Int {
    (track + 1) * Self.rowsPerTrack + (tracks[track].thread == nil ? depth : 0)
  }

  mutating func track(_ track: LifeTrack) {
    tracks.append(track)
    rowCounts.append(0)
    describeRow(0, of: track)
  }

  mutating func rename(_ track: LifeTrack) {
    tracks[track.number] = track
    describeRow(0, of: track)
  }

  private mutating func describeRow(_ row: Int, of track: LifeTrack) {
    rowCounts[track.number] = max(rowCounts[track.number], row + 1)
    let number = self.row(track.number, row)
    if let thread = track.thread { threadRows[thread] = number }
    let name =
      track.thread != nil || track.name.isEmpty
      ? (track.name.isEmpty ? track.group.title : track.name)
      : "\(track.group.title): \(track.name)"
    let order = (Int(track.group.rawValue) + 1) * 1_000_000 + number
    nameRow(number, name, sortIndex: order)
  }

  private mutating func nameRow(_ row: Int, _ name: String, sortIndex: Int) {
    metadata("thread_name", row: row, name)
    beginEvent("M", row: row)
    text(",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":\(sortIndex)}}")
  }

  private mutating func metadata(_ kind: String, row: Int, _ name: String) {
    beginEvent("M", row: row)
    text(",\"name\":\"\(kind)\",\"args\":{\"name\":")
    Self.json(name, to: &output)
    text("}}")
  }

  // MARK: Events

  mutating func name(_ number: Int, _ text: String) {
    var bytes: [UInt8] = []
    Self.json(text, to: &bytes)
    names.append(bytes)
  }

  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    if tracks[span.track].thread == nil, span.depth >= rowCounts[span.track] {
      describeRow(span.depth, of: tracks[span.track])
    }
    beginEvent("B", row: row(span.track, span.depth), at: span.startNanoseconds)
    named(span.name)
    arguments(event, batch)
  }

  mutating func end(_ span: LifeSpan) {
    beginEvent("E", row: row(span.track, span.depth), at: span.endNanoseconds)
    text(span.isCut ? ",\"args\":{\"cut\":true}}" : "}")
  }

  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    beginEvent("E", row: row(span.track, span.depth), at: span.endNanoseconds)
    arguments(event, batch)
  }

  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    beginEvent("i", row: row(mark.track, 0), at: mark.timeNanoseconds)
    text(",\"s\":\"t\"")
    named(mark.name)
    arguments(event, batch)
  }

  private mutating func named(_ number: Int) {
    text(",\"name\":")
    output.append(contentsOf: names[number])
  }

  private mutating func arguments(_ event: Event, _ batch: EventBatch) {
    if batch.templates[Int(batch.templateIndices[event.index])].slotCount > 0 {
      text(",\"args\":")
      ArgumentText.appendJSON(event, in: batch, to: &output)
    }
    text("}")
  }

  private mutating func beginEvent(_ phase: String, row: Int, at nanoseconds: Int64? = nil) {
    text(isFirst ? "\n{\"ph\":\"" : ",\n{\"ph\":\"")
    isFirst = false
    text(phase)
    text("\",\"pid\":")
    text(Self.pid)
    text(",\"tid\":")
    JSONText.append(Int64(row), to: &output)
    guard let nanoseconds else { return }
    text(",\"ts\":")
    microseconds(nanoseconds)
  }

  /// Microseconds with the nanoseconds as decimals.
  private mutating func microseconds(_ nanoseconds: Int64) {
    if nanoseconds < 0 { output.append(UInt8(ascii: "-")) }
    JSONText.append(nanoseconds.magnitude / 1000, to: &output)
    let rest = nanoseconds.magnitude % 1000
    if rest == 0 { return }
    output.append(UInt8(ascii: "."))
    for divisor in [100, 10, 1] as [UInt64] {
      output.append(UInt8(ascii: "0") + UInt8(rest / divisor % 10))
    }
  }

  // MARK: Findings

  mutating func finding(_ finding: Finding) {
    flowCount += 1
    for (index, witness) in finding.witness.enumerated() {
      let row = threadRows[witness.thread] ?? Self.findingRow
      beginEvent("i", row: row, at: witness.timeNanoseconds)
      text(",\"s\":\"t\",\"cat\":\"evidence\",\"name\":")
      Self.json(
        "\(finding.rule): \(witness.role.isEmpty ? witness.event : witness.role)", to: &output)
      text(",\"args\":{\"event\":")
      Self.json(witness.event, to: &output)
      text("}}")
      flow(index == 0 ? "s" : "t", row: row, at: witness.timeNanoseconds)
    }
    beginEvent("i", row: Self.findingRow, at: finding.timeNanoseconds)
    text(",\"s\":\"p\",\"cat\":\"\(finding.severity.rawValue)\",\"name\":")
    Self.json("\(finding.rule) \(finding.slug)", to: &output)
    text(",\"args\":{\"severity\":\"\(finding.severity.rawValue)\"")
    for (name, value) in [
      ("message", finding.message), ("reason", finding.reason ?? ""),
      ("subject", finding.subject), ("confidence", finding.confidence.rawValue),
      ("fingerprint", finding.fingerprint), ("about", finding.isAboutHeader ? "header" : ""),
    ] where !value.isEmpty {
      text(",\"\(name)\":")
      Self.json(value, to: &output)
    }
    text("}}")
    if !finding.witness.isEmpty {
      flow("f", row: Self.findingRow, at: finding.timeNanoseconds)
    }
  }

  /// A step of the arrow from cause to effect.
  private mutating func flow(_ phase: String, row: Int, at nanoseconds: Int64) {
    beginEvent(phase, row: row, at: nanoseconds)
    text(",\"cat\":\"evidence\",\"name\":\"evidence\",\"id\":\(flowCount),\"bp\":\"e\"}")
  }

  mutating func endTrace(_ judgement: Judgement) {}
  mutating func end() { text("\n]}\n") }

  // MARK: Bytes

  private mutating func text(_ text: String) { output.append(contentsOf: text.utf8) }

  private static func json(_ text: String, to bytes: inout [UInt8]) {
    PrintableText.appendJSON(text, to: &bytes)
  }
}
