// Treats all inputs of a call as captures of one run: surveys them, groups their traces, and gives
// each run out as one trace. This file must not know what is done with the traces.

public import TraceExport
import TraceIO
public import TraceImport
public import TraceModel

/// Captures that are read together.
public struct Together {
  /// A run, or what of a source belongs to none.
  public struct Capture: Sendable {
    /// The names of the files, joined.
    public var path: String
    /// The names of their formats, joined.
    public var format: String
    /// Where the lines of events stand.
    public var sources: SourceMap
    fileprivate var content: Content
  }

  fileprivate enum Content: Sendable {
    case run(PlannedRun)
    /// The traces of a source but for those that are of runs; with a remark on each.
    case rest(source: Int, without: Set<Int>, remarks: [Int: CaptureRemark])
  }

  /// How the traces of a run become one.
  fileprivate struct PlannedRun: Sendable {
    /// The run's place among those of the same files.
    var order: Int
    var plan: RunPlan
    var header: TraceHeader
    var remarks: [CaptureRemark]
  }

  /// What is read as one: a capture, or logs.
  private enum Source: Sendable {
    case capture(path: String, format: CaptureFormat, input: Int)
    case logs(LogGroup)
  }

  /// Captures that can be read, each once.
  public private(set) var captures: [Capture] = []
  /// Inputs that can't be read, and inputs given twice.
  public private(set) var failures: [JudgedCapture]

  private let overrides: HeaderOverrides
  private let lines: LineOptions
  private var sources: [Source] = []
  private var names: [String] = []
  private var linesBefore: [UInt32] = []
  private var map = SourceMap()
  private var problems: [Int: JudgedCapture] = [:]

  /// Reads all inputs once, and finds out what belongs together. The order in which they were
  /// given doesn't matter.
  ///
  /// - Parameters:
  ///   - format: The format that all inputs have; nil to recognise each.
  ///   - overrides: Header fields that captures lack.
  ///   - lines: How log lines are read; no account of them is kept.
  /// - Throws: ``CaptureFailure`` if the user ends it, or if an input can be read only once.
  public init(
    _ inputs: CaptureInputs, format: CaptureFormat? = nil,
    overrides: HeaderOverrides = HeaderOverrides(), lines: LineOptions = LineOptions()
  ) throws(CaptureFailure) {
    self.overrides = overrides
    var options = LineOptions(patterns: lines.patterns)
    options.patterns.fallbackApp = overrides.appBundleID
    self.lines = options
    failures = inputs.failures
    var survey = InputSurvey(inputs, format: format, lines: options)
    try survey.read()
    failures += survey.failures
    let (groups, refusals) = LogGroup.groups(of: survey.logs, linesBefore: survey.linesBefore)
    for (input, path) in survey.paths.enumerated() {
      map.add(path: path, linesBefore: survey.linesBefore[input])
    }
    var surveys: [TraceSurvey] = []
    var windows: [[ClosedRange<Int64>]] = []
    var notes: [[String]] = []
    for capture in survey.captures {
      for var trace in capture.traces {
        trace.source = sources.count
        surveys.append(trace)
      }
      problems[sources.count] = capture.problems
      sources.append(
        .capture(
          path: survey.paths[capture.input], format: capture.format, input: capture.input))
      names.append(survey.paths[capture.input])
      linesBefore.append(survey.linesBefore[capture.input])
      windows.append([])
      notes.append([])
    }
    for group in groups {
      var visitor = SurveyVisitor(source: sources.count, isRecorded: false)
      let open = try OpenLogs(group, lines: options)
      try Self.read(open, into: &visitor, overrides: HeaderOverrides(), without: [], remarks: [:])
      if visitor.traces.isEmpty {
        for log in group.logs where !survey.isFromDirectory[log.input] {
          failures.append(JudgedCapture(path: log.path, failure: .noLifecycleLines(log.format)))
        }
        continue
      }
      for (line, others) in open.otherLines { map.add(others, to: line) }
      surveys += visitor.traces
      problems[sources.count] = visitor.problems
      sources.append(.logs(group))
      names.append(group.logs.map(\.path).joined(separator: " + "))
      linesBefore.append(0)
      windows.append(group.windows)
      notes.append(group.notes(refusals))
    }
    arrange(surveys, windows, notes)
  }

