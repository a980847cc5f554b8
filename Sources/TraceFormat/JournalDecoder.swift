// Reads what a killed app left: a journal, and behind it the trace that its full segments became.
// Every committed event comes out once, whichever of the two holds it.

public import TraceModel

/// Reads a `.lcjournal` file, alone or with its `.lctrace` file behind it.
///
/// The ring is at most ``JournalLayout/ringByteCountMax`` bytes and is held in memory. Events of
/// the trace come first, as they come; those of the ring that the trace doesn't hold follow,
/// sorted.
public struct JournalDecoder: CaptureDecoder {
  public static let formatName = "journal"

  /// What has been read, for reports.
  public private(set) var statistics = JournalStatistics()
  /// What has been read of the trace behind the journal.
  public var traceStatistics: LctraceStatistics { inner.statistics }

  private enum State {
    /// Until header and ring are complete.
    case collecting
    /// In the trace that follows the journal.
    case sealed
    case ring
    case ended
  }

  private var state = State.collecting
  private var isFinished = false
  private var area: [UInt8] = []
  /// Bytes of the journal, as far as they are known.
  private var areaByteCount = JournalLayout.headerByteCount
  private var isAreaKnown = false
  private var missingByteCount = 0
  private var pending: [DecoderStep] = []
  private var inner: LctraceDecoder
  private var hasInnerBytes = false
  private var isInnerForeign = false
  private var isTraceCut = false
  private var seen = SequenceRanges()
  private var traceID: String?
  /// What the blocks of the journal's trace hold; nil if the journal's header is lost.
  private var traceTag: UInt32?
  /// Whether the header was given out: that of the journal or, if it is lost, of the trace.
  private var hasHeader = false
  private var batches: JournalBatches?

  public init(codec: ChunkCodec) { inner = LctraceDecoder(codec: codec) }

  public mutating func feed(_ bytes: Span<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, area.count < areaByteCount {
      let count = min(rest.count, areaByteCount - area.count)
      area.append(copying: rest.extracting(first: count))
      rest = rest.extracting(droppingFirst: count)
      learnSize()
    }
    if !rest.isEmpty {
      hasInnerBytes = true
      inner.feed(rest)
    }
  }

  /// Says that the journal itself is over, and that bytes of its trace may follow. Only needed
  /// where the journal may be cut short.
  public mutating func endJournal() {
    missingByteCount = areaByteCount - area.count
    areaByteCount = area.count
    isAreaKnown = true
  }

  public mutating func finish() {
    isFinished = true
    inner.finish()
  }

  public mutating func next(into batch: inout EventBatch) -> DecoderStep {
    while true {
      if !pending.isEmpty { return pending.removeFirst() }
      switch state {
      case .collecting:
        if area.count < areaByteCount, !isFinished { return .needsInput }
        begin()
      case .sealed:
        if let step = nextSealed(into: &batch) { return step }
      case .ring:
        if fill(&batch) { return .batch }
        endRing()
      case .ended:
        return .end
      }
    }
  }

  /// Takes the size of the ring from the header once it is there, and from nowhere else if the
  /// header is damaged: the ring then ends where a trace begins, or with the input.
  private mutating func learnSize() {
    guard !isAreaKnown, area.count >= JournalLayout.headerByteCount else { return }
    if let fixed = JournalLayout.fixed(area.span) {
      areaByteCount = fixed.fileByteCount
      statistics.fixed = fixed
      isAreaKnown = true
      return
    }
    let offset = area.count - JournalLayout.chunkByteCount
    if area.count > JournalLayout.headerByteCount,
      case .present = FileSignature.probe(area.span, at: offset)
    {
      // What looked like a chunk is the beginning of the trace.
      let trace = area[offset...].map { $0 }
      area.removeLast(area.count - offset)
      areaByteCount = area.count
      isAreaKnown = true
      hasInnerBytes = true
      inner.feed(trace.span)
    } else if area.count - JournalLayout.headerByteCount
      < JournalLayout.ringByteCountMax + JournalLayout.dropByteCount
    {
      areaByteCount = area.count + JournalLayout.chunkByteCount
    }
  }

