// `diff`: two lives side by side.

import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceIO
import TraceModel
import TraceNotation
import TracePipeline
import TraceRules

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tells what differs between two lives: what appeared, vanished, moved, slowed.",
    discussion: """
      The lives are laid side by side at their first launch, or at an event. Findings that came \
      and went are told, how long the app was in each state, and stretches and moments that only \
      one of them has, that begin at another time than what is around them, or that take another \
      time. Differences don't change the exit status; 'gate' is for builds.

      Examples:
        tracecheck diff before.lctrace after.lctrace
        tracecheck diff before.ndjson after.ndjson --align delegate.did_enter_background
        tracecheck diff before.lctrace after.lctrace -o both.html
      """)

  @Argument(help: ArgumentHelp("The first capture, or - for standard input.", valueName: "a"))
  var first: String

  @Argument(help: ArgumentHelp("The capture to compare with it.", valueName: "b"))
  var second: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, instead of standard output.", valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The format: text, json or html; if not given that of the output's extension, or text.",
      valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "What is laid side by side: launch, or a kind of events, as in proc.start#2 with a number.",
      valueName: "launch|kind[#n]"))
  var align = "launch"

  @Option(
    help: ArgumentHelp(
      "How much later, longer or shorter means nothing, beside a twentieth of the length.",
      valueName: "duration"))
  var tolerance = "20ms"

  @Option(
    help: ArgumentHelp(
      "Which trace to take of captures that hold several, from 1.", valueName: "n"))
  var trace = 1

  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions

  func run() throws {
    let format = try target()
    var context = TimelineContext(toolVersion: TraceCheck.version)
    context.comparison = try terms()
    let (configuration, files) = try rules.effectiveConfiguration(failOn: nil)
    var places = OutputPlaces(inputs: [first, second] + files)
    let path = output ?? "-"
    if path != "-" { try places.add(path) }
    configuration.printExpiryWarnings()
    Interrupt.catchNext()
    let file = try TimelineFile(path: path)
    var writer = format.makeWriter(context)
    var isDamaged = false
    for path in [first, second] {
      let visitor = TimelineVisitor(
        path: path, number: trace, writer: writer, file: file, terms: configuration.terms)
      let (done, capture) = try input.read(path, lines: configuration.lines, into: visitor)
      printProblems(ProblemText.lines(of: capture))
      try TraceChoice(option: "--trace", path: path, number: trace)
        .tell(traceCount: done.traceCount)
      isDamaged = isDamaged || capture.isDamaged
      writer = done.writer
      if writer.anchorNanoseconds == nil { throw unaligned(path) }
    }
    writer.end()
    try file.write(&writer.output)
    try file.finish()
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }

  private func unaligned(_ path: String) -> UsageError {
    UsageError(
      "\(PrintableText.printable(path)) doesn't hold what --align names,"
        + " '\(PrintableText.printable(align, scalarsMax: 80))'; 'tracecheck cat' prints its events"
    )
  }

  private func terms() throws(UsageError) -> ComparisonTerms {
    guard let alignment = LifeAlignment(align) else {
      throw UsageError(
        "--align takes launch, a kind of events such as proc.start, or a kind with a number such as"
          + " proc.start#2, and not '\(PrintableText.printable(align, scalarsMax: 80))'")
    }
    let nanoseconds: Int64
    do throws(DurationText.Failure) {
      nanoseconds = try DurationText.nanoseconds(tolerance)
    } catch {
      throw UsageError(
        "--tolerance takes a duration, and '\(PrintableText.printable(tolerance, scalarsMax: 80))'"
          + " lacks \(error.expectation)")
    }
    if nanoseconds < 0 { throw UsageError("--tolerance can't be less than nothing") }
    return ComparisonTerms(alignment: alignment, toleranceNanoseconds: nanoseconds)
  }

  private func target() throws(UsageError) -> TimelineFormat {
    if first.isEmpty || second.isEmpty { throw UsageError("the name of a capture is empty") }
    if first == "-", second == "-" {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    if trace < 1 { throw UsageError("--trace counts from 1") }
    let formats = TimelineFormat.differences
    if let format {
      guard let known = formats.first(where: { $0.name == format }) else {
        throw UsageError(unknown: "format", format, among: formats.map(\.name))
      }
      return known
    }
    guard let output, let name = FileExtension.of(output) else { return formats[0] }
    if Self.textExtensions.contains(name) { return formats[0] }
    guard let known = formats.first(where: { $0.name == name }) else {
      throw UsageError(
        "the extension of '\(PrintableText.printable(output, scalarsMax: 80))' names no format;"
          + " give --format with one of \(formats.map(\.name).joined(separator: ", "))")
    }
    return known
  }

  /// Extensions of files with text, beside the name of the format.
  private static let textExtensions: Set<String> = ["txt", "diff"]
}
