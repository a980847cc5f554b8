// What kind of report a capture is, by its first bytes: the header line, the keys of the body, and
// the keys of text. This file must not know what the values mean.

import TraceNotation

/// The beginning of a report.
struct ReportHead: Sendable {
  enum Kind: Sendable {
    /// Nothing that looks like a report.
    case none
    case crashText, crashJSON, resource, stackshot, jetsam, metrics
    /// A header line with a type that is about no app.
    case other
  }

  private(set) var kind = Kind.none
  /// What the header line says.
  private(set) var header: ReportHeaderLine?
  /// Where the body begins, and in which line.
  private(set) var bodyStart = 0
  private(set) var bodyLine: UInt32 = 1

  /// How sure a format is that the capture is of its kind.
  func confidence(_ kind: Kind) -> Int {
    guard self.kind == kind else { return 0 }
    return header != nil ? 95 : 80
  }

  init(_ input: Span<UInt8>) {
    let text = input.extracting(first: 65_536)
    for offset in text.indices where text[offset] == 0 { return }
    var start = text.has([0xef, 0xbb, 0xbf], at: 0) ? 3 : 0
    while start < text.count, text[start] <= Byte.space {
      if text[start] == Byte.newline { bodyLine += 1 }
      start += 1
    }
    bodyStart = start
    guard start < text.count else { return }
    if text[start] == Byte.openBrace {
      if let (line, end) = ReportHeaderLine.read(text, from: start) {
        header = line
        bodyStart = end
        bodyLine += 1
        kind = Self.kind(of: line, body: text.extracting(end..<text.count))
      } else {
        kind = Self.kind(ofKeys: JSONKeys(text, from: start))
      }
    } else {
      kind = Self.kind(ofText: text.extracting(start..<text.count))
    }
  }

  private static func kind(of line: ReportHeaderLine, body: Span<UInt8>) -> Kind {
    var start = 0
    while start < body.count, body[start] <= Byte.space { start += 1 }
    let isJSON = start < body.count && body[start] == Byte.openBrace
    switch line.type {
    case "188", "288": return .stackshot
    case "298": return .jetsam
    case "145", "185", "202", "206": return .resource
    case "109" where !isJSON: return .crashText
    case "309": return isJSON ? .crashJSON : .crashText
    default: break
    }
    let kind = isJSON ? kind(ofKeys: JSONKeys(body, from: start)) : kind(ofText: body)
    return kind == .none || kind == .metrics ? .other : kind
  }

  private static func kind(ofKeys keys: JSONKeys) -> Kind {
    if keys.has("memoryStatus"), keys.has("processes") || keys.has("largestProcess") {
      return .jetsam
    }
    if keys.has("procName") || keys.has("procPath"),
      keys.has("termination") || keys.has("exception") || keys.has("captureTime")
    {
      return .crashJSON
    }
    let payload = [
      "crashDiagnostics", "hangDiagnostics", "cpuExceptionDiagnostics",
      "diskWriteExceptionDiagnostics", "appLaunchDiagnostics", "applicationExitMetrics",
      "diagnosticMetaData", "callStackTree", "callStacks",
    ]
    if payload.contains(where: keys.has) { return .metrics }
    if keys.has("timeStampBegin"), keys.has("timeStampEnd") { return .metrics }
    return .none
  }

  /// Keys that text reports have at the beginnings of lines.
  private static let crashKeys = ["Exception Type:", "Termination Reason:"].map(bytes)
  private static let companionKeys = [
    "Incident Identifier:", "CrashReporter Key:", "Hardware Model:", "Process:", "Identifier:",
    "Exception Codes:", "Date/Time:", "OS Version:", "Thread 0", "Termination Description:",
    "Highlighted Thread:", "Triggered by Thread:",
  ].map(bytes)
  private static let eventKey = bytes("Event:")
  private static let actionKey = bytes("Action taken:")
  private static let stackshotKey = bytes("Exception Code:")
  private static let kernelKey = bytes("Kernel version:")

  private static func kind(ofText text: Span<UInt8>) -> Kind {
    var crash = 0
    var companions = 0
    var resource = 0
    var stackshot = 0
    var start = 0
    while start < text.count {
      let end = text.first(Byte.newline, from: start, to: text.count) ?? text.count
      let key = ReportText.keyStart(text, start..<end)
      if crashKeys.contains(where: { text.has($0, at: key) }) { crash += 1 }
      if companionKeys.contains(where: { text.has($0, at: key) }) { companions += 1 }
      if text.has(eventKey, at: key) || text.has(actionKey, at: key) { resource += 1 }
      if text.has(stackshotKey, at: key) || text.has(kernelKey, at: key) { stackshot += 1 }
      start = end + 1
    }
    if resource >= 2, crash == 0 { return .resource }
    if crash > 0, companions > 0 { return .crashText }
    if stackshot >= 2, crash == 0 { return .stackshot }
    return .none
  }
}

/// The first keys of a JSON object.
struct JSONKeys {
  private var keys: Set<String> = []

  init(_ text: Span<UInt8>, from start: Int) {
    var parser = JSONPullParser(at: start)
    do throws(JSONError) {
      try parser.beginObject(in: text)
      while keys.count < ImportLimits.reportKeysMax, let key = try parser.nextKey(in: text) {
        keys.insert(text.text(key.range))
        try parser.passValue(in: text)
      }
    } catch { return }
  }

  func has(_ key: String) -> Bool { keys.contains(key) }
}

/// The one-line JSON object that the system's reports begin with.
struct ReportHeaderLine: Sendable {
  private(set) var type = ""
  private(set) var subject = ReportSubject()

  /// Reads a header line and tells where the body begins; nil if there is none.
  static func read(_ text: Span<UInt8>, from start: Int) -> (line: Self, end: Int)? {
    guard let end = text.first(Byte.newline, from: start, to: text.count) else { return nil }
    let line = text.extracting(start..<end)
    var header = Self()
    var parser = JSONPullParser()
    do throws(JSONError) {
      try parser.beginObject(in: line)
      while let key = try parser.nextKey(in: line) {
        if key.equals("bug_type", in: line) {
          if parser.peek(in: line) == UInt8(ascii: "\"") {
            header.type = try parser.name(in: line) ?? ""
          } else {
            header.type = try parser.integer(in: line).map { "\($0)" } ?? ""
          }
        } else {
          try header.subject.read(key, &parser, in: line)
        }
      }
      try parser.end(in: line)
    } catch { return nil }
    return header.type.isEmpty ? nil : (header, end + 1)
  }
}

extension ReportSubject {
  /// Reads a value of a header line.
  fileprivate mutating func read(
    _ key: JSONString, _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    if key.equals("app_name", in: text) {
      name = try parser.name(in: text)
    } else if key.equals("bundleID", in: text) {
      bundle = try parser.name(in: text)
    } else if key.equals("app_version", in: text) {
      version = try parser.name(in: text)
    } else if key.equals("os_version", in: text) {
      system = try parser.name(in: text)
    } else if key.equals("incident_id", in: text) {
      incident = try parser.name(in: text)
    } else {
      try parser.passValue(in: text)
    }
  }
}
