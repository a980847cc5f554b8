// Times from their columns: checks what stands around them, and has the loop read them.

import TraceModel

/// Reads the times of a block. Reused from block to block.
struct TimeReader: Sendable {
  private var predictions: [TimeKernel.Prediction] = []
  /// The times that predictions refer to, and where the streams were left.
  private var marks: [Int64] = []
  private var groups: [TimeKernel.Group] = []
  /// The low bits with room behind them.
  private var lowBits: [UInt8] = []

  init() {}

  /// Reads the times of all events.
  ///
  /// - Parameters:
  ///   - symbols: All streams of symbols, end to end, and ``TimeKernel/symbolPaddingBytes``.
  ///   - streamStarts: Where each stream begins, and where the last one ends.
  ///   - templates: The column template of each event; all in range.
  ///   - times: Replaced by the time of each event in ticks.
  mutating func read(
    groups groupBytes: Span<UInt8>, lowBits lowBytes: Span<UInt8>, symbols: Span<UInt8>,
    streamStarts: [Int], _ plan: ColumnPlan, _ batch: EventBatch, _ templates: Span<UInt16>,
    from earliest: Int64, into times: inout [Int64]
  ) throws(FormatDamage) {
    try readGroups(groupBytes, eventCount: templates.count, lowByteCount: lowBytes.count, earliest)
    lowBits.removeAll(keepingCapacity: true)
    lowBits.append(copying: lowBytes)
    lowBits.appendZeros(TimeKernel.lowBitPaddingBytes)
    prepare(plan, batch, streamStarts)
    // Taken out and put back, so that it can change while the others are read.
    var marks: [Int64] = []
    swap(&marks, &self.marks)
    defer { swap(&marks, &self.marks) }
    let streamCount = streamStarts.count - 1
    times.removeAll(keepingCapacity: true)
    try times.append(count: templates.count) { (times) throws(FormatDamage) in
      guard
        TimeKernel.read(
          groups.span, symbols, streamCount: streamCount, lowBits.span, templates,
          predictions.span, marks: &marks, times: &times)
      else { throw FormatDamage("its times contradict their low bits") }
    }
    for stream in 0..<streamCount
    where marks[TimeKernel.firstStreamMark + stream] != Int64(streamStarts[stream + 1]) {
      throw FormatDamage("its events have other times than it declares")
    }
  }

  private mutating func readGroups(
    _ bytes: Span<UInt8>, eventCount: Int, lowByteCount: Int, _ earliest: Int64
  ) throws(FormatDamage) {
    groups.removeAll(keepingCapacity: true)
    let size = FormatLimits.eventsPerTimeGroup
    var offset = 0
    var base = earliest
    var start = 0
    for _ in 0..<(eventCount + size - 1) / size {
      base = base &+ (try ByteReader.zigzag(bytes, &offset))
      let count = try ByteReader.count(
        bytes, &offset, max: lowByteCount - start, "bytes of low bits")
      groups.append(TimeKernel.Group(base: base, lowBits: start..<start + count))
      start += count
    }
    guard offset == bytes.count, start == lowByteCount else {
      throw FormatDamage("its groups of times don't hold what it declares")
    }
  }

  /// Gives every stream, and every time that is referred to, a mark. Threads have none if nobody
  /// refers to them.
  private mutating func prepare(_ plan: ColumnPlan, _ batch: EventBatch, _ streamStarts: [Int]) {
    let usesThreads = plan.templates.contains { template in
      [TimePredictor.thread, TimePredictor.threadSigned].contains(template.predictor)
    }
    let firstThread = TimeKernel.firstStreamMark + streamStarts.count - 1
    var markCount = firstThread + (usesThreads ? batch.threads.count : 0)
    predictions.removeAll(keepingCapacity: true)
    for template in plan.templates {
      let thread = firstThread + Int(batch.templates[Int(template.template)].thread)
      var mark = TimeKernel.previousMark
      var isSigned = true
      switch template.predictor {
      case TimePredictor.previous: isSigned = false
      case TimePredictor.previousSigned: break
      case TimePredictor.period:
        mark = markCount
        markCount += 1
      default:
        mark = thread
        isSigned = template.predictor == TimePredictor.threadSigned
      }
      predictions.append(
        TimeKernel.Prediction(
          period: template.periodTicks, mark: UInt32(mark),
          threadMark: UInt32(usesThreads ? thread : mark),
          stream: UInt16(TimeKernel.firstStreamMark) + UInt16(template.stream),
          signBit: isSigned ? 1 : 0,
          symbolOffset: template.centre &- UInt8(TimeSymbols.centreByte)))
    }
    marks.removeAll(keepingCapacity: true)
    marks.appendZeros(markCount)
    for stream in 0..<streamStarts.count - 1 {
      marks[TimeKernel.firstStreamMark + stream] = Int64(streamStarts[stream])
    }
  }
}
