// Crash reports as text, of every age, with or without the header line of an `.ips` file.
// This file must not know what a code or a sentence means.

public import TraceModel

extension CaptureFormat {
  /// The text of a crash report: `.crash` files, exports of TestFlight and Xcode's organizer, and
  /// `.ips` files up to iOS 14.
  public static let crashText = CaptureFormat(
    name: CrashTextReader.formatName, title: "crash report as text",
    recognise: { ReportHead.confidence($0, .crashText) },
    makeDecoder: { ReportDecoder<CrashTextReader>() })
}

/// Reads keys and values down to the first thread, and of the thread that crashed its top frame.
struct CrashTextReader: ReportReading {
  static let formatName = "crash"
  static let kind = ReportHead.Kind.crashText

  static func read(_ text: Span<UInt8>) -> ReportContent {
    var content = ReportContent()
    let head = ReportHead(text)
    var reader = Self()
    reader.report.firstLine = head.bodyLine
    reader.readLines(text, from: head.bodyStart, line: head.bodyLine)
    reader.report.subject.fill(from: head.header?.subject ?? ReportSubject())
    reader.conclude()
    guard reader.hasKeys else {
      content.refuse("not a life-cycle capture: no crash report was found in the text")
      return content
    }
    reader.report.add(to: &content)
    content.note(linesAbove: reader.linesAbove)
    return content
  }

  private enum Key {
    case incident, device, process, path, identifier, version, role, date, launch, system
    case exceptionType, exceptionCodes, exceptionNote, reason, description, information, thermal
    /// Ends a text of several lines.
    case other
  }

  private static let keys: [(text: [UInt8], key: Key)] = [
    (bytes("Incident Identifier:"), .incident), (bytes("Hardware Model:"), .device),
    (bytes("Process:"), .process), (bytes("Path:"), .path), (bytes("Identifier:"), .identifier),
    (bytes("Version:"), .version), (bytes("Role:"), .role), (bytes("Date/Time:"), .date),
    (bytes("Launch Time:"), .launch), (bytes("OS Version:"), .system),
    (bytes("Exception Type:"), .exceptionType), (bytes("Exception Codes:"), .exceptionCodes),
    (bytes("Exception Note:"), .exceptionNote), (bytes("Termination Reason:"), .reason),
    (bytes("Termination Description:"), .description),
    (bytes("Application Specific Information:"), .information),
    (bytes("Thermal Level:"), .thermal), (bytes("Triggered by Thread:"), .other),
    (bytes("Terminating Process:"), .other), (bytes("Highlighted"), .other),
    (bytes("Filtered syslog:"), .other), (bytes("Exception Subtype:"), .other),
    (bytes("VM Region Info:"), .other), (bytes("Last Exception Backtrace:"), .other),
    (bytes("Kernel Triage:"), .other), (bytes("Termination Signal:"), .other),
  ]
  private static let thread = bytes("Thread ")
  private static let crashed = bytes(" Crashed:")
  private static let nonFatal = bytes("NON-FATAL")

  private var report = CrashReport()
  private var seen: Set<Key> = []
  private var reason: [UInt8] = []
  private var description: [UInt8] = []
  private var information: [UInt8] = []
  /// The key whose text goes on in the lines that follow.
  private var open = Key.other
  private var isInThreads = false
  /// Lines in front of all keys that look like those of a log.
  private var linesAbove = 0
  private var isCrashedThread = false
  /// Whether there is more than a line that a sentence may have, too.
  private var hasKeys: Bool {
    seen.contains(.reason) || seen.contains(.exceptionType) && (seen.count > 1 || isInThreads)
  }

  private mutating func readLines(_ text: Span<UInt8>, from first: Int, line firstLine: UInt32) {
    var start = first
    var line = firstLine
    while start < text.count {
      let end = text.first(Byte.newline, from: start, to: text.count) ?? text.count
      take(text, ReportText.keyStart(text, start..<end)..<end, line)
      start = end + 1
      if line < .max { line += 1 }
    }
  }

  private mutating func take(_ text: Span<UInt8>, _ line: Range<Int>, _ number: UInt32) {
    if isInThreads {
      takeFrame(text, line)
    } else if text.has(Self.thread, at: line.lowerBound),
      line.lowerBound + 7 < line.upperBound, text[line.lowerBound + 7] &- 48 < 10
    {
      isInThreads = true
      takeFrame(text, line)
    } else if let row = Self.row(text, line), row.key != .thermal || !isInText {
      open = row.key
      // The first report of several that were pasted together counts.
      guard row.key == .other || seen.insert(row.key).inserted else {
        open = .other
        return
      }
      let first = min(line.lowerBound + row.text.count, line.upperBound)
      take(row.key, text, ReportText.value(text, first..<line.upperBound), number)
    } else if !seen.contains(.reason), text.has(ReportText.context, at: line.lowerBound) {
      // Pasted without the key in front of it.
      open = .reason
      seen.insert(.reason)
      take(.reason, text, ReportText.value(text, line), number)
    } else {
      goOn(text, ReportText.value(text, line))
    }
  }

