// Times from their columns: a symbol and low bits for each event, group by group.
// The loop is a hot path of reading; nothing in it allocates.

import TraceModel

/// Reads the times of a block. Reused from block to block.
struct TimeReader: Sendable {
  /// How the times of one column template are coded, and the last of them.
  private struct Predictor {
    var previous: Int64
    var period: Int64
    var thread: Int
    var kind: UInt8
    var centre: UInt8
    var stream: UInt8
  }

  /// A part of the block that can be read on its own.
  private struct Group {
    /// The time of the event before; for the first group, of the first event.
    var base: Int64
    /// Where its low bits begin and end, in bytes.
    var lowBits: Range<Int>
  }

  private var predictors: [Predictor] = []
  private var threadTimes: [Int64] = []
  private var groups: [Group] = []
  /// The low bits with room behind them, so that a whole word can be loaded anywhere.
  private var lowBits: [UInt8] = []

  init() {}

  /// Reads the times of all events.
  ///
  /// - Parameters:
  ///   - symbols: All streams of symbols, end to end.
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
    lowBits.appendZeros(Self.paddingBytes)
    prepare(plan, batch)
    times.removeAll(keepingCapacity: true)
    times.appendZeros(templates.count)
    var places = streamStarts
    // Taken out and put back, so that each can change while the others are read.
    var predictors: [Predictor] = []
    var threadTimes: [Int64] = []
    swap(&predictors, &self.predictors)
    swap(&threadTimes, &self.threadTimes)
    defer {
      swap(&predictors, &self.predictors)
      swap(&threadTimes, &self.threadTimes)
    }
    var span = times.mutableSpan
    for group in groups.indices {
      let start = group * FormatLimits.eventsPerTimeGroup
      let end = min(templates.count, start + FormatLimits.eventsPerTimeGroup)
      try Self.readGroup(
        groups[group], start..<end, symbols, &places, lowBits.span, templates, &predictors,
        &threadTimes, &span)
    }
    for stream in 0..<streamStarts.count - 1 where places[stream] != streamStarts[stream + 1] {
      throw FormatDamage("its events have other times than it declares")
    }
  }

  /// Bytes behind the low bits: one event takes at most 61 bits, and 16 bytes are loaded for it.
  private static let paddingBytes = 24

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
      groups.append(Group(base: base, lowBits: start..<start + count))
      start += count
    }
    guard offset == bytes.count, start == lowByteCount else {
      throw FormatDamage("its groups of times don't hold what it declares")
    }
  }

  private mutating func prepare(_ plan: ColumnPlan, _ batch: EventBatch) {
    predictors.removeAll(keepingCapacity: true)
    for template in plan.templates {
      predictors.append(
        Predictor(
          previous: 0, period: template.periodTicks,
          thread: Int(batch.templates[Int(template.template)].thread), kind: template.predictor,
          centre: template.centre, stream: template.stream))
    }
    threadTimes.removeAll(keepingCapacity: true)
    threadTimes.appendZeros(batch.threads.count)
  }

  /// Reads one group. Everything that it refers to lies inside it.
  private static func readGroup(
    _ group: Group, _ events: Range<Int>, _ symbols: Span<UInt8>, _ places: inout [Int],
    _ low: Span<UInt8>, _ templates: Span<UInt16>, _ predictors: inout [Predictor],
    _ threadTimes: inout [Int64],
    _ times: inout MutableSpan<Int64>
  ) throws(FormatDamage) {
    let (baseTable, countTable) = (TimeSymbols.bases, TimeSymbols.lowBitCounts)
    var predictors = predictors.mutableSpan
    var threads = threadTimes.mutableSpan
    var streams = places.mutableSpan
    let bases = baseTable.span
    let counts = countTable.span
    for index in predictors.indices { predictors[index].previous = group.base }
    for index in threads.indices { threads[index] = group.base }
    var previous = group.base
    var bit = group.lowBits.lowerBound * 8
    let bitEnd = group.lowBits.upperBound * 8
    var isDefined = true
    for event in events {
      let template = Int(templates[event])
      let predictor = predictors[template]
      let stream = Int(predictor.stream)
      let place = streams[stream]
      guard place < symbols.count, bit <= bitEnd else { throw contradiction }
      streams[stream] = place + 1
      let symbol = Int(
        symbols[place] &- UInt8(TimeSymbols.centreByte) &+ predictor.centre)
      if symbol >= TimeSymbols.count { isDefined = false }
      let bits = UInt64(counts[symbol])
      let number = bases[symbol] &+ lowBits(low, at: bit, count: bits)
      bit += Int(bits)
      let time: Int64
      switch predictor.kind {
      case TimePredictor.previous: time = previous &+ Int64(bitPattern: number)
      case TimePredictor.thread:
        time = threads[predictor.thread] &+ Int64(bitPattern: number)
      case TimePredictor.period:
        time = predictor.previous &+ predictor.period &+ TimeSymbols.signed(number)
      case TimePredictor.previousSigned: time = previous &+ TimeSymbols.signed(number)
      default: time = threads[predictor.thread] &+ TimeSymbols.signed(number)
      }
      previous = time
      threads[predictor.thread] = time
      predictors[template].previous = time
      times[event] = time
    }
    guard isDefined, bit <= bitEnd, bitEnd - bit < 8 else { throw contradiction }
  }

  private static let contradiction = FormatDamage("its times contradict their low bits")

  /// So many bits from a place, which must lie before the padding.
  @inline(__always)
  private static func lowBits(_ bytes: Span<UInt8>, at bit: Int, count: UInt64) -> UInt64 {
    let shift = UInt64(bit & 7)
    var word = ByteReader.word(bytes, at: bit >> 3) >> shift
    // Only differences of more than 2^57 ticks have bits in a ninth byte.
    if count > 56 { word |= (ByteReader.word(bytes, at: bit >> 3 + 8) << 1) << (63 - shift) }
    return word & ((1 << count) - 1)
  }
}
