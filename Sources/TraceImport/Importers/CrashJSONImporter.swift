// Crash reports of two JSON values, a header line and a body: `.ips` files from iOS 15 on.
// This file must not know what a code or a sentence means.

public import TraceModel
import TraceNotation

extension CaptureFormat {
  /// What devices write from iOS 15 on (`bug_type` 309).
  public static let crashJSON = CaptureFormat(
    name: CrashJSONReader.formatName, title: ".ips crash report",
    recognise: { input in
      max(ReportHead.confidence(input, .crashJSON), ReportHead.confidence(input, .other) / 2)
    },
    makeDecoder: { ReportDecoder<CrashJSONReader>() })
}

/// Reads the keys about the process and its end, and of the thread that crashed its top frame.
struct CrashJSONReader: ReportReading {
  static let formatName = "ips"
  static let kind = ReportHead.Kind.crashJSON

  private var report = CrashReport()
  private var lines = LineCounter()
  private var hasEnd = false
  private var reasons: [UInt8] = []
  private var namespace: String?
  private var code: Int64?

  static func read(_ text: Span<UInt8>) -> ReportContent {
    var content = ReportContent()
    let head = ReportHead(text)
    if head.kind == .other, let header = head.header {
      content.refuse("not a life-cycle capture: a report of type \(header.type)")
      return content
    }
    var reader = Self()
    reader.report.firstLine = head.bodyLine
    reader.report.line = head.bodyLine
    var isCut = false
    var parser = JSONPullParser(at: head.bodyStart)
    do throws(JSONError) {
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) { try reader.take(key, &parser, in: text) }
    } catch {
      let line = reader.lines.line(at: error.offset, in: text)
      content.problem(error, line: line)
      isCut = true
    }
    guard reader.hasEnd else {
      content.refuse(
        isCut
          ? "the report is cut off in front of the exception and the termination"
          : "not a life-cycle capture: the report has no exception and no termination")
      return content
    }
    reader.report.subject.fill(from: head.header?.subject ?? ReportSubject())
    reader.conclude()
    reader.report.add(to: &content)
    return content
  }

  private mutating func take(
    _ key: JSONString, _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    switch text.text(key.range) {
    case "procName": report.subject.name = try parser.name(in: text)
    case "pid": report.subject.pid = try parser.integer(in: text)
    case "procPath":
      if let path = try parser.textBytes(in: text) { report.subject.takePath(path.span) }
    case "modelCode": report.subject.device = try parser.name(in: text)
    case "incident": report.subject.incident = try parser.name(in: text)
    case "procRole": report.exit.role = try parser.name(in: text)
    case "procLaunch":
      report.launch = try parser.textBytes(in: text).flatMap { ReportTime($0.span) }
    case "captureTime":
      report.end = try parser.textBytes(in: text).flatMap { ReportTime($0.span) }
    case "osVersion": try takeSystem(&parser, in: text)
    case "bundleInfo": try takeBundle(&parser, in: text)
    case "exception": try takeException(&parser, in: text)
    case "termination":
      report.line = lines.line(at: key.range.lowerBound, in: text)
      try takeTermination(&parser, in: text)
    case "threads": try takeThreads(&parser, in: text)
    case "asi": try takeLastWords(&parser, in: text)
    default: try parser.passValue(in: text)
    }
  }

  private mutating func takeSystem(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      switch text.text(key.range) {
      case "train": report.subject.system = try parser.name(in: text)
      case "build": report.subject.build = try parser.name(in: text)
      default: try parser.passValue(in: text)
      }
    }
  }

  private mutating func takeBundle(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      switch text.text(key.range) {
      case "CFBundleIdentifier": report.subject.bundle = try parser.name(in: text)
      case "CFBundleShortVersionString": report.subject.version = try parser.name(in: text)
      default: try parser.passValue(in: text)
      }
    }
  }

  private mutating func takeException(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    hasEnd = true
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      switch text.text(key.range) {
      case "type":
        if let type = try parser.textBytes(in: text) { report.takeException(type.span) }
      case "signal":
        if let signal = try parser.name(in: text) { report.takeSignal(signal) }
      case "codes":
        if let codes = try parser.textBytes(in: text) { report.takeExceptionCodes(codes.span) }
      default: try parser.passValue(in: text)
      }
    }
  }

  private mutating func takeTermination(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    hasEnd = true
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      switch text.text(key.range) {
      case "namespace": namespace = try parser.name(in: text)
      case "code": code = try parser.integer(in: text)
      case "reasons", "details": try takeReasons(&parser, in: text)
      case "indicator":
        let indicator = try parser.textBytes(in: text)
        if reasons.isEmpty, let indicator { reasons = indicator }
      default: try parser.passValue(in: text)
      }
    }
  }

  /// Texts that belong together, as an array or as one text.
  private mutating func takeReasons(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard parser.peek(in: text) == Byte.openBracket else {
      if let reason = try parser.textBytes(in: text) { append(reason) }
      return
    }
    try parser.beginArray(in: text)
    while try parser.nextElement(in: text) {
      if let reason = try parser.textBytes(in: text) { append(reason) }
    }
  }

  private mutating func append(_ reason: [UInt8]) {
    guard reasons.count < ImportLimits.messageBytesMax else { return }
    if !reasons.isEmpty { reasons.append(Byte.space) }
    reasons.append(contentsOf: reason.prefix(ImportLimits.messageBytesMax - reasons.count))
  }

  /// What the libraries of the process wrote last: lists of texts by library.
  private mutating func takeLastWords(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    while try parser.nextKey(in: text) != nil {
      guard try parser.entersArray(in: text) else { continue }
      while try parser.nextElement(in: text) {
        if let words = try parser.textBytes(in: text) { report.takeLastWords(words.span) }
      }
    }
  }

  private mutating func takeThreads(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersArray(in: text) else { return }
    while try parser.nextElement(in: text) {
      guard try parser.entersObject(in: text) else { continue }
      var isTriggered = false
      var isRefusal = false
      while let key = try parser.nextKey(in: text) {
        switch text.text(key.range) {
        case "triggered":
          isTriggered = parser.peek(in: text) == UInt8(ascii: "t")
          try parser.passValue(in: text)
        case "frames": isRefusal = try topFrameRefuses(&parser, in: text)
        default: try parser.passValue(in: text)
        }
      }
      if isTriggered, isRefusal { report.isGraphicsRefusal = true }
    }
  }

  /// Whether the first frame is the one in which OpenGL ES ends a process.
  private func topFrameRefuses(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) -> Bool {
    guard try parser.entersArray(in: text) else { return false }
    var isFirst = true
    var isRefusal = false
    while try parser.nextElement(in: text) {
      guard isFirst, parser.peek(in: text) == Byte.openBrace else {
        try parser.passValue(in: text)
        continue
      }
      isFirst = false
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) {
        if key.equals("symbol", in: text), let symbol = try parser.textBytes(in: text) {
          isRefusal = symbol.span.find(CrashReport.graphicsRefusal, from: 0) != nil
        } else if !key.equals("symbol", in: text) {
          try parser.passValue(in: text)
        }
      }
    }
    return isRefusal
  }

  private mutating func conclude() {
    report.readExceptionCodes()
    report.exit.namespace = namespace
    if let code { TerminationReason.take(code: code, into: &report.exit) }
    let reasons = reasons
    if !reasons.isEmpty { TerminationReason.read(reasons.span, into: &report.exit) }
    // The body's own words go first; a context inside may call the namespace by its old name.
    if let namespace { report.exit.namespace = namespace }
    report.conclude()
  }
}
