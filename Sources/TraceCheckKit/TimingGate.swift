// Compares the durations of two sets of captures, for `gate`.

import TraceConfiguration
import TraceExport
import TraceGate
import TraceIO
import TraceImport
import TraceModel
import TracePipeline

/// A comparison of durations from inputs to reports. What the rules find doesn't matter here.
struct TimingGate {
  var timing: TimingOptions
  var input: InputOptions
  var rules: RuleOptions
  var reports: ReportOptions

  func run() throws -> CommandStatus {
    let start = ProcessEnvironment.monotonicNanoseconds()
    let budgets = try timing.limits()
    let (reference, candidate) = try timing.inputs()
    let (configuration, files) = try rules.effectiveConfiguration(failOn: nil)
    let inputs = (reference?.pathsNotToOverwrite ?? []) + candidate.pathsNotToOverwrite
    var places = OutputPlaces(inputs: inputs + files)
    let run = try checkRun(configuration)
    var context = try reports.context(configuration.rules, failOn: .error)
    context.isGate = true
    let outputs = try ReportOutputs(
      reports.reports, context: context, color: reports.color, places: &places, hasDefault: false)
    configuration.printExpiryWarnings()
    Interrupt.catchNext()
    let progress = Progress(startNanoseconds: start)
    var intake = TimingIntake()
    var isWhole = true
    if let reference {
      isWhole = try take(reference, .reference, run, progress, &intake)
    }
    isWhole = try take(candidate, .candidate, run, progress, &intake) && isWhole
    let report = TimingReport(intake.samples, comparesSides: reference != nil, budgets: budgets)
    if intake.isIncomplete {
      printProblems(
        Array("tracecheck: there are more durations than can be kept; the last are left out\n".utf8)
      )
    }
    if !usesStandardOutput {
      try printOutput(Array(report.table(isQuiet: reports.quiet).utf8))
    }
    let findings = report.findings
    if !findings.isEmpty, let path = timing.candidate {
      try outputs.capture(JudgedCapture(gate: findings, path: path))
    }
    try outputs.end(elapsedNanoseconds: ProcessEnvironment.monotonicNanoseconds() - start)
    if !isWhole, !input.allowDamaged { return .damagedInput }
    return report.hasRegression ? .slower : .done
  }

  /// Whether a report goes where the table would.
  private var usesStandardOutput: Bool {
    reports.reports.contains { !$0.contains("=") || $0.hasSuffix("=-") }
  }

  private func checkRun(_ configuration: EffectiveConfiguration) throws -> CheckRun {
    var run = configuration.run()
    run.format = try input.format()
    run.overrides = try input.overrides()
    run.measuring = .timed
    return run
  }

  /// Reads one side; false if an input was unreadable or damaged.
  private func take(
    _ inputs: CaptureInputs, _ side: TimingIntake.Side, _ run: CheckRun, _ progress: Progress,
    _ intake: inout TimingIntake
  ) throws -> Bool {
    var isWhole = true
    try run.check(
      inputs, observer: CheckRun.Observer(progress: { progress.add(events: $0) })
    ) { capture in
      progress.clear()
      progress.addCapture()
      printProblems(ProblemText.lines(of: capture))
      isWhole = isWhole && capture.failure == nil && !capture.isDamaged
      intake.add(capture, to: side)
    }
    progress.clear()
    return isWhole
  }
}
