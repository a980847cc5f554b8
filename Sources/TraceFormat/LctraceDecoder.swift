// Reads traces: bytes of a `.lctrace` file in at any split, headers and batches out.
// Every event of every undamaged block comes out, whatever is wrong elsewhere.

public import TraceModel

/// Reads the binary format.
///
/// Damage costs the records that it hits and no others: after it, the reader looks for the next
/// whole record. Places of events stay true, because blocks carry them.
public struct LctraceDecoder: CaptureDecoder {
  public static let formatName = "lctrace"

  /// What has been read so far.
  public private(set) var statistics = LctraceStatistics()
  /// What the header of the last block said, and where its record stands in the input.
  public private(set) var lastBlock: LctraceIndexEntry?
  /// The clock anchors of the last header.
  public private(set) var clockAnchors: [ClockAnchor] = []
  /// What the blocks of the current trace hold to say whose they are; nil before a header.
  public var traceTag: UInt32? { continuity.tag }

  private enum State {
    /// Before the first byte.
    case beginning
    /// Where a record or a signature should begin.
    case boundary
    /// In the search for the next whole record.
    case searching(RecordSearch)
    /// Before a block whose header is read; its chunk begins so many bytes inside the body.
    case block(BlockSummary, chunkOffset: Int)
    case ended
  }

  private var window = InputWindow()
  private var state = State.beginning
  private var isFinished = false
  private var pending: [DecoderStep] = []
  private var blocks: BlockReader
  private var continuity = TraceContinuity()
  /// Damaged bytes that are reported together with what the next record tells of the loss.
  private var damage: Range<UInt64>?

  public init(codec: ChunkCodec) { blocks = BlockReader(codec: codec) }

  public mutating func feed(_ bytes: Span<UInt8>) { window.append(bytes) }

  public mutating func finish() { isFinished = true }

  public mutating func next(into batch: inout EventBatch) -> DecoderStep {
    while true {
      if !pending.isEmpty { return pending.removeFirst() }
      switch state {
      case .beginning:
        if !begin() { return .needsInput }
      case .boundary:
        if !readRecord() { return .needsInput }
      case .searching(var search):
        if !self.search(&search) { return .needsInput }
      case .block(let summary, let chunkOffset):
        if readBlock(summary, chunkOffset, into: &batch) { return .batch }
      case .ended:
        return .end
      }
    }
  }

  // Each step returns false if it needs more input.

  private mutating func begin() -> Bool {
    switch FileSignature.probe(window.bytes.span, at: window.head) {
    case .present(let major, let minor):
      readSignature(major, minor)
    case .incomplete:
      guard isFinished else { return false }
      report(
        .truncated, window.offset..<window.endOffset,
        window.unreadCount == 0
          ? "The input is empty" : "The input ends inside the signature of a trace")
      state = .ended
    case .absent:
      state = .searching(
        RecordSearch(from: window.offset, isBeginning: true, isTorn: false))
    }
    return true
  }

  private mutating func readRecord() -> Bool {
    switch window.lookAhead() {
    case .empty where isFinished:
      reportDamage(lostEventCount: 0)
      state = .ended
    case .incomplete where isFinished: startSearch(isTorn: true)
    case .empty, .incomplete: return false
    case .signature(let major, let minor): readSignature(major, minor)
    case .record(let frame): admit(frame)
    case .damaged: startSearch(isTorn: false)
    }
    return true
  }

  private mutating func startSearch(isTorn: Bool) {
    reportDamage(lostEventCount: 0)
    state = .searching(RecordSearch(from: window.offset, isBeginning: false, isTorn: isTorn))
  }

  private mutating func search(_ search: inout RecordSearch) -> Bool {
    switch search.step(&window, isFinished: isFinished) {
    case .needsInput:
      state = .searching(search)
      return false
    case .found:
      damage = search.start..<window.offset
      state = .boundary
    case .nothing(let tornOffset):
      state = .ended
      let end = window.endOffset
      if search.isBeginning {
        refuse(search.start..<end)
      } else if search.isTorn {
        report(.truncated, search.start..<end, Self.truncatedMessage)
      } else if let tornOffset {
        report(.skipped, search.start..<tornOffset, Self.damagedMessage)
        report(.truncated, tornOffset..<end, Self.truncatedMessage)
      } else {
        report(.skipped, search.start..<end, Self.damagedMessage)
      }
    }
    return true
  }

