// Where the reports of one check go: standard output and files, each with its own writer.

import TraceExport
import TraceIO
import TraceRules

/// The reports of one call.
///
/// A class, because files being written have one owner, while it is used from several closures.
final class ReportOutputs {
  private final class Output {
    var writer: any ReportWriter
    /// Nil for standard output.
    var file: OutputFile?

    init(writer: any ReportWriter, path: String?) throws(FileError) {
      self.writer = writer
      if let path { file = try OutputFile(path: path) }
    }
  }

  private var outputs: [Output] = []
  private var stream = OutputStream.standardOutput

  /// Begins the reports named by `FORMAT[=FILE]`; text on standard output if none is named.
  init(
    _ requests: [String], context: ReportContext, color: ColorChoice,
    places files: inout OutputPlaces
  ) throws {
    var places: Set<String> = []
    for request in requests.isEmpty ? [ReportFormat.text.name] : requests {
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
    }
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

  func end(elapsedNanoseconds: Int64) throws {
    for output in outputs {
      output.writer.end(elapsedNanoseconds: elapsedNanoseconds)
      try flush(output)
      if let file = output.file.take() { try file.commit() }
    }
  }

  private func flush(_ output: Output) throws(FileError) {
    if output.writer.output.isEmpty { return }
    if output.file == nil {
      try stream.write(output.writer.output)
    } else {
      try output.file?.write(output.writer.output)
    }
    output.writer.output.removeAll(keepingCapacity: true)
  }
}
