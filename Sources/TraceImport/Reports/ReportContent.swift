// What a report becomes: traces of one or a few events, and remarks. This file must not know any
// format of reports.

import TraceModel

/// An event of a report.
struct ReportedEvent: Sendable {
  enum Content: Sendable {
    case exit(ExitRecord)
    case footprint(bytes: Int64)
    case metalRefusal
    /// Exits that the system counted.
    case count(category: String, count: Int64, visibility: String?, window: String?)
  }

  var content: Content
  /// From the start of the process, where the report tells it.
  var timeNanoseconds: Int64 = 0
  var line: UInt32 = 0

  func append(to assembler: inout BatchAssembler) {
    switch content {
    case .exit(let record):
      assembler.begin(
        record.isKill ? .procKill : .procExit, .instant, thread: 0,
        timeNanoseconds: timeNanoseconds, line: line)
      record.append(to: &assembler)
    case .footprint(let bytes):
      assembler.begin(
        .procFootprint, .instant, thread: 0, timeNanoseconds: timeNanoseconds, line: line)
      assembler.add(.bytes, .integer(bytes))
    case .metalRefusal:
      assembler.begin(
        .metalComplete, .instant, thread: 0, timeNanoseconds: timeNanoseconds, line: line)
      MetalRefusal.append(to: &assembler)
    case .count(let category, let count, let visibility, let window):
      assembler.begin(
        .exitImport, .instant, thread: 0, timeNanoseconds: timeNanoseconds, line: line)
      assembler.add(.category, .string(category))
      assembler.add(.count, .integer(count))
      if let visibility { assembler.add(.visibility, .string(visibility)) }
      if let window { assembler.add(.window, .string(window)) }
    }
    assembler.endEvent()
  }
}

/// Whom a report is about.
struct ReportSubject: Sendable {
  var name: String?
  var bundle: String?
  var version: String?
  var device: String?
  /// As reports print it, for example `iPhone OS 16.1 (20B82)`.
  var system: String?
  var build: String?
  var incident: String?
  var pid: Int64?
  /// Whether the process ran in a simulator, as its path tells.
  var isSimulated = false

  private static let simulatorFolder = bytes("/CoreSimulator/")

  /// Takes the path of the program.
  mutating func takePath(_ path: Span<UInt8>) {
    if path.find(Self.simulatorFolder, from: 0) != nil { isSimulated = true }
  }

  /// Takes over what another says and this one doesn't.
  mutating func fill(from other: ReportSubject) {
    name = name ?? other.name
    bundle = bundle ?? other.bundle
    version = version ?? other.version
    device = device ?? other.device
    system = system ?? other.system
    build = build ?? other.build
    incident = incident ?? other.incident
    pid = pid ?? other.pid
    isSimulated = isSimulated || other.isSimulated
  }

  /// Whether the report is of a system whose apps have another life cycle.
  var isForeign: Bool { begins(["mac", "bridge"]) }

  private func begins(_ words: [String]) -> Bool {
    guard let system = system?.lowercased() else { return false }
    return words.contains { system.hasPrefix($0) }
  }

