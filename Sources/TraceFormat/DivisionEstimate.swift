// Estimates in bits what dividing a template by the value of an argument saves.
// Only the writer uses it: a wrong estimate costs bytes, and nothing else.

import TraceModel

/// What a division would save. Reused from template to template.
struct DivisionEstimate: Sendable {
  /// What a further column template costs in the plan.
  private static let templateBits = 120.0
  /// What each pair of a template and the value that follows it costs to learn.
  private static let pairBits = 6.0

  /// The template of the event before each event; the event's own for the first.
  private var before: [UInt16] = []
  private var previousDeltas: [UInt64] = []
  private var threadDeltas: [UInt64] = []
  private var ticks: [Int64] = []
  private var templateCount = 0
  /// The numbers whose bits are estimated.
  private var numbers: [UInt64] = []
  private var counts = [Int](repeating: 0, count: 256)

  init() {}

  mutating func prepare(_ batch: EventBatch, _ ticks: [Int64]) {
    self.ticks = ticks
    templateCount = batch.templates.count
    before.removeAll(keepingCapacity: true)
    previousDeltas.removeAll(keepingCapacity: true)
    threadDeltas.removeAll(keepingCapacity: true)
    var threads = [Int64](repeating: ticks.first ?? 0, count: batch.threads.count)
    var previous = ticks.first ?? 0
    for event in 0..<batch.count {
      let template = batch.templateIndices[event]
      let thread = Int(batch.templates[Int(template)].thread)
      before.append(batch.templateIndices[max(0, event - 1)])
      previousDeltas.append(TimeSymbols.zigzag(ticks[event] &- previous))
      threadDeltas.append(TimeSymbols.zigzag(ticks[event] &- threads[thread]))
      previous = ticks[event]
      threads[thread] = previous
    }
  }

  /// The bits saved if the events of a template are divided by the value of a slot.
  ///
  /// - Parameters:
  ///   - values: For each event of the batch, the number of its value.
  ///   - valueCount: How many values there are.
  mutating func gain(
    _ batch: EventBatch, _ template: Int, _ events: ArraySlice<UInt32>, slot: Int,
    values: [UInt8], valueCount: Int
  ) -> Double {
    var parts = [[UInt32]](repeating: [], count: valueCount)
    for event in events { parts[Int(values[Int(event)])].append(event) }
    var gain = timeBits(events) - Double(valueCount) * Self.templateBits
    for part in parts { gain -= timeBits(part[...]) }
    for other in 0..<Int(batch.templates[template].slotCount) where other != slot {
      gain += argumentBits(batch, events, other)
      for part in parts { gain -= argumentBits(batch, part[...], other) }
    }
    return gain + bitsAsArgument(events, values) - bitsAsTemplate(events, values)
  }

  /// The bits of the times of some events with the best predictor.
  private mutating func timeBits(_ events: ArraySlice<UInt32>) -> Double {
    numbers.removeAll(keepingCapacity: true)
    for event in events { numbers.append(previousDeltas[Int(event)]) }
    var best = bitsOfNumbers()
    numbers.removeAll(keepingCapacity: true)
    for event in events { numbers.append(threadDeltas[Int(event)]) }
    best = min(best, bitsOfNumbers())
    guard events.count > 8 else { return best }
    let period = ColumnTimePlan.period(of: events, ticks)
    numbers.removeAll(keepingCapacity: true)
    for place in events.indices.dropFirst() {
      let gap = ticks[Int(events[place])] &- ticks[Int(events[place - 1])]
      numbers.append(TimeSymbols.zigzag(gap &- period))
    }
    return min(best, bitsOfNumbers())
  }

  private mutating func argumentBits(
    _ batch: EventBatch, _ events: ArraySlice<UInt32>, _ slot: Int
  ) -> Double {
    numbers.removeAll(keepingCapacity: true)
    for event in events {
      numbers.append(batch.argumentBits[Int(batch.argumentStarts[Int(event)]) + slot])
    }
    let raw = bitsOfNumbers()
    var before: UInt64 = 0
    for index in numbers.indices {
      let value = numbers[index]
      numbers[index] = TimeSymbols.zigzag(Int64(bitPattern: value &- before))
      before = value
    }
    return min(raw, bitsOfNumbers())
  }

  /// The bits of the values where they stand as an argument: each after the one before.
  private func bitsAsArgument(_ events: ArraySlice<UInt32>, _ values: [UInt8]) -> Double {
    var pairs = [Int](repeating: 0, count: 256)
    var before = 0
    for event in events {
      let value = Int(values[Int(event)])
      pairs[before << 4 | value] += 1
      before = value
    }
    return Self.conditionalBits(pairs)
  }

  /// The bits of the values where they choose the template: each after the event before.
  private func bitsAsTemplate(_ events: ArraySlice<UInt32>, _ values: [UInt8]) -> Double {
    var pairs = [Int](repeating: 0, count: templateCount * 16)
    for event in events { pairs[Int(before[Int(event)]) << 4 | Int(values[Int(event)])] += 1 }
    return Self.conditionalBits(pairs) + Double(pairs.count { $0 > 0 }) * Self.pairBits
  }

  /// The entropy of a value of 16 after a known one, from the counts of pairs.
  private static func conditionalBits(_ pairs: [Int]) -> Double {
    var bits = 0.0
    for first in 0..<pairs.count / 16 {
      var total = 0
      for second in 0..<16 { total += pairs[first << 4 | second] }
      guard total > 0 else { continue }
      for second in 0..<16 where pairs[first << 4 | second] > 0 {
        bits += entropyBits(pairs[first << 4 | second], of: total)
      }
    }
    return bits
  }

  /// The entropy of the symbols of the numbers, and their low bits.
  private mutating func bitsOfNumbers() -> Double {
    for index in counts.indices { counts[index] = 0 }
    var low = 0
    for number in numbers {
      let symbol = TimeSymbols.symbol(of: number)
      counts[symbol] += 1
      low += Int(TimeSymbols.lowBitCounts[symbol])
    }
    var bits = Double(low)
    for count in counts where count > 0 { bits += Self.entropyBits(count, of: numbers.count) }
    return bits
  }

  private static func entropyBits(_ count: Int, of total: Int) -> Double {
    Double(count) * (binaryLogarithm(total) - binaryLogarithm(count))
  }

  /// The logarithm of a positive number, to 0.01: a parabola through both ends of each doubling.
  /// Plain arithmetic, so that every machine writes the same bytes.
  private static func binaryLogarithm(_ number: Int) -> Double {
    let value = Double(number)
    let fraction = value.significand
    return Double(value.exponent) + (2 * fraction - 5.0 / 3) - fraction * fraction / 3
  }
}
