// Which column templates a block gets: its templates, some divided by the value of an argument.
// An argument such as "draw" or "present" often decides what the other arguments and the times are
// like; events of one value then compress better alone.

import TraceModel

/// The events of a block by their column template.
struct ColumnTemplateChoice: Sendable {
  /// The column template of each event; the most frequent have the lowest numbers.
  private(set) var assignment: [UInt16] = []
  /// The batch's template of each column template.
  private(set) var templates: [UInt16] = []
  /// The places of events, column template after column template.
  private(set) var order: [UInt32] = []
  /// Where the events of each column template begin in ``order``, and the end.
  private(set) var starts: [Int] = []

  private var values: [UInt8] = []
  private var estimate = DivisionEstimate()

  init() {}

  /// Values of one argument that may divide a template: more would leave too few events each.
  static let valuesMax = 16
  /// Templates with fewer events aren't divided: the plan would outweigh what it saves.
  private static let eventsMin = 128

  mutating func choose(_ batch: EventBatch, ticks: [Int64]) {
    group(by: batch.templateIndices, count: batch.templates.count)
    values.removeAll(keepingCapacity: true)
    values.appendZeros(batch.count)
    estimate.prepare(batch, ticks)
    // The number of values that each template is divided by.
    var parts = [Int](repeating: 1, count: batch.templates.count)
    var total = batch.templates.count
    for template in batch.templates.indices {
      let events = starts[template]..<starts[template + 1]
      guard events.count >= Self.eventsMin, total + Self.valuesMax <= FormatLimits.templatesMax,
        let count = divide(batch, template, order[events])
      else { continue }
      parts[template] = count
      total += count - 1
    }
    number(batch, parts)
  }

  /// Divides a template by the argument that saves most; nil if none saves anything.
  private mutating func divide(
    _ batch: EventBatch, _ template: Int, _ events: ArraySlice<UInt32>
  ) -> Int? {
    let shape = batch.templates[template]
    guard shape.slotCount > 0 else { return nil }
    var best: (gain: Double, slot: Int)?
    for slot in 0..<Int(shape.slotCount) {
      let type = batch.slots[Int(shape.firstSlot) + slot].type
      guard type != .number, let count = collect(batch, events, slot), count > 1 else { continue }
      let gain = estimate.gain(
        batch, template, events, slot: slot, values: values, valueCount: count)
      if gain > best?.gain ?? 0 { best = (gain, slot) }
    }
    guard let best, let count = collect(batch, events, best.slot) else {
      for event in events { values[Int(event)] = 0 }
      return nil
    }
    return count
  }

  /// Numbers the values of an argument in the order of their first event. Nil if they are too many.
  private mutating func collect(
    _ batch: EventBatch, _ events: ArraySlice<UInt32>, _ slot: Int
  ) -> Int? {
    var found: [UInt64] = []
    for event in events {
      let bits = batch.argumentBits[Int(batch.argumentStarts[Int(event)]) + slot]
      var place = 0
      while place < found.count, found[place] != bits { place += 1 }
      if place == found.count {
        guard found.count < Self.valuesMax else { return nil }
        found.append(bits)
      }
      values[Int(event)] = UInt8(place)
    }
    return found.count
  }

  /// Numbers the column templates by how many events they have, and groups the events by them.
  private mutating func number(_ batch: EventBatch, _ parts: [Int]) {
    var firsts: [Int] = []
    var next = 0
    for count in parts {
      firsts.append(next)
      next += count
    }
    var counts = [Int](repeating: 0, count: next)
    var owners = [UInt16](repeating: 0, count: next)
    for event in 0..<batch.count {
      let template = batch.templateIndices[event]
      let part = firsts[Int(template)] + Int(values[event])
      counts[part] += 1
      owners[part] = template
    }
    let ranking = counts.indices.filter { counts[$0] > 0 }
      .sorted { (counts[$1], $0) < (counts[$0], $1) }
    var numbers = [UInt16](repeating: 0, count: next)
    templates.removeAll(keepingCapacity: true)
    for part in ranking {
      numbers[part] = UInt16(templates.count)
      templates.append(owners[part])
    }
    assignment.removeAll(keepingCapacity: true)
    for event in 0..<batch.count {
      let template = Int(batch.templateIndices[event])
      assignment.append(numbers[firsts[template] + Int(values[event])])
    }
    group(by: assignment, count: templates.count)
  }

  private mutating func group(by keys: [UInt16], count: Int) {
    starts.removeAll(keepingCapacity: true)
    starts.appendZeros(count + 1)
    for key in keys { starts[Int(key) + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var places = starts
    order.removeAll(keepingCapacity: true)
    order.appendZeros(keys.count)
    for (event, key) in keys.enumerated() {
      order[places[Int(key)]] = UInt32(event)
      places[Int(key)] += 1
    }
  }
}
