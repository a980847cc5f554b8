// The options of a comparison of durations.

import ArgumentParser
import TraceExport
import TraceGate
import TraceLifecycle
import TracePipeline

/// Which captures' durations are compared, and which limits they have.
struct TimingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Captures whose durations are as they should be; needs --candidate.", valueName: "dir"))
  var reference: String?

  @Option(
    help: ArgumentHelp(
      "Captures whose durations are compared with --reference, or held to --max.",
      valueName: "dir"))
  var candidate: String?

  @Option(
    name: .customLong("max"),
    help: ArgumentHelp(
      "A budget for a duration of the candidate: the median, a percentile or the max of launch,"
        + " enter_background, background_task, background_run, suspend_latency or terminate, for"
        + " example launch.p95=400ms. Repeatable.", valueName: "duration.statistic=limit"))
  var budgets: [String] = []

  /// Whether durations are to be looked at.
  var isGiven: Bool { reference != nil || candidate != nil || !budgets.isEmpty }

  /// The captures of each side; there is no reference if there are only budgets.
  func inputs() throws(UsageError) -> (reference: CaptureInputs?, candidate: CaptureInputs) {
    guard let candidate else {
      throw UsageError(
        reference == nil
          ? "--max is a limit for the captures of --candidate DIR, and there is none"
          : "--reference needs --candidate DIR, which is compared with it")
    }
    if reference == nil, budgets.isEmpty {
      throw UsageError("--candidate needs --reference DIR to be compared with, or a budget (--max)")
    }
    if candidate.isEmpty { throw UsageError("--candidate names no captures") }
    if reference == "" { throw UsageError("--reference names no captures") }
    let standardInput = CaptureInputs.standardInput
    if candidate == standardInput, reference == standardInput {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    return (reference.map { CaptureInputs(paths: [$0]) }, CaptureInputs(paths: [candidate]))
  }

  /// The budgets, in the order given.
  func limits() throws(UsageError) -> [Budget] {
    var limits: [Budget] = []
    for text in budgets {
      let budget: Budget
      do throws(Budget.Refusal) {
        budget = try Budget(text)
      } catch {
        throw UsageError(
          "--max takes \(error.expected), and not"
            + " '\(PrintableText.printable(text, scalarsMax: 80))'")
      }
      let names = LifeDuration.allCases.map(\.word)
      if !names.contains(budget.metric) {
        throw UsageError(unknown: "duration", budget.metric, among: names)
      }
      limits.append(budget)
    }
    return limits
  }
}
