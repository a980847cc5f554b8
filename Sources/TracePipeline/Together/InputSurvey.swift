// Reads every input of a call once, to know what it is before it is joined with others.
// This file must not know how inputs are joined.

import TraceExport
import TraceIO
import TraceImport
import TraceModel

/// What one pass over the inputs shows.
struct InputSurvey {
  struct Capture: Sendable {
    var input: Int
    var format: CaptureFormat
    var traces: [TraceSurvey]
    var problems: JudgedCapture
  }

  private(set) var failures: [JudgedCapture] = []
  private(set) var captures: [Capture] = []
  private(set) var logs: [LogSurvey] = []
  /// The inputs that can be read, in the order of their names.
  private(set) var paths: [String] = []
  /// The lines of all inputs before each: a line's number among those of all inputs is the sum.
  private(set) var linesBefore: [UInt32] = []
  /// Whether each was found in a directory and not named.
  private(set) var isFromDirectory: [Bool] = []

  private let inputs: CaptureInputs
  private let format: CaptureFormat?
  private let lines: LineOptions
  private var lineCount: UInt32 = 0

  init(_ inputs: CaptureInputs, format: CaptureFormat?, lines: LineOptions) {
    self.inputs = inputs
    self.format = format
    self.lines = lines
  }

  mutating func read() throws(CaptureFailure) {
    // The order in which inputs are named doesn't matter.
    let entries = inputs.entries.sorted {
      ($0.path, $0.directory ?? -1) < ($1.path, $1.directory ?? -1)
    }
    var hits = [Int](repeating: 0, count: inputs.directories.count)
    var identities: [FileIdentity: String] = [:]
    for entry in entries {
      if let identity = FileIdentity(path: entry.path) {
        if let original = identities[identity] {
          var copy = JudgedCapture(path: entry.path)
          copy.copyOf = original
          failures.append(copy)
          if let directory = entry.directory { hits[directory] += 1 }
          continue
        }
        identities[identity] = entry.path
      }
      do throws(CaptureFailure) {
        try read(entry.path)
        isFromDirectory.append(entry.directory != nil)
        if let directory = entry.directory { hits[directory] += 1 }
      } catch {
        if error.kind == .interrupted { throw error }
        let capture = JudgedCapture(path: entry.path, failure: error)
        if let directory = entry.directory, capture.isPassedOver {
          if capture.notice != nil { hits[directory] += 1 }
          continue
        }
        if let directory = entry.directory { hits[directory] += 1 }
        failures.append(capture)
      }
    }
    for (directory, count) in hits.enumerated() where count == 0 {
      let path = inputs.directories[directory]
      failures.append(JudgedCapture(path: path, failure: inputs.failure(ofEmpty: path)))
    }
  }

  private mutating func read(_ path: String) throws(CaptureFailure) {
    if Interrupt.isRaised { throw .interrupted }
    let input = paths.count
    if let reader = try LogReader(path: path, format: format, lines: lines) {
      guard let log = try LogSurvey(input: input, path: path, reader: reader) else {
        throw CaptureFailure.noLifecycleLines(reader.format)
      }
      add(path, lineMax: log.lineMax)
      logs.append(log)
      return
    }
    var format: CaptureFormat?
    var visitor = SurveyVisitor(source: 0, isRecorded: false)
    try CaptureReader.read(
      path: path, format: self.format, into: &visitor, opened: { format = $0 })
    guard let format else { throw CaptureFailure("it has changed while it was read") }
    var traces = visitor.traces
    for index in traces.indices { traces[index].isRecorded = format.isTrace }
    captures.append(
      Capture(input: input, format: format, traces: traces, problems: visitor.problems))
    add(path, lineMax: traces.map(\.lineMax).max() ?? 0)
  }

  /// Adds an input, whose lines are counted on behind those of the inputs before it.
  private mutating func add(_ path: String, lineMax: UInt32) {
    paths.append(path)
    linesBefore.append(lineCount)
    let (sum, overflow) = lineCount.addingReportingOverflow(lineMax)
    lineCount = overflow ? .max : sum
  }
}
