// Arguments to their column: chooses a mode for each slot of each column template, then writes
// slot after slot.

import TraceModel

/// Writes the argument column of a block. Reused from block to block.
struct ArgumentWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var context = ArgumentContext()
  /// What is written for each argument of the batch.
  private var written: [UInt64] = []

  init() {}

  /// Writes the arguments, and adds the slots of all column templates to the plan.
  mutating func write(
    _ batch: EventBatch, _ choice: ColumnTemplateChoice, _ plan: inout ColumnPlan
  ) {
    plan.slots.removeAll(keepingCapacity: true)
    for index in plan.templates.indices {
      plan.templates[index].firstSlot = plan.slots.count
      let shape = batch.templates[Int(plan.templates[index].template)]
      plan.slots.append(contentsOf: repeatElement(ColumnSlot(), count: Int(shape.slotCount)))
    }
    plan.initialMaximum = initialMaximum(batch, choice, plan)
    chooseModes(batch, choice, &plan)
    number(batch, choice, plan)
    bytes.removeAll(keepingCapacity: true)
    for index in plan.templates.indices {
      let template = plan.templates[index]
      let shape = batch.templates[Int(template.template)]
      for place in 0..<Int(shape.slotCount) {
        let slot = template.firstSlot + place
        guard plan.slots[slot].mode != ArgumentMode.constant else { continue }
        let type = batch.slots[Int(shape.firstSlot) + place].type
        let isRaw = plan.slots[slot].mode == ArgumentMode.raw
        let start = bytes.count
        for event in choice.order[choice.starts[index]..<choice.starts[index + 1]] {
          let value = written[Int(batch.argumentStarts[Int(event)]) + place]
          if isRaw {
            ArgumentBytes.append(value, type, to: &bytes)
          } else {
            bytes.appendVarint(value)
          }
        }
        plan.slots[slot].byteCount = bytes.count - start
      }
    }
  }

  /// An argument as it is read back.
  @inline(__always)
  private static func normal(_ bits: UInt64, _ type: ArgumentType) -> UInt64 {
    switch type {
    case .number: RowCoding.finite(bits)
    case .boolean: bits == 0 ? 0 : 1
    default: bits
    }
  }

  @inline(__always)
  private static func isNumber(_ type: ArgumentType) -> Bool {
    type == .integer || type == .unsigned
  }

  /// Calls a function with every argument and the number that each mode would refer to.
  private mutating func forEachArgument(
    _ batch: EventBatch, _ choice: ColumnTemplateChoice, _ plan: ColumnPlan,
    _ body: (
      _ argument: Int, _ slot: Int, _ type: ArgumentType, _ value: UInt64,
      _ references: (thread: Int64, maximum: Int64, span: Int64)
    ) -> Void
  ) {
    context.reset(
      threadCount: batch.threads.count, maximum: plan.initialMaximum, tracksSpans: true)
    for event in 0..<batch.count {
      let template = plan.templates[Int(choice.assignment[event])]
      let shape = batch.templates[Int(template.template)]
      let thread = Int(shape.thread)
      let start = Int(batch.argumentStarts[event])
      let references = (
        context.threadNumbers[thread], context.maximum, context.enclosing(thread)
      )
      var number: Int64?
      for place in 0..<Int(shape.slotCount) {
        let type = batch.slots[Int(shape.firstSlot) + place].type
        let value = Self.normal(batch.argumentBits[start + place], type)
        if number == nil, Self.isNumber(type) { number = Int64(bitPattern: value) }
        body(start + place, template.firstSlot + place, type, value, references)
      }
      if let number { context.add(number, thread: thread) }
      if shape.phase != .instant {
        context.addSpan(isEnter: shape.phase == .enter, number ?? 0, thread: thread)
      }
    }
  }

  /// The first value of the slot that counts up most often.
  private func initialMaximum(
    _ batch: EventBatch, _ choice: ColumnTemplateChoice, _ plan: ColumnPlan
  ) -> Int64 {
    var best = (count: 0, value: Int64(0))
    for index in plan.templates.indices {
      let shape = batch.templates[Int(plan.templates[index].template)]
      let slots = batch.slots[Int(shape.firstSlot)..<Int(shape.firstSlot) + Int(shape.slotCount)]
      guard let slot = slots.firstIndex(where: { Self.isNumber($0.type) }) else { continue }
      let place = slot - Int(shape.firstSlot)
      let events = choice.order[choice.starts[index]..<choice.starts[index + 1]]
      guard let firstEvent = events.first else { continue }
      let first = batch.argumentBits[Int(batch.argumentStarts[Int(firstEvent)]) + place]
      var value = first
      var count = 0
      for event in events {
        let next = batch.argumentBits[Int(batch.argumentStarts[Int(event)]) + place]
        if next != value, next &- value < 64 { count += 1 }
        value = next
      }
      if count > best.count { best = (count, Int64(bitPattern: first)) }
    }
    return best.value
  }

  private mutating func chooseModes(
    _ batch: EventBatch, _ choice: ColumnTemplateChoice, _ plan: inout ColumnPlan
  ) {
    let modeCount = Int(ArgumentMode.last) + 1
    // Structs of numbers side by side: nothing is allocated for a single slot.
    var costs = [Int](repeating: 0, count: plan.slots.count * modeCount)
    var firsts = [UInt64](repeating: 0, count: plan.slots.count)
    var lasts = [UInt64](repeating: 0, count: plan.slots.count)
    var states = [UInt8](repeating: 0, count: plan.slots.count)
    forEachArgument(batch, choice, plan) { _, slot, type, value, references in
      if states[slot] == 0 {
        firsts[slot] = value
        states[slot] = 1
      } else if firsts[slot] != value {
        states[slot] = 2
      }
      let base = slot * modeCount
      costs[base + Int(ArgumentMode.raw)] += Self.cost(
        type == .integer ? TimeSymbols.zigzag(Int64(bitPattern: value)) : value)
      costs[base + Int(ArgumentMode.delta)] += Self.cost(
        Self.zigzag(value, Int64(bitPattern: lasts[slot])))
      costs[base + Int(ArgumentMode.thread)] += Self.cost(Self.zigzag(value, references.thread))
      costs[base + Int(ArgumentMode.maximum)] += Self.cost(Self.zigzag(value, references.maximum))
      costs[base + Int(ArgumentMode.span)] += Self.cost(Self.zigzag(value, references.span))
      lasts[slot] = value
    }
    for template in plan.templates {
      let shape = batch.templates[Int(template.template)]
      for place in 0..<Int(shape.slotCount) {
        let slot = template.firstSlot + place
        let type = batch.slots[Int(shape.firstSlot) + place].type
        if states[slot] < 2 {
          plan.slots[slot] = ColumnSlot(mode: ArgumentMode.constant, constant: firsts[slot])
          continue
        }
        var best = ArgumentMode.raw
        for mode in ArgumentMode.delta...ArgumentMode.last where ArgumentBytes.allows(mode, type) {
          if costs[slot * modeCount + Int(mode)] < costs[slot * modeCount + Int(best)] {
            best = mode
          }
        }
        plan.slots[slot].mode = best
      }
    }
  }

  @inline(__always)
  private static func zigzag(_ value: UInt64, _ reference: Int64) -> UInt64 {
    TimeSymbols.zigzag(Int64(bitPattern: value) &- reference)
  }

  /// Quarter bits of a number, with a little more for every number that isn't 0: zeros repeat.
  @inline(__always)
  private static func cost(_ number: UInt64) -> Int {
    number == 0 ? 0 : 6 + TimeSymbols.symbol(of: number)
  }

  /// Fills in what is written for each argument.
  private mutating func number(
    _ batch: EventBatch, _ choice: ColumnTemplateChoice, _ plan: ColumnPlan
  ) {
    var written: [UInt64] = []
    swap(&written, &self.written)
    written.removeAll(keepingCapacity: true)
    written.appendZeros(batch.argumentBits.count)
    var lasts = [UInt64](repeating: 0, count: plan.slots.count)
    forEachArgument(batch, choice, plan) { argument, slot, _, value, references in
      switch plan.slots[slot].mode {
      case ArgumentMode.delta:
        written[argument] = Self.zigzag(value, Int64(bitPattern: lasts[slot]))
        lasts[slot] = value
      case ArgumentMode.thread: written[argument] = Self.zigzag(value, references.thread)
      case ArgumentMode.maximum: written[argument] = Self.zigzag(value, references.maximum)
      case ArgumentMode.span: written[argument] = Self.zigzag(value, references.span)
      default: written[argument] = value
      }
    }
    swap(&written, &self.written)
  }
}
