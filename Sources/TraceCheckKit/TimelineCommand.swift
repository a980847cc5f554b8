// `timeline`: a capture as something to look at.

import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceRules

struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draws a capture with its findings, for a browser, Perfetto, a document, a terminal.",
    discussion: """
      A page (.html) needs nothing but a browser and no network. Findings are those of 'check' \
      with the same options, and don't change the exit status.

      Examples:
        tracecheck timeline notes.lctrace -o notes.html
        tracecheck timeline before.lctrace --compare after.lctrace -o both.html
        tracecheck timeline device.log -o device.pftrace
        tracecheck timeline notes.lctrace -o - --to txt --width 120
      """)

  @Argument(help: ArgumentHelp("The capture, or - for standard input.", valueName: "file"))
  var path: String

  @Option(name: .shortAndLong, help: .outputFile)
  var output: String?

  @Option(
    name: [.customLong("to"), .customLong("format")],
    help: ArgumentHelp(
      "The format to write: html, pftrace (Perfetto), json (Chrome trace), svg or txt; the"
        + " extension of the output decides if not given.",
      valueName: "format"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Another capture to lay beside the first, aligned at the launch. In pages only.",
      valueName: "file"))
  var compare: String?

  @Option(
    help: ArgumentHelp(
      "Which trace to draw of a capture that holds several, from 1.", valueName: "n"))
  var trace = 1

  @Option(
    help: ArgumentHelp(
      "Which trace to draw of the capture given with --compare, from 1; 1 if not given.",
      valueName: "n"))
  var compareTrace: Int?

  @Option(help: ArgumentHelp("Columns of a text timeline.", valueName: "columns"))
  var width: Int?

  @Flag(help: "Draw a text timeline with ASCII characters only.")
  var ascii = false

  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions

  func run() throws {
    let (output, format) = try target()
    let context = try context(format)
    let (configuration, files) = try rules.effectiveConfiguration(failOn: nil)
    let paths = [path] + (compare.map { [$0] } ?? [])
    var places = OutputPlaces(inputs: paths + files)
    if output != "-" { try places.add(output) }
    configuration.printExpiryWarnings()
    Interrupt.catchNext()
    let file = try TimelineFile(path: output)
    var writer = format.makeWriter(context)
    var isDamaged = false
    let choices =
      [TraceChoice(option: "--trace", path: path, number: trace)]
      + (compare.map {
        [TraceChoice(option: "--compare-trace", path: $0, number: compareTrace ?? 1)]
      } ?? [])
    for choice in choices {
      let visitor = TimelineVisitor(
        path: choice.path, number: choice.number, writer: writer, file: file,
        terms: configuration.terms)
      let (done, capture) = try input.read(
        choice.path, lines: configuration.lines, into: visitor)
      printProblems(ProblemText.lines(of: capture))
      try choice.tell(traceCount: done.traceCount)
      isDamaged = isDamaged || capture.isDamaged
      writer = done.writer
    }
    writer.end()
    try file.write(&writer.output)
    try file.finish()
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }

  private func context(_ format: TimelineFormat) throws(UsageError) -> TimelineContext {
    if trace < 1 { throw UsageError("--trace counts from 1") }
    if let compareTrace {
      if compare == nil {
        throw UsageError("--compare-trace chooses a trace of the capture that --compare names")
      }
      if compareTrace < 1 { throw UsageError("--compare-trace counts from 1") }
    }
    if path == "-", compare == "-" {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    if compare != nil, format.tracesMax < 2 {
      throw UsageError("--compare lays two captures side by side in a page: write .html")
    }
    if format.name != TimelineFormat.text.name {
      if width != nil { throw UsageError("--width is for text timelines: write .txt") }
      if ascii { throw UsageError("--ascii is for text timelines: write .txt") }
    }
    let columns = TimelineContext.columnsMin...TimelineContext.columnsMax
    if let width, !columns.contains(width) {
      throw UsageError(
        "--width takes \(columns.lowerBound) to \(columns.upperBound) columns, and not \(width)")
    }
    return TimelineContext(
      toolVersion: TraceCheck.version, columns: width ?? WrappedText.widthMax, usesASCII: ascii)
  }

  private func target() throws(UsageError) -> (output: String, format: TimelineFormat) {
    let names = TimelineFormat.all.map(\.name)
    guard let output else {
      throw UsageError(
        "timeline needs a file to write: name it with -o, for example -o timeline.html, or -o -"
          + " with --to for standard output; the formats are \(names.joined(separator: ", "))")
    }
    if path.isEmpty { throw UsageError("the name of the capture is empty") }
    if compare == "" { throw UsageError("the name of the capture to compare with is empty") }
    if let to {
      guard let format = TimelineFormat.named(to) else {
        throw UsageError(unknown: "timeline format", to, among: names)
      }
      return (output, format)
    }
    guard let known = FileExtension.of(output), let format = TimelineFormat.named(known) else {
      throw UsageError(
        "the extension of '\(PrintableText.printable(output, scalarsMax: 80))' names no timeline"
          + " format; give --to with one of \(names.joined(separator: ", "))")
    }
    return (output, format)
  }
}
