// `check`: judges captures and reports what they violate.

import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceIO
import TraceImport
import TraceModel
import TracePipeline
import TraceRules

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks captures and prints what they violate.",
    discussion: """
      Inputs are files, directories (searched for captures) and - for standard input. Inputs \
      that hold the same trace are checked once.

      Examples:
        tracecheck check notes.lctrace
        tracecheck check captures/ --fail-on warning --report text --report json=report.json
        ssh build-host cat device.log | tracecheck check -
      """)

  @OptionGroup var capturePaths: CapturePaths

  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Report as text, json or jsonl, to a file if one is named. Repeatable; text on standard"
        + " output if not given.",
      valueName: "format[=file]"))
  var reports: [String] = []

  @Option(help: "The lowest severity that makes the exit status 1. (default: error)")
  var failOn: FailureLevel?

  @Option(
    help: ArgumentHelp(
      "Keep what standard input brought as a .lctrace file.", valueName: "file"))
  var record: String?

  @Option(help: ArgumentHelp("Check only every N-th part of the inputs.", valueName: "i/n"))
  var shard: String?

  @Option(help: "Use colours.")
  var color: ColorChoice = .auto

  @Flag(help: "List the rules that couldn't be decided or were not checked, and how often.")
  var undecided = false

  @Flag(name: .shortAndLong, help: "Print findings only.")
  var quiet = false

  func run() throws {
    let start = ProcessEnvironment.monotonicNanoseconds()
    let inputs = try inputs()
    let (configuration, files) = try rules.effectiveConfiguration(failOn: failOn)
    var places = OutputPlaces(
      inputs: inputs.pathsNotToOverwrite + capturePaths.filesFrom + files)
    if let record { try places.add(record) }
    var run = CheckRun()
    run.terms = configuration.terms
    run.format = try input.format()
    run.overrides = try input.overrides()
    run.lines = LineOptions(patterns: configuration.configuration.patterns)
    if let record {
      run.recorder = try TraceWriter(path: record, format: .lctrace, isPrivate: true)
    }
    let outputs = try ReportOutputs(
      reports, context: reportContext(configuration.rules), color: color, places: &places)
    configuration.printExpiryWarnings()
    Interrupt.catchNext()
    let progress = Progress(startNanoseconds: start)
    var summary = ReportSummary()
    var recordFailure: CaptureFailure?
    try run.check(
      inputs,
      observer: CheckRun.Observer(
        liveFindings: { findings, path in
          progress.clear()
          outputs.live(findings, path: path)
        },
        progress: { progress.add(events: $0) },
        recordFailed: { recordFailure = $0 })
    ) { capture in
      progress.clear()
      progress.addCapture()
      summary.add(capture)
      printProblems(ProblemText.lines(of: capture))
      try outputs.capture(capture)
    }
    progress.clear()
    try outputs.end(elapsedNanoseconds: ProcessEnvironment.monotonicNanoseconds() - start)
    if let recordFailure { throw recordFailure }
    throw CommandExit(
      code: .ofCheck(
        summary, failOn: FailureLevel(configuration.failOn.value), allowsDamaged: input.allowDamaged
      ))
  }

  private func inputs() throws -> CaptureInputs {
    let names = try capturePaths.names()
    if record != nil, !names.contains(CaptureInputs.standardInput) {
      throw UsageError(
        "--record keeps what standard input brings, and - is not among the inputs; to convert a"
          + " file use 'tracecheck convert'")
    }
    var part: CaptureInputs.Shard?
    if let shard {
      part = CaptureInputs.Shard(shard)
      if part == nil {
        throw UsageError(
          "--shard takes I/N with I from 1 to N, for example 2/8, and not"
            + " '\(PrintableText.printable(shard, scalarsMax: 80))'")
      }
    }
    return CaptureInputs(paths: names, shard: part)
  }

  private func reportContext(_ rules: [Rule]) -> ReportContext {
    let texts = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
    return ReportContext(
      toolVersion: TraceCheck.version, isQuiet: quiet, listsUndecided: undecided
    ) { id in
      texts[id].map { RuleText(consequence: $0.consequence, advice: $0.advice) }
    }
  }
}

/// A failure of an input that ends the command.
struct CaptureFailureAt: Error {
  var path: String
  var failure: CaptureFailure

  /// The line for standard error.
  var line: [UInt8] { ProblemText.lines(of: JudgedCapture(path: path, failure: failure)) }
}
