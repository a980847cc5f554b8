// `doctor`: every defect of a capture by byte range, and what it holds, in numbers.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TracePipeline

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Names every defect of a capture with its byte range.",
    discussion: """
      A recording that an app left behind is a journal (.lcjournal) and a trace (.lctrace) of the \
      same name; either one, or their folder, stands for both. The app may still be running. \
      Nothing is changed.

      Example:
        tracecheck doctor recordings/1700000000000-812-4711.lcjournal
      """)

  @Argument(
    help: ArgumentHelp("The capture, a recording's folder, or -.", valueName: "file"))
  var path: String

  @Option(help: "The form of the output.")
  var format: PrintFormat = .text

  @OptionGroup(title: "Input options") var input: DamagedInputOptions

  func run() throws {
    let examination = try input.examine(path, writer: nil)
    let report = ExaminationReport(examination)
    try printOutput(format == .json ? report.json() : report.text(isRecovery: false))
    throw CommandExit(code: input.status(of: examination))
  }
}

/// How captures are read that may be damaged.
struct DamagedInputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the input, instead of recognising it by content.", valueName: "format"))
  var from: String?

  @Flag(help: "Exit with 0 although the input was damaged.")
  var allowDamaged = false

  func status(of examination: CaptureExamination) -> CommandStatus {
    examination.isDamaged && !allowDamaged ? .damagedInput : .done
  }

  /// The file to read for a path.
  func recording(_ path: String) throws -> String {
    do throws(CaptureFailure) {
      return path == "-" ? path : try Recording.path(for: path)
    } catch {
      throw CaptureFailureAt(path: path, failure: error)
    }
  }

  func examine(_ path: String, writer: TraceWriter?) throws -> CaptureExamination {
    let path = try recording(path)
    var format: CaptureFormat?
    if let from {
      format = CaptureFormats.named(from)
      if format == nil {
        throw UsageError(unknown: "capture format", from, among: CaptureFormats.all.map(\.name))
      }
    }
    do throws(CaptureFailure) {
      return try CaptureExamination(path: path, format: format, writer: writer)
    } catch {
      if error.kind == .output || error.kind == .interrupted { throw error }
      throw CaptureFailureAt(path: path, failure: error)
    }
  }
}
