// MetricKit's payloads: what it counted over a day, and what it kept of single events.
// This file must not know codes, nor how numbers are printed.

public import TraceModel
import TraceNotation

extension CaptureRemark {
  /// What is remarked of a payload that Xcode made up.
  public static let simulatedMessage = "simulated by Xcode: nothing in the payload happened"
}

extension CaptureFormat {
  /// The JSON of `MXMetricPayload` and `MXDiagnosticPayload`.
  public static let metricPayload = CaptureFormat(
    name: MetricPayloadReader.formatName, title: "MetricKit payload",
    recognise: { ReportHead.confidence($0, .metrics) },
    makeDecoder: { ReportDecoder<MetricPayloadReader>() })
}

/// Reads counters of exits and single diagnostics, and passes over histograms and stacks.
struct MetricPayloadReader: ReportReading {
  static let formatName = "metrickit"
  static let kind = ReportHead.Kind.metrics

  /// A counter of exits.
  private struct Count {
    var category: String
    var count: Int64
    var visibility: String
    var line: UInt32
  }

  private static let testBinary = bytes("\"testBinaryName\"")
  /// Counters that are all one, so many that no device shows it.
  private static let onesEnough = 8

  private var subject = ReportSubject()
  private var region: String?
  private var begin: [UInt8] = []
  private var end: [UInt8] = []
  private var counts: [Count] = []
  private var hasExits = false
  private var times: [(name: String, text: String)] = []
  private var diagnostics: [MetricDiagnostic] = []
  private var hasTree = false
  private var keys: [String] = []
  private var hasPayload = false
  private var lines = LineCounter()

  static func read(_ text: Span<UInt8>) -> ReportContent {
    var content = ReportContent()
    var reader = Self()
    var parser = JSONPullParser()
    do throws(JSONError) {
      try reader.readPayload(&parser, in: text)
      try parser.end(in: text)
    } catch {
      let line = reader.lines.line(at: error.offset, in: text)
      content.problem(error, line: line)
    }
    guard reader.hasPayload else {
      content.refuse(reader.refusal)
      return content
    }
    reader.add(to: &content, isTest: text.find(testBinary, from: 0) != nil)
    return content
  }

  /// Why the JSON is no payload.
  private var refusal: String {
    if hasTree { return "not a payload: a call-stack tree without the payload that held it" }
    let names = keys.prefix(5).joined(separator: ", ")
    return "not a life-cycle capture: JSON "
      + (names.isEmpty ? "without keys" : "with the keys \(names)")
  }

  private mutating func readPayload(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    var single = MetricDiagnostic(kind: .other)
    while let key = try parser.nextKey(in: text) {
      let name = text.text(key.range)
      if keys.count < ImportLimits.reportKeysMax { keys.append(name) }
      if let kind = MetricDiagnostic.Kind(payloadKey: name) {
        hasPayload = true
        try takeDiagnostics(kind, &parser, in: text)
        continue
      }
      switch name {
      case "timeStampBegin": begin = try parser.textBytes(in: text) ?? []
      case "timeStampEnd":
        hasPayload = true
        end = try parser.textBytes(in: text) ?? []
      case "appVersion": subject.version = try parser.name(in: text)
      case "metaData": try takeMetaData(&parser, in: text)
      case "applicationExitMetrics":
        hasPayload = true
        hasExits = true
        try takeExits(&parser, in: text)
      case "applicationTimeMetrics":
        hasPayload = true
        try takeTimes(&parser, in: text)
      case "diagnosticMetaData":
        // One diagnostic without the payload around it.
        hasPayload = true
        single.line = lines.line(at: key.range.lowerBound, in: text)
        try single.readMetaData(&parser, in: text)
        single.concludeKind()
        diagnostics.append(single)
      case "callStacks", "callStackTree":
        hasTree = true
        try parser.passValue(in: text)
      default: try parser.passValue(in: text)
      }
    }
  }

