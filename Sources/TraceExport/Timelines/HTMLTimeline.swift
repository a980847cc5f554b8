// The timeline as a page: one file that needs no network. Data stand in it as base64 of columns,
// block by block, so that writing takes no more memory than what is open and the texts.
// This file must not know how the page draws; `Page/` does.

import TraceLifecycle
import TraceModel
import TraceRules

extension TimelineFormat {
  /// A page for browsers.
  public static let html = TimelineFormat(
    name: "html", mediaType: "text/html; charset=utf-8", title: "page", tracesMax: 2
  ) { _ in HTMLTimeline() }
}

struct HTMLTimeline: TimelineSink {
  /// Spans and marks of one block of data.
  private static let blockItems = 32_768
  /// Calls and marks of a page: a browser gets slow with more. States, scenes and tasks don't
  /// count.
  private static let itemsMax = 4_000_000
  /// Bytes of the texts of arguments; without them a name and a time still tell something.
  private static let detailBytesMax = 24 << 20
  /// Scalars of a paragraph on a rule.
  private static let paragraphScalarsMax = 4_000

  var output: [UInt8] = []
  private var header = TraceHeader()
  private var ruleText: @Sendable (String) -> TimelineRuleText? = { _ in nil }
  private var firstNanoseconds: Int64?
  private var lastNanoseconds: Int64?
  /// All texts of the page; the page knows those before the mark.
  private var texts = StringPool()
  private var toldTextCount = 0
  /// The texts of names, by the number in the trace.
  private var names: [UInt32] = []
  private var trackGroups: [LifeTrackGroup] = []
  /// What began the spans that are open, by their numbers: their ends may add to it.
  private var openDetails: [Int: [UInt8]] = [:]
  /// Bytes of the details that the page has or may get.
  private var detailBytes = 0
  private var itemCount = 0
  private var omittedCount = 0
  private var rowlessCount = 0
  private var hasOmittedDetails = false
  private var spans = SpanColumns()
  private var marks = MarkColumns()
  var block = ColumnBytes()
  private var scratch: [UInt8] = []

  init() {
    // The first text is the empty one.
    _ = texts.intern("")
    output = TimelinePage.head
  }

  mutating func begin(_ trace: TimelineTrace) {
    header = trace.header
    ruleText = trace.ruleText
    firstNanoseconds = nil
    lastNanoseconds = nil
    omittedCount = 0
    rowlessCount = 0
    hasOmittedDetails = false
    names.removeAll()
    trackGroups.removeAll()
    var row = ColumnBytes()
    row.append(text(trace.title))
    row.append(text(trace.path))
    block.section(.trace, rows: 1, [row])
  }

  // MARK: Names and tracks

  mutating func name(_ number: Int, _ text: String) { names.append(self.text(text)) }

  mutating func track(_ track: LifeTrack) {
    trackGroups.append(track.group)
    tell(track)
  }

  mutating func rename(_ track: LifeTrack) { tell(track) }

  private mutating func tell(_ track: LifeTrack) {
    var row = ColumnBytes()
    row.append(UInt32(truncatingIfNeeded: track.number))
    row.append(UInt32(track.group.rawValue))
    row.append(text(track.name))
    row.append(text(track.thread.map { "\($0)" } ?? ""))
    block.section(.track, rows: 1, [row])
  }

  /// The number of a text, made harmless to look at.
  mutating func text(_ text: String, scalarsMax: Int = 200) -> UInt32 {
    UInt32(
      truncatingIfNeeded: intern { PrintableText.append(text, to: &$0, scalarsMax: scalarsMax) })
  }

  /// Whether an event has arguments, and there is room for them.
  private mutating func hasDetail(_ event: Event, in batch: EventBatch) -> Bool {
    if batch.templates[Int(batch.templateIndices[event.index])].slotCount == 0 { return false }
    if detailBytes > Self.detailBytesMax { hasOmittedDetails = true }
    return detailBytes <= Self.detailBytesMax
  }

  /// The number of a text about an event.
  private mutating func detail(_ write: (inout [UInt8]) -> Void) -> UInt32 {
    let count = texts.count
    let number = intern(write)
    if texts.count > count { detailBytes += texts.range(at: number).count }
    return UInt32(truncatingIfNeeded: number)
  }