  private mutating func begin() {
    let bytes = area
    if let (major, minor) = JournalLayout.laterVersion(bytes.span) {
      report(
        .refused, 0..<UInt64(JournalLayout.fixedByteCount),
        "The journal has version \(major).\(minor), this reader understands version "
          + "\(JournalLayout.majorVersion).\(JournalLayout.minorVersion)",
        advice: "Use a newer tracecheck")
      state = .ended
      return
    }
    if bytes.count < JournalLayout.headerByteCount {
      report(
        .truncated, 0..<UInt64(bytes.count),
        "The journal ends inside its header, after \(bytes.count) bytes")
    } else if statistics.fixed == nil {
      report(
        .skipped, 0..<UInt64(min(bytes.count, JournalLayout.fixedByteCount)),
        "The header of the journal is damaged")
    }
    let described = JournalLayout.traceHeader(bytes.span)
    if let described {
      statistics.clockAnchors = described.anchors
      traceID = described.header.string(.traceID)
      traceTag = described.tag
    } else if bytes.count >= JournalLayout.headerByteCount {
      let range = JournalLayout.traceHeaderOffset..<JournalLayout.headerByteCount
      report(
        .skipped, clipped(range), "The trace header of the journal is damaged")
    }
    // Words that disagree with their checks are unknown, and no damage: a kill may come between.
    statistics.sealedTurns = JournalLayout.mutableWord(.sealedTurns, bytes.span)
    statistics.droppedCount = JournalLayout.mutableWord(.droppedEvents, bytes.span)
    statistics.discardedCount = JournalLayout.mutableWord(.discardedEvents, bytes.span)
    if let described {
      hasHeader = true
      pending.append(.header(described.header))
    }
    let missing = max(missingByteCount, areaByteCount - bytes.count)
    if missing > 0, statistics.fixed != nil {
      report(
        .truncated, UInt64(bytes.count)..<UInt64(bytes.count),
        "The journal ends \(missing) bytes before its end")
    }
    areaByteCount = bytes.count
    state = .sealed
  }

  private mutating func nextSealed(into batch: inout EventBatch) -> DecoderStep? {
    if !hasInnerBytes {
      if !isFinished { return .needsInput }
      return beginRing()
    }
    let step = inner.next(into: &batch)
    switch step {
    case .needsInput:
      return step
    case .header(let header):
      if isForeign(header) {
        isInnerForeign = true
        let place = UInt64(areaByteCount)
        report(
          .skipped, place..<place, "The trace behind the journal is another one",
          advice: "Give the journal and its own trace")
      }
      statistics.hasTrace = true
      if !hasHeader {
        hasHeader = true
        traceID = header.string(.traceID)
        statistics.clockAnchors = inner.clockAnchors
        return step
      }
    case .batch where isInnerForeign:
      break
    case .batch:
      seen.insert(batch)
      statistics.sealedEventCount += batch.count
      return step
    case .problem(let problem):
      if problem.consequence == .truncated {
        isTraceCut = true
      } else {
        statistics.isTraceDamaged = true
      }
      var shifted = shifted(problem)
      // What is in the journal is read all the same.
      if problem.consequence == .refused { shifted.consequence = .skipped }
      return .problem(shifted)
    case .remark, .stream:
      return step
    case .end:
      return beginRing()
    }
    return nil
  }

  /// Whether a header behind the journal is that of another recording. Whose one was that is lost
  /// shows in the blocks behind it.
  private func isForeign(_ header: TraceHeader) -> Bool {
    if let traceID, let other = header.string(.traceID) { return other != traceID }
    if let traceTag, let other = inner.traceTag { return other != traceTag }
    return traceID != nil
  }

  /// Goes on with the ring; nobody has told a header where that of both files is lost.
  private mutating func beginRing() -> DecoderStep? {
    state = .ring
    if hasHeader { return nil }
    hasHeader = true
    return .header(TraceHeader())
  }

  private func shifted(_ problem: InputProblem) -> InputProblem {
    guard case .bytes(let range) = problem.location else { return problem }
    var shifted = problem
    let distance = UInt64(areaByteCount)
    let (start, tooFar) = range.lowerBound.addingReportingOverflow(distance)
    let (end, farther) = range.upperBound.addingReportingOverflow(distance)
    if !tooFar, !farther { shifted.location = .bytes(start..<end) }
    shifted.message += " (byte \(range.lowerBound) of the trace behind the journal)"
    return shifted
  }

  // The ring.

  private mutating func fill(_ batch: inout EventBatch) -> Bool {
    if batches == nil { startRing() }
    guard var batches else { return false }
    // A second reference, so that reading it isn't an access to the whole decoder; no copy. The
    // others are taken out and put back, so that they aren't copied when they change.
    let bytes = area
    self.batches = nil
    var seen = SequenceRanges()
    swap(&seen, &self.seen)
    let given = statistics
    let isForeign = isInnerForeign
    let hasMore = batches.next(into: &batch, bytes.span) { event in
      let thread = Int64(event.thread)
      let isKnown = seen.contains(event.sequence, thread: thread)
      if isKnown || (!isForeign && given.hasGivenUp(turn: UInt64(event.turn))) { return false }
      seen.insert(event.sequence..<event.sequence + 1, thread: thread)
      return true
    }
    swap(&seen, &self.seen)
    statistics.duplicateCount = batches.leftOutCount
    statistics.namelessCount = batches.namelessCount
    statistics.ringEventCount += hasMore ? batch.count : 0
    self.batches = batches
    if hasMore { batch.firstOrdinal += statistics.sealedEventCount }
    return hasMore
  }

