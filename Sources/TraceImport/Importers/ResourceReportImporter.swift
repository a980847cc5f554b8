// Reports of too much processor time, too many wake-ups or too many writes, which tell whether the
// process was ended for it. This file must not know codes.

public import TraceModel

extension CaptureFormat {
  /// `cpu_resource`, `wakeups_resource` and `diskwrites_resource` reports.
  public static let resourceReport = CaptureFormat(
    name: ResourceReportReader.formatName, title: "resource report",
    recognise: { ReportHead.confidence($0, .resource) },
    makeDecoder: { ReportDecoder<ResourceReportReader>() })
}

/// Reads keys and values down to the stacks.
struct ResourceReportReader: ReportReading {
  static let formatName = "resource"
  static let kind = ReportHead.Kind.resource

  private enum Key {
    case incident, device, command, identifier, version, pid, system
    case event, action, amount, limit, used, duration, state, stacks
  }

  private static let keys: [(text: [UInt8], key: Key)] = [
    (bytes("Incident Identifier:"), .incident), (bytes("Hardware model:"), .device),
    (bytes("Command:"), .command), (bytes("Identifier:"), .identifier),
    (bytes("Version:"), .version), (bytes("PID:"), .pid), (bytes("OS Version:"), .system),
    (bytes("Event:"), .event), (bytes("Action taken:"), .action), (bytes("CPU:"), .amount),
    (bytes("Wakeups:"), .amount), (bytes("Writes:"), .amount), (bytes("CPU limit:"), .limit),
    (bytes("CPU used:"), .used), (bytes("Duration:"), .duration),
    (bytes("Primary state:"), .state), (bytes("Powerstats for:"), .stacks),
    (bytes("Heaviest stack"), .stacks),
  ]
  private static let ended = [bytes("killed"), bytes("Killed"), bytes("terminated")]
  private static let hidden = bytes("Non-Frontmost App")
  private static let shown = bytes("Frontmost App")

  private var subject = ReportSubject()
  private var exit = ExitRecord()
  private var event = ""
  private var action = ""
  private var amount = ""
  private var isEnd = false
  private var line: UInt32 = 1
  private var seen: Set<Key> = []

  static func read(_ text: Span<UInt8>) -> ReportContent {
    var content = ReportContent()
    let head = ReportHead(text)
    var reader = Self()
    reader.line = head.bodyLine
    reader.readLines(text, from: head.bodyStart, line: head.bodyLine)
    reader.subject.fill(from: head.header?.subject ?? ReportSubject())
    guard !reader.event.isEmpty, !reader.action.isEmpty else {
      content.refuse("not a life-cycle capture: no resource report was found in the text")
      return content
    }
    guard !reader.subject.isForeign else {
      content.refuse("not a life-cycle capture: a report of \(reader.subject.system ?? "")")
      return content
    }
    content.add(reader.trace(firstLine: head.bodyLine))
    return content
  }

  private mutating func readLines(_ text: Span<UInt8>, from first: Int, line firstLine: UInt32) {
    var start = first
    var number = firstLine
    while start < text.count {
      let end = text.first(Byte.newline, from: start, to: text.count) ?? text.count
      let key = ReportText.keyStart(text, start..<end)
      if key < end, text[key] &- 65 < 26,
        let row = Self.keys.first(where: { text.has($0.text, at: key) }),
        seen.insert(row.key).inserted
      {
        let first = min(key + row.text.count, end)
        take(row.key, text, ReportText.value(text, first..<end), number)
      }
      // What follows the first sample's state are stacks.
      if seen.contains(.state) { return }
      start = end + 1
      if number < .max { number += 1 }
    }
  }

  private mutating func take(
    _ key: Key, _ text: Span<UInt8>, _ value: Range<Int>, _ number: UInt32
  ) {
    var offset = value.lowerBound
    switch key {
    case .incident: subject.incident = text.text(value)
    case .device: subject.device = text.text(value)
    case .command: subject.name = text.text(value)
    case .identifier: subject.bundle = text.text(value)
    case .version: subject.version = ReportText.version(text.text(value))
    case .pid: subject.pid = text.decimal(at: &offset).flatMap { Int64(exactly: $0) }
    case .system: subject.system = text.text(value)
    case .event: event = text.text(value)
    case .action:
      action = text.text(value)
      isEnd = Self.ended.contains { text.extracting(value).find($0, from: 0) != nil }
      line = number
    case .amount: amount = text.text(value)
    case .limit: exit.allowanceSeconds = TerminationText.decimalNumber(text, from: offset)
    case .used: exit.appCpuSeconds = TerminationText.decimalNumber(text, from: offset)
    case .duration: exit.elapsedSeconds = TerminationText.decimalNumber(text, from: offset)
    case .state:
      let state = text.extracting(value)
      if state.find(Self.hidden, from: 0) != nil {
        exit.visibility = "background"
      } else if state.find(Self.shown, from: 0) != nil {
        exit.visibility = "foreground"
      }
    case .stacks: break
    }
  }

  private func trace(firstLine: UInt32) -> ReportedTrace {
    var trace = ReportedTrace(subject)
    trace.firstLine = firstLine
    let amount = amount.isEmpty ? "" : ": \(amount)"
    guard isEnd else {
      trace.note("\(event)\(amount); action taken: \(action), so nothing was ended")
      return trace
    }
    var record = exit
    record.cause = cause
    record.explanation = self.amount.isEmpty ? event : self.amount
    trace.coverage = ["proc"]
    trace.add(ReportedEvent(content: .exit(record), line: line))
    trace.note("\(event)\(amount); action taken: \(action)")
    trace.note(record)
    return trace
  }

  private var cause: String {
    let event = event.lowercased()
    if event.contains("cpu") { return "cpu_limit" }
    return event.contains("memory") ? "jetsam" : "unknown"
  }
}
