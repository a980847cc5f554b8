// Times to their columns: chooses a predictor for each column template, then writes symbols and
// low bits, group by group.

import TraceModel

/// What the times of a column template are like.
enum ColumnTimePlan {
  /// Gaps between events that the period is the median of.
  private static let periodGapsMax = 255

  /// The median distance of some events, of which there must be two or more.
  static func period(of events: ArraySlice<UInt32>, _ ticks: [Int64]) -> Int64 {
    var gaps: [Int64] = []
    let step = max(1, (events.count - 1) / periodGapsMax)
    for place in stride(from: events.startIndex + 1, to: events.endIndex, by: step) {
      gaps.append(ticks[Int(events[place])] &- ticks[Int(events[place - 1])])
    }
    gaps.sort()
    return gaps[gaps.count / 2]
  }
}

/// The differences that an event's time may be written as.
private struct TimeDifferences {
  var previous: Int64 = 0
  var thread: Int64 = 0
  var period: Int64 = 0

  @inline(__always)
  func number(_ predictor: UInt8) -> UInt64 {
    switch predictor {
    case TimePredictor.previous: UInt64(bitPattern: previous)
    case TimePredictor.previousSigned: TimeSymbols.zigzag(previous)
    case TimePredictor.thread: UInt64(bitPattern: thread)
    case TimePredictor.threadSigned: TimeSymbols.zigzag(thread)
    default: TimeSymbols.zigzag(period)
    }
  }
}

/// Writes the time columns of a block. Reused from block to block.
struct TimeWriter: Sendable {
  private(set) var groups: [UInt8] = []
  private(set) var lowBits = BitWriter()
  /// The symbols of each stream.
  private(set) var streams: [[UInt8]] = []

  private var threadTimes: [Int64] = []
  private var templateTimes: [Int64] = []
  private var numbers: [UInt64] = []
  private var symbols: [UInt8] = []

  init() {}

  /// Writes the times, and sets predictors, centres and streams of the plan.
  mutating func write(
    _ batch: EventBatch, ticks: [Int64], from earliest: Int64, _ choice: ColumnTemplateChoice,
    _ plan: inout ColumnPlan
  ) {
    choosePredictors(batch, ticks, choice, &plan)
    chooseSymbols(batch, ticks, choice, plan)
    let spread = chooseCentres(choice, &plan)
    chooseStreams(choice, spread, &plan)
    writeColumns(ticks, from: earliest, choice, plan)
  }

  /// Calls a function with the differences of every event. Each group refers only to itself.
  private mutating func forEachDifference(
    _ batch: EventBatch, _ ticks: [Int64], _ choice: ColumnTemplateChoice, _ plan: ColumnPlan,
    _ body: (_ event: Int, _ template: Int, TimeDifferences) -> Void
  ) {
    threadTimes.removeAll(keepingCapacity: true)
    threadTimes.appendZeros(batch.threads.count)
    templateTimes.removeAll(keepingCapacity: true)
    templateTimes.appendZeros(plan.templates.count)
    var previous: Int64 = 0
    for event in ticks.indices {
      if event % FormatLimits.eventsPerTimeGroup == 0 {
        previous = ticks[max(0, event - 1)]
        for index in threadTimes.indices { threadTimes[index] = previous }
        for index in templateTimes.indices { templateTimes[index] = previous }
      }
      let template = Int(choice.assignment[event])
      let thread = Int(batch.templates[Int(plan.templates[template].template)].thread)
      let time = ticks[event]
      body(
        event, template,
        TimeDifferences(
          previous: time &- previous, thread: time &- threadTimes[thread],
          period: time &- templateTimes[template] &- plan.templates[template].periodTicks))
      previous = time
      threadTimes[thread] = time
      templateTimes[template] = time
    }
  }

  private mutating func choosePredictors(
    _ batch: EventBatch, _ ticks: [Int64], _ choice: ColumnTemplateChoice,
    _ plan: inout ColumnPlan
  ) {
    let kinds = Int(TimePredictor.last) + 1
    for index in plan.templates.indices {
      let events = choice.order[choice.starts[index]..<choice.starts[index + 1]]
      plan.templates[index].periodTicks =
        events.count > 8 ? ColumnTimePlan.period(of: events, ticks) : 0
    }
    // Symbols grow with the logarithm, so that their sum stands for the bits.
    var costs = [Int](repeating: 0, count: plan.templates.count * kinds)
    forEachDifference(batch, ticks, choice, plan) { _, template, differences in
      for kind in 0...TimePredictor.last {
        costs[template * kinds + Int(kind)] += TimeSymbols.symbol(of: differences.number(kind))
      }
    }
    for index in plan.templates.indices {
      var best = TimePredictor.previous
      for kind in 0...TimePredictor.last
      where costs[index * kinds + Int(kind)] < costs[index * kinds + Int(best)] {
        best = kind
      }
      plan.templates[index].predictor = best
      if best != TimePredictor.period { plan.templates[index].periodTicks = 0 }
    }
  }

