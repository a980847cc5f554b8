// The list of the commands. Each is a file of its own.

import ArgumentParser

struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracecheck",
    abstract: "Checks traces of iOS apps against the rules of the application life cycle.",
    discussion: """
      A capture is a trace in one of this tool's own formats, or a log that somebody kept. Exit \
      status: 0 done, 1 findings, 2 usage error, 3 an input was unreadable or damaged, 4 durations \
      grew (gate only), 70 internal error.
      """,
    version: TraceCheck.version,
    subcommands: [
      CheckCommand.self,
      GateCommand.self,
      MergeReportsCommand.self,
      DiffCommand.self,
      WhyCommand.self,
      TimelineCommand.self,
      MetricsCommand.self,
      QueryCommand.self,
      ServeCommand.self,
      ConvertCommand.self,
      FilterCommand.self,
      MergeCommand.self,
      CompactCommand.self,
      RedactCommand.self,
      BundleCommand.self,
      CatCommand.self,
      InfoCommand.self,
      DoctorCommand.self,
      RecoverCommand.self,
      SimulateCommand.self,
      ReplayCommand.self,
      RulesCommand.self,
      ExplainCommand.self,
      VocabularyCommand.self,
      ConfigCommand.self,
      CaptureCommand.self,
    ])
}
