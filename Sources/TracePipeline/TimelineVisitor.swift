// Draws one trace of a capture while it is read: the same blocks go to the rules and the drawing.
// This file must not know any timeline format.

public import TraceExport
import TraceIO
import TraceLifecycle
public import TraceModel
import TraceRules

/// Where the bytes of a timeline go.
///
/// A class, because an open file has one owner, while visitors are values.
public final class TimelineFile {
  private var file: OutputFile?
  private var stream: OutputStream?
  private var memoryBytesMax: Int?
  /// How long drawing may take, and when that is over; nil without a limit.
  private var budget: (seconds: Int64, endNanoseconds: Int64)?
  /// What was written, for a timeline that is kept in memory.
  public private(set) var bytes: [UInt8] = []

  /// - Parameter path: A file, which appears when all is written; `-` for standard output.
  /// - Throws: ``CaptureFailure`` if it can't be written.
  public init(path: String) throws(CaptureFailure) {
    if path == "-" {
      stream = .standardOutput
      return
    }
    do throws(FileError) {
      file = try OutputFile(path: path)
    } catch {
      throw CaptureFailure(output: error)
    }
  }

  /// A timeline in memory.
  ///
  /// - Parameters:
  ///   - bytesMax: Bytes that it may take; writing more throws.
  ///   - secondsMax: How long it may take to draw; writing later throws.
  public init(bytesMax: Int, secondsMax: Int64) {
    memoryBytesMax = bytesMax
    let now = ProcessEnvironment.monotonicNanoseconds()
    budget = (secondsMax, now + secondsMax * 1_000_000_000)
  }

  /// Whether the reader of standard output has gone.
  public var isClosed: Bool { stream?.isClosed ?? false }

  /// Writes bytes, and empties them.
  public func write(_ bytes: inout [UInt8]) throws(CaptureFailure) {
    if let budget, ProcessEnvironment.monotonicNanoseconds() > budget.endNanoseconds {
      throw CaptureFailure(
        "its timeline takes more than \(budget.seconds) s",
        advice: "draw it, or a part of it, with 'tracecheck timeline'", .output)
    }
    if bytes.isEmpty { return }
    if let memoryBytesMax {
      guard self.bytes.count + bytes.count <= memoryBytesMax else {
        throw CaptureFailure(
          "its timeline is larger than \(memoryBytesMax >> 20) MiB",
          advice: "draw a part of it with 'tracecheck timeline'", .output)
      }
      self.bytes.append(contentsOf: bytes)
      bytes.removeAll(keepingCapacity: true)
      return
    }
    do throws(FileError) {
      try file?.write(bytes)
      try stream?.write(bytes)
    } catch {
      throw CaptureFailure(output: error)
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Puts the file in its place.
  public func finish() throws(CaptureFailure) {
    guard let file = file.take() else { return }
    do throws(FileError) {
      try file.commit()
    } catch {
      throw CaptureFailure(output: error)
    }
  }
}

/// Draws a trace of a capture, and judges it.
public struct TimelineVisitor: CaptureVisitor {
  public private(set) var writer: any TimelineWriter
  /// The traces seen so far.
  public private(set) var traceCount = 0

  private let path: String
  private let number: Int
  private let file: TimelineFile
  private let makeTerms: TraceTerms.Maker
  private var terms: TraceTerms?
  private var checker: Checker?
  private var hash = EventHash()
  private var headerTraceID: String?
  private var isDamaged = false
  private var earlyRemarks: [CaptureRemark] = []

  /// - Parameters:
  ///   - path: The capture's path as it is to be shown.
  ///   - number: Which trace is drawn, from 1.
  public init(
    path: String, number: Int, writer: any TimelineWriter, file: TimelineFile,
    terms: @escaping TraceTerms.Maker
  ) {
    self.path = path
    self.number = number
    self.writer = writer
    self.file = file
    makeTerms = terms
  }

  private var isDrawn: Bool { traceCount == number }

  public mutating func begin(_ header: TraceHeader) {
    traceCount += 1
    guard isDrawn else { return }
    let terms = makeTerms(header, path)
    self.terms = terms
    checker = Checker(header: header, plans: terms.plans)
    for remark in earlyRemarks { checker?.add(remark) }
    hash = EventHash()
    headerTraceID = header.string(.traceID)
    writer.begin(
      TimelineTrace(
        path: path, header: header,
        profile: terms.options.profile ?? ProfileSelection(header: header).profile,
        ruleText: Self.ruleText(terms.options)))
  }

  /// What rules say, with the limits that hold for the trace.
  private static func ruleText(
    _ options: CheckOptions
  ) -> @Sendable (String) -> TimelineRuleText? {
    let rules = Dictionary(options.rules.map { ($0.id, $0) }) { first, _ in first }
    return { id in
      rules[id].map { rule in
        TimelineRuleText(
          summary: rule.summary, rationale: rule.rationale, consequence: rule.consequence,
          advice: rule.advice,
          limitsNanoseconds: rule.parameters.filter { $0.unit == .nanoseconds }
            .map { options.value(of: $0, in: rule) })
      }
    }
  }

  public mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    guard isDrawn else { return }
    if headerTraceID == nil { hash.add(batch) }
    var source = batch
    checker?.consume(&source)
    try BatchSlices.forEach(of: ShortTexts.cut(batch)) { (part) throws(CaptureFailure) in
      writer.consume(part)
      try file.write(&writer.output)
    }
  }

  public mutating func endTrace() throws(CaptureFailure) {
    guard isDrawn, var ended = checker.take() else { return }
    var judgement = ended.finish(isDamaged: isDamaged)
    judgement.traceID = headerTraceID ?? hash.text
    if let terms {
      let traceID = judgement.traceID
      judgement.findings.removeAll { terms.suppression($0, traceID) != nil }
    }
    writer.endTrace(judgement)
    try file.write(&writer.output)
  }

  public mutating func problem(_ problem: InputProblem) {
    if problem.consequence != .truncated { isDamaged = true }
  }

  public mutating func remark(_ remark: CaptureRemark) {
    if traceCount == 0 { earlyRemarks.append(remark) } else if isDrawn { checker?.add(remark) }
  }

  public var isSatisfied: Bool { file.isClosed }
}