  private mutating func readSignature(_ major: UInt8, _ minor: UInt8) {
    reportDamage(lostEventCount: 0)
    guard major == FileSignature.majorVersion else {
      pending.append(
        .problem(
          InputProblem(
            .refused, at: .bytes(window.offset..<window.offset + UInt64(FileSignature.byteCount)),
            "The trace has format version \(major).\(minor), this reader understands version "
              + "\(FileSignature.majorVersion).\(FileSignature.minorVersion)",
            advice: "Use a newer tracecheck")))
      state = .ended
      return
    }
    statistics.majorVersion = major
    statistics.minorVersion = minor
    continuity.beginFile()
    window.advance(to: window.head + FileSignature.byteCount)
    state = .boundary
  }

  /// Takes a record whose checksum is right.
  private mutating func admit(_ frame: RecordFrame) {
    statistics.recordCount += 1
    let range = window.offset..<window.offset + UInt64(frame.end - frame.start)
    let checksum = frame.storedChecksum(window.bytes.span)
    switch frame.type {
    case RecordType.block:
      return admitBlock(frame, range)
    case RecordType.header:
      if continuity.isKnownHeader(frame.sequence, checksum) {
        report(.skipped, range, "The header record \(frame.sequence) stands here a second time")
      } else {
        reportDamage(lostEventCount: 0)
        readHeader(frame, checksum, range)
      }
    default:
      let order = follow(frame, firstOrdinal: nil, range)
      if order == .duplicate {
        // It has been named as what it is.
      } else if frame.type == RecordType.index {
        statistics.indexRecordCount += 1
      } else if RecordType.isSkippable(frame.type) {
        statistics.skippedRecordCount += 1
      } else {
        report(
          .skipped, range, "The record has the type \(frame.type), which this version doesn't know",
          advice: "Use a newer tracecheck")
      }
    }
    window.advance(to: frame.end)
    state = .boundary
  }

  private mutating func readHeader(
    _ frame: RecordFrame, _ checksum: UInt32, _ range: Range<UInt64>
  ) {
    continuity.beginTrace(header: frame.sequence, checksum)
    statistics.traceCount += 1
    clockAnchors = []
    do throws(FormatDamage) {
      var (header, anchors) = try HeaderBody.read(window.bytes.span.extracting(frame.body))
      clockAnchors = anchors
      header.origin.wallClock = anchors.first?.wallClock(of: header)
      pending.append(.header(header))
    } catch {
      report(.skipped, range, "The trace header can't be read: \(error.message)")
      pending.append(.header(TraceHeader()))
    }
  }

  private mutating func admitBlock(_ frame: RecordFrame, _ range: Range<UInt64>) {
    var offset = 0
    do throws(FormatDamage) {
      var summary = try BlockSummary(window.bytes.span.extracting(frame.body), &offset)
      summary.storedByteCount = frame.body.count - offset
      statistics.add(summary)
      if continuity.tag != summary.traceTag {
        beginTraceWithoutHeader(summary, frame, range)
      } else {
        switch follow(frame, firstOrdinal: summary.firstOrdinal, range) {
        case .duplicate:
          window.advance(to: frame.end)
          state = .boundary
          return
        case .foreign: beginTraceWithoutHeader(summary, frame, range)
        case .next, .afterGap, .late:
          statistics.addLost(max(0, summary.firstOrdinal - continuity.nextOrdinal))
        }
      }
      continuity.nextOrdinal = max(
        continuity.nextOrdinal, summary.firstOrdinal + summary.eventCount)
      state = .block(summary, chunkOffset: offset)
    } catch {
      follow(frame, firstOrdinal: nil, range)
      reportBlock(range, error)
      window.advance(to: frame.end)
      state = .boundary
    }
  }

