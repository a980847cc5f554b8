// Gives out what an import found: problems, then one trace per app process, then remarks.
// This file must not know line formats or wordings.

import TraceModel

/// The steps of a finished import.
struct CaptureOutput: Sendable {
  /// One process with events.
  private struct Trace {
    var header: TraceHeader
    var events: [PlannedEvent]
  }

  private let log: FactLog
  private let levelNames: [String]
  private let clock: CaptureClock
  private let summary: CaptureSummary
  private let isOfSimulator: Bool

  private var problems: [InputProblem] = []
  private var remarks: [CaptureRemark] = []
  /// The places of each process's facts, in the order of the processes' first facts.
  private var processes: [(index: Int, facts: [Int])] = []
  private var nextProcess = 0
  private var traceCount = 0
  private var events: [PlannedEvent] = []
  private var nextEvent = 0
  private var assembler = BatchAssembler()
  private var isClosing = false
  /// Lines whose pattern is for other apps, by the pattern's place.
  private(set) var linesOfOtherApps: [Int: Int] = [:]

  init(
    log: FactLog, clock: CaptureClock, levelNames: [String], summary: CaptureSummary,
    isOfSimulator: Bool
  ) {
    var log = log
    let roots = log.directory.resolve()
    self.log = log
    self.clock = clock
    self.levelNames = levelNames
    self.summary = summary
    self.isOfSimulator = isOfSimulator
    processes = Self.group(log.facts, roots, log.directory)
    noteProblems()
  }

  mutating func next(into batch: inout EventBatch) -> DecoderStep {
    if !problems.isEmpty { return .problem(problems.removeFirst()) }
    if nextEvent < events.count {
      fill(&batch)
      return .batch
    }
    while nextProcess < processes.count {
      let process = processes[nextProcess]
      nextProcess += 1
      if let header = plan(process.index, process.facts) {
        traceCount += 1
        return .header(header)
      }
    }
    if !isClosing {
      isClosing = true
      noteRemarks()
    }
    return remarks.isEmpty ? .end : .remark(remarks.removeFirst())
  }

  /// Facts by process; only apps, and processes that turned out to be one are one.
  private static func group(
    _ facts: [Fact], _ roots: [Int], _ directory: ProcessDirectory
  ) -> [(index: Int, facts: [Int])] {
    var groups: [(index: Int, facts: [Int])] = []
    var groupOfProcess: [Int: Int] = [:]
    for (place, fact) in facts.enumerated() {
      let root = roots[Int(fact.process)]
      if let group = groupOfProcess[root] {
        groups[group].facts.append(place)
      } else {
        groupOfProcess[root] = groups.count
        groups.append((root, [place]))
      }
    }
    return groups
  }

  /// Plans the events of a process and gives its header; nil if there is no event.
  private mutating func plan(_ index: Int, _ facts: [Int]) -> TraceHeader? {
    var history = HistoryPlan(resolutionNanoseconds: clock.resolutionNanoseconds ?? 1)
    history.app = app(log.directory.entries[index])
    history.plan(facts, of: log)
    linesOfOtherApps.merge(history.linesOfOtherApps) { $0 + $1 }
    events = history.releaseEvents()
    nextEvent = 0
    guard let first = events.first else { return nil }
    // The window of the capture begins with its first time, in the middle of the app's life.
    var start = PlannedEvent(.traceStart, Fact(kind: .processState), .attach)
    start.timeNanoseconds = min(0, first.timeNanoseconds)
    start.line = summary.firstLine
    events.insert(start, at: 0)
    assembler = BatchAssembler()
    return header(log.directory.entries[index], history)
  }

  /// The app of a process: its bundle, or the name of the process.
  private func app(_ entry: ProcessDirectory.Entry) -> String? {
    entry.bundle ?? entry.name.flatMap { $0.isEmpty ? nil : $0 }
      ?? log.mapped.patterns.fallbackApp
  }

  /// What the capture tells of a process. It has no trace id: name and process id are the same in
  /// every capture of a running app, and captures of one id are taken for copies of each other.
  private func header(_ entry: ProcessDirectory.Entry, _ history: HistoryPlan) -> TraceHeader {
    var header = TraceHeader()
    let name = entry.name.flatMap { $0.isEmpty ? nil : $0 }
    if let bundle = entry.bundle ?? name { header[.appBundleID] = .string(bundle) }
    var coverage: [String] = []
    if history.hasTasks { coverage.append("bgtask") }
    if history.hasSuspensions { coverage.append("proc") }
    if history.hasRefusals { coverage.append("metal") }
    let patterns = log.mapped.patterns
    for namespace in history.mappedNamespaces.sorted()
    where !coverage.contains(namespace)
      && patterns.reasonNotCovering(namespace, app: history.app) == nil
    {
      coverage.append(namespace)
    }
    header[.coverage] = .strings(coverage)
    if entry.isDebugged { header[.debuggerAttached] = .boolean(true) }
    if entry.isSimulated || isOfSimulator { header[.simulator] = .boolean(true) }
    if let resolution = clock.resolutionNanoseconds {
      header[.timestampResolutionNanoseconds] = .integer(resolution)
    }
    header[.logLevels] = .strings(logLevels)
    return header
  }

  /// The levels that the capture holds. Rules read "info" as "UIKit's own lines about background
  /// tasks are here": where tasks are concerned, only lines of both kinds prove that.
  private var logLevels: [String] {
    var names = levelNames.isEmpty ? ["default"] : levelNames
    guard log.hasTaskFacts else { return names }
    let isWhole = log.hasTaskBegins && log.hasTaskEnds
    if !isWhole { names.removeAll { $0 == "info" } }
    if isWhole, !names.contains("info") { names.append("info") }
    return names
  }

  private mutating func fill(_ batch: inout EventBatch) {
    while nextEvent < events.count, !assembler.isFull {
      events[nextEvent].append(to: &assembler, log: log)
      nextEvent += 1
    }
    assembler.take(into: &batch)
  }

  private mutating func noteProblems() {
    if let line = summary.firstTooLongLine {
      problems.append(
        InputProblem(
          .skipped, at: .line(Int(line), column: ImportLimits.lineBytesMax + 1),
          "a line is longer than \(ImportLimits.lineBytesMax) bytes; "
            + "the rest of such lines is skipped"
        ))
    }
    if log.directory.isFull {
      problems.append(
        InputProblem(
          .skipped, at: .input,
          "more than \(ImportLimits.processesMax) processes have life-cycle lines; "
            + "those of further processes are skipped",
          advice: "export the lines of the app and of runningboardd and SpringBoard only"))
    }
    if log.isFull {
      problems.append(
        InputProblem(
          .truncated, at: .input,
          "the capture holds more than \(ImportLimits.factsMax) life-cycle lines; "
            + "the rest is not read",
          advice: "cut the capture into parts"))
    }
  }

  private mutating func noteRemarks() {
    if traceCount == 0, log.warnings.isEmpty {
      var source = ""
      if !summary.processName.isEmpty {
        source = " of \(summary.processName)" + (summary.hasSeveralProcesses ? " and others" : "")
      }
      remarks.append(
        CaptureRemark(
          id: "capture", message: "no life-cycle lines among \(summary.lineCount) lines\(source)"))
    }
    for warning in log.warnings { remarks.append(CaptureRemark(id: "capture", message: warning)) }
  }
}
