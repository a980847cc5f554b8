// `recover`: all that is intact of a capture to a valid trace, and what was lost, in numbers.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TracePipeline

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Writes all that is intact of a capture to a valid trace, and says what was lost.",
    discussion: """
      Takes what a killed app left behind, or a damaged trace. A journal (.lcjournal) and the \
      trace (.lctrace) beside it are read together, and events that both hold are written once. \
      The app may still be running. The input is never changed; recovering the output again \
      changes nothing.

      Example:
        tracecheck recover recordings/ -o recovered.lctrace
      """)

  @Argument(
    help: ArgumentHelp("The capture, a recording's folder, or -.", valueName: "in"))
  var path: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The .lctrace file to write, or - for standard output.", valueName: "out"))
  var output: String?

  @Option(help: "The form of what is said about the loss.")
  var format: PrintFormat = .text

  @OptionGroup(title: "Input options") var input: DamagedInputOptions

  func run() throws {
    guard let output else {
      throw UsageError(
        "recover needs a file to write: name it with -o, for example -o recovered.lctrace, or -o -"
          + " for standard output")
    }
    let recording = try input.recording(path)
    var places = OutputPlaces(inputs: Recording.files(of: recording))
    if output != "-" { try places.add(output) }
    let writer = try TraceWriter(path: output, format: .lctrace, isPrivate: true)
    Interrupt.catchNext()
    let examination = try input.examine(recording, writer: writer)
    try writer.finish()
    let report = ExaminationReport(examination)
    let bytes = format == .json ? report.json() : report.text(isRecovery: true)
    if output == "-" { printProblems(bytes) } else { try printOutput(bytes) }
    throw CommandExit(code: input.status(of: examination))
  }
}
