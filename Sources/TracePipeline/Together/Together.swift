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
    /// The traces of a source but for those that are of runs, or of other files; with a remark on
    /// each, and the files of which problems are told.
    case rest(source: Int, without: Set<Int>, remarks: [Int: CaptureRemark], files: [String])
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
  /// The names of the formats of all files.
  private var formats: [String: String] = [:]
  /// By source, the lines of all files before it; 0 where lines are numbered on already.
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
    var notes: [[LogGroup.Note]] = []
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
      formats[survey.paths[capture.input]] = capture.format.name
      linesBefore.append(survey.linesBefore[capture.input])
      windows.append([])
      notes.append([])
    }
    for group in groups {
      let open = try OpenLogs(group, lines: options)
      var visitor = SurveyVisitor(
        source: sources.count, isRecorded: false, logs: group.logs.count > 1 ? open : nil)
      try Self.read(
        open, into: &visitor, overrides: HeaderOverrides(), without: [], remarks: [:],
        files: group.logs.map(\.path))
      if visitor.traces.isEmpty {
        for log in group.logs where !survey.isFromDirectory[log.input] {
          failures.append(JudgedCapture(path: log.path, failure: .noLifecycleLines(log.format)))
        }
        continue
      }
      for (line, others) in open.otherLines { map.add(others, to: line) }
      for var trace in visitor.traces {
        // Who else tells of an end is known only now.
        if group.logs.count > 1 {
          trace.add(logs: open.places(tellingOf: trace.ends.map(\.line)))
        }
        surveys.append(trace)
      }
      problems[sources.count] = visitor.problems
      sources.append(.logs(group))
      for log in group.logs { formats[log.path] = log.format.name }
      names.append(group.logs.map(\.path).joined(separator: " + "))
      linesBefore.append(0)
      windows.append(group.windows)
      notes.append(group.notes(refusals))
    }
    for index in surveys.indices { surveys[index].files = files(of: surveys[index]) }
    arrange(surveys, windows, notes)
  }

  private mutating func arrange(
    _ surveys: [TraceSurvey], _ windows: [[ClosedRange<Int64>]], _ notes: [[LogGroup.Note]]
  ) {
    let (runs, reasons) = RunGrouping.runs(of: surveys, names: names)
    var inRuns: [Int: Set<Int>] = [:]
    var alone: [Int: [Int: CaptureRemark]] = [:]
    for (run, reason) in zip(runs, reasons) {
      let first = run.members[0].survey
      if run.members.count == 1, windows[first.source].count <= 1 {
        var texts = RunStory.texts(of: notes[first.source], on: first.files)
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
      captures.append(capture(of: run, reason, windows, notes))
    }
    let bySource = Dictionary(grouping: surveys, by: \.source)
    for source in sources.indices {
      addRest(of: source, bySource[source] ?? [], inRuns[source] ?? [], alone[source] ?? [:])
    }
    captures.sort { ($0.path, $0.order) < ($1.path, $1.order) }
  }

  /// Adds what of a source is of no run: the traces of the same files as one capture.
  private mutating func addRest(
    of source: Int, _ surveys: [TraceSurvey], _ taken: Set<Int>, _ remarks: [Int: CaptureRemark]
  ) {
    var byFiles: [[String]: Set<Int>] = [:]
    if surveys.isEmpty { byFiles[files(ofSource: source)] = [] }
    for survey in surveys where !taken.contains(survey.index) {
      byFiles[survey.files, default: []].insert(survey.index)
    }
    let all = Set(surveys.map(\.index))
    // Of files without a trace the first tells what is wrong with them, or a run.
    let told = Set(byFiles.keys.flatMap { $0 })
    var untold = taken.isEmpty ? files(ofSource: source).filter { !told.contains($0) } : []
    for (files, indices) in byFiles.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      captures.append(
        capture(
          of: files,
          .rest(
            source: source, without: all.subtracting(indices), remarks: remarks,
            files: files + untold)))
      untold.removeAll()
    }
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

  private func files(ofSource source: Int) -> [String] {
    switch sources[source] {
    case .capture(let path, _, _): [path]
    case .logs(let group): group.logs.map(\.path)
    }
  }

  /// The files that tell of a trace's events; all of its source if no event says where it stands.
  private func files(of survey: TraceSurvey) -> [String] {
    let all = files(ofSource: survey.source)
    return survey.logs.isEmpty ? all : survey.logs.sorted().map { all[$0] }
  }

  private func capture(
    of run: Run, _ reason: String, _ windows: [[ClosedRange<Int64>]], _ notes: [[LogGroup.Note]]
  ) -> Capture {
    var files: [String] = []
    for member in run.members {
      for file in member.survey.files where !files.contains(file) { files.append(file) }
    }
    let memberNames = run.members.map(\.survey.name)
    let plan = RunPlan(run, linesBefore: linesBefore, windows: windows)
    let (header, remarks) = HeaderUnion.header(of: run, names: memberNames)
    var planned = PlannedRun(
      order: run.members[0].survey.index, plan: plan, header: header, remarks: remarks)
    let story = RunStory.message(of: run, reason, files: files, notes)
    if !story.isEmpty {
      planned.remarks.append(CaptureRemark(id: Self.remarkID, message: story))
    }
    for conflict in plan.conflicts {
      planned.remarks.append(CaptureRemark(id: Self.remarkID, message: conflict))
    }
    for remark in told(of: run, plan) where !planned.remarks.contains(remark) {
      planned.remarks.append(remark)
    }
    var capture = self.capture(of: files, .run(planned))
    for (line, others) in plan.otherLines { capture.sources.add(others, to: line) }
    return capture
  }

  /// What the captures of a run remark; of several sentences about one end the fullest.
  private func told(of run: Run, _ plan: RunPlan) -> [CaptureRemark] {
    let all = run.members.flatMap(\.survey.remarks)
    guard plan.endCount == 1, plan.conflicts.isEmpty,
      let fullest = all.filter({ $0.end != nil }).max(by: {
        $0.message.utf8.count < $1.message.utf8.count
      })
    else { return all }
    return all.filter { $0.end == nil || $0 == fullest }
  }

  private func capture(of files: [String], _ content: Content) -> Capture {
    let paths = files.sorted()
    let names = Set(paths.compactMap { formats[$0] }).sorted()
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
    case .rest(let source, let without, let remarks, let files):
      switch sources[source] {
      case .capture(let path, let format, _) where without.isEmpty:
        var remarker = Remarker(
          base: visitor, remarks: remarks, linesBefore: linesBefore[source])
        defer { visitor = remarker.base }
        try CaptureReader.read(
          path: path, format: format, overrides: overrides, lines: lines, into: &remarker)
      default:
        try Self.read(
          open(source), into: &visitor, overrides: overrides, without: without, remarks: remarks,
          files: files, linesBefore: linesBefore[source])
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
        // Of several logs read as one it names its file already.
        if files(ofSource: member.source).count == 1 {
          problem.message = "\(names[member.source]): \(problem.message)"
        }
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
    without: Set<Int>, remarks: [Int: CaptureRemark], files: [String], linesBefore: UInt32 = 0
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
      case .problem(var problem, let path):
        if let path {
          guard files.contains(path) else { break }
          if files.count > 1 { problem.message = "\(path): \(problem.message)" }
        }
        visitor.problem(problem)
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
        batch.countLines(onFrom: linesBefore)
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