  private mutating func chooseSymbols(
    _ batch: EventBatch, _ ticks: [Int64], _ choice: ColumnTemplateChoice, _ plan: ColumnPlan
  ) {
    var numbers: [UInt64] = []
    var symbols: [UInt8] = []
    swap(&numbers, &self.numbers)
    swap(&symbols, &self.symbols)
    numbers.removeAll(keepingCapacity: true)
    symbols.removeAll(keepingCapacity: true)
    forEachDifference(batch, ticks, choice, plan) { _, template, differences in
      let number = differences.number(plan.templates[template].predictor)
      numbers.append(number)
      symbols.append(UInt8(TimeSymbols.symbol(of: number)))
    }
    swap(&numbers, &self.numbers)
    swap(&symbols, &self.symbols)
  }

  /// Centres each template at the mean of its symbols. Returns the variance of each, in 256ths.
  private func chooseCentres(
    _ choice: ColumnTemplateChoice, _ plan: inout ColumnPlan
  ) -> [Int] {
    var variances: [Int] = []
    for index in plan.templates.indices {
      let events = choice.order[choice.starts[index]..<choice.starts[index + 1]]
      var sum = 0
      var squares = 0
      for event in events {
        let symbol = Int(symbols[Int(event)])
        sum += symbol
        squares += symbol * symbol
      }
      let count = events.count
      plan.templates[index].centre = UInt8((sum * 2 + count) / (count * 2))
      // At most 65,536 symbols below 256, so that no product comes near 64 bits.
      variances.append((squares * count - sum * sum) * 256 / (count * count))
    }
    return variances
  }

  /// Gives templates of like variance the same stream, each with about as many events.
  private mutating func chooseStreams(
    _ choice: ColumnTemplateChoice, _ variances: [Int], _ plan: inout ColumnPlan
  ) {
    let eventCount = choice.assignment.count
    let count = Self.streamCount(eventCount)
    let ranking = variances.indices.sorted { (variances[$0], $0) < (variances[$1], $1) }
    var passed = 0
    for index in ranking {
      plan.templates[index].stream = UInt8(passed * count / eventCount)
      passed += choice.starts[index + 1] - choice.starts[index]
    }
  }

  /// A stream has a table of its own, of about 80 bytes.
  private static func streamCount(_ eventCount: Int) -> Int {
    eventCount < 8_192 ? 1 : eventCount < 24_576 ? 2 : FormatLimits.symbolStreamsMax
  }

  private mutating func writeColumns(
    _ ticks: [Int64], from earliest: Int64, _ choice: ColumnTemplateChoice, _ plan: ColumnPlan
  ) {
    let count = Self.streamCount(ticks.count)
    for index in streams.indices { streams[index].removeAll(keepingCapacity: true) }
    while streams.count < count { streams.append([]) }
    while streams.count > count { streams.removeLast() }
    groups.removeAll(keepingCapacity: true)
    lowBits.removeAll()
    var base = earliest
    for start in stride(from: 0, to: ticks.count, by: FormatLimits.eventsPerTimeGroup) {
      let end = min(ticks.count, start + FormatLimits.eventsPerTimeGroup)
      let lowStart = lowBits.bytes.count
      for event in start..<end {
        let template = plan.templates[Int(choice.assignment[event])]
        let symbol = symbols[event]
        streams[Int(template.stream)].append(
          symbol &- template.centre &+ UInt8(TimeSymbols.centreByte))
        lowBits.append(
          numbers[event], bitCount: Int(TimeSymbols.lowBitCounts[Int(symbol)]))
      }
      lowBits.align()
      let time = ticks[max(0, start - 1)]
      groups.appendZigzag(time &- base)
      groups.appendVarint(lowBits.bytes.count - lowStart)
      base = time
    }
  }
}