  /// Whether lines go on with a text; RunningBoard's contexts have a thermal level too.
  private var isInText: Bool { open == .reason || open == .description || open == .information }

  /// The key that a line begins with; all begin with a capital.
  private static func row(_ text: Span<UInt8>, _ line: Range<Int>) -> (text: [UInt8], key: Key)? {
    guard !line.isEmpty, text[line.lowerBound] &- 65 < 26 else { return nil }
    return keys.first { text.has($0.text, at: line.lowerBound) }
  }

  private mutating func take(
    _ key: Key, _ text: Span<UInt8>, _ value: Range<Int>, _ line: UInt32
  ) {
    switch key {
    case .incident: report.subject.incident = text.text(value)
    case .device: report.subject.device = text.text(value)
    case .process: (report.subject.name, report.subject.pid) = ReportText.nameAndPid(text, value)
    case .path: report.subject.takePath(text.extracting(value))
    case .identifier: report.subject.bundle = text.text(value)
    case .version: report.subject.version = ReportText.version(text.text(value))
    case .role: report.exit.role = value.isEmpty ? nil : text.text(value)
    case .date: report.end = ReportTime(text.extracting(value))
    case .launch: report.launch = ReportTime(text.extracting(value))
    case .system: report.subject.system = text.text(value)
    case .exceptionType:
      if !seen.contains(.reason) { report.line = line }
      report.takeException(text.extracting(value))
    case .exceptionCodes: report.takeExceptionCodes(text.extracting(value))
    case .exceptionNote:
      if text.extracting(value).find(Self.nonFatal, from: 0) != nil { report.isNonFatal = true }
    case .reason:
      report.line = line
      Self.append(text, value, to: &reason)
    case .description: Self.append(text, value, to: &description)
    case .thermal:
      var offset = value.lowerBound
      report.exit.thermalLevel = text.decimal(at: &offset).flatMap { Int64(exactly: $0) }
    case .information, .other: break
    }
  }

  /// A line without a key: more of the text before it. Blank lines stand inside of texts, too.
  private mutating func goOn(_ text: Span<UInt8>, _ line: Range<Int>) {
    guard !line.isEmpty else { return }
    if seen.isEmpty, ReportText.looksLogged(text, line) { linesAbove += 1 }
    switch open {
    case .reason: Self.append(text, line, to: &reason)
    case .description: Self.append(text, line, to: &description)
    case .information: Self.append(text, line, to: &information)
    default: break
    }
  }

  private mutating func takeFrame(_ text: Span<UInt8>, _ line: Range<Int>) {
    if text.has(Self.thread, at: line.lowerBound) {
      isCrashedThread = text.extracting(line).find(Self.crashed, from: 0) != nil
    } else if isCrashedThread, line.lowerBound + 1 < line.upperBound, text[line.lowerBound] == 48,
      text[line.lowerBound + 1] == Byte.space,
      text.extracting(line).find(CrashReport.graphicsRefusal, from: 0) != nil
    {
      report.isGraphicsRefusal = true
    }
  }

  private static func append(_ text: Span<UInt8>, _ range: Range<Int>, to bytes: inout [UInt8]) {
    guard bytes.count < ImportLimits.messageBytesMax else { return }
    if !bytes.isEmpty { bytes.append(Byte.space) }
    for offset in range.prefix(ImportLimits.messageBytesMax - bytes.count) {
      bytes.append(text[offset])
    }
  }

  private mutating func conclude() {
    report.readExceptionCodes()
    let (reason, description, information) = (reason, description, information)
    if !reason.isEmpty { TerminationReason.read(reason.span, into: &report.exit) }
    if !description.isEmpty { TerminationReason.read(description.span, into: &report.exit) }
    TerminationReason.conclude(&report.exit)
    report.takeLastWords(information.span)
    // What an app writes there may hold any words: it only adds to what a code says.
    if report.exit.cause == "watchdog", !information.isEmpty {
      TerminationReason.read(information.span, into: &report.exit)
    }
    report.conclude()
  }
}
