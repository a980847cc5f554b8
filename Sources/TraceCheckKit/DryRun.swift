// What `convert --dry-run` prints: what became of each line of a capture, with counts and samples.

import TraceExport
import TraceImport
import TraceModel
import TraceNotation
import TracePipeline

/// Counts what a capture becomes, and keeps the events of the lines that stand for others.
struct DryRunVisitor: CaptureVisitor {
  private(set) var traces: [TraceContent] = []
  private(set) var ledger: LineLedger?
  /// The events of sample lines as a timeline prints them.
  private(set) var eventsByLine: [Int: [String]] = [:]
  private var samples: Set<Int> = []

  /// Events shown of one line: in some formats many messages stand in one.
  private static let eventsOfLineMax = 3

  mutating func begin(_ header: TraceHeader) { traces.append(TraceContent(header: header)) }

  mutating func consume(_ batch: EventBatch) {
    traces[traces.count - 1].add(batch)
    guard !samples.isEmpty else { return }
    for (index, line) in batch.lines.enumerated() where samples.contains(Int(line)) {
      // The window of the capture begins with its first line, which it doesn't tell of.
      guard batch.event(at: index).kind != .traceStart,
        eventsByLine[Int(line)]?.count ?? 0 < Self.eventsOfLineMax
      else { continue }
      eventsByLine[Int(line), default: []].append(Self.text(index, of: batch))
    }
  }

  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}

  mutating func account(_ ledger: LineLedger) {
    self.ledger = ledger
    samples = ledger.sampleLines
  }

  private static func text(_ index: Int, of batch: EventBatch) -> String {
    var assembler = BatchAssembler()
    assembler.copy(index, of: batch)
    var single = EventBatch()
    assembler.take(into: &single)
    var encoder = TimelineEncoder()
    encoder.consume(single)
    encoder.end()
    return String(decoding: encoder.output.dropLast(), as: UTF8.self)
  }
}

/// The account as text.
struct DryRunText {
  private let visitor: DryRunVisitor
  private let capture: JudgedCapture
  private let patterns: CapturePatterns
  private let ledger: LineLedger

  /// What is shown of a line or an event.
  private static let shownScalarsMax = 100

  init(_ visitor: DryRunVisitor, capture: JudgedCapture, patterns: CapturePatterns) {
    self.visitor = visitor
    self.capture = capture
    self.patterns = patterns
    ledger = visitor.ledger ?? LineLedger()
  }

  var text: String {
    let title = CaptureFormats.named(capture.format)?.title ?? capture.format
    var text = "\(PrintableText.printable(capture.path)): \(title)\n"
    if visitor.ledger != nil {
      text += section("Patterns", patternLines)
      text += section("Known messages", messageLines)
      text += section("Ignored", ignoredLines)
      text += section("Observed by patterns", namespaceLines)
    }
    text += section("Events", eventLines)
    return text + total
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : "\n\(title)\n" + lines.map { "  \($0)\n" }.joined()
  }

  // MARK: Lines

  private var patternLines: [String] {
    patterns.all.indices.flatMap { index -> [String] in
      let pattern = patterns.all[index]
      let tally = ledger.lines(of: index)
      var head = "\(pattern.origin)  \(Self.shown(pattern.message.text)) -> \(pattern.eventText)"
      head += ": \(Self.lines(tally.count))"
      if let others = ledger.ofOtherApps[index], let apps = pattern.apps {
        head += ", \(others) of them of other apps than \(Self.shown(apps.pattern))"
      }
      return [head] + eventSamples(tally)
    }
  }

  private var messageLines: [String] {
    ledger.knownMessages.flatMap { message in
      ["\(message.name): \(Self.lines(message.tally.count))"] + eventSamples(message.tally)
    }
  }

  /// Sample lines with their events.
  private func eventSamples(_ tally: LineLedger.Tally) -> [String] {
    tally.samples.flatMap { sample -> [String] in
      let events = visitor.eventsByLine[sample.line] ?? ["no event of its own"]
      return events.map { "  line \(sample.line): \(Self.shown($0))" }
    }
  }

  private var ignoredLines: [String] {
    ledger.ignored.flatMap { reason, tally -> [String] in
      let head = "\(Self.lines(tally.count)): \(reason.words)"
      if reason == .unreadableField { return [head] + unreadableLines }
      return [head] + tally.samples.map { "  line \($0.line): \(Self.shown($0.text))" }
    }
  }

  private var unreadableLines: [String] {
    ledger.unreadable.flatMap { row -> [String] in
      let pattern = patterns.all[row.pattern]
      return [
        "  \(pattern.origin): \(pattern.need(row.argument)): \(Self.lines(row.tally.count))"
      ] + row.tally.samples.map { "    line \($0.line): \(Self.shown($0.text))" }
    }
  }

  /// From which namespaces rules may conclude that what isn't there didn't happen.
  private var namespaceLines: [String] {
    let used = patterns.all.indices.filter {
      ledger.lines(of: $0).count > 0 && patterns.all[$0].event.kind != .traceMarker
    }
    let namespaces = Set(used.map { patterns.all[$0].event.namespace })
    let apps = visitor.traces.map { $0.header.string(.appBundleID) }
    return namespaces.sorted().map { namespace in
      let reasons = apps.compactMap { patterns.reasonNotCovering(namespace, app: $0) }
      guard let reason = reasons.first else {
        return "\(namespace): covered, so that rules may conclude from silence"
      }
      return "\(namespace): not covered, as \(reason)"
    }
  }

  // MARK: Events and totals

  private var eventLines: [String] {
    var counts: [String: Int] = [:]
    for trace in visitor.traces {
      for (name, count) in trace.countsByKind { counts[name, default: 0] += count }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\(Self.shown($0.key)): \($0.value)" }
  }

  private var total: String {
    let events = visitor.traces.reduce(0) { $0 + $1.eventCount }
    let traces = visitor.traces.count
    let sum =
      "\(events) event\(events == 1 ? "" : "s")"
      + " in \(traces) trace\(traces == 1 ? "" : "s")"
    guard visitor.ledger != nil else { return "\n\(sum); nothing was written\n" }
    let fitting = patterns.all.indices.reduce(0) { $0 + ledger.lines(of: $1).count }
    let known = ledger.knownMessages.reduce(0) { $0 + $1.tally.count }
    let ignored = ledger.ignored.reduce(0) { $0 + $1.tally.count }
    return "\n\(Self.lines(ledger.lineCount)): \(fitting) by patterns, \(known) known,"
      + " \(ledger.joinedCount) going on with another, \(ignored) ignored; \(sum);"
      + " nothing was written\n"
  }

  private static func lines(_ count: Int) -> String { "\(count) line\(count == 1 ? "" : "s")" }

  private static func shown(_ text: String) -> String {
    PrintableText.printable(text, scalarsMax: shownScalarsMax)
  }
}

extension CapturePattern {
  /// The event with its phase, for people.
  var eventText: String {
    switch phase {
    case .instant: event.name
    case .enter: "enter of \(event.name)"
    case .return: "return of \(event.name)"
    }
  }
}
