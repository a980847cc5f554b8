// `bundle`: the part of a capture that shows one finding, for a bug report.

import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceIO
import TraceImport
import TraceModel
import TraceNotation
import TracePipeline
import TraceRules

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Cuts out the part of a capture that shows one finding, for a bug report.",
    discussion: """
      The capture is judged as 'check' does it with the same options; --list prints its findings \
      with their numbers. The part is the shortest of several windows around what the finding \
      rests on in which it is found again, with the same rule, reason, severity, subject and \
      time, and in which nothing is found that the whole doesn't show. Where only the whole shows \
      the finding, the whole is written. The trace id is left out.

      Examples:
        tracecheck bundle notes.lctrace --list
        tracecheck bundle notes.lctrace --finding 3 -o bug.lctrace --redact
      """)

  @Argument(help: ArgumentHelp("The capture.", valueName: "file"))
  var path: String

  @Option(
    help: ArgumentHelp("Which finding, by its number in the list, from 1.", valueName: "n"))
  var finding: Int?

  @Flag(help: "Print the findings with their numbers, and write nothing.")
  var list = false

  @Option(name: .shortAndLong, help: .outputFile)
  var output: String?

  @Option(help: .traceFormat)
  var to: String?

  @Option(
    help: ArgumentHelp(
      "How much to keep at least on both sides of what the finding rests on. (default: 1s)",
      valueName: "duration"))
  var margin: String?

  @Flag(help: "Replace names and free text by keyed hashes, as 'redact' does.")
  var redact = false

  @OptionGroup var redaction: RedactionOptions
  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions

  func run() throws {
    if list { return try printList() }
    let (number, output, format) = try target()
    let margin = try marginNanoseconds()
    let (configuration, files) = try rules.effectiveConfiguration(failOn: nil)
    var places = OutputPlaces(inputs: [path] + files + [redaction.keyFile].compactMap { $0 })
    if output != "-" { try places.add(output) }
    let names = redact ? try redaction.redaction() : nil
    configuration.printExpiryWarnings()
    Interrupt.catchNext()
    let reading = BundleReading(path: path, input: input, configuration: configuration)
    let (traces, capture) = try reading.judgeAll()
    let (trace, finding) = try chosen(number, traces)
    let kept = try part(of: trace, showing: finding, margin, names, reading)
    guard let kept else {
      if redact {
        throw UsageError(
          "no part shows finding \(number), \(finding.rule), alone once names and texts are hashes:"
            + " its rule compares one of them, or it rests on what is wrong with the capture")
      }
      throw UsageError(
        "finding \(number), \(finding.rule), rests on what is wrong with the capture itself, and no"
          + " part of it shows the finding alone; share all of it: 'tracecheck redact' takes out"
          + " names and texts")
    }
    let writer = try TraceWriter(path: output, format: format)
    let part = try reading.judge(kept, of: trace, writer: writer, redaction: names)
    try writer.finish()
    if let part { tell(part, of: trace, kept, finding, output) }
    try input.end(capture)
  }

  /// The shortest part that shows a finding, as it will be written.
  private func part(
    of trace: CutVisitor.Judged, showing finding: Finding, _ margin: Int64,
    _ names: TraceRedaction?, _ reading: BundleReading
  ) throws -> TraceCut? {
    var (whole, wanted) = (trace, finding)
    if let names {
      let all = TraceCut(traceNumber: trace.number, window: nil)
      guard let redacted = try reading.judge(all, of: trace, redaction: names),
        let counterpart = redacted.counterpart(of: finding)
      else { return nil }
      (whole, wanted) = (redacted, counterpart)
    }
    for window in TimeWindow.candidates(for: finding, margin: margin, in: trace.window) {
      let cut = TraceCut(traceNumber: trace.number, window: window)
      if let part = try reading.judge(cut, of: trace, redaction: names),
        part.shows(wanted, of: whole)
      {
        return cut
      }
    }
    return nil
  }

  private func target() throws -> (number: Int, output: String, format: CaptureFormat) {
    guard let finding else {
      throw UsageError("bundle needs the number of a finding: --finding 1; --list prints them")
    }
    if finding < 1 { throw UsageError("--finding counts from 1, and not from \(finding)") }
    guard let output else {
      throw UsageError("bundle needs a file to write: name it with -o, for example -o bug.lctrace")
    }
    if !redact, redaction.keyFile != nil {
      throw UsageError("--key-file is for the hashes of --redact, which is not given")
    }
    try checkInput()
    return (finding, output, try TraceTarget.format(to, output: output, usual: nil))
  }

  /// The capture is read several times.
  private func checkInput() throws(UsageError) {
    if path.isEmpty { throw UsageError("the name of the capture is empty") }
    if path == CaptureInputs.standardInput || DirectoryListing.kind(of: path) == .other {
      throw UsageError(
        "bundle reads the capture several times, and '\(PrintableText.printable(path))' can be"
          + " read once; store it in a file first, for example with 'tracecheck convert'")
    }
  }

  private func marginNanoseconds() throws(UsageError) -> Int64 {
    guard let margin else { return 1_000_000_000 }
    let found: Int64?
    do throws(DurationText.Failure) {
      found = try DurationText.nanoseconds(margin)
    } catch {
      found = nil
    }
    guard let found, found >= 0 else {
      throw UsageError(
        "--margin takes a duration such as 1.5s or 250ms, and not"
          + " '\(PrintableText.printable(margin, scalarsMax: 80))'")
    }
    return found
  }

  private func chosen(
    _ number: Int, _ traces: [CutVisitor.Judged]
  ) throws(UsageError) -> (CutVisitor.Judged, Finding) {
    var place = number - 1
    for trace in traces {
      if place < trace.findings.count { return (trace, trace.findings[place]) }
      place -= trace.findings.count
    }
    let count = traces.reduce(0) { $0 + $1.findings.count }
    throw UsageError(
      count == 0
        ? "there is no finding \(number): nothing is found in \(PrintableText.printable(path))"
        : "there is no finding \(number): \(PrintableText.printable(path)) has \(count);"
          + " 'tracecheck bundle FILE --list' prints them with their numbers")
  }

  private func printList() throws {
    if finding != nil || output != nil {
      throw UsageError("--list writes nothing, and --finding and -o ask for a file; give one")
    }
    try checkInput()
    let (configuration, _) = try rules.effectiveConfiguration(failOn: nil)
    configuration.printExpiryWarnings()
    Interrupt.catchNext()
    let (traces, capture) = try BundleReading(
      path: path, input: input, configuration: configuration
    ).judgeAll()
    var text = ""
    var number = 0
    for trace in traces {
      for finding in trace.findings {
        number += 1
        let place = traces.count > 1 ? "trace \(trace.number), " : ""
        text += "\(number)  \(finding.severity.rawValue)  \(finding.rule)  \(place)"
        text += "\(TimeText.exact(finding.timeNanoseconds))  "
        text += PrintableText.printable(finding.message) + "\n"
      }
    }
    try printOutput(Array((text.isEmpty ? "nothing is found\n" : text).utf8))
    try input.end(capture)
  }

  /// Says what was kept, and how to look at it.
  private func tell(
    _ part: CutVisitor.Judged, of trace: CutVisitor.Judged, _ cut: TraceCut, _ finding: Finding,
    _ output: String
  ) {
    let events = trace.eventCount == 1 ? "event" : "events"
    var text =
      "kept \(part.eventCount) of \(trace.eventCount) \(events), from"
      + " \(TimeText.exact(part.window.from)) to \(TimeText.exact(part.window.through));"
      + " \(finding.rule) is still found in it\n"
    if cut.window == nil { text += "no shorter part shows it\n" }
    if output != "-" {
      text += "look at it: tracecheck check \(PrintableText.printable(output))"
      text += rules.areGiven ? ", with the rule options given here\n" : "\n"
    }
    printProblems(Array(text.utf8))
  }
}

/// Reads one capture again and again.
private struct BundleReading {
  let path: String
  let input: InputOptions
  let lines: LineOptions
  let terms: TraceTerms.Maker

  init(path: String, input: InputOptions, configuration: EffectiveConfiguration) {
    self.path = path
    self.input = input
    lines = configuration.lines
    terms = configuration.terms
  }

  /// Judges all traces of the capture.
  func judgeAll() throws -> (traces: [CutVisitor.Judged], capture: JudgedCapture) {
    let (visitor, capture) = try input.read(
      path, lines: lines, into: CutVisitor(path: path, terms: terms))
    return (visitor.traces, capture)
  }

  /// Judges a part of a trace, and writes it if there is a writer.
  func judge(
    _ cut: TraceCut, of trace: CutVisitor.Judged, writer: TraceWriter? = nil,
    redaction: TraceRedaction? = nil
  ) throws -> CutVisitor.Judged? {
    let visitor = CutVisitor(
      path: path, terms: terms, part: (cut, trace.traceID), writer: writer,
      redaction: redaction)
    return try input.read(path, lines: lines, into: visitor).visitor.traces.first
  }
}
