// Reads the life-cycle messages of a log, and several logs as one source of traces.
// This file must not know which traces belong to one run.

import TraceExport
import TraceIO
import TraceImport
import TraceModel

/// One log being read for its messages.
///
/// A class, because an open input has one owner, while a merge keeps several in a list.
final class LogReader {
  let format: CaptureFormat
  private var bytes: ByteSource
  private var decoder: any MessageSource
  private var chunk: [UInt8] = []
  private(set) var hasEnded = false
  /// What is wrong with the input; known when it has ended.
  private(set) var problems: [InputProblem] = []

  /// Opens a capture; nil if it is no log.
  init?(path: String, format: CaptureFormat?, lines: LineOptions) throws(CaptureFailure) {
    var bytes = try ByteSource(path: path)
    let (head, recognised) = try bytes.readFormat(format)
    guard let format = recognised, var decoder = format.makeDecoder() as? any MessageSource
    else { return nil }
    decoder.collectMessages(lines)
    decoder.feed(head.span)
    self.format = format
    self.bytes = bytes
    self.decoder = decoder
  }

  var log: CollectedLog { decoder.log }

  /// The next messages; none at the end, and sometimes before.
  func readMessages() throws(CaptureFailure) -> [LogMessage] {
    let ready = decoder.takeMessages()
    if !ready.isEmpty || hasEnded { return ready }
    if Interrupt.isRaised { throw .interrupted }
    chunk.removeAll(keepingCapacity: true)
    do throws(CaptureFailure) {
      switch try bytes.read(
        into: &chunk, limit: CaptureSource.chunkBytes, timeoutMilliseconds: nil)
      {
      case .bytes:
        // Taken out and put back: it keeps its memory.
        var fed: [UInt8] = []
        swap(&fed, &chunk)
        decoder.feed(fed.span)
        swap(&fed, &chunk)
      case .end: end()
      case .timeout, .interrupted: break
      }
    } catch {
      if error.kind == .interrupted { throw error }
      problems.append(
        InputProblem(.skipped, at: .input, error.message, advice: error.advice))
      end()
    }
    return decoder.takeMessages()
  }

  private func end() {
    hasEnded = true
    decoder.finish()
    if let problem = bytes.problem { problems.append(problem) }
    var batch = EventBatch()
    while case .problem(let problem) = decoder.next(into: &batch) { problems.append(problem) }
  }
}

/// What a source of traces says next.
enum SourceStep {
  case header(TraceHeader)
  case batch
  /// What is wrong, and the file that it is wrong with if the source is of several.
  case problem(InputProblem, of: String?)
  case remark(CaptureRemark)
  /// Which trace of several that are told at once is meant, or what has become known of it.
  case stream(StreamStep)
  case end
}

/// One or several inputs that are read as one.
///
/// A class, because an open input has one owner, while a merge keeps several in a list.
protocol OpenSource: AnyObject {
  func next(into batch: inout EventBatch) throws(CaptureFailure) -> SourceStep
}

/// One capture.
final class OpenCapture: OpenSource {
  private var source: CaptureSource

  init(path: String, format: CaptureFormat?) throws(CaptureFailure) {
    // Lines of logs are read by others.
    source = try CaptureSource(path: path, format: format, lines: LineOptions())
  }

  func next(into batch: inout EventBatch) throws(CaptureFailure) -> SourceStep {
    if Interrupt.isRaised { throw .interrupted }
    while true {
      switch source.next(into: &batch) {
      case .decoder(.header(let header)): return .header(header)
      case .decoder(.batch): return .batch
      case .decoder(.problem(let problem)):
        return problem.consequence == .refused ? .end : .problem(problem, of: nil)
      case .decoder(.remark(let remark)): return .remark(remark)
      case .decoder(.stream(let step)): return .stream(step)
      case .decoder(.end), .decoder(.needsInput): return .end
      case .idle: continue
      case .failed(let failure): throw failure
      }
    }
  }
}

/// Several logs as one.
final class OpenLogs: OpenSource {
  private var readers: [LogReader]
  private let paths: [String]
  /// How many lines stand before each log.
  private let linesBefore: [UInt32]
  private var merged: MergedLog
  private var hasEnded = false
  private var problems: [(problem: InputProblem, path: String?)] = []

  init(_ group: LogGroup, lines: LineOptions) throws(CaptureFailure) {
    var readers: [LogReader] = []
    for log in group.logs {
      guard let reader = try LogReader(path: log.path, format: log.format, lines: lines) else {
        throw CaptureFailure("it has changed while it was read")
      }
      readers.append(reader)
    }
    self.readers = readers
    paths = group.logs.map(\.path)
    linesBefore = group.logs.map(\.part.lineOffset)
    merged = MergedLog(
      group.logs.map(\.part), processIDs: group.processIDs, wallClock: group.wallClock,
      lines: lines)
  }

  /// The lines that tell what other lines tell; complete when all has been read.
  var otherLines: [UInt32: [UInt32]] { merged.otherLines }

  /// The places of the logs in which lines stand, and of those that tell the same, as far as they
  /// have been read.
  func places(tellingOf lines: [UInt32]) -> Set<Int> {
    var places: Set<Int> = []
    let others = otherLines
    var last: UInt32 = 0
    for line in lines where line != last && line != 0 {
      last = line
      places.insert(place(ofLine: line))
      for other in others[line] ?? [] { places.insert(place(ofLine: other)) }
    }
    return places
  }

  /// Lines are counted on from log to log, in the order of the logs.
  private func place(ofLine line: UInt32) -> Int { linesBefore.lastIndex { $0 < line } ?? 0 }

  func next(into batch: inout EventBatch) throws(CaptureFailure) -> SourceStep {
    while true {
      if !problems.isEmpty {
        let (problem, path) = problems.removeFirst()
        return .problem(problem, of: path)
      }
      switch merged.next(into: &batch) {
      case .header(let header): return .header(header)
      case .batch: return .batch
      case .problem(let problem): return .problem(problem, of: nil)
      case .remark(let remark): return .remark(remark)
      case .stream(let step): return .stream(step)
      case .end: return .end
      case .needsInput:
        if hasEnded { return .end }
        try readOn()
      }
    }
  }

  /// Reads the next messages of the log that is behind the others.
  private func readOn() throws(CaptureFailure) {
    merged.advance()
    guard let index = merged.neededPart else {
      hasEnded = true
      merged.finish()
      return
    }
    let messages = try readers[index].readMessages()
    merged.take(messages, of: index)
    guard messages.isEmpty, readers[index].hasEnded else { return }
    merged.finish(part: index)
    for problem in readers[index].problems {
      problems.append((problem, paths.count > 1 ? paths[index] : nil))
    }
  }
}