  private mutating func arrange(
    _ surveys: [TraceSurvey], _ windows: [[ClosedRange<Int64>]], _ notes: [[String]]
  ) {
    let (runs, reasons) = RunGrouping.runs(of: surveys, names: names)
    var inRuns: [Int: Set<Int>] = [:]
    var alone: [Int: [Int: CaptureRemark]] = [:]
    for (run, reason) in zip(runs, reasons) {
      let first = run.members[0].survey
      if run.members.count == 1, windows[first.source].count <= 1 {
        var texts = notes[first.source]
        if !reason.isEmpty { texts.append("judged alone: \(reason)") }
        if !texts.isEmpty {
          alone[first.source, default: [:]][first.index] = CaptureRemark(
            id: Self.remarkID, message: texts.joined(separator: "; "))
        }
        continue
      }
      for member in run.members {
        inRuns[member.survey.source, default: []].insert(member.survey.index)
      }
      captures.append(capture(of: run, windows, notes))
    }
    for source in sources.indices {
      let count = surveys.count { $0.source == source }
      let taken = inRuns[source] ?? []
      if count == 0 || taken.count < count {
        captures.append(
          capture(
            of: [source],
            .rest(source: source, without: taken, remarks: alone[source] ?? [:])))
      }
    }
    captures.sort { ($0.path, $0.order) < ($1.path, $1.order) }
  }

  /// The id of remarks on how captures were brought together.
  public static let remarkID = "together"
}

extension Together.Capture {
  /// Runs of the same files follow each other in the order of their processes.
  fileprivate var order: Int {
    switch content {
    case .run(let run): run.order
    case .rest: .max
    }
  }
}

extension Together {
  // MARK: What captures are called

  private func capture(
    of run: Run, _ windows: [[ClosedRange<Int64>]], _ notes: [[String]]
  ) -> Capture {
    var ordered: [Int] = []
    for member in run.members where !ordered.contains(member.survey.source) {
      ordered.append(member.survey.source)
    }
    let plan = RunPlan(run, linesBefore: linesBefore, windows: windows)
    let (header, remarks) = HeaderUnion.header(of: run, names: memberNames(run))
    var planned = PlannedRun(
      order: run.members[0].survey.index, plan: plan, header: header, remarks: remarks)
    planned.remarks.append(
      CaptureRemark(
        id: Self.remarkID, message: Self.story(run, memberNames(run), notes)))
    for conflict in plan.conflicts {
      planned.remarks.append(CaptureRemark(id: Self.remarkID, message: conflict))
    }
    for member in run.members { planned.remarks += member.survey.remarks }
    var capture = self.capture(of: ordered.sorted { names[$0] < names[$1] }, .run(planned))
    for (line, others) in plan.otherLines { capture.sources.add(others, to: line) }
    return capture
  }

  private func memberNames(_ run: Run) -> [String] { run.members.map { names[$0.survey.source] } }

  private static func story(_ run: Run, _ names: [String], _ notes: [[String]]) -> String {
    var parts: [String] = []
    for (index, member) in run.members.enumerated() {
      var texts = notes[member.survey.source]
      if let note = member.offset?.note, !note.isEmpty { texts.append(note) }
      if member.offset == nil { texts.append("it names no time, only the process") }
      if member.survey.hasClockStep { texts.append("its wall clock was set while it was recorded") }
      parts.append(names[index] + (texts.isEmpty ? "" : " (\(texts.joined(separator: "; ")))"))
    }
    return "merged from \(parts.joined(separator: ", "))"
  }

  private func capture(of chosen: [Int], _ content: Content) -> Capture {
    var paths: [String] = []
    var formats: [String] = []
    for source in chosen {
      switch sources[source] {
      case .capture(let path, let format, _):
        paths.append(path)
        formats.append(format.name)
      case .logs(let group):
        paths += group.logs.map(\.path)
        formats += group.logs.map(\.format.name)
      }
    }
    paths.sort()
    var names: [String] = []
    for name in formats.sorted() where !names.contains(name) { names.append(name) }
    var map = map
    map.choose(paths)
    return Capture(
      path: paths.joined(separator: " + "), format: names.joined(separator: "+"), sources: map,
      content: content)
  }

  // MARK: Reading

