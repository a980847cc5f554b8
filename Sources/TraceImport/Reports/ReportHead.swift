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

  /// Whether nothing but RunningBoard's words for an end tells that it is a report.
  private var isContextOnly = false

  /// How sure a format is that the capture is of its kind.
  func confidence(_ kind: Kind) -> Int {
    guard self.kind == kind else { return 0 }
    if isContextOnly { return Self.pastedConfidence }
    return header != nil ? 95 : 80
  }

  /// How sure a format is that a capture is of its kind, also where the report was pasted.
  static func confidence(_ input: Span<UInt8>, _ kind: Kind) -> Int {
    let head = ReportHead(input)
    if head.kind != .none { return head.confidence(kind) }
    let text = input.extracting(first: 65_536)
    for offset in text.indices where text[offset] == 0 { return 0 }
    guard let plain = ReportText.unwrapped(text)?.text else { return 0 }
    // A log may print a report that isn't what it is about, and more often a payload.
    let found = ReportHead(plain.span)
    let most = found.header == nil ? printedConfidence : pastedConfidence
    return min(most, found.confidence(kind))
  }

  private static let pastedConfidence = 45
  /// Less than that of any log whose lines are found.
  private static let printedConfidence = 1

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
        for offset in start..<end where text[offset] == Byte.newline { bodyLine += 1 }
        kind = Self.kind(of: line, body: text.extracting(end..<text.count))
      } else {
        kind = Self.kind(ofKeys: JSONKeys(text, from: start))
      }
    } else if text[start] == Byte.openBracket {
      // A list of payloads, as apps keep them, or of bodies.
      var first = start + 1
      while first < text.count, text[first] <= Byte.space { first += 1 }
      let found = Self.kind(ofKeys: JSONKeys(text, from: first))
      if found == .metrics || found == .crashJSON { kind = found }
    } else {
      let body = text.extracting(start..<text.count)
      kind = Self.kind(ofText: body)
      isContextOnly = kind == .none && Self.beginsWithContext(body)
      if isContextOnly { kind = .crashText }
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

  /// Whether a header line or the body of a report begins at a place.
  static func isJSON(_ text: Span<UInt8>, at start: Int) -> Bool {
    guard start < text.count, text[start] == Byte.openBrace else { return false }
    return ReportHeaderLine.read(text, from: start) != nil
      || kind(ofKeys: JSONKeys(text, from: start)) != .none
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

  /// Whether a text is RunningBoard's words for an end, with or without a key in front of them.
  private static func beginsWithContext(_ text: Span<UInt8>) -> Bool {
    if text.has(ReportText.context, at: 0) { return true }
    guard let key = crashKeys.first(where: { text.has($0, at: 0) }) else { return false }
    let end = text.first(Byte.newline, from: 0, to: text.count) ?? text.count
    let value = ReportText.value(text, key.count..<max(key.count, end))
    return text.has(ReportText.context, at: value.lowerBound)
      || text.has(ReportText.context, at: end + 1)
  }

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
    if crash > 1 || (crash > 0 && companions > 0) { return .crashText }
    if stackshot >= 2, crash == 0 { return .stackshot }
    return .none
  }
}

/// The first keys of a JSON object.
struct JSONKeys {
  /// Keys that no header line has.
  static let ofBodies: Set = [
    "procName", "procPath", "captureTime", "exception", "termination", "threads", "usedImages",
    "memoryStatus", "processes",
  ]

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

/// The JSON object that the system's reports begin with.
struct ReportHeaderLine: Sendable {
  private(set) var type = ""
  private(set) var subject = ReportSubject()

  /// Reads a header and tells where the body begins; nil if there is none. It is a line; one that
  /// was printed over several, or whose line the body goes on, must be followed by JSON.
  static func read(_ text: Span<UInt8>, from start: Int) -> (line: Self, end: Int)? {
    var header = Self()
    var parser = JSONPullParser(at: start)
    do throws(JSONError) {
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) {
        // A body may have a type, too.
        if JSONKeys.ofBodies.contains(text.text(key.range)) { return nil }
        if key.equals("bug_type", in: text) {
          if parser.peek(in: text) == UInt8(ascii: "\"") {
            header.type = try parser.name(in: text) ?? ""
          } else {
            header.type = try parser.integer(in: text).map { "\($0)" } ?? ""
          }
        } else {
          try header.subject.read(key, &parser, in: text)
        }
      }
    } catch { return nil }
    if header.type.isEmpty { return nil }
    var end = parser.position
    let lineEnd = text.first(Byte.newline, from: start, to: text.count) ?? text.count
    while end < text.count, text[end] <= Byte.space, end < lineEnd { end += 1 }
    if end == lineEnd, end < text.count { return (header, end + 1) }
    while end < text.count, text[end] <= Byte.space { end += 1 }
    return end < text.count && text[end] == Byte.openBrace ? (header, end) : nil
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
