// `convert`: any capture to one of our own formats.

import ArgumentParser
import TraceExport
import TraceIO
import TraceImport
import TraceModel
import TracePipeline

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a capture to .lctrace, .ndjson or .timeline.",
    discussion: """
      Examples:
        tracecheck convert device.log -o notes.lctrace
        tracecheck convert - -o - --to timeline < notes.lctrace
        tracecheck convert device.log --dry-run
        tracecheck convert --together device.log report.ips -o run.lctrace
      """)

  @Argument(
    help: ArgumentHelp(
      "The capture, or - for standard input; several with --together.", valueName: "in"))
  var paths: [String]

  @Option(name: .shortAndLong, help: .outputFile)
  var output: String?

  @Option(help: .traceFormat)
  var to: String?

  @Flag(help: "Write nothing, and print what each line of the capture would become.")
  var dryRun = false

  @Flag(help: ArgumentHelp(TogetherOption.help))
  var together = false

  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Input options") var configuration: ConfigurationOptions

  func run() throws {
    let lines = LineOptions(patterns: try configuration.capturePatterns())
    if together { return try runTogether(lines) }
    guard paths.count == 1, let path = paths.first else {
      throw UsageError(
        "one capture is converted at a time, and \(paths.count) are named; --together makes one"
          + " of the captures of a run")
    }
    if dryRun { return try printAccount(path, lines.patterns) }
    let (output, format) = try target()
    var places = OutputPlaces(inputs: [path])
    if output != "-" { try places.add(output) }
    let writer = try TraceWriter(path: output, format: format)
    Interrupt.catchNext()
    let (_, capture) = try input.read(
      path, lines: lines, into: ConvertVisitor(writer: writer))
    try writer.finish()
    try input.end(capture)
  }

  /// Prints what became of the lines, also of a capture that nothing was made of.
  private func printAccount(_ path: String, _ patterns: CapturePatterns) throws {
    let (visitor, capture, failure) = try input.readKeeping(
      path, lines: LineOptions(patterns: patterns, keepsLedger: true), into: DryRunVisitor())
    if !capture.format.isEmpty {
      let text = DryRunText(visitor, capture: capture, patterns: patterns).text
      try printOutput(Array(text.utf8))
    }
    if let failure {
      if !input.allowDamaged { throw failure }
      printProblems(failure.line)
      throw CommandExit(code: .done)
    }
    try input.end(capture)
  }

  /// Writes each run as one trace, and what is of none behind its own header.
  private func runTogether(_ lines: LineOptions) throws {
    if dryRun {
      throw UsageError(
        "--dry-run tells of the lines of one capture, and --together joins several; give one of"
          + " them")
    }
    let (output, format) = try target()
    let inputs = CaptureInputs(paths: paths)
    try TogetherOption.check(inputs)
    var places = OutputPlaces(inputs: inputs.pathsNotToOverwrite)
    if output != "-" { try places.add(output) }
    let writer = try TraceWriter(path: output, format: format)
    Interrupt.catchNext()
    var readCount = 0
    let isDamaged = try input.readTogether(inputs, lines: lines) { _ in
      ConvertVisitor(writer: writer)
    } told: { _ in
      readCount += 1
    }
    if readCount > 0 { try writer.finish() }
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }

  private func target() throws(UsageError) -> (output: String, format: CaptureFormat) {
    guard let output else {
      throw UsageError("convert needs a file to write: name it with -o, or use --dry-run")
    }
    return (output, try TraceTarget.format(to, output: output, usual: nil))
  }
}

/// Writes down what a capture says.
struct ConvertVisitor: CaptureVisitor {
  let writer: TraceWriter
  private var losses: LossKeeper

  init(writer: TraceWriter) {
    self.writer = writer
    losses = LossKeeper(keepsNumbers: writer.keepsNumbers)
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    losses.begin()
    try writer.begin(header)
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    for part in losses.parts(of: batch) { try writer.consume(part) }
  }

  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
  var isSatisfied: Bool { writer.isClosed }
}