  /// Reads the traces of a capture.
  ///
  /// - Throws: ``CaptureFailure`` if an input has changed since it was surveyed, or the visitor
  ///   gives up.
  public func read<Visitor: CaptureVisitor>(
    _ capture: Capture, into visitor: inout Visitor
  ) throws(CaptureFailure) {
    switch capture.content {
    case .rest(let source, let without, let remarks):
      switch sources[source] {
      case .capture(let path, let format, _) where without.isEmpty:
        var remarker = Remarker(base: visitor, remarks: remarks)
        defer { visitor = remarker.base }
        try CaptureReader.read(
          path: path, format: format, overrides: overrides, lines: lines, into: &remarker)
      default:
        try Self.read(
          open(source), into: &visitor, overrides: overrides, without: without, remarks: remarks)
      }
    case .run(let run): try read(run, into: &visitor)
    }
  }

  private func read<Visitor: CaptureVisitor>(
    _ run: PlannedRun, into visitor: inout Visitor
  ) throws(CaptureFailure) {
    let plan = run.plan
    var streams: [RunStream] = []
    for member in plan.members { streams.append(try RunStream(member, open(member.source))) }
    var header = run.header
    let remarks = overrides.apply(to: &header)
    try visitor.begin(header)
    for remark in remarks + run.remarks { visitor.remark(remark) }
    var told: Set<Int> = []
    for member in plan.members where told.insert(member.source).inserted {
      for var problem in problems[member.source]?.problems ?? [] {
        problem.message = "\(names[member.source]): \(problem.message)"
        visitor.problem(problem)
      }
    }
    var reader = RunReader(streams, added: plan.added)
    try reader.read(into: &visitor)
    try visitor.endTrace()
  }

  private func open(_ source: Int) throws(CaptureFailure) -> any OpenSource {
    switch sources[source] {
    case .capture(let path, let format, _): try OpenCapture(path: path, format: format)
    case .logs(let group): try OpenLogs(group, lines: lines)
    }
  }

  /// Reads the traces of a source but for some. Those that are told at once are told one after the
  /// other to a visitor that can't take them so.
  private static func read<Visitor: CaptureVisitor>(
    _ source: any OpenSource, into visitor: inout Visitor, overrides: HeaderOverrides,
    without: Set<Int>, remarks: [Int: CaptureRemark]
  ) throws(CaptureFailure) {
    var batch = EventBatch()
    var index = -1
    var isStreamed = false
    var isOpen = false
    var spool: TraceSpool?
    reading: while !visitor.isSatisfied {
      let step = try source.next(into: &batch)
      if case .header = step, !isStreamed {
        index += 1
        if isOpen { try visitor.endTrace() }
        isOpen = false
      }
      if case .stream(.trace(let number)) = step {
        index = number
        if !isStreamed, !Visitor.takesTracesAtOnce { spool = TraceSpool() }
        isStreamed = true
      }
      let isTaken = !without.contains(index)
      switch step {
      case .problem(let problem): visitor.problem(problem)
      case .end: break reading
      case _ where !isTaken: break
      case .header(var header):
        var notes = overrides.apply(to: &header)
        if let remark = remarks[index] { notes.append(remark) }
        if let spool {
          spool.begin(header)
          for note in notes { spool.add(note) }
        } else {
          try visitor.begin(header)
          for note in notes { visitor.remark(note) }
          isOpen = true
        }
      case .batch:
        if let spool { try spool.consume(batch) } else { try visitor.consume(batch) }
      case .remark(let remark):
        if let spool, spool.hasTraces { spool.add(remark) } else { visitor.remark(remark) }
      case .stream(var step):
        if case .amended(var header) = step {
          _ = overrides.apply(to: &header)
          step = .amended(header)
        }
        if let spool { spool.take(step) } else { try visitor.stream(step) }
      }
    }
    try spool?.replay(into: &visitor)
    if isOpen { try visitor.endTrace() }
  }
}

/// Adds a remark to each trace of a capture.
private struct Remarker<Base: CaptureVisitor>: CaptureVisitor {
  var base: Base
  let remarks: [Int: CaptureRemark]
  private var index = -1

  init(base: Base, remarks: [Int: CaptureRemark]) {
    self.base = base
    self.remarks = remarks
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    index += 1
    try base.begin(header)
    if let remark = remarks[index] { base.remark(remark) }
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) { try base.consume(batch) }
  mutating func endTrace() throws(CaptureFailure) { try base.endTrace() }
  static var takesTracesAtOnce: Bool { Base.takesTracesAtOnce }
  mutating func stream(_ step: StreamStep) throws(CaptureFailure) { try base.stream(step) }
  mutating func problem(_ problem: InputProblem) { base.problem(problem) }
  mutating func remark(_ remark: CaptureRemark) { base.remark(remark) }
  var isSatisfied: Bool { base.isSatisfied }
}