  private mutating func takeMetaData(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      switch text.text(key.range) {
      case "bundleIdentifier": subject.bundle = try parser.name(in: text)
      case "osVersion": subject.system = try parser.name(in: text)
      case "deviceType": subject.device = try parser.name(in: text)
      case "regionFormat": region = try parser.name(in: text)
      default: try parser.passValue(in: text)
      }
    }
  }

  private mutating func takeExits(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      let visibility = key.equals("foregroundExitData", in: text) ? "foreground" : "background"
      guard try parser.entersObject(in: text) else { continue }
      while let counter = try parser.nextKey(in: text) {
        let name = text.text(counter.range)
        let line = lines.line(at: counter.range.lowerBound, in: text)
        let count = try quantity(&parser, in: text)
        guard name.hasSuffix("ExitCount") || name.hasSuffix("TerminationCount"),
          let count = count.flatMap({ Int64(exactly: $0.value) }), count > 0,
          counts.count < ImportLimits.reportEventsMax
        else { continue }
        counts.append(Count(category: name, count: count, visibility: visibility, line: line))
      }
    }
  }

  /// A number, plain or with a unit.
  private func quantity(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) -> LocalisedQuantity? {
    switch parser.peek(in: text) {
    case UInt8(ascii: "\""):
      return try parser.name(in: text).flatMap { LocalisedQuantity($0, region: region) }
    default:
      return try parser.integer(in: text).flatMap { LocalisedQuantity("\($0)", region: nil) }
    }
  }

  private mutating func takeTimes(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      let name = text.text(key.range)
      if let value = try parser.name(in: text), times.count < ImportLimits.reportEventsMax {
        times.append((name, value))
      }
    }
  }

  private mutating func takeDiagnostics(
    _ kind: MetricDiagnostic.Kind, _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersArray(in: text) else { return }
    while try parser.nextElement(in: text) {
      var diagnostic = MetricDiagnostic(kind: kind)
      diagnostic.line = lines.line(at: parser.position, in: text)
      guard try parser.entersObject(in: text) else { continue }
      while let key = try parser.nextKey(in: text) {
        if key.equals("diagnosticMetaData", in: text) {
          try diagnostic.readMetaData(&parser, in: text)
        } else {
          try parser.passValue(in: text)
        }
      }
      // One more than fits, so that it is said that the rest is left out.
      if diagnostics.count <= ImportLimits.reportTracesMax { diagnostics.append(diagnostic) }
    }
  }

  /// Whether Xcode made the payload up: all counters are one, the window has no length, times
  /// have no zone, or the stacks are of its test binary.
  private func isSimulated(_ isTest: Bool) -> Bool {
    if isTest || (!begin.isEmpty && begin == end) { return true }
    if let time = ReportTime(begin.span), !time.hasZone { return true }
    return counts.count >= Self.onesEnough && counts.allSatisfy { $0.count == 1 }
  }

  private func add(to content: inout ReportContent, isTest: Bool) {
    let isSimulated = isSimulated(isTest)
    let others = diagnostics.filter { $0.kind != .crash }
    if hasExits || !times.isEmpty || !others.isEmpty || diagnostics.isEmpty {
      var trace = ReportedTrace(subject)
      trace.subject.incident = window
      for other in others { trace.subject.fill(from: other.subject) }
      if isSimulated { trace.note(CaptureRemark.simulatedMessage) }
      addCounts(to: &trace, isSimulated: isSimulated)
      noteTimes(on: &trace)
      for other in others { trace.note(other.sentence(region: region)) }
      content.add(trace)
    }
    for (place, crash) in diagnostics.enumerated() where crash.kind == .crash {
      var report = crash.report
      report.subject.fill(from: subject)
      // Crashes of two days look alike and are no copies.
      report.subject.incident = window.map { "\($0) \(place + 1)" }
      report.add(to: &content, isSimulated: isSimulated)
    }
  }

  /// From when to when the payload counted.
  private var window: String? {
    guard !begin.isEmpty || !end.isEmpty else { return nil }
    return "\(begin.span.text(0..<begin.count))/\(end.span.text(0..<end.count))"
  }

  private func addCounts(to trace: inout ReportedTrace, isSimulated: Bool) {
    guard hasExits else { return }
    if !isSimulated { trace.coverage = ["exit"] }
    var parts: [String] = []
    for count in counts {
      if !isSimulated {
        trace.add(
          ReportedEvent(
            content: .count(
              category: count.category, count: count.count, visibility: count.visibility,
              window: window), line: count.line))
      }
      parts.append("\(count.visibility) \(Self.plain(count.category)) \(count.count)")
    }
    let all = parts.isEmpty ? "none (zeros are left out)" : parts.joined(separator: ", ")
    trace.note("exits that the \(isSimulated ? "payload" : "system") counted: \(all)")
  }

  private func noteTimes(on trace: inout ReportedTrace) {
    var parts: [String] = []
    for time in times {
      guard let quantity = LocalisedQuantity(time.text, region: region) else { continue }
      parts.append("\(Self.plain(time.name)) \(ExitRecord.text(quantity.value)) s")
    }
    if !parts.isEmpty { trace.note("run time in the window: \(parts.joined(separator: ", "))") }
  }

  /// `cumulativeAppWatchdogExitCount` without the words that every counter has.
  private static func plain(_ key: String) -> String {
    var word = key
    if word.hasPrefix("cumulative") { word.removeFirst("cumulative".count) }
    if word.hasSuffix("ExitCount") { word.removeLast("ExitCount".count) }
    return word
  }
}
