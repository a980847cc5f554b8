// One check from inputs to reports, as commands share it.

import TraceConfiguration
import TraceExport
import TraceIO
import TraceImport
import TracePipeline
import TraceRules

/// Judges the inputs of a call and reports them.
struct CheckSession {
  var list: InputListOptions
  var input: InputOptions
  var rules: RuleOptions
  var reports: ReportOptions
  var failOn: FailureLevel?
  /// Where the events of standard input are kept; nil to keep none.
  var record: String?

  /// What a check brought to light.
  struct Outcome {
    var summary = ReportSummary()
    var failOn: FailureLevel
    var allowsDamaged: Bool

    var status: CommandStatus {
      .ofCheck(summary, failOn: failOn, allowsDamaged: allowsDamaged)
    }
  }

  func run() throws -> Outcome {
    let start = ProcessEnvironment.monotonicNanoseconds()
    let inputs = try list.inputs()
    if record != nil, !inputs.hasStandardInput {
      throw UsageError(
        "--record keeps what standard input brings, and - is not among the inputs; to convert a"
          + " file use 'tracecheck convert'")
    }
    let (configuration, files) = try rules.effectiveConfiguration(failOn: failOn)
    var outcome = Outcome(
      failOn: FailureLevel(configuration.failOn.value), allowsDamaged: input.allowDamaged)
    var places = OutputPlaces(inputs: inputs.pathsNotToOverwrite + list.filesFrom + files)
    if let record { try places.add(record) }
    var run = configuration.run()
    run.format = try input.format()
    run.overrides = try input.overrides()
    if let record {
      run.recorder = try TraceWriter(path: record, format: .lctrace, isPrivate: true)
    }
    let context = try reports.context(configuration.rules, failOn: outcome.failOn)
    let outputs = try ReportOutputs(
      reports.reports, context: context, color: reports.color, places: &places)
    configuration.printExpiryWarnings()
    for logs in inputs.binaryLogs { printProblems(ProblemText.lines(of: logs)) }
    Interrupt.catchNext()
    let progress = Progress(startNanoseconds: start)
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
      outcome.summary.add(capture)
      printProblems(ProblemText.lines(of: capture))
      try outputs.capture(capture)
    }
    progress.clear()
    try outputs.end(elapsedNanoseconds: ProcessEnvironment.monotonicNanoseconds() - start)
    if let recordFailure { throw recordFailure }
    return outcome
  }
}

/// A failure of an input that ends the command.
struct CaptureFailureAt: Error {
  var path: String
  var failure: CaptureFailure

  /// The line for standard error.
  var line: [UInt8] { ProblemText.lines(of: JudgedCapture(path: path, failure: failure)) }
}
