// `replay`: a recorded life happens again, at its own pace or faster, for those who watch.

import ArgumentParser
import TraceCatalogue
import TraceExport
import TraceIO
import TraceModel
import TraceNotation
import TracePipeline

struct ReplayCommand: ParsableCommand {
  private static let limit = CatalogueSamples.taskThreshold

  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Re-delivers a recorded trace in time, to standard output or to a watching server.",
    discussion: """
      The events are written as NDJSON when their time has come. With --into the trace becomes a \
      capture in a directory: written under a temporary name, it appears when it is complete, so \
      that `serve` on this directory finds it. With --what-if nothing is written: the same life is \
      judged as it was and on another system or with other limits, and what differs is printed.

      Examples:
        tracecheck replay notes.lctrace --speed 10x | tracecheck check -
        tracecheck replay monday/*.lctrace --speed max --into captures/
        tracecheck replay notes.lctrace --what-if --profile ios13 --threshold \(limit)
      """)

  enum Speed: String, ExpressibleByArgument, CaseIterable {
    case real = "1x"
    case tenfold = "10x"
    case max

    /// How many nanoseconds of the recording pass in one; nil for as fast as can be.
    var factor: Int64? {
      switch self {
      case .real: 1
      case .tenfold: 10
      case .max: nil
      }
    }
  }

  @Argument(
    help: ArgumentHelp(
      "The capture, or - for standard input; several, and directories, with --into.",
      valueName: "file"))
  var paths: [String]

  @Option(help: "How fast time passes; 1x if not given.")
  var speed: Speed?

  @Option(
    help: ArgumentHelp(
      "Write each trace into this directory, under the name of its file, as NDJSON.",
      valueName: "dir"))
  var into: String?

  @Flag(help: "Print which verdicts the rule options change, and write no events.")
  var whatIf = false

  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions

  func run() throws {
    Interrupt.catchNext()
    if paths.contains("") { throw UsageError("the name of an input is empty; name captures") }
    if whatIf { return try printWhatIf() }
    if rules.isAnythingSaid {
      throw UsageError("events are written whatever the rules are; rule options need --what-if")
    }
    let inputs = CaptureInputs(paths: paths)
    guard let into else {
      let path = try onlyFile(of: inputs)
      let writer = try TraceWriter(path: "-", format: .ndjson)
      let (visitor, capture) = try input.read(path, into: paced(writer))
      try visitor.writer.finish()
      try input.end(capture)
    }
    guard DirectoryListing.kind(of: into) == .directory else {
      throw UsageError(
        "'\(PrintableText.printable(into, scalarsMax: 200))' is no directory; --into names one that"
          + " exists")
    }
    try replayAll(inputs, into: into.hasSuffix("/") ? into : into + "/")
  }

  /// The capture of a call that takes one.
  private func onlyFile(of inputs: CaptureInputs) throws -> String {
    if let failure = inputs.failures.first { printProblems(ProblemText.lines(of: failure)) }
    if inputs.files.count == 1, let file = inputs.files.first { return file.path }
    if inputs.files.isEmpty {
      throw CaptureFailureAt(path: paths[0], failure: inputs.failure(ofEmpty: paths[0]))
    }
    let advice =
      whatIf
      ? "--what-if judges one; name that one"
      : "standard output takes one; --into names a directory for several"
    throw UsageError("\(inputs.files.count) captures are named or lie there, and \(advice)")
  }

  /// Replays captures into a folder. What lies in a directory and is no capture is passed over.
  private func replayAll(_ inputs: CaptureInputs, into folder: String) throws {
    var places = OutputPlaces(inputs: inputs.pathsNotToOverwrite)
    let outputs = inputs.files.map { folder + Self.name($0.path) }
    for output in outputs { try places.add(output) }
    var isDamaged = !inputs.failures.isEmpty
    for logs in inputs.binaryLogs { printProblems(ProblemText.lines(of: logs)) }
    for failure in inputs.failures { printProblems(ProblemText.lines(of: failure)) }
    var readCount = 0
    for (file, output) in zip(inputs.files, outputs) {
      do {
        let writer = try TraceWriter(path: output, format: .ndjson)
        let (visitor, capture) = try input.readOne(file.path, into: paced(writer))
        try visitor.writer.finish()
        readCount += 1
        printProblems(ProblemText.lines(of: capture))
        isDamaged = isDamaged || capture.isDamaged
      } catch let error as CaptureFailureAt {
        let capture = JudgedCapture(path: error.path, failure: error.failure)
        if capture.notice != nil { readCount += 1 }
        if file.isFromDirectory, capture.isPassedOver { continue }
        printProblems(error.line)
        isDamaged = isDamaged || capture.failure != nil
      }
    }
    if readCount == 0, !isDamaged {
      throw CaptureFailureAt(path: paths[0], failure: inputs.failure(ofEmpty: paths[0]))
    }
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }

  private func printWhatIf() throws {
    if into != nil {
      throw UsageError("--what-if judges a capture and writes none; leave --into out")
    }
    if speed != nil {
      throw UsageError(
        "--what-if judges the whole capture at once, and no time passes; leave --speed out")
    }
    guard rules.isAnythingSaid else {
      throw UsageError(
        "--what-if needs something that differs, for example --profile ios13 or --threshold"
          + " \(CatalogueSamples.taskThreshold)")
    }
    let path = try onlyFile(of: CaptureInputs(paths: paths))
    let (recorded, _) = try rules.withoutChanges.effectiveConfiguration(failOn: nil)
    let (changed, _) = try rules.effectiveConfiguration(failOn: nil)
    var (visitor, capture) = try input.read(
      path, lines: recorded.lines, into: WhatIfVisitor(recorded: recorded, changed: changed))
    visitor.endTrace()
    try printOutput(Array(visitor.text.utf8))
    try input.end(capture)
  }

  /// The name of a file without its folder, with the extension of the format.
  private static func name(_ path: String) -> String {
    let file = path == "-" ? "replay" : path.split(separator: "/").last.map(String.init) ?? "replay"
    let known = ["lctrace", "timeline", "ndjson", "log", "ips", "txt", "gz", "zst"]
    var base = file
    while FileExtension.of(base, isAmong: known), let dot = base.lastIndex(of: ".") {
      base = String(base[..<dot])
    }
    return base + ".ndjson"
  }

  /// What writes a capture, at the pace that begins now.
  private func paced(_ writer: TraceWriter) -> ReplayVisitor {
    let pace = ReplayPace(
      factor: (speed ?? .real).factor, startNanoseconds: ProcessClocks.continuousNanoseconds())
    return ReplayVisitor(writer: writer, pace: pace)
  }
}

