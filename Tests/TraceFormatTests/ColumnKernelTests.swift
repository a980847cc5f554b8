// The loops that read times and arguments, against the plainest reading of the same columns: of
// random plans and contents, most of which contradict each other somewhere.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct ColumnKernelTests {
  /// A plan, and the columns of times that it may or may not belong to.
  private struct Times {
    var plan = ColumnPlan()
    var batch = EventBatch()
    var templates: [UInt16] = []
    var streams: [[UInt8]] = []
    var groups: [(difference: Int64, lowBits: [UInt8])] = []

    init(using random: inout SeededGenerator) {
      let threadCount = Int.random(in: 1...3, using: &random)
      for thread in 0..<threadCount { batch.threads.append(ThreadEntry(id: Int64(thread))) }
      streams = [[UInt8]](repeating: [], count: Int.random(in: 1...4, using: &random))
      let kinds = Bool.random(using: &random) ? [0, 1, 4] : [0, 1, 2, 3, 4] as [UInt8]
      for template in 0..<Int.random(in: 1...5, using: &random) {
        batch.templates.append(
          EventTemplate(
            kind: .workSpan, phase: .instant,
            thread: UInt16.random(in: 0..<UInt16(threadCount), using: &random), slotCount: 0,
            firstSlot: 0))
        var column = ColumnTemplate(template: UInt16(template))
        column.predictor = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        column.stream = UInt8.random(in: 0..<UInt8(streams.count), using: &random)
        column.centre = UInt8.random(in: .min ... .max, using: &random)
        if column.predictor == TimePredictor.period {
          column.periodTicks = Int64.random(in: -9...9_000, using: &random)
        }
        plan.templates.append(column)
      }
      let size = FormatLimits.eventsPerTimeGroup
      let count = [1, 7, size - 1, size, size + 1, 3 * size][Int.random(in: 0..<6, using: &random)]
      // Mostly small differences; now and then only the largest.
      let highest = [20, 60, 130, 251][Int.random(in: 0..<4, using: &random)]
      let lowest = Int.random(in: 0..<8, using: &random) == 0 ? highest : 0
      for start in stride(from: 0, to: count, by: size) {
        var bits = 0
        for _ in start..<min(count, start + size) {
          let template = Int.random(in: 0..<plan.templates.count, using: &random)
          let symbol = Int.random(in: lowest...highest, using: &random)
          templates.append(UInt16(template))
          streams[Int(plan.templates[template].stream)].append(
            UInt8(symbol) &+ 128 &- plan.templates[template].centre)
          bits += Int(TimeSymbols.lowBitCounts[symbol])
        }
        groups.append(
          (
            Int64.random(in: -5...1 << 40, using: &random),
            (0..<(bits + 7) / 8).map { _ in .random(in: .min ... .max, using: &random) }
          ))
      }
    }

    /// Changes one thing, mostly for the worse.
    mutating func damage(using random: inout SeededGenerator) {
      let group = Int.random(in: 0..<groups.count, using: &random)
      let stream = Int.random(in: 0..<streams.count, using: &random)
      let template = Int.random(in: 0..<plan.templates.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: groups[group].lowBits.append(0)
      case 1: _ = groups[group].lowBits.popLast()
      case 2: groups[group].lowBits = []
      case 3: plan.templates[template].stream = UInt8(stream)
      case 4: plan.templates[template].centre &+= 1
      case 5: for place in streams[stream].indices { streams[stream][place] = 0xFF }
      case 6:
        guard let last = streams[stream].popLast() else { return }
        streams[(stream + 1) % streams.count].append(last)
      default:
        let event = Int.random(in: 0..<templates.count, using: &random)
        templates[event] = UInt16(template)
      }
    }

    /// The times, or nil.
    func read() -> [Int64]? {
      var groupBytes: [UInt8] = []
      var lowBits: [UInt8] = []
      for group in groups {
        groupBytes.appendZigzag(group.difference)
        groupBytes.appendVarint(group.lowBits.count)
        lowBits += group.lowBits
      }
      var starts = [0]
      for stream in streams { starts.append(starts[starts.count - 1] + stream.count) }
      var symbols = streams.flatMap { $0 }
      symbols.appendZeros(TimeKernel.symbolPaddingBytes)
      var reader = TimeReader()
      var times: [Int64] = [1, 2, 3]
      do throws(FormatDamage) {
        try reader.read(
          groups: groupBytes.span, lowBits: lowBits.span, symbols: symbols.span,
          streamStarts: starts, plan, batch, templates.span, from: 1_000, into: &times)
        return times
      } catch {
        return nil
      }
    }

    /// The same, one bit after the other.
    func readPlainly() -> [Int64]? {
      let symbols = streams.flatMap { $0 }
      var places: [Int] = []
      var ends: [Int] = []
      for stream in streams {
        places.append(ends.last ?? 0)
        ends.append(places[places.count - 1] + stream.count)
      }
      var times: [Int64] = []
      var base: Int64 = 1_000
      for (number, group) in groups.enumerated() {
        base &+= group.difference
        var previous = base
        var ofThread = [Int64](repeating: base, count: batch.threads.count)
        var ofTemplate = [Int64](repeating: base, count: plan.templates.count)
        var bits = group.lowBits.flatMap { byte in (0..<8).map { byte >> $0 & 1 } }[...]
        let size = FormatLimits.eventsPerTimeGroup
        for template in templates.dropFirst(number * size).prefix(size) {
          let column = plan.templates[Int(template)]
          let place = places[Int(column.stream)]
          guard place < symbols.count else { return nil }
          places[Int(column.stream)] += 1
          let symbol = Int(symbols[place] &- 128 &+ column.centre)
          let count = Int(TimeSymbols.lowBitCounts[symbol])
          guard symbol < TimeSymbols.count, bits.count >= count else { return nil }
          var value = TimeSymbols.bases[symbol]
          for (shift, bit) in bits.prefix(count).enumerated() { value += UInt64(bit) << shift }
          bits = bits.dropFirst(count)
          let thread = Int(batch.templates[Int(template)].thread)
          let signed = TimeSymbols.signed(value)
          let time =
            switch column.predictor {
            case 0: previous &+ Int64(bitPattern: value)
            case 1: previous &+ signed
            case 2: ofThread[thread] &+ Int64(bitPattern: value)
            case 3: ofThread[thread] &+ signed
            default: ofTemplate[Int(template)] &+ column.periodTicks &+ signed
            }
          previous = time
          ofThread[thread] = time
          ofTemplate[Int(template)] = time
          times.append(time)
        }
        guard bits.count < 8 else { return nil }
      }
      return places == ends ? times : nil
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func times(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let columns = Times(using: &random)
    let times = columns.readPlainly()
    #expect(times != nil)
    #expect(columns.read() == times)
    for _ in 0..<4 {
      var damaged = columns
      for _ in 0..<Int.random(in: 1...2, using: &random) { damaged.damage(using: &random) }
      #expect(damaged.read() == damaged.readPlainly())
    }
  }

  /// Groups that ask for as many bits as there can be, at the end of columns that hold none: the
  /// loads stay inside the padding. And every stream read by all events.
  @Test(arguments: [251, 252, 255] as [UInt8], [511, 512, 513])
  func theWorstGroup(symbol: UInt8, count: Int) {
    var random = SeededGenerator(seed: 1)
    var columns = Times(using: &random)
    columns.streams = [[], [UInt8](repeating: symbol, count: count)]
    columns.templates = [UInt16](repeating: 0, count: count)
    columns.plan.templates = [ColumnTemplate(stream: 1, centre: 128)]
    columns.groups = (0..<(count + 511) / 512).map { _ in (0, []) }
    #expect(columns.read() == nil)
    columns.streams.swapAt(0, 1)
    #expect(columns.read() == nil)
    columns.streams = [[UInt8](repeating: 0, count: count), []]
    #expect(columns.read() == nil)
    columns.plan.templates[0].stream = 0
    #expect(columns.read()?.count == count)
  }
}
