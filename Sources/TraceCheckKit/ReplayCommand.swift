// `replay`: a recorded life happens again, at its own pace or faster, for those who watch.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TraceNotation
import TracePipeline

struct ReplayCommand: ParsableCommand {
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
        tracecheck replay notes.lctrace --what-if --profile ios13 --threshold LC105=30s
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
      "The capture, or - for standard input; several with --into.", valueName: "file"))
  var paths: [String]

  @Option(help: "How fast time passes.")
  var speed: Speed = .real

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
    if whatIf { return try printWhatIf() }
    if rules.isAnythingSaid {
      throw UsageError("events are written whatever the rules are; rule options need --what-if")
    }
    guard let into else {
      guard paths.count == 1, let path = paths.first else {
        throw UsageError(
          "\(paths.count) captures are named, and standard output takes one; --into names a"
            + " directory for several")
      }
      let capture = try replay(path, to: "-")
      try input.end(capture)
    }
    guard DirectoryListing.kind(of: into) == .directory else {
      throw UsageError(
        "'\(PrintableText.printable(into, scalarsMax: 200))' is no directory; --into names one that"
          + " exists")
    }
    var places = OutputPlaces(inputs: paths)
    let folder = into.hasSuffix("/") ? into : into + "/"
    let outputs = paths.map { folder + Self.name($0) }
    for output in outputs { try places.add(output) }
    var isDamaged = false
    for (path, output) in zip(paths, outputs) {
      let capture = try replay(path, to: output)
      printProblems(ProblemText.lines(of: capture))
      isDamaged = isDamaged || capture.isDamaged
    }
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }

  private func printWhatIf() throws {
    guard paths.count == 1, let path = paths.first, into == nil else {
      throw UsageError("--what-if judges one capture and writes none; leave --into out")
    }
    guard rules.isAnythingSaid else {
      throw UsageError(
        "--what-if needs something that differs, for example --profile ios13 or --threshold"
          + " LC105=30s")
    }
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
    let known = [".lctrace", ".timeline", ".ndjson", ".log", ".ips", ".txt", ".gz", ".zst"]
    var base = file[...]
    while let suffix = known.first(where: { base.hasSuffix($0) }), base.count > suffix.count {
      base = base.dropLast(suffix.count)
    }
    return base + ".ndjson"
  }

  private func replay(_ path: String, to output: String) throws -> JudgedCapture {
    let writer = try TraceWriter(path: output, format: .ndjson)
    let (visitor, capture) = try input.read(
      path, into: ReplayVisitor(writer: writer, factor: speed.factor))
    try visitor.writer.finish()
    return capture
  }
}

/// Writes events when their time has come.
private struct ReplayVisitor: CaptureVisitor {
  let writer: TraceWriter
  let factor: Int64?
  private let startNanoseconds = ProcessClocks.continuousNanoseconds()
  private var firstNanoseconds: Int64?

  init(writer: TraceWriter, factor: Int64?) {
    self.writer = writer
    self.factor = factor
  }

  /// Events so near to each other are written together: nobody sees the difference.
  private static let togetherNanoseconds: Int64 = 20_000_000
  /// A sleep is cut into such pieces, so that an interrupt is heard soon.
  private static let sleepMillisecondsMax: Int64 = 200

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try writer.begin(header) }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    guard let factor else { return try writer.consume(batch) }
    var assembler = BatchAssembler()
    var part = EventBatch()
    for index in 0..<batch.count {
      let due = dueNanoseconds(batch.timesNanoseconds[index], factor)
      if due > ProcessClocks.continuousNanoseconds() + Self.togetherNanoseconds {
        assembler.take(into: &part)
        if part.count > 0 { try writer.consume(part) }
        try sleep(until: due)
      }
      assembler.copy(index, of: batch)
    }
    assembler.take(into: &part)
    if part.count > 0 { try writer.consume(part) }
  }

  /// When an event happens again. The first one of the trace does at once.
  private mutating func dueNanoseconds(_ time: Int64, _ factor: Int64) -> Int64 {
    let first = firstNanoseconds ?? time
    firstNanoseconds = first
    let (passed, isOver) = time.subtractingReportingOverflow(first)
    let (due, isFar) = startNanoseconds.addingReportingOverflow((isOver ? .max : passed) / factor)
    return isFar ? .max : due
  }

  private func sleep(until due: Int64) throws(CaptureFailure) {
    while true {
      let rest = due.subtractingReportingOverflow(ProcessClocks.continuousNanoseconds())
      if rest.partialValue <= 0 && !rest.overflow { return }
      if Interrupt.isRaised { throw .interrupted }
      let milliseconds = rest.overflow ? Self.sleepMillisecondsMax : rest.partialValue / 1_000_000
      ProcessClocks.sleep(
        milliseconds: Int32(min(Self.sleepMillisecondsMax, max(1, milliseconds))))
    }
  }

  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
  var isSatisfied: Bool { writer.isClosed }
}
