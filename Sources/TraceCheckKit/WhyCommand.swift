// `why`: tells in words what ended the app.

import ArgumentParser
import TraceCatalogue
import TraceExport
import TraceImport
import TraceLifecycle
import TraceModel
import TracePipeline
import TraceRules

struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Tells why the app ended: one paragraph for each end in the captures.",
    discussion: """
      Each paragraph says what ended the app, where that is written, which rule explains it and \
      whether it was found broken, what the app was doing, how sure this is, and what to capture \
      next time.

      Examples:
        tracecheck why report.ips
        tracecheck why notes.lctrace
        tracecheck why --together device.log report.ips
      """)

  @Argument(
    help: ArgumentHelp("Captures, directories, or - for standard input.", valueName: "file"))
  var paths: [String]

  @Flag(help: ArgumentHelp(TogetherOption.help))
  var together = false

  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Input options") var configuration: ConfigurationOptions

  func run() throws {
    if paths.contains("") { throw UsageError("the name of an input is empty; name captures") }
    if paths.filter({ $0 == CaptureInputs.standardInput }).count > 1 {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    let lines = LineOptions(patterns: try configuration.capturePatterns())
    let inputs = CaptureInputs(paths: paths)
    if together {
      try TogetherOption.check(inputs)
      return try runTogether(inputs, lines)
    }
    var isDamaged = !inputs.failures.isEmpty
    for logs in inputs.binaryLogs { printProblems(ProblemText.lines(of: logs)) }
    for failure in inputs.failures { printProblems(ProblemText.lines(of: failure)) }
    var readCount = 0
    var endingCount = 0
    for file in inputs.files {
      do {
        let (visitor, capture) = try input.readOne(
          file.path, lines: lines, into: WhyVisitor(capture: JudgedCapture(path: file.path)))
        readCount += 1
        for paragraph in visitor.paragraphs {
          try printOutput(Array(((endingCount > 0 ? "\n" : "") + paragraph).utf8))
          endingCount += 1
        }
        printProblems(ProblemText.lines(of: capture))
        isDamaged = isDamaged || capture.isDamaged
      } catch let error as CaptureFailureAt {
        let capture = JudgedCapture(path: error.path, failure: error.failure)
        if capture.notice != nil { readCount += 1 }
        if file.isFromDirectory, capture.isPassedOver { continue }
        printProblems(error.line)
        isDamaged = isDamaged || capture.failure != nil
      }
    }
    if readCount == 0, !isDamaged {
      throw CaptureFailureAt(path: paths[0], failure: inputs.failure(ofEmpty: paths[0]))
    }
    if readCount > 0, endingCount == 0 { try printOutput(Array(Self.noEnding.utf8)) }
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }

  /// Tells of the ends of runs, and of what is of none.
  private func runTogether(_ inputs: CaptureInputs, _ lines: LineOptions) throws {
    var endingCount = 0
    var readCount = 0
    let isDamaged = try input.readTogether(inputs, lines: lines) {
      WhyVisitor(capture: $0)
    } told: {
      readCount += 1
      for paragraph in $0.paragraphs {
        try printOutput(Array(((endingCount > 0 ? "\n" : "") + paragraph).utf8))
        endingCount += 1
      }
    }
    if readCount > 0, endingCount == 0 { try printOutput(Array(Self.noEnding.utf8)) }
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }

  private static let noEnding = WrappedText.lines(
    "No end of an app was found: either it was still running when the capture stopped, or the"
      + " capture doesn't hold the line or the report that tells of its end.", indent: 0)
}

/// Judges each trace of a capture, and keeps a paragraph for each end in it.
private struct WhyVisitor: CaptureVisitor {
  /// Paragraphs kept of one capture; more are counted.
  private static let paragraphsMax = 10_000

  /// What the capture is called, and where its lines stand.
  let capture: JudgedCapture
  private(set) var told: [String] = []
  private var omittedCount = 0
  private var header = TraceHeader()
  private var checker: Checker?
  private var watch: LifeWatch?
  private var orderer = TimeOrderer()
  private var isDamaged = false
  private var isSimulated = false
  /// The apps of which it was told.
  private var toldSimulations: Set<String> = []
  private var traceCount = 0

  init(capture: JudgedCapture) { self.capture = capture }

  /// The paragraphs as lines.
  var paragraphs: [String] {
    let rest =
      omittedCount == 0
      ? [] : [WrappedText.lines("\(omittedCount) more ends are not told.", indent: 0)]
    return told + rest
  }

  mutating func begin(_ header: TraceHeader) {
    traceCount += 1
    self.header = header
    checker = Checker(header: header, options: CheckOptions())
    watch = LifeWatch(header: header)
    orderer = TimeOrderer()
    isDamaged = false
    isSimulated = false
  }

  mutating func remark(_ remark: CaptureRemark) {
    if remark.message == CaptureRemark.simulatedMessage { isSimulated = true }
  }

  mutating func consume(_ batch: EventBatch) {
    var source = batch
    checker?.consume(&source)
    guard var watch = self.watch.take() else { return }
    orderer.consume(batch) { batch, range in
      for index in range { watch.take(batch.event(at: index), batch) }
    }
    self.watch = watch
  }

  mutating func endTrace() {
    guard var ended = checker.take(), var watch = self.watch.take() else { return }
    orderer.finish { batch, range in
      for index in range { watch.take(batch.event(at: index), batch) }
    }
    let judgement = ended.finish(isDamaged: isDamaged)
    omittedCount += watch.endingsOmittedCount
    let story = WhyStory(
      capture: capture, traceNumber: traceCount > 1 ? traceCount : nil, judgement: judgement,
      endings: watch.endings)
    let app = header.string(.appBundleID).map { " about \(PrintableText.printable($0))" } ?? ""
    if isSimulated, told.count < Self.paragraphsMax, toldSimulations.insert(app).inserted {
      let text = "A payload\(app) was simulated by Xcode: nothing of what it tells happened."
      told.append(WrappedText.lines(text, indent: 0))
    }
    for ending in story.endings {
      if told.count < Self.paragraphsMax {
        told.append(WrappedText.lines(story.paragraph(ending), indent: 0))
      } else {
        omittedCount += 1
      }
    }
  }

  mutating func problem(_ problem: InputProblem) {
    if problem.consequence != .truncated { isDamaged = true }
  }
}
