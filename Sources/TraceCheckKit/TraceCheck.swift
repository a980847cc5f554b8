// The program's entry: parses the command line, runs the command, and ends with its exit status.
// The only place that turns errors into exit codes.

import ArgumentParser
import TraceExport
import TraceIO
public import TracePipeline

/// The tracecheck program.
public enum TraceCheck {
  /// The version that `--version` and reports state.
  public static let version = "0.1.0"

  /// Runs the command line of this process and ends it.
  public static func runAndExit() -> Never {
    ProcessEnvironment.ignoreBrokenPipes()
    ProcessEnvironment.exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Runs a command line, and returns the exit status.
  public static func run(_ arguments: [String]) -> CommandStatus {
    do {
      try checkCommandName(arguments)
      var command = try command(of: arguments)
      try command.run()
      return .done
    } catch {
      return report(error)
    }
  }

  /// Reads a command line. What the command takes as it stands needs no look at the others, which
  /// costs as much again; mistakes and calls for help are told from the root.
  private static func command(of arguments: [String]) throws -> any ParsableCommand {
    if arguments.first == CheckCommand._commandName,
      let command = try? CheckCommand.parse(Array(arguments.dropFirst()))
    {
      return command
    }
    return try RootCommand.parseAsRoot(arguments)
  }

  /// Refuses an unknown command with a better message than the parser's.
  private static func checkCommandName(_ arguments: [String]) throws(UsageError) {
    guard let name = arguments.first, !name.hasPrefix("-") else { return }
    let names = RootCommand.configuration.subcommands.map { $0._commandName } + ["help"]
    if !names.contains(name) { throw UsageError(unknown: "command", name, among: names) }
  }

  private static func report(_ error: any Error) -> CommandStatus {
    var output = OutputStream.standardOutput
    var errors = OutputStream.standardError
    // Writing is the last thing that happens: if it fails there is nobody left to tell.
    switch error {
    case let error as CommandExit:
      return error.code
    case let error as UsageError:
      try? errors.write("tracecheck: \(error.text)\n")
      return .usage
    case let error as CaptureFailureAt:
      try? errors.write(error.line)
      return .damagedInput
    case let error as CaptureFailure where error.kind == .interrupted:
      // Files half written have been removed by now.
      Interrupt.endProcess()
    case let error as CaptureFailure:
      try? errors.write(ProblemText.line(of: error))
      return .usage
    case let error as FileError:
      try? errors.write("tracecheck: \(PrintableText.printable("\(error)", scalarsMax: 8_192))\n")
      return .usage
    default:
      break
    }
    // The parser's own errors, and its help, which it hands over as an error too.
    let code = RootCommand.exitCode(for: error)
    let text = RootCommand.fullMessage(for: error)
    if code == .success {
      try? output.write(text + "\n")
      return .done
    }
    if code == .validationFailure {
      // The parser repeats what it was given.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let printable = lines.map { PrintableText.printable(String($0), scalarsMax: 8_192) }
      try? errors.write(printable.joined(separator: "\n") + "\n")
      return .usage
    }
    try? errors.write("tracecheck: internal error: \(error)\n")
    return .internalError
  }
}

/// Ends a command with a status after it has said all there is to say.
struct CommandExit: Error {
  var code: CommandStatus
}

/// A mistake in the command line or the configuration.
struct UsageError: Error {
  /// One clear paragraph.
  var text: String

  init(_ text: String) { self.text = text }

  /// An unknown name of something, with the nearest known one.
  init(unknown what: String, _ name: String, among names: [String], listedBy: String? = nil) {
    var text = "there is no \(what) called '\(PrintableText.printable(name, scalarsMax: 80))'"
    if let suggestion = Suggestion.nearest(to: name, among: names) {
      text += "; did you mean '\(suggestion)'?"
    } else if let listedBy {
      text += "; \(listedBy) lists them all"
    } else {
      text += "; there are \(names.joined(separator: ", "))"
    }
    self.text = text
  }
}