  private mutating func readBlock(
    _ summary: BlockSummary, _ chunkOffset: Int, into batch: inout EventBatch
  ) -> Bool {
    state = .boundary
    guard case .present(let frame) = RecordFrame.probe(window.bytes.span, at: window.head) else {
      return false
    }
    let range = window.offset..<window.offset + UInt64(frame.end - frame.start)
    defer { window.advance(to: frame.end) }
    // A second reference, so that reading it isn't an access to the whole decoder; no copy.
    let bytes = window.bytes
    do throws(FormatDamage) {
      try blocks.read(
        bytes.span.extracting(frame.body), at: chunkOffset, summary, into: &batch)
      lastBlock = LctraceIndexEntry(
        offset: range.lowerBound, recordByteCount: frame.end - frame.start,
        traceIndex: statistics.traceCount - 1, summary: summary)
      return true
    } catch {
      statistics.addLost(summary.eventCount)
      reportBlock(range, error)
      return false
    }
  }

  private mutating func beginTraceWithoutHeader(
    _ summary: BlockSummary, _ frame: RecordFrame, _ range: Range<UInt64>
  ) {
    reportDamage(lostEventCount: 0)
    report(
      .skipped, range.lowerBound..<range.lowerBound,
      "The header of the trace that goes on here is missing")
    pending.append(.header(TraceHeader()))
    statistics.traceCount += 1
    clockAnchors = []
    continuity.beginTrace(
      tag: summary.traceTag, block: frame.sequence, frame.storedChecksum(window.bytes.span))
    continuity.nextOrdinal = summary.firstOrdinal
    statistics.addLost(summary.firstOrdinal)
  }

  /// Reports what is wrong between the record before and this one. A foreign record is left to
  /// the caller.
  @discardableResult
  private mutating func follow(
    _ frame: RecordFrame, firstOrdinal: Int?, _ range: Range<UInt64>
  ) -> SeenRecords.Place {
    let lost = firstOrdinal.map { max(0, $0 - continuity.nextOrdinal) } ?? 0
    let place = range.lowerBound..<range.lowerBound
    let isAfterDamage = damage != nil
    let order = continuity.follow(frame.sequence, frame.storedChecksum(window.bytes.span))
    if order != .foreign { reportDamage(lostEventCount: lost) }
    switch order {
    case .next, .foreign: break
    case .afterGap(let count):
      if !isAfterDamage {
        report(
          .skipped, place,
          "Before the record \(frame.sequence), \(Self.plural(count, "record")) "
            + (lost > 0 ? "with \(Self.plural(lost, "event")) " : "") + "are missing")
      }
    case .late:
      report(
        .skipped, place, "The record \(frame.sequence) stands after records that follow it")
    case .duplicate:
      report(.skipped, range, "The record \(frame.sequence) stands here a second time")
    }
    return order
  }

  private mutating func reportDamage(lostEventCount: Int) {
    guard let range = damage else { return }
    damage = nil
    let loss =
      lostEventCount > 0 ? "; \(Self.plural(lostEventCount, "event")) are lost" : ""
    report(.skipped, range, Self.damagedMessage + loss)
  }

  private mutating func reportBlock(_ range: Range<UInt64>, _ damage: FormatDamage) {
    report(.skipped, range, "A block of events can't be read: \(damage.message)")
  }

  private mutating func refuse(_ range: Range<UInt64>) {
    report(
      .refused, range,
      "The input doesn't begin as a .lctrace trace does, and holds no record of one",
      advice: "Name its format with --from")
  }

  private mutating func report(
    _ consequence: InputProblem.Consequence, _ range: Range<UInt64>, _ message: String,
    advice: String = ""
  ) {
    pending.append(
      .problem(InputProblem(consequence, at: .bytes(range), message, advice: advice)))
  }

  private static let damagedMessage = "These bytes are damaged: they hold no whole record"
  private static let truncatedMessage = "The input ends in the middle of a record"

  private static func plural(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
