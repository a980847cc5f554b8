// `gate`: lets a build pass only if nothing got worse.

import ArgumentParser
import TraceExport
import TraceGate
import TraceIO
import TracePipeline

struct GateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Fails if captures show a fault that a baseline doesn't know.",
    discussion: """
      A baseline holds the findings that a team knows of, and which rules its captures allowed to \
      evaluate. The gate fails on every other finding, and when a rule of the baseline can no \
      longer be evaluated. It prints what is new in full, and only counts what is known.

      With --reference and --candidate it compares durations (launches, entries into the \
      background, background tasks and more) of two sets of captures instead, and with --max it \
      holds them to budgets: the exit status is 4 if one grew or is over. Fewer than eight \
      durations on a side are inconclusive and pass.

      Examples:
        tracecheck gate captures/ --write-baseline tracecheck-baseline.jsonl
        tracecheck gate captures/ --baseline tracecheck-baseline.jsonl --report github
        tracecheck gate captures/ --baseline tracecheck-baseline.jsonl --prune-baseline
        tracecheck gate --reference captures/main --candidate captures/branch
        tracecheck gate --candidate captures/branch --max launch.p95=400ms
      """)

  @OptionGroup var list: InputListOptions
  @OptionGroup(title: "Baseline options") var baseline: BaselineOptions

  @Option(
    help: ArgumentHelp(
      "Write what the captures show as a baseline, and pass.", valueName: "file"))
  var writeBaseline: String?

  @Flag(
    help: """
      Remove from the baseline what isn't found any more, and write the severity of what is found \
      and milder.
      """)
  var pruneBaseline = false

  @OptionGroup(title: "Timing options") var timing: TimingOptions
  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions
  @OptionGroup(title: "Report options") var reports: ReportOptions

  @Option(help: "The lowest severity that makes the exit status 1. (default: error)")
  var failOn: FailureLevel?

  func run() throws {
    if timing.isGiven { throw CommandExit(code: try compareDurations()) }
    if let writeBaseline { return try write(to: writeBaseline) }
    guard let path = baseline.baseline else {
      throw UsageError(
        "there is nothing to compare with: name a --baseline FILE, make one with"
          + " --write-baseline FILE, or compare durations with --reference DIR --candidate DIR")
    }
    let outcome = try session(writing: pruneBaseline ? [path] : []).run()
    if pruneBaseline { try prune(path, outcome) }
    throw CommandExit(code: outcome.status)
  }

  private func compareDurations() throws -> CommandStatus {
    let others = [
      ("paths", !list.capturePaths.paths.isEmpty),
      ("--files-from", !list.filesFrom.isEmpty),
      ("-0", list.capturePaths.isNulSeparated),
      ("--shard", list.shard != nil),
      ("--baseline", baseline.baseline != nil),
      ("--strict-baseline", baseline.strictBaseline),
      ("--new-only", baseline.newOnly),
      ("--write-baseline", writeBaseline != nil),
      ("--prune-baseline", pruneBaseline),
      ("--fail-on", failOn != nil),
      ("--undecided", reports.undecided),
      ("--measures", reports.measures),
    ]
    if let other = others.first(where: { $0.1 }) {
      throw UsageError(
        "--reference, --candidate and --max look at durations only; leave \(other.0) away, or make"
          + " two calls")
    }
    return try TimingGate(timing: timing, input: input, rules: rules, reports: reports).run()
  }

  private func session(writing paths: [String]) -> CheckSession {
    CheckSession(
      list: list, input: input, rules: rules, reports: reports, baseline: baseline,
      failOn: failOn, isGate: true, reportsByDefault: writeBaseline == nil,
      laterOutputs: paths)
  }

  private func write(to path: String) throws {
    if baseline.baseline != nil || pruneBaseline || baseline.strictBaseline || baseline.newOnly {
      throw UsageError("--write-baseline makes a baseline anew; leave out --baseline and the like")
    }
    if list.shard != nil {
      throw UsageError("--write-baseline needs all traces, and --shard leaves some out")
    }
    let outcome = try session(writing: [path]).run()
    try refuseDamaged(outcome, "no baseline was written")
    try outcome.found.write(to: path) { outcome.families[$0] }
    let findings = outcome.found.entries.count
    let apps = outcome.found.evaluatedRules.count
    try printOutput(
      Array(
        ("wrote \(PrintableText.printable(path)):"
          + " \(findings == 1 ? "1 known finding" : "\(findings) known findings"),"
          + " rules evaluated for \(apps == 1 ? "1 app" : "\(apps) apps")\n").utf8))
  }

  private func prune(_ path: String, _ outcome: CheckSession.Outcome) throws {
    guard let comparison = outcome.comparison else { return }
    let stale = comparison.staleEntries.count
    let milder = comparison.milderEntries.count
    if stale + milder == 0 { return }
    try refuseDamaged(outcome, "the baseline was not changed")
    try comparison.pruned.write(to: path) { outcome.families[$0] }
    let shown = PrintableText.printable(path)
    var lines = ""
    if stale > 0 { lines += "removed \(Self.entries(stale)) from \(shown)\n" }
    if milder > 0 { lines += "wrote the milder severity of \(Self.entries(milder)) to \(shown)\n" }
    printProblems(Array(lines.utf8))
  }

  private static func entries(_ count: Int) -> String {
    count == 1 ? "1 entry" : "\(count) entries"
  }

  /// What couldn't be read may hold what seems to be gone.
  private func refuseDamaged(_ outcome: CheckSession.Outcome, _ consequence: String) throws {
    let isDamaged = outcome.summary.unreadable + outcome.summary.damaged > 0
    guard isDamaged, !input.allowDamaged else { return }
    let isEmpty = outcome.verdict == .empty
    let reason = isEmpty ? "there are no captures" : "captures are damaged or unreadable"
    let text =
      "tracecheck: \(reason), so \(consequence);"
      + " --allow-damaged does it all the same\n"
    printProblems(Array(text.utf8))
    throw CommandExit(code: .damagedInput)
  }
}
