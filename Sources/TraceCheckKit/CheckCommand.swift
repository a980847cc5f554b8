// `check`: judges captures and reports what they violate.

import ArgumentParser
import TracePipeline

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    // The parser is asked for this command alone, which has no completions of its own.
    _superCommandName: "tracecheck",
    abstract: "Checks captures and prints what they violate.",
    discussion: """
      Inputs are files, directories (searched for captures) and - for standard input. Inputs \
      that hold the same trace are checked once.

      Examples:
        tracecheck check notes.lctrace
        tracecheck check captures/ --fail-on warning --report text --report json=report.json
        tracecheck check --together device.log console.txt Notes.ips
        ssh build-host cat device.log | tracecheck check -
      """)

  @OptionGroup var list: InputListOptions
  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions
  @OptionGroup(title: "Report options") var reports: ReportOptions
  @OptionGroup(title: "Baseline options") var baseline: BaselineOptions

  @Option(help: "The lowest severity that makes the exit status 1. (default: error)")
  var failOn: FailureLevel?

  @Option(
    help: ArgumentHelp(
      "Keep what standard input brought as a .lctrace file.", valueName: "file"))
  var record: String?

  @Flag(help: ArgumentHelp(TogetherOption.help))
  var together = false

  @Flag(help: "Report also what holds the same trace as another input.")
  var keepCopies = false

  func run() throws {
    let session = CheckSession(
      list: list, input: input, rules: rules, reports: reports, baseline: baseline,
      failOn: failOn, record: record, together: together,
      keepsCopies: keepCopies)
    throw CommandExit(code: try session.run().status)
  }
}
