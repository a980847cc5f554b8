// `config`: every setting, and where it was said.

import ArgumentParser
import TraceConfiguration
import TraceExport
import TracePipeline

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Shows what is configured, and where it was said.",
    discussion: """
      Takes the rule options of 'check', so that the values are those that a check with the same \
      options would use. The file is .tracecheck.yml in the current directory or above it.

      Examples:
        tracecheck config --show
        tracecheck config --show --app com.example.notes --all
      """)

  @Flag(help: "Show the settings.")
  var show = false

  @Flag(help: "Also show what is as it always is.")
  var all = false

  @Option(help: ArgumentHelp("Show what holds for an app.", valueName: "bundle-id"))
  var app: String?

  @Option(help: "The form of the list; json has every value.")
  var format: PrintFormat = .text

  @OptionGroup(title: "Rule options") var rules: RuleOptions

  @Option(help: "The lowest severity that makes the exit status 1. (default: error)")
  var failOn: FailureLevel?

  func run() throws {
    guard show else { throw UsageError("config shows the settings with --show") }
    let (effective, _) = try rules.effectiveConfiguration(failOn: failOn)
    effective.printExpiryWarnings()
    if format == .json {
      var json = JSONBuilder()
      json.configuration(effective, app: app)
      return try printOutput(json.bytes + [UInt8(ascii: "\n")])
    }
    let text = ConfigurationText(effective, app: app, showsAll: all).text
    try printOutput(Array(text.utf8))
  }
}
