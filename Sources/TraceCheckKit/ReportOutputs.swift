// Where the reports of one check go: standard output and files, each with its own writer.

import TraceExport
import TraceIO
import TraceModel
import TraceRules

/// The reports of one call.
///
/// A class, because files being written have one owner, while it is used from several closures.
final class ReportOutputs {
  private final class Output {
    var writer: any ReportWriter
    /// Nil for standard output.
    var file: OutputFile?
    /// What is written at the end of a file that others write to as well.
    var appended: FileTail?

    init(writer: any ReportWriter, path: String?) throws(FileError) {
      self.writer = writer
      if let path { file = try OutputFile(path: path) }
    }

    init(writer: any ReportWriter, appendingTo file: consuming FileTail) {
      self.writer = writer
      appended = consume file
    }
  }

  private var outputs: [Output] = []
  private var stream = OutputStream.standardOutput

  /// Where GitHub's runner takes a job's summary from.
  private static let githubSummaryVariable = "GITHUB_STEP_SUMMARY"

  /// Begins the reports named by `FORMAT[=FILE]`; text on standard output if none is named
  /// and there is to be one by default.
  init(
    _ requests: [String], context: ReportContext, color: ColorChoice,
    places files: inout OutputPlaces, hasDefault: Bool = true
  ) throws {
    var places: Set<String> = []
    for request in requests.isEmpty && hasDefault ? [ReportFormat.text.name] : requests {
      let parts = request.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts.first ?? "")
      guard let format = ReportFormat.all.first(where: { $0.name == name }) else {
        throw UsageError(unknown: "report format", name, among: ReportFormat.all.map(\.name))
      }
      let path = parts.count > 1 && parts[1] != "-" ? String(parts[1]) : nil
      if path == "" { throw UsageError("--report \(name)= names no file") }
      if !places.insert(path ?? "-").inserted {
        throw UsageError(
          "two reports can't both go to \(path ?? "standard output"); name a file for one of them,"
            + " for example --report json=report.json")
      }
      if let path { try files.add(path) }
      var context = context
      context.usesColor = color.usesColor(isTerminal: path == nil && stream.isTerminal)
      outputs.append(try Output(writer: format.makeWriter(context), path: path))
      if name == ReportFormat.github.name { try addSummary(context, &files) }
    }
  }

  /// Adds the job's summary, if a runner of GitHub asks for one.
  private func addSummary(_ context: ReportContext, _ files: inout OutputPlaces) throws {
    guard let path = ProcessEnvironment.variable(Self.githubSummaryVariable), !path.isEmpty
    else { return }
    try files.add(path)
    let file = try FileTail(path: path)
    let writer = ReportFormat.githubSummary(context, usedBytes: file.byteCount)
    outputs.append(Output(writer: writer, appendingTo: file))
  }

  /// Shows findings of an input that is still being read.
  func live(_ findings: [Finding], path: String) {
    for output in outputs {
      for finding in findings { output.writer.liveFinding(finding, path: path) }
      // What can't be written now is tried again, and reported, with the whole capture.
      try? flush(output)
    }
  }

  func capture(_ capture: JudgedCapture) throws {
    for output in outputs {
      output.writer.capture(capture)
      try flush(output)
    }
  }

  func gate(_ summary: GateSummary) {
    for output in outputs { output.writer.gate(summary) }
  }

  func end(elapsedNanoseconds: Int64) throws {
    for output in outputs {
      output.writer.end(elapsedNanoseconds: elapsedNanoseconds)
      try flush(output)
      if let file = output.file.take() { try file.commit() }
    }
  }

  private func flush(_ output: Output) throws(FileError) {
    if output.writer.output.isEmpty { return }
    if output.appended != nil {
      try output.appended?.write(output.writer.output)
    } else if output.file == nil {
      try stream.write(output.writer.output)
    } else {
      try output.file?.write(output.writer.output)
    }
    output.writer.output.removeAll(keepingCapacity: true)
  }
}
