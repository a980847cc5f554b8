// Reads any format of reports: keeps the bytes up to a bound, has them read when they end, and
// gives out what was found. This file must not know any format.

import TraceModel

/// A format of reports. Adding a format means adding one such type.
protocol ReportReading: Sendable {
  static var formatName: String { get }
  static var kind: ReportHead.Kind { get }
  static func read(_ text: Span<UInt8>) -> ReportContent
}

/// A decoder for one format. A report is small and can't be told before its end, since its parts
/// stand in any order.
struct ReportDecoder<Reader: ReportReading>: CaptureDecoder {
  static var formatName: String { Reader.formatName }

  private var bytes: [UInt8] = []
  private var isCut = false

  private var content: ReportContent?
  private var nextProblem = 0
  private var nextTrace = 0
  private var nextRemark = 0
  private var place = Place.between

  /// What comes next of a trace.
  private enum Place { case between, events, remarks }

  mutating func feed(_ input: Span<UInt8>) {
    let count = min(input.count, ImportLimits.reportBytesMax - bytes.count)
    if count < input.count { isCut = true }
    for offset in 0..<count { bytes.append(input[offset]) }
  }

  mutating func finish() {
    guard content == nil else { return }
    var linesAbove = 0
    let isWrapped = ReportHead(bytes.span).kind == .none || ReportText.beginsWithFence(bytes.span)
    if isWrapped, let unwrapped = ReportText.unwrapped(bytes.span) {
      bytes = unwrapped.text
      linesAbove = unwrapped.linesAbove
    }
    let hasMark = bytes.span.has([0xef, 0xbb, 0xbf], at: 0)
    var content = Self.read(bytes.span.extracting((hasMark ? 3 : 0)..<bytes.count))
    content.note(linesAbove: linesAbove)
    if isCut {
      content.problem(
        InputProblem(
          .truncated, at: .input,
          "the report is larger than \(ImportLimits.reportBytesMax) bytes; the rest is not read"))
    }
    self.content = content
    bytes = []
  }

  /// Reads all reports of a text. One that was pasted twice counts once.
  private static func read(_ text: Span<UInt8>) -> ReportContent {
    let parts = ReportSplitter.parts(of: text)
    if parts.count == 1 { return Reader.read(text.extracting(parts[0])) }
    var content = ReportContent()
    var lines = LineCounter()
    var known: Set<Int> = []
    for (number, part) in parts.enumerated() {
      let line = lines.line(at: part.lowerBound, in: text)
      if number == ImportLimits.reportTracesMax {
        content.problem(
          InputProblem(
            .skipped, at: .line(Int(line), column: 1),
            "the file holds more than \(number) reports; the rest is not read",
            advice: "split the file"))
        break
      }
      let report = text.extracting(ReportText.value(text, part))
      guard known.insert(hash(report)).inserted else { continue }
      let kind = ReportHead(report).kind
      if let reader = kind.reader {
        content.add(reader.read(report), fromLine: line, isOfIncidents: kind != .metrics)
        continue
      }
      // Words beside reports, unless they were named to be one.
      let words = Reader.read(report)
      if !words.traces.isEmpty {
        content.add(words, fromLine: line, isOfIncidents: Reader.kind != .metrics)
      } else if number > 0, !ReportSplitter.isSentence(report) {
        content.problem(
          InputProblem(
            .skipped, at: .line(Int(line), column: 1), "what begins here is no whole report",
            advice: "store it in a file of its own"))
      }
    }
    content.settle()
    return content
  }

  private static func hash(_ text: Span<UInt8>) -> Int {
    var hasher = Hasher()
    for offset in text.indices { hasher.combine(text[offset]) }
    return hasher.finalize()
  }

  mutating func next(into batch: inout EventBatch) -> DecoderStep {
    guard let content else { return .needsInput }
    if nextProblem < content.problems.count {
      nextProblem += 1
      return .problem(content.problems[nextProblem - 1])
    }
    while nextTrace < content.traces.count {
      let trace = content.traces[nextTrace]
      switch place {
      case .between:
        place = .events
        nextRemark = 0
        return .header(trace.header)
      case .events:
        place = .remarks
        var assembler = BatchAssembler()
        trace.append(to: &assembler)
        assembler.take(into: &batch)
        return .batch
      case .remarks:
        if nextRemark < trace.remarks.count {
          nextRemark += 1
          return .remark(trace.remarks[nextRemark - 1])
        }
        nextTrace += 1
        place = .between
        nextRemark = 0
      }
    }
    guard nextRemark < content.refusals.count else { return .end }
    nextRemark += 1
    return .remark(
      CaptureRemark(id: CaptureRemark.foreignID, message: content.refusals[nextRemark - 1]))
  }
}