  /// The number of a text, which is written into memory that is kept for the next one.
  private mutating func intern(_ write: (inout [UInt8]) -> Void) -> Int {
    var bytes: [UInt8] = []
    swap(&bytes, &scratch)
    bytes.removeAll(keepingCapacity: true)
    write(&bytes)
    let number = texts.intern(bytes.span)
    swap(&bytes, &scratch)
    return number
  }

  // MARK: Spans and marks

  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    note(event.timeNanoseconds)
    if !isKept(span.track) { return }
    guard hasDetail(event, in: batch) else { return }
    var bytes: [UInt8] = []
    ArgumentText.append(event, in: batch, to: &bytes)
    detailBytes += bytes.count
    openDetails[span.number] = bytes
  }

  mutating func end(_ span: LifeSpan) { end(span, detail: openDetail(of: span)) }

  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    var said = openDetail(of: span)
    if isKept(span.track), hasDetail(event, in: batch) {
      ArgumentText.append(event, in: batch, behind: said.count, of: &said)
    }
    end(span, detail: said)
  }

  private mutating func openDetail(of span: LifeSpan) -> [UInt8] {
    guard let bytes = openDetails.removeValue(forKey: span.number) else { return [] }
    detailBytes -= bytes.count
    return bytes
  }

  private mutating func end(_ span: LifeSpan, detail said: [UInt8]) {
    note(span.endNanoseconds)
    if !isKept(span.track) {
      omittedCount += 1
      return
    }
    let state = span.state.map { $0.rawValue + 1 } ?? 0
    // The first text is the empty one.
    let detail = said.isEmpty ? 0 : self.detail({ $0.append(contentsOf: said) })
    spans.append(
      start: relative(span.startNanoseconds),
      duration: Double(span.durationNanoseconds), name: names[span.name], detail: detail,
      ordinal: UInt32(truncatingIfNeeded: span.startOrdinal), track: span.track,
      depth: span.depth, flags: state << 1 | (span.isCut ? 1 : 0))
    itemEnds()
  }

  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    note(event.timeNanoseconds)
    if mark.rowless == .begin { rowlessCount += 1 }
    if !isKept(mark.track) {
      omittedCount += 1
      return
    }
    let detail =
      hasDetail(event, in: batch)
      ? self.detail({ ArgumentText.append(event, in: batch, to: &$0) }) : 0
    marks.append(
      time: relative(mark.timeNanoseconds), name: names[mark.name], detail: detail,
      ordinal: UInt32(truncatingIfNeeded: mark.ordinal), track: mark.track)
    itemEnds()
  }

  private func isKept(_ track: Int) -> Bool {
    itemCount < Self.itemsMax || [.launches, .state, .scenes, .tasks].contains(trackGroups[track])
  }

  private mutating func itemEnds() {
    itemCount += 1
    if spans.count + marks.count >= Self.blockItems { endBlock() }
  }

  private mutating func note(_ nanoseconds: Int64) {
    if firstNanoseconds == nil { firstNanoseconds = nanoseconds }
    lastNanoseconds = max(lastNanoseconds ?? nanoseconds, nanoseconds)
  }

  private func relative(_ nanoseconds: Int64) -> Double {
    Double(nanoseconds.minus(firstNanoseconds ?? 0))
  }

  /// Writes what has been collected as an element that no browser executes or shows.
  mutating func endBlock() {
    spans.take(into: &block)
    marks.take(into: &block)
    var data = ColumnBytes()
    if texts.count > toldTextCount {
      var ends = ColumnBytes()
      var bytes = ColumnBytes()
      let start = texts.range(at: toldTextCount).lowerBound
      for index in toldTextCount..<texts.count {
        ends.append(UInt32(truncatingIfNeeded: texts.range(at: index).upperBound - start))
      }
      bytes.append(contentsOf: texts.bytes[start...])
      data.section(.texts, rows: texts.count - toldTextCount, [ends, bytes])
      toldTextCount = texts.count
    }
    data.append(contentsOf: block.bytes)
    block.removeAll()
    if data.isEmpty { return }
    output.append(contentsOf: "<script type=\"text/plain\" class=\"data\">".utf8)
    Base64.append(data.bytes, to: &output)
    output.append(contentsOf: "</script>\n".utf8)
  }

  // MARK: Findings

  mutating func finding(_ finding: Finding) {
    let rule = ruleText(finding.rule)
    let measure = FindingMeasure(finding, rule)
    var row = ColumnBytes()
    row.append(relative(finding.timeNanoseconds))
    row.append(relative(finding.lastTimeNanoseconds))
    row.append(measure.map { relative($0.startNanoseconds) } ?? .nan)
    row.append(measure.map { Double($0.limitNanoseconds) } ?? .nan)
    row.append(measure.map { Double($0.actualNanoseconds) } ?? .nan)
    for number in [finding.count, finding.launch, finding.witnessOmittedCount] {
      row.append(UInt32(clamping: number))
    }
    for shown in [
      finding.severity.rawValue, finding.rule, finding.slug, finding.message,
      finding.reason ?? "", finding.subject, finding.confidence.rawValue, finding.fingerprint,
      "\(finding.thread)",
    ] {
      row.append(text(shown, scalarsMax: PrintableText.scalarsMax))
    }
    for paragraph in [rule?.summary, rule?.consequence, rule?.rationale, rule?.advice] {
      row.append(text(paragraph ?? "", scalarsMax: Self.paragraphScalarsMax))
    }
    row.pad()
    for witness in finding.witness {
      row.append(relative(witness.timeNanoseconds))
      row.append(text(witness.event))
      row.append(text(witness.role))
      row.append(text(Self.words(for: witness)))
      row.append(text(witness.line > 0 ? "\(witness.line)" : ""))
      row.append(text("\(witness.thread)"))
      row.append(UInt32(witness.phase.rawValue))
      row.append(UInt32(truncatingIfNeeded: witness.ordinal))
      row.pad()
    }
    block.section(.finding, rows: finding.witness.count, [row])
    if block.bytes.count > 1 << 20 { endBlock() }
  }

  private static func words(for witness: WitnessEvent) -> String {
    witness.arguments.map { argument in
      let value =
        switch argument.value {
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .number(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .string(let text): "\"\(text)\""
        case .json(let text): text
        }
      return "\(argument.name)=\(value)"
    }.joined(separator: " ")
  }

  mutating func endTrace(_ judgement: Judgement) {
    var fields: [(String, String)] = header.presentFields.map { field, value in
      (field.name, Self.words(for: value))
    }
    fields.append(("profile", judgement.profile))
    fields.append(("trace", judgement.traceID))
    fields.append(("completeness", judgement.completeness.rawValue))
    for note in judgement.quality { fields.append((note.id, note.message)) }
    if omittedCount > 0 {
      fields.append(("left out of this page", "\(omittedCount) calls and marks"))
    }
    if rowlessCount > 0 {
      fields.append(
        ("drawn as marks", "\(rowlessCount) stretches that overlap more than a track has rows"))
    }
    if hasOmittedDetails { fields.append(("left out of this page", "arguments of late events")) }
    var row = ColumnBytes()
    for (name, value) in fields {
      row.append(text(name))
      row.append(text(value, scalarsMax: PrintableText.scalarsMax))
    }
    block.section(.fields, rows: fields.count, [row])
    var last = ColumnBytes()
    last.append(relative(lastNanoseconds ?? firstNanoseconds ?? 0))
    last.append(Double(judgement.eventCount))
    last.append(UInt32(clamping: judgement.launchCount))
    last.append(text("\(firstNanoseconds ?? 0)"))
    block.section(.end, rows: 1, [last])
    endBlock()
  }

  private static func words(for value: HeaderValue) -> String {
    switch value {
    case .integer(let value): "\(value)"
    case .boolean(let value): value ? "yes" : "no"
    case .string(let text): text
    case .strings(let texts): texts.joined(separator: ", ")
    case .json(let text): text
    }
  }

  mutating func end() { output.append(contentsOf: TimelinePage.tail) }
}
