// Lists of all processes that the system writes when it ends some for their memory.
// This file must not know codes.

public import TraceModel
import TraceNotation

extension CaptureFormat {
  /// `JetsamEvent` reports (`bug_type` 298).
  public static let jetsamEvent = CaptureFormat(
    name: JetsamReader.formatName, title: "JetsamEvent report",
    recognise: { ReportHead.confidence($0, .jetsam) },
    makeDecoder: { ReportDecoder<JetsamReader>() })
}

/// Reads the processes that were ended: those with a reason.
struct JetsamReader: ReportReading {
  static let formatName = "jetsam"
  static let kind = ReportHead.Kind.jetsam

  /// One process of the list.
  private struct Process {
    var name: String?
    var pid: Int64?
    var pages: Int64?
    var reason: String?
    var states: [String] = []
    var line: UInt32 = 1
  }

  private var subject = ReportSubject()
  private var pageBytes: Int64?
  private var largest: String?
  private var processCount = 0
  /// Whether the rest of the report can't be read.
  private var isCut = false
  private var ended: [Process] = []
  private var lines = LineCounter()

  static func read(_ text: Span<UInt8>) -> ReportContent {
    var content = ReportContent()
    let head = ReportHead(text)
    var reader = Self()
    if let header = head.header { reader.subject = header.subject }
    var parser = JSONPullParser(at: head.bodyStart)
    do throws(JSONError) {
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) { try reader.take(key, &parser, in: text) }
    } catch {
      let line = reader.lines.line(at: error.offset, in: text)
      content.problem(error, line: line)
      reader.isCut = true
    }
    reader.add(to: &content, firstLine: head.bodyLine)
    return content
  }

  private mutating func take(
    _ key: JSONString, _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    switch text.text(key.range) {
    case "product": subject.device = try parser.name(in: text)
    case "build": subject.system = try parser.name(in: text) ?? subject.system
    case "incident": subject.incident = try parser.name(in: text) ?? subject.incident
    case "largestProcess": largest = try parser.name(in: text)
    case "memoryStatus":
      guard try parser.entersObject(in: text) else { return }
      while let key = try parser.nextKey(in: text) {
        if key.equals("pageSize", in: text) {
          pageBytes = try parser.integer(in: text)
        } else {
          try parser.passValue(in: text)
        }
      }
    case "processes":
      guard try parser.entersArray(in: text) else { return }
      while try parser.nextElement(in: text) { try takeProcess(&parser, in: text) }
    default: try parser.passValue(in: text)
    }
  }

  private mutating func takeProcess(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    let start = parser.position
    guard try parser.entersObject(in: text) else { return }
    var process = Process()
    processCount += 1
    while let key = try parser.nextKey(in: text) {
      if key.equals("name", in: text) {
        process.name = try parser.name(in: text)
      } else if key.equals("pid", in: text) {
        process.pid = try parser.integer(in: text)
      } else if key.equals("rpages", in: text) {
        process.pages = try parser.integer(in: text)
      } else if key.equals("reason", in: text) {
        process.reason = try parser.name(in: text)
      } else if key.equals("states", in: text) {
        try takeStates(of: &process, &parser, in: text)
      } else {
        try parser.passValue(in: text)
      }
    }
    // One more than fits, so that it is said that the rest is left out.
    guard process.reason != nil, ended.count <= ImportLimits.reportTracesMax else { return }
    process.line = lines.line(at: start, in: text)
    ended.append(process)
  }

  private func takeStates(
    of process: inout Process, _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersArray(in: text) else { return }
    while try parser.nextElement(in: text) {
      let state = try parser.name(in: text)
      if let state, process.states.count < ImportLimits.reportStatesMax {
        process.states.append(state)
      }
    }
  }

  private func add(to content: inout ReportContent, firstLine: UInt32) {
    guard processCount > 0 else {
      content.refuse(
        isCut
          ? "the report is cut off in front of its list of processes"
          : "not a life-cycle capture: the list of processes is empty")
      return
    }
    if subject.isForeign {
      content.refuse("not a life-cycle capture: a report of \(subject.system ?? "another system")")
      return
    }
    for process in ended { content.add(trace(of: process)) }
    guard ended.isEmpty else { return }
    var trace = ReportedTrace(subject)
    trace.firstLine = firstLine
    let largest = largest.map { "; the largest is \($0)" } ?? ""
    trace.note(
      isCut
        ? "the report is cut off behind \(processCount) processes; "
          + "whether one was ended isn't in it"
        : "none of \(processCount) processes was ended\(largest)")
    content.add(trace)
  }

  private func trace(of process: Process) -> ReportedTrace {
    var subject = subject
    subject.name = process.name
    subject.bundle = nil
    subject.version = nil
    subject.pid = process.pid
    // One incident ends several processes.
    subject.incident = subject.incident.map { "\($0)-\(process.pid ?? Int64(process.line))" }
    var trace = ReportedTrace(subject)
    trace.coverage = ["proc"]
    trace.firstLine = process.line
    var text = "\(process.name ?? "a process")"
    if let pages = process.pages, let pageBytes, pages >= 0, pageBytes > 0 {
      let (size, isTooLarge) = pages.multipliedReportingOverflow(by: pageBytes)
      if !isTooLarge {
        trace.add(ReportedEvent(content: .footprint(bytes: size), line: process.line))
        text += " with \(size / 1_048_576) MiB"
      }
    }
    var record = ExitRecord()
    record.cause = "jetsam"
    record.namespace = "JETSAM"
    record.explanation = process.reason
    if process.states.contains("frontmost") {
      record.visibility = "foreground"
    } else if process.states.contains(where: { $0 == "suspended" || $0 == "background" }) {
      record.visibility = "background"
    }
    if !process.states.isEmpty { record.role = process.states.joined(separator: ",") }
    trace.add(ReportedEvent(content: .exit(record), line: process.line))
    trace.note("\(text) was ended: \(Self.meaning(of: process))")
    return trace
  }

  private static func meaning(of process: Process) -> String {
    let reason = process.reason ?? ""
    var text: String
    switch reason {
    case "per-process-limit": text = "it exceeded its own limit of memory"
    case "highwater": text = "it was above its usual mark when memory was short"
    case "vm-pageshortage", "vm-thrashing", "vm-compressor-thrashing", "fc-thrashing",
      "vm-compressor-space-shortage":
      text = "the device had too little memory"
    case "idle-exit": text = "it was idle"
    default: text = "the system needed its memory"
    }
    text += " (\(reason))"
    if !process.states.isEmpty { text += "; states: \(process.states.joined(separator: ", "))" }
    if reason != "per-process-limit", process.states.contains("suspended") {
      text += "; that is normal for a suspended app"
    }
    return text
  }
}
