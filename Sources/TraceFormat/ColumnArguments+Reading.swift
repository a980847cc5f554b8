// Arguments from their column: makes tables of a block's plan, and has the loop read them.

import TraceModel

/// Reads the argument column. Reused from block to block.
struct ArgumentReader: Sendable {
  private var shapes: [ArgumentKernel.Shape] = []
  private var parts: [ArgumentKernel.Part] = []
  /// What values are differences from, and constants.
  private var words: [UInt64] = []
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
    let total = ArgumentKernel.count(templates, shapes.span)
    // Constants take no bytes, so only this bounds the memory.
    guard total <= FormatLimits.argumentsMax else {
      throw FormatDamage("it declares \(total) arguments, more than \(FormatLimits.argumentsMax)")
    }
    // Taken out and put back, so that each can change while the others are read.
    var (starts, values) = ([UInt32](), [UInt64]())
    var (parts, words, context) = ([ArgumentKernel.Part](), [UInt64](), ArgumentContext())
    swap(&starts, &batch.argumentStarts)
    swap(&values, &batch.argumentBits)
    swap(&parts, &self.parts)
    swap(&words, &self.words)
    swap(&context, &self.context)
    defer {
      swap(&starts, &batch.argumentStarts)
      swap(&values, &batch.argumentBits)
      swap(&parts, &self.parts)
      swap(&words, &self.words)
      swap(&context, &self.context)
    }
    do throws(ArgumentDamage) {
      try ArgumentKernel.read(
        bytes, templates, shapes.span, parts: &parts, words: &words, context: &context,
        count: total, starts: &starts, values: &values)
    } catch { throw error.damage }
  }

  private mutating func prepare(_ plan: ColumnPlan, _ batch: EventBatch) {
    shapes.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    words.appendZeros(ArgumentKernel.firstThreadWord + batch.threads.count)
    words[ArgumentKernel.maximumWord] = UInt64(bitPattern: plan.initialMaximum)
    let usesNumbers = plan.slots.contains { $0.mode >= ArgumentMode.thread }
    let textCount = UInt64(batch.strings.count)
    var offset = 0
    for template in plan.templates {
      let shape = batch.templates[Int(template.template)]
      let firstPart = parts.count
      let firstConstant = words.count
      var constantCount = 0
      var number = -1
      for place in 0..<Int(shape.slotCount) {
        let slot = plan.slots[template.firstSlot + place]
        let type = batch.slots[Int(shape.firstSlot) + place].type
        if number < 0, usesNumbers, type == .integer || type == .unsigned { number = place }
        // The word of the slot: its constant, or its value before.
        let isConstant = slot.mode == ArgumentMode.constant
        words.append(isConstant ? slot.constant : 0)
        if isConstant {
          constantCount = place + 1
          continue
        }
        var part = Self.part(slot.mode, type, textCount: textCount)
        part.offset = offset
        offset += slot.byteCount
        part.end = offset
        part.place = UInt8(place)
        switch slot.mode {
        case ArgumentMode.delta:
          part.reference = UInt32(words.count - 1)
          part.own = part.reference
        case ArgumentMode.thread:
          part.reference = UInt32(ArgumentKernel.firstThreadWord) + UInt32(shape.thread)
        case ArgumentMode.maximum: part.reference = UInt32(ArgumentKernel.maximumWord)
        default: break
        }
        parts.append(part)
      }
      shapes.append(
        ArgumentKernel.Shape(
          firstPart: UInt32(firstPart), endPart: UInt32(parts.count),
          firstConstant: UInt32(firstConstant), constantCount: UInt16(constantCount),
          slotCount: shape.slotCount, number: Int16(clamping: number), thread: shape.thread,
          phase: shape.phase))
    }
    words.appendZeros(ArgumentKernel.pieceWords)
    context.reset(
      threadCount: batch.threads.count, maximum: plan.initialMaximum,
      tracksSpans: plan.slots.contains { $0.mode == ArgumentMode.span })
  }

  /// How values of a type are read in a mode. No number that isn't allowed for the type gets here.
  private static func part(
    _ mode: UInt8, _ type: ArgumentType, textCount: UInt64
  ) -> ArgumentKernel.Part {
    var part = ArgumentKernel.Part(
      offset: 0, end: 0, valueMax: .max, isBoolean: false, reading: .number, signBit: 0, place: 0,
      reference: UInt32(ArgumentKernel.zeroWord), own: UInt32(ArgumentKernel.unusedWord))
    if mode >= ArgumentMode.delta || type == .integer { part.signBit = 1 }
    if mode == ArgumentMode.span { part.reading = .span }
    switch type {
    case .integer, .unsigned: break
    case .number: part.reading = .word
    case .boolean:
      part.valueMax = 1
      part.isBoolean = true
    case .string, .json:
      if textCount == 0 { part.reading = .nothing }
      part.valueMax = textCount &- 1
    }
    return part
  }
}
