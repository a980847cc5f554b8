// Arguments from their column: one loop over the events, with a cursor in each slot's part.
// The loop is a hot path of reading; nothing in it allocates.

import TraceModel

/// Why arguments can't be read. Small, so that the loop stays small.
private enum ArgumentDamage: Error {
  case cut, longNumber, text, boolean, rest

  var damage: FormatDamage {
    switch self {
    case .cut: .cut
    case .longNumber: .longNumber
    case .text: FormatDamage("an argument names a text that isn't there")
    case .boolean: FormatDamage("a boolean argument is neither 0 nor 1")
    case .rest: FormatDamage("its events have other arguments than it declares")
    }
  }
}

/// Reads the argument column. Reused from block to block.
struct ArgumentReader: Sendable {
  /// What is done for a slot: its mode and, for raw ones, its type.
  private enum Action {
    static let constant: UInt8 = 0
    static let unsigned: UInt8 = 1
    static let integer: UInt8 = 2
    static let text: UInt8 = 3
    static let boolean: UInt8 = 4
    static let number: UInt8 = 5
    static let delta: UInt8 = 6
    static let textDelta: UInt8 = 7
    static let thread: UInt8 = 8
    static let maximum: UInt8 = 9
    static let span: UInt8 = 10
  }

  private struct Slot {
    var action: UInt8
    var offset: Int
    var end: Int
    /// The constant, or the value before.
    var value: UInt64
  }

  private struct Shape {
    var firstSlot: Int
    var endSlot: Int
    /// The place of the first number among the slots; -1 without.
    var number: Int
    var thread: Int
    var phase: Phase
  }

  private var slots: [Slot] = []
  private var shapes: [Shape] = []
  private var context = ArgumentContext()

  init() {}

  /// Reads the arguments of all events into a batch that holds dictionary and templates.
  ///
  /// - Parameters:
  ///   - bytes: The argument column.
  ///   - templates: The column template of each event; all in range.
  mutating func read(
    _ bytes: Span<UInt8>, _ plan: ColumnPlan, _ templates: Span<UInt16>,
    into batch: inout EventBatch
  ) throws(FormatDamage) {
    prepare(plan, batch)
    // Taken out and put back, so that each can change while the others are read.
    var slots: [Slot] = []
    var context = ArgumentContext()
    swap(&slots, &self.slots)
    swap(&context, &self.context)
    defer {
      swap(&slots, &self.slots)
      swap(&context, &self.context)
    }
    let shapes = shapes
    var total = 0
    for event in templates.indices {
      let shape = shapes[Int(templates[event])]
      total += shape.endSlot - shape.firstSlot
    }
    // Constants take no bytes, so only this bounds the memory.
    guard total <= FormatLimits.argumentsMax else {
      throw FormatDamage("it declares \(total) arguments, more than \(FormatLimits.argumentsMax)")
    }
    var starts: [UInt32] = []
    var values: [UInt64] = []
    swap(&starts, &batch.argumentStarts)
    swap(&values, &batch.argumentBits)
    defer {
      swap(&starts, &batch.argumentStarts)
      swap(&values, &batch.argumentBits)
    }
    starts.appendZeros(templates.count)
    values.appendZeros(total)
    do throws(ArgumentDamage) {
      var startSpan = starts.mutableSpan
      var valueSpan = values.mutableSpan
      try Self.readEvents(
        bytes, shapes.span, templates, textCount: UInt64(batch.strings.count), &slots, &context,
        &startSpan, &valueSpan)
    } catch { throw error.damage }
  }

  private mutating func prepare(_ plan: ColumnPlan, _ batch: EventBatch) {
    slots.removeAll(keepingCapacity: true)
    shapes.removeAll(keepingCapacity: true)
    var offset = 0
    var tracksSpans = false
    for template in plan.templates {
      let shape = batch.templates[Int(template.template)]
      let first = slots.count
      var number = -1
      for place in 0..<Int(shape.slotCount) {
        let slot = plan.slots[template.firstSlot + place]
        let type = batch.slots[Int(shape.firstSlot) + place].type
        if number < 0, type == .integer || type == .unsigned { number = place }
        if slot.mode == ArgumentMode.span { tracksSpans = true }
        slots.append(
          Slot(
            action: Self.action(slot.mode, type), offset: offset, end: offset + slot.byteCount,
            value: slot.mode == ArgumentMode.constant ? slot.constant : 0))
        offset += slot.byteCount
      }
      shapes.append(
        Shape(
          firstSlot: first, endSlot: slots.count, number: number, thread: Int(shape.thread),
          phase: shape.phase))
    }
    context.reset(
      threadCount: batch.threads.count, maximum: plan.initialMaximum, tracksSpans: tracksSpans)
  }