  private mutating func startRing() {
    let start = min(JournalLayout.headerByteCount, area.count)
    // Chunks hold their turn modulo 2²⁹.
    let sealed = statistics.sealedTurns.map { $0 < 1 << 29 ? $0 : 0 } ?? 0
    let found = JournalScan(
      area.span, ring: start..<area.count, key: statistics.fixed?.chunkKey, sealedTurns: sealed,
      ringSlotCount: statistics.fixed?.slotCount)
    statistics.tornCount = found.tornCount
    for slots in found.damagedSlots {
      let range =
        UInt64(
          start + slots.lowerBound * JournalLayout.slotByteCount)..<UInt64(
          start + slots.upperBound * JournalLayout.slotByteCount)
      statistics.damagedByteCount += range.upperBound - range.lowerBound
      report(
        .skipped, range, "These bytes of the journal are damaged: they hold no whole event of it")
    }
    // What was given up or damaged is no drop.
    let isWhole =
      statistics.damagedByteCount == 0 && missingByteCount == 0 && !isInnerForeign
      && statistics.fixed != nil && traceTag != nil
      && statistics.discardedCount == 0 && !statistics.isTraceDamaged && !isTraceCut
      && (statistics.sealedTurns == 0 || statistics.hasTrace)
      && !found.lacksNames(
        of: area.span, but: { seen.contains($0.sequence, thread: Int64($0.thread)) })
    batches = JournalBatches(found, known: seen.threads, tellsFirstLosses: isWhole)
  }

  private mutating func endRing() {
    if statistics.namelessCount > 0 {
      report(
        .skipped, clipped(JournalLayout.headerByteCount..<area.count),
        "Names are damaged that \(statistics.namelessCount) events of the journal use")
    }
    statistics.missingCount = seen.missingCount
    batches = nil
    area = []
    state = .ended
  }

  private func clipped(_ range: Range<Int>) -> Range<UInt64> {
    let end = min(range.upperBound, area.count)
    return UInt64(min(range.lowerBound, end))..<UInt64(end)
  }

  private mutating func report(
    _ consequence: InputProblem.Consequence, _ range: Range<UInt64>, _ message: String,
    advice: String = ""
  ) {
    pending.append(
      .problem(InputProblem(consequence, at: .bytes(range), message, advice: advice)))
  }
}

/// What a journal and its trace hold, for reports.
public struct JournalStatistics: Hashable, Sendable {
  /// The fixed part of the header; nil if it is damaged.
  public var fixed: JournalLayout.Fixed?
  public var clockAnchors: [ClockAnchor] = []
  public var sealedTurns: UInt64?
  /// Events that the recorder counted as dropped because nothing was free.
  public var droppedCount: UInt64?
  /// Events that it gave up to keep the size of the trace.
  public var discardedCount: UInt64?
  /// Whether a trace stood behind the journal.
  public var hasTrace = false
  public var isTraceDamaged = false
  /// Events of the trace, and those that only the ring held.
  public var sealedEventCount = 0
  public var ringEventCount = 0
  /// Events of the ring that the trace holds too.
  public var duplicateCount = 0
  /// Events that were being written when the app ended: nobody was told that they are recorded.
  public var tornCount = 0
  /// Events whose names are lost.
  public var namelessCount = 0
  public var damagedByteCount: UInt64 = 0
  /// Numbers that are missing among each thread's events: dropped, given up or damaged.
  public var missingCount: UInt64 = 0

  public init() {}

  /// Whether the events of a turn were given up, with their blocks, to keep the size of the trace.
  func hasGivenUp(turn: UInt64) -> Bool {
    guard hasTrace, !isTraceDamaged, let sealedTurns, sealedTurns < 1 << 29,
      discardedCount ?? 0 > 0
    else { return false }
    return turn < sealedTurns
  }
}

extension CaptureFormat {
  /// The recorder's journal, its trace behind it read with this codec.
  public static func journal(codec: ChunkCodec) -> CaptureFormat {
    CaptureFormat(
      name: JournalDecoder.formatName, title: "journal of tracecheck's recorder",
      recognise: { head in
        guard head.count >= JournalLayout.magic.count else { return 0 }
        for place in JournalLayout.magic.indices where head[place] != JournalLayout.magic[place] {
          // The magic number is damaged; a trace would have no header at this place.
          return JournalLayout.traceHeader(head) == nil ? 0 : 60
        }
        return 100
      },
      makeDecoder: { JournalDecoder(codec: codec) })
  }
}
