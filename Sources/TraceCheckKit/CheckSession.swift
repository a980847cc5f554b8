// One check from inputs to reports, as `check` and `gate` share it.

import TraceConfiguration
import TraceExport
import TraceGate
import TraceIO
import TraceImport
import TraceModel
import TracePipeline
import TraceRules

/// Judges the inputs of a call and reports them.
struct CheckSession {
  var list: InputListOptions
  var input: InputOptions
  var rules: RuleOptions
  var reports: ReportOptions
  var baseline: BaselineOptions
  var failOn: FailureLevel?
  /// Where the events of standard input are kept; nil to keep none.
  var record: String?
  /// Whether it is a gate's: people are told of suppressed findings one by one, and of those that
  /// the baseline knows only how many there are.
  var isGate = false
  /// Whether there is a report although none was asked for.
  var reportsByDefault = true
  /// Files that are written after the check.
  var laterOutputs: [String] = []
  /// Whether the inputs are taken for captures of one run.
  var together = false
  /// Whether inputs that hold the same trace as another are reported like any other.
  var keepsCopies = false

  /// What a check brought to light.
  struct Outcome {
    var summary = ReportSummary()
    var failOn: FailureLevel
    var allowsDamaged: Bool
    var comparison: BaselineComparison?
    /// What a baseline of these captures holds.
    var found = Baseline()
    var families: [String: String]

    var status: CommandStatus {
      .ofCheck(summary, failOn: failOn, allowsDamaged: allowsDamaged)
    }

    /// The status in the words of a gate.
    var verdict: GateSummary.Verdict {
      switch status {
      case .done: .passed
      case .damagedInput:
        summary.unreadable == summary.captureless && summary.damaged == 0 ? .empty : .undecided
      default: .failed
      }
    }
  }

  func run() throws -> Outcome {
    let start = ProcessEnvironment.monotonicNanoseconds()
    let inputs = try list.inputs(together: together)
    try checkOptions(inputs)
    var comparison = try baseline.comparison()
    let (configuration, files) = try rules.effectiveConfiguration(failOn: failOn)
    let families = Dictionary(configuration.rules.map { ($0.id, $0.family) }) { first, _ in first }
    var outcome = Outcome(
      failOn: FailureLevel(configuration.failOn.value), allowsDamaged: input.allowDamaged,
      families: families)
    let known = [baseline.baseline].compactMap { $0 }
    var places = OutputPlaces(
      inputs: inputs.pathsNotToOverwrite + list.filesFrom + files
        + known.filter { !laterOutputs.contains($0) })
    for path in [record].compactMap({ $0 }) + laterOutputs { try places.add(path) }
    let run = try checkRun(configuration)
    var context = try reports.context(configuration.rules, failOn: outcome.failOn)
    context.listsSuppressed = isGate
    context.isGate = isGate
    let outputs = try ReportOutputs(
      reports.reports, context: context, color: reports.color, places: &places,
      hasDefault: reportsByDefault)
    configuration.printExpiryWarnings()
    for logs in inputs.binaryLogs { printProblems(ProblemText.lines(of: logs)) }
    Interrupt.catchNext()
    let progress = Progress(startNanoseconds: start)
    var recordFailure: CaptureFailure?
    // What is new is known only when a trace is whole: findings have numbers among their equals.
    let isLive = comparison == nil
    let observer = CheckRun.Observer(
      liveFindings: { findings, path in
        guard isLive else { return }
        progress.clear()
        outputs.live(findings, path: path)
      },
      progress: { progress.add(events: $0) },
      recordFailed: { recordFailure = $0 })
    func report(_ judged: JudgedCapture) throws {
      progress.clear()
      progress.addCapture()
      var capture = judged
      comparison?.compare(&capture)
      outcome.summary.add(capture)
      outcome.found.add(capture)
      printProblems(ProblemText.lines(of: capture))
      if baseline.newOnly { capture.removeKnown() }
      try outputs.capture(capture)
    }
    if together {
      try run.checkTogether(inputs, observer: observer, report: report)
    } else {
      try run.check(inputs, observer: observer, report: report)
    }
    progress.clear()
    outcome.comparison = comparison
    if let comparison { try end(comparison, configuration, outputs, &outcome) }
    try outputs.end(elapsedNanoseconds: ProcessEnvironment.monotonicNanoseconds() - start)
    if let recordFailure { throw recordFailure }
    return outcome
  }

  /// Reports what the comparison itself finds, after the last capture.
  private func end(
    _ comparison: BaselineComparison, _ configuration: EffectiveConfiguration,
    _ outputs: ReportOutputs, _ outcome: inout Outcome
  ) throws {
    let families = outcome.families
    let own = comparison.findings(
      isStrict: baseline.strictBaseline, isOn: configuration.isOn, family: { families[$0] })
    if !own.isEmpty {
      let capture = JudgedCapture(gate: own, path: comparison.path)
      outcome.summary.add(capture)
      try outputs.capture(capture)
    }
    var summary = comparison.summary
    if isGate { summary.verdict = outcome.verdict }
    outputs.gate(summary)
  }

  private func checkOptions(_ inputs: CaptureInputs) throws(UsageError) {
    if record != nil, !inputs.hasStandardInput {
      throw UsageError(
        "--record keeps what standard input brings, and - is not among the inputs; to convert a"
          + " file use 'tracecheck convert'")
    }
    if keepsCopies, together {
      throw UsageError(
        "--together makes one story of all inputs, and copies tell it once; leave out --keep-copies"
      )
    }
    if baseline.baseline != nil, list.shard != nil {
      throw UsageError(
        "--baseline needs all traces, and --shard leaves some out; compare without --shard")
    }
  }

  private func checkRun(_ configuration: EffectiveConfiguration) throws -> CheckRun {
    let (format, overrides) = (try input.format(), try input.overrides())
    let measuring: CheckRun.Measuring = reports.measures ? .timed : .nothing
    let keepsCopies = keepsCopies
    let makeRun: @Sendable () -> CheckRun = {
      var run = configuration.run()
      run.format = format
      run.overrides = overrides
      run.measuring = measuring
      run.tellsContent = measuring != .nothing
      run.keepsCopies = keepsCopies
      return run
    }
    var run = makeRun()
    run.jobs = try list.jobCount()
    run.makeRunForThread = makeRun
    if let record {
      run.recorder = try TraceWriter(path: record, format: .lctrace, isPrivate: true)
    }
    return run
  }
}

extension JudgedCapture {
  /// Takes out what a baseline knows.
  fileprivate mutating func removeKnown() {
    for index in traces.indices { traces[index].findings.removeAll { $0.baseline == .unchanged } }
  }
}

extension EffectiveConfiguration {
  /// Whether a rule is judged for an app. A rule that isn't known is on for nobody.
  fileprivate func isOn(_ id: String, _ app: String) -> Bool {
    guard let rule = rules.first(where: { $0.id == id }) else { return false }
    return settings(app: app.isEmpty ? nil : app).isOn(rule).value
  }
}

/// A failure of an input that ends the command.
struct CaptureFailureAt: Error {
  var path: String
  var failure: CaptureFailure

  /// The line for standard error.
  var line: [UInt8] { ProblemText.lines(of: JudgedCapture(path: path, failure: failure)) }
}