/// Writes events when their time has come.
private struct ReplayVisitor: CaptureVisitor {
  let writer: TraceWriter
  private var pace: ReplayPace

  init(writer: TraceWriter, pace: ReplayPace) {
    self.writer = writer
    self.pace = pace
  }

  /// Events so near to each other are written together: nobody sees the difference.
  private static let togetherNanoseconds: Int64 = 20_000_000
  /// A sleep is cut into such pieces, so that an interrupt is heard soon.
  private static let sleepMillisecondsMax: Int64 = 200

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try writer.begin(header) }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    guard pace.waits else { return try writer.consume(batch) }
    var assembler = BatchAssembler()
    var part = EventBatch()
    var texts = CopiedTexts(of: batch)
    for index in 0..<batch.count {
      let due = try dueNanoseconds(of: batch.timesNanoseconds[index])
      if due > ProcessClocks.continuousNanoseconds().plus(Self.togetherNanoseconds) {
        assembler.take(into: &part)
        if part.count > 0 { try writer.consume(part) }
        try sleep(until: due)
      }
      assembler.copy(index, of: batch, texts: &texts)
    }
    assembler.take(into: &part)
    if part.count > 0 { try writer.consume(part) }
  }

  private mutating func dueNanoseconds(of time: Int64) throws(CaptureFailure) -> Int64 {
    guard let due = pace.dueNanoseconds(of: time) else {
      throw CaptureFailure(
        "an event comes more than \(ReplayPace.daysMax) days after the first one, as the replay"
          + " counts them",
        advice: "--speed max waits for nothing; filter cuts a part out of a capture")
    }
    return due
  }

  private func sleep(until due: Int64) throws(CaptureFailure) {
    while true {
      let rest = due.minus(ProcessClocks.continuousNanoseconds())
      if rest <= 0 { return }
      if Interrupt.isRaised { throw .interrupted }
      ProcessClocks.sleep(
        milliseconds: Int32(min(Self.sleepMillisecondsMax, max(1, rest / 1_000_000))))
    }
  }

  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
  var isSatisfied: Bool { writer.isClosed }
}