  /// Fills the fields of a trace's header.
  func describe(_ header: inout TraceHeader) {
    if let text = bundle ?? name { header[.appBundleID] = .string(text) }
    if let version { header[.appVersion] = .string(version) }
    if let device { header[.deviceModel] = .string(device) }
    if let incident { header[.traceID] = .string(incident) }
    if isSimulated { header[.simulator] = .boolean(true) }
    // The versions of watches and televisions are no versions of iOS.
    guard let system, begins(["iphone os", "ios", "ipados"]) else { return }
    var word: [UInt8] = []
    var words: [String] = []
    for byte in system.utf8.prefix(ImportLimits.nameBytesMax) {
      if byte == Byte.space || byte == Byte.openParenthesis || byte == Byte.closeParenthesis {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll()
      } else {
        word.append(byte)
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    guard let place = words.firstIndex(where: { SystemVersion($0) != nil }) else { return }
    header[.osVersion] = .string(words[place])
    if let build = build ?? words.dropFirst(place + 1).first(where: { $0 != "Build" }) {
      header[.osBuild] = .string(build)
    }
  }
}

/// One trace of a report: an end of one process, or counts of many.
struct ReportedTrace: Sendable {
  var subject = ReportSubject()
  var coverage: [String] = []
  private(set) var events: [ReportedEvent] = []
  private(set) var remarks: [CaptureRemark] = []
  var resolutionNanoseconds: Int64?
  /// What the clock on the wall showed at time 0 of the trace.
  var wallClock: WallAnchor?
  var firstLine: UInt32 = 1

  init(_ subject: ReportSubject = ReportSubject()) { self.subject = subject }

  mutating func add(_ event: ReportedEvent) {
    if events.count < ImportLimits.reportEventsMax { events.append(event) }
  }

  /// Moves it to where its report stands in the file.
  mutating func move(byLines count: UInt32) {
    firstLine = firstLine.addingReportingOverflow(count).partialValue
    for place in events.indices {
      events[place].line = events[place].line.addingReportingOverflow(count).partialValue
    }
  }

  mutating func note(_ text: String) { add(CaptureRemark(id: "capture", message: text)) }

  /// Tells how the process ended.
  mutating func note(_ end: ExitRecord) { add(end.remark) }

  private mutating func add(_ remark: CaptureRemark) {
    if remarks.count < ImportLimits.reportRemarksMax { remarks.append(remark) }
  }

  /// Whether nothing says whom it is about: it was cut out of a report.
  private var isExcerpt: Bool {
    subject.name == nil && subject.bundle == nil && subject.pid == nil && subject.incident == nil
  }

  /// Whether it tells of the end that another one tells of: it is an excerpt of that, or the same
  /// report in another form, which names the same process and time.
  fileprivate func repeats(_ other: ReportedTrace) -> Bool {
    if exits.isEmpty || other.isExcerpt { return false }
    let isSame =
      subject.pid != nil && subject.pid == other.subject.pid && subject.name == other.subject.name
      && endNanoseconds != nil && endNanoseconds == other.endNanoseconds
      && (subject.incident == nil || other.subject.incident == nil)
    return (isExcerpt || isSame)
      && exits.allSatisfy { exit in other.exits.contains { exit.agrees(with: $0) } }
  }

  /// When its last event was, on the clock on the wall.
  private var endNanoseconds: Int64? {
    guard let wallClock, let last = events.last else { return nil }
    return wallClock.nanosecondsAtZero.plus(last.timeNanoseconds)
  }

  private var exits: [ExitRecord] {
    events.compactMap { event in
      if case .exit(let record) = event.content { record } else { nil }
    }
  }

  var header: TraceHeader {
    var header = TraceHeader()
    subject.describe(&header)
    header.origin = TraceOrigin(
      processID: subject.pid, processName: subject.name, wallClock: wallClock)
    header.origin.isReport = true
    header[.coverage] = .strings(coverage)
    if let resolutionNanoseconds {
      header[.timestampResolutionNanoseconds] = .integer(resolutionNanoseconds)
    }
    return header
  }

  /// The events behind the start of the window: a report begins in the middle of a life.
  func append(to assembler: inout BatchAssembler) {
    assembler.begin(.traceStart, .instant, thread: 0, timeNanoseconds: 0, line: firstLine)
    assembler.add(.reason, .string("attach"))
    assembler.endEvent()
    for event in events { event.append(to: &assembler) }
  }
}

/// Everything that a report becomes.
struct ReportContent: Sendable {
  private(set) var traces: [ReportedTrace] = []
  /// Why the report is of no app's life.
  private(set) var refusals: [String] = []
  private(set) var problems: [InputProblem] = []
  private var isFull = false
  private var incidents: Set<String> = []

  mutating func add(_ trace: ReportedTrace) {
    if traces.count < ImportLimits.reportTracesMax {
      traces.append(trace)
    } else if !isFull {
      isFull = true
      problem(
        InputProblem(
          .skipped, at: .input,
          "the report tells of more than \(ImportLimits.reportTracesMax) ends of processes; "
            + "the rest is skipped"))
    }
  }

  /// Adds what was found in a part of a text that begins at a line.
  ///
  /// - Parameter isOfIncidents: Whether an incident that an earlier part told of counts once.
  mutating func add(_ part: ReportContent, fromLine line: UInt32, isOfIncidents: Bool) {
    let known = incidents
    for trace in part.traces {
      if isOfIncidents, let incident = trace.subject.incident {
        if known.contains(incident) { continue }
        incidents.insert(incident)
      }
      var trace = trace
      trace.move(byLines: line - 1)
      add(trace)
    }
    for var problem in part.problems {
      if case .line(let place, let column) = problem.location {
        problem.location = .line(place + Int(line) - 1, column: column)
      }
      self.problem(problem)
    }
    for text in part.refusals { refuse("in line \(line): \(text)") }
  }

  /// An excerpt of a report of the same file is left out, and what was refused is a damaged part of
  /// a file of which something else was read.
  mutating func settle() {
    if traces.isEmpty { return }
    var kept: [ReportedTrace] = []
    for (place, trace) in traces.enumerated() {
      let isRepeated = traces.enumerated().contains { other in
        other.offset != place && trace.repeats(other.element)
          && (other.offset < place || !other.element.repeats(trace))
      }
      if !isRepeated { kept.append(trace) }
    }
    traces = kept
    for text in refusals { problem(InputProblem(.skipped, at: .input, text)) }
    refusals.removeAll()
  }

  mutating func refuse(_ text: String) {
    if refusals.count < ImportLimits.reportRemarksMax { refusals.append(text) }
  }

  /// Says how many lines as of a log stand above the first report.
  mutating func note(linesAbove count: Int) {
    guard count > 0, !traces.isEmpty else { return }
    let lines = count == 1 ? "1 line" : "\(count) lines"
    traces[0].note(
      "not read: \(lines) above the report; a log is read from a file of its own")
  }

  mutating func problem(_ problem: InputProblem) {
    if problems.count < ImportLimits.reportRemarksMax { problems.append(problem) }
  }
}
