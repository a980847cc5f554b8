// `info`: what a capture holds, without judging it.

import ArgumentParser
import TraceExport
import TraceModel
import TraceNotation
import TracePipeline

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Prints the header, counts, time range, completeness and size of captures.")

  @Argument(
    help: ArgumentHelp("Captures, directories, or - for standard input.", valueName: "path"))
  var paths: [String]

  @Option(help: "The form of the answer.")
  var format: PrintFormat = .text

  @OptionGroup(title: "Input options") var input: InputOptions

  func run() throws {
    let inputs = CaptureInputs(paths: paths)
    let files = inputs.files
    // One file gives an object, as scripts expect; several things give a list.
    let isList = files.count != 1 || files.contains { $0.isFromDirectory }
    var isDamaged = !inputs.failures.isEmpty
    for failure in inputs.failures { printProblems(ProblemText.lines(of: failure)) }
    var count = 0
    if isList, format == .json { try printOutput(Array("[".utf8)) }
    for file in files {
      do {
        let (visitor, capture) = try input.readOne(file.path, into: InfoVisitor())
        var info = visitor
        info.end(capture)
        switch format {
        case .text: try printOutput(Array((count > 0 ? "\n" : "").utf8) + Array(info.text.utf8))
        case .json: try printOutput(Array((count > 0 ? "," : "").utf8) + info.json)
        }
        count += 1
        printProblems(ProblemText.lines(of: capture))
        isDamaged = isDamaged || capture.isDamaged
      } catch let error as CaptureFailureAt {
        if file.isFromDirectory, JudgedCapture(error).isPassedOver { continue }
        printProblems(error.line)
        isDamaged = true
      }
    }
    if isList, format == .json { try printOutput(Array("]\n".utf8)) }
    if count == 0, !isDamaged {
      throw CaptureFailureAt(path: paths[0], failure: inputs.failure(ofEmpty: paths[0]))
    }
    throw CommandExit(code: isDamaged && !input.allowDamaged ? .damagedInput : .done)
  }
}

extension JudgedCapture {
  fileprivate init(_ error: CaptureFailureAt) {
    self.init(path: error.path, failure: error.failure)
  }
}

/// What one trace of a capture holds.
struct TraceContent {
  var header: TraceHeader
  var eventCount = 0
  var firstNanoseconds: Int64?
  var lastNanoseconds: Int64 = 0
  var threads: Set<Int64> = []
  var countsByKind: [String: Int] = [:]
  var blockCount = 0
  var endsClean = false
  var isDamaged = false

  var completeness: Completeness { isDamaged ? .damaged : endsClean ? .complete : .truncated }

  /// Kinds kept by name: a hostile trace may invent a new one for every event.
  static let kindsMax = 10_000
  static let threadsMax = 100_000

  init(header: TraceHeader) { self.header = header }

  mutating func add(_ batch: EventBatch) {
    guard batch.count > 0 else { return }
    eventCount += batch.count
    blockCount += 1
    for time in batch.timesNanoseconds {
      lastNanoseconds = firstNanoseconds == nil ? time : max(lastNanoseconds, time)
      firstNanoseconds = min(firstNanoseconds ?? time, time)
    }
    for thread in batch.threads where threads.count < Self.threadsMax { threads.insert(thread.id) }
    var counts = [Int](repeating: 0, count: batch.templates.count)
    for index in batch.templateIndices { counts[Int(index)] += 1 }
    for (template, count) in zip(batch.templates, counts) where count > 0 {
      let name = batch.name(of: template.kind)
      if countsByKind[name] != nil || countsByKind.count < Self.kindsMax {
        countsByKind[name, default: 0] += count
      } else {
        countsByKind["(others)", default: 0] += count
      }
    }
    let last = batch.event(at: batch.count - 1)
    endsClean = last.kind == .traceEnd && batch.isText(.reason, "clean", of: last)
  }

  /// Kinds by count, the most frequent first.
  var kinds: [(name: String, count: Int)] {
    countsByKind.map { (name: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}

/// Counts what a capture says.
struct InfoVisitor: CaptureVisitor {
  private(set) var traces: [TraceContent] = []
  private(set) var capture = JudgedCapture(path: "")
  /// The size that the same traces have as NDJSON.
  private(set) var notationByteCount: Int64 = 0
  private var encoder = NDJSONEncoder()

  mutating func begin(_ header: TraceHeader) {
    traces.append(TraceContent(header: header))
    encoder.begin(header)
    measure()
  }

  mutating func consume(_ batch: EventBatch) {
    traces[traces.count - 1].add(batch)
    notationByteCount += encoder.byteCount(of: batch)
  }

  mutating func endTrace() {}

  mutating func problem(_ problem: InputProblem) {
    if problem.consequence != .truncated, !traces.isEmpty {
      traces[traces.count - 1].isDamaged = true
    }
  }

  mutating func end(_ capture: JudgedCapture) {
    self.capture = capture
    encoder.end()
    measure()
  }

  private mutating func measure() {
    notationByteCount += Int64(encoder.output.count)
    encoder.output.removeAll(keepingCapacity: true)
  }
}