  private static func action(_ mode: UInt8, _ type: ArgumentType) -> UInt8 {
    switch mode {
    case ArgumentMode.constant: Action.constant
    case ArgumentMode.delta: type == .string || type == .json ? Action.textDelta : Action.delta
    case ArgumentMode.thread: Action.thread
    case ArgumentMode.maximum: Action.maximum
    case ArgumentMode.span: Action.span
    default:
      switch type {
      case .integer: Action.integer
      case .unsigned: Action.unsigned
      case .number: Action.number
      case .boolean: Action.boolean
      case .string, .json: Action.text
      }
    }
  }

  private static func readEvents(
    _ bytes: Span<UInt8>, _ shapes: Span<Shape>, _ templates: Span<UInt16>, textCount: UInt64,
    _ slots: inout [Slot], _ context: inout ArgumentContext, _ starts: inout MutableSpan<UInt32>,
    _ values: inout MutableSpan<UInt64>
  ) throws(ArgumentDamage) {
    var slotSpan = slots.mutableSpan
    // The parts of the context that most events need, where the loop reaches them at once.
    var threadNumbers: [Int64] = []
    swap(&threadNumbers, &context.threadNumbers)
    var numbers = threadNumbers.mutableSpan
    var maximum = context.maximum
    let tracksSpans = context.tracksSpans
    var argument = 0
    for event in templates.indices {
      let shape = shapes[Int(templates[event])]
      starts[event] = UInt32(truncatingIfNeeded: argument)
      let first = argument
      for slot in shape.firstSlot..<shape.endSlot {
        let action = slotSpan[slot].action
        if action == Action.constant {
          values[argument] = slotSpan[slot].value
        } else if action == Action.number {
          values[argument] = try word(bytes, &slotSpan[slot])
        } else {
          let number = try varint(bytes, &slotSpan[slot])
          let signed = UInt64(bitPattern: TimeSymbols.signed(number))
          let value: UInt64
          switch action {
          case Action.unsigned: value = number
          case Action.integer: value = signed
          case Action.text:
            guard number < textCount else { throw .text }
            value = number
          case Action.boolean:
            guard number <= 1 else { throw .boolean }
            value = number
          case Action.delta:
            value = slotSpan[slot].value &+ signed
            slotSpan[slot].value = value
          case Action.textDelta:
            value = slotSpan[slot].value &+ signed
            guard value < textCount else { throw .text }
            slotSpan[slot].value = value
          case Action.thread: value = UInt64(bitPattern: numbers[shape.thread]) &+ signed
          case Action.maximum: value = UInt64(bitPattern: maximum) &+ signed
          default: value = UInt64(bitPattern: context.enclosing(shape.thread)) &+ signed
          }
          values[argument] = value
        }
        argument &+= 1
      }
      var number: Int64 = 0
      if shape.number >= 0 {
        number = Int64(bitPattern: values[first &+ shape.number])
        numbers[shape.thread] = number
        maximum = ArgumentContext.maximum(maximum, with: number)
      }
      if tracksSpans, shape.phase != .instant {
        context.addSpan(isEnter: shape.phase == .enter, number, thread: shape.thread)
      }
    }
    for slot in slotSpan.indices where slotSpan[slot].offset != slotSpan[slot].end { throw .rest }
  }

  @inline(__always)
  private static func word(
    _ bytes: Span<UInt8>, _ slot: inout Slot
  ) throws(ArgumentDamage) -> UInt64 {
    guard slot.end - slot.offset >= 8 else { throw .cut }
    let word = ByteReader.word(bytes, at: slot.offset)
    slot.offset += 8
    return RowCoding.finite(word)
  }

  @inline(__always)
  private static func varint(
    _ bytes: Span<UInt8>, _ slot: inout Slot
  ) throws(ArgumentDamage) -> UInt64 {
    guard slot.offset < slot.end else { throw .cut }
    let first = bytes[slot.offset]
    slot.offset += 1
    if first < 0x80 { return UInt64(first) }
    return try longVarint(bytes, &slot.offset, slot.end, UInt64(first & 0x7F))
  }

  private static func longVarint(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ end: Int, _ first: UInt64
  ) throws(ArgumentDamage) -> UInt64 {
    var value = first
    var shift: UInt64 = 7
    while true {
      guard offset < end else { throw .cut }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        if shift == 63, byte > 1 { throw .longNumber }
        return value
      }
      shift += 7
      if shift > 63 { throw .longNumber }
    }
  }
}
