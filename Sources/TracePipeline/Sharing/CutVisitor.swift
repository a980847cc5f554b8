// Judges a capture, or a part of one of its traces, and writes that part if asked.
// This file must not know how the part was chosen.

public import TraceExport
public import TraceFormat
public import TraceModel
public import TraceRules

/// Judges what it is told, and writes it down on the way.
public struct CutVisitor: CaptureVisitor {
  /// A trace, or the part of it that was chosen.
  public struct Judged: Sendable {
    /// The number of the trace in its capture, from 1.
    public let number: Int
    public let traceID: String
    public let eventCount: Int
    public let window: TimeWindow
    /// Without those that don't count, in the order of reports.
    public let findings: [Finding]
    /// Whether what was read of it was damaged.
    public let isDamaged: Bool

    /// Whether the part of a trace shows a finding of the whole, and nothing that the whole doesn't
    /// show. Of a redacted part the whole is the redacted one, too.
    public func shows(_ finding: Finding, of whole: Judged) -> Bool {
      let known = Set(whole.findings.map(FindingIdentity.init))
      let found = findings.map(FindingIdentity.init)
      return found.contains(FindingIdentity(finding)) && known.isSuperset(of: found)
    }

    /// The finding of this trace that is one of the trace before its names were hashed; nil if the
    /// hashes hide it.
    public func counterpart(of finding: Finding) -> Finding? {
      func places(_ finding: Finding) -> [Int] {
        finding.witness.map { $0.ordinal - (finding.witness.first?.ordinal ?? 0) }
      }
      var plain = finding
      return findings.first { own in
        plain.subject = own.subject
        return FindingIdentity(own) == FindingIdentity(plain) && places(own) == places(finding)
      }
    }
  }

  public private(set) var traces: [Judged] = []

  private let path: String
  private let makeTerms: TraceTerms.Maker
  private let cut: TraceCut?
  /// The trace's id where what is judged is a part.
  private let knownTraceID: String?
  private let writer: TraceWriter?
  private let redaction: TraceRedaction?

  private var traceCount = 0
  private var checker: Checker?
  private var terms: TraceTerms?
  private var hash = EventHash()
  /// Events of the part that wait for the rest of their block.
  private var assembler = BatchAssembler()
  private var losses = LossKeeper(keepsNumbers: false)
  private var headerTraceID: String?
  private var isDamaged = false
  private var earlyRemarks: [CaptureRemark] = []

  /// - Parameters:
  ///   - path: The capture's path, for the terms.
  ///   - part: The part that is judged, and the id of the trace that it is of; nil to judge all
  ///     traces whole.
  ///   - writer: Takes the part.
  ///   - redaction: What is done to it before it is judged.
  public init(
    path: String, terms: @escaping TraceTerms.Maker, part: (cut: TraceCut, traceID: String)? = nil,
    writer: TraceWriter? = nil, redaction: TraceRedaction? = nil
  ) {
    self.path = path
    makeTerms = terms
    cut = part?.cut
    knownTraceID = part?.traceID
    self.writer = writer
    self.redaction = redaction
  }

  public mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    traceCount += 1
    if let cut, cut.traceNumber != traceCount { return }
    headerTraceID = header.string(.traceID)
    var header = header
    if cut != nil { header[.traceID] = nil }
    let terms = makeTerms(header, path)
    self.terms = terms
    if let redaction { header = redaction.header(header) }
    checker = Checker(header: header, plans: terms.plans)
    if cut == nil {
      for remark in earlyRemarks { checker?.add(remark) }
    }
    earlyRemarks.removeAll()
    hash = EventHash()
    assembler = BatchAssembler()
    losses.begin()
    try writer?.begin(header)
  }

  public mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    guard checker != nil else { return }
    if cut == nil, headerTraceID == nil { hash.add(batch) }
    guard let cut else { return try take(batch) }
    let isPartial = skipsBlocks && !isDamaged
    for part in losses.parts(of: batch, isPartial: isPartial) { try add(part, in: cut.window) }
  }

  /// Takes those events of a batch that are in a window. They are counted anew, as they will be
  /// when the part is read.
  private mutating func add(
    _ batch: EventBatch, in window: TimeWindow?
  ) throws(CaptureFailure) {
    var part = EventBatch()
    var texts = CopiedTexts(of: batch)
    for index in 0..<batch.count
    where window?.contains(batch.timesNanoseconds[index]) ?? true {
      if assembler.isFull {
        assembler.take(into: &part)
        try take(part)
      }
      assembler.append(
        index, of: batch, timeNanoseconds: batch.timesNanoseconds[index], line: 0, texts: &texts)
    }
    assembler.take(into: &part)
    if part.count > 0 { try take(part) }
  }

  private mutating func take(_ batch: EventBatch) throws(CaptureFailure) {
    guard let redaction else { return try judge(batch) }
    try redaction.redact(batch) { (part) throws(CaptureFailure) in try judge(part) }
  }

  private mutating func judge(_ batch: EventBatch) throws(CaptureFailure) {
    var source = batch
    checker?.consume(&source)
    try writer?.consume(batch)
  }

  public mutating func endTrace() {
    guard var ended = checker.take() else { return }
    // What is written is whole in itself.
    let judgement = ended.finish(isDamaged: cut == nil && isDamaged)
    let traceID = knownTraceID ?? headerTraceID ?? hash.text
    let findings = judgement.findings.filter { terms?.suppression($0, traceID) == nil }
    traces.append(
      Judged(
        number: traceCount, traceID: traceID, eventCount: judgement.eventCount,
        window: TimeWindow(
          from: judgement.firstNanoseconds, through: judgement.lastNanoseconds),
        findings: findings, isDamaged: isDamaged))
    isDamaged = false
  }

  public mutating func problem(_ problem: InputProblem) {
    if problem.consequence != .truncated { isDamaged = true }
  }

  public mutating func remark(_ remark: CaptureRemark) {
    if cut != nil { return }
    if checker == nil { earlyRemarks.append(remark) } else { checker?.add(remark) }
  }

  /// Of several traces the later ones don't matter to a part.
  public var isSatisfied: Bool {
    if writer?.isClosed == true { return true }
    return cut.map { traceCount > $0.traceNumber } ?? false
  }

  public var skipsBlocks: Bool { cut?.window != nil }

  public func wants(_ block: BlockSummary) -> Bool {
    guard let window = cut?.window else { return true }
    return block.latestNanoseconds >= window.from && block.earliestNanoseconds <= window.through
  }
}
