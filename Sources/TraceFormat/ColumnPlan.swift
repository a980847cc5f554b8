// How the events of each column template are coded: the second half of the dictionary column.
// A column template is a template, or those of its events that share the value of an argument.

import TraceModel

/// What the time of an event is a difference from. The numbers are part of the format.
enum TimePredictor {
  /// The event before.
  static let previous: UInt8 = 0
  /// The event before, which may be later: a zigzag.
  static let previousSigned: UInt8 = 1
  /// The event before on the same thread.
  static let thread: UInt8 = 2
  /// The same, as a zigzag.
  static let threadSigned: UInt8 = 3
  /// The event before of the same column template, and a period: a zigzag.
  static let period: UInt8 = 4
  static let last = period
}

/// How the values of one slot of a column template are coded. The numbers are part of the format.
enum ArgumentMode {
  /// All are the same; the plan holds it.
  static let constant: UInt8 = 0
  /// As in rows.
  static let raw: UInt8 = 1
  /// A difference from the value before in the same slot.
  static let delta: UInt8 = 2
  /// A difference from the first number of the thread's event before that has one.
  static let thread: UInt8 = 3
  /// A difference from the greatest number so far that grew out of small steps: tokens are counted
  /// up, and used again soon.
  static let maximum: UInt8 = 4
  /// A difference from the first number of the enter that encloses the event on its thread.
  static let span: UInt8 = 5
  static let last = span
}

/// One column template.
struct ColumnTemplate: Hashable, Sendable {
  /// The place of the batch's template.
  var template: UInt16 = 0
  var predictor = TimePredictor.previous
  /// The stream that its symbols stand in.
  var stream: UInt8 = 0
  /// The symbol that becomes the middle byte.
  var centre: UInt8 = 0
  /// Added to the time before, for the predictor ``TimePredictor/period``.
  var periodTicks: Int64 = 0
  /// The place of its first slot among the slots of the plan.
  var firstSlot = 0
}

/// One slot of a column template.
struct ColumnSlot: Hashable, Sendable {
  var mode = ArgumentMode.raw
  /// The value of a constant.
  var constant: UInt64 = 0
  /// The length of its part of the argument column.
  var byteCount = 0
}

/// How the events of a block are coded.
struct ColumnPlan: Hashable, Sendable {
  var templates: [ColumnTemplate] = []
  /// The slots of all column templates.
  var slots: [ColumnSlot] = []
  /// Where the greatest number begins, for ``ArgumentMode/maximum``.
  var initialMaximum: Int64 = 0

  mutating func removeAll() {
    templates.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    initialMaximum = 0
  }

  /// Appends the plan, one property of all templates after the other: they repeat.
  func append(_ batch: EventBatch, to output: inout [UInt8]) {
    output.appendVarint(templates.count)
    for template in templates { output.appendVarint(UInt64(template.template)) }
    for template in templates { output.append(template.predictor | template.stream << 4) }
    for template in templates { output.append(template.centre) }
    for template in templates where template.predictor == TimePredictor.period {
      output.appendZigzag(template.periodTicks)
    }
    output.appendZigzag(initialMaximum)
    for slot in slots { output.append(slot.mode) }
    for template in templates {
      let shape = batch.templates[Int(template.template)]
      for place in 0..<Int(shape.slotCount) {
        let slot = slots[template.firstSlot + place]
        if slot.mode == ArgumentMode.constant {
          let type = batch.slots[Int(shape.firstSlot) + place].type
          ArgumentBytes.append(slot.constant, type, to: &output)
        } else {
          output.appendVarint(slot.byteCount)
        }
      }
    }
  }

  /// Reads a plan behind a dictionary. All numbers in it are in range afterwards, and the slots'
  /// parts of the argument column have exactly its length together.
  mutating func read(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ batch: EventBatch, streamCount: Int,
    argumentByteCount: Int
  ) throws(FormatDamage) {
    removeAll()
    let count = try ByteReader.count(
      bytes, &offset, max: FormatLimits.templatesMax, "column templates")
    var slotCount = 0
    for _ in 0..<count {
      let template = try ByteReader.index(
        bytes, &offset, below: batch.templates.count, "the template")
      templates.append(ColumnTemplate(template: UInt16(template), firstSlot: slotCount))
      slotCount += Int(batch.templates[template].slotCount)
    }
    // Each slot takes a byte for its mode, so the bytes at hand bound them.
    guard slotCount <= bytes.count - offset else { throw .cut }
    try readTimes(bytes, &offset, streamCount: streamCount)
    initialMaximum = try ByteReader.zigzag(bytes, &offset)
    for _ in 0..<slotCount {
      slots.append(ColumnSlot(mode: try ByteReader.byte(bytes, &offset)))
    }
    try readSlots(bytes, &offset, batch, argumentByteCount: argumentByteCount)
  }

  private mutating func readTimes(
    _ bytes: Span<UInt8>, _ offset: inout Int, streamCount: Int
  ) throws(FormatDamage) {
    for index in templates.indices {
      let shape = try ByteReader.byte(bytes, &offset)
      templates[index].predictor = shape & 15
      templates[index].stream = shape >> 4
      guard shape & 15 <= TimePredictor.last, Int(shape >> 4) < streamCount else {
        throw FormatDamage("it codes times in a way (\(shape)) that isn't defined")
      }
    }
    for index in templates.indices {
      templates[index].centre = try ByteReader.byte(bytes, &offset)
    }
    for index in templates.indices where templates[index].predictor == TimePredictor.period {
      templates[index].periodTicks = try ByteReader.zigzag(bytes, &offset)
    }
  }

  private mutating func readSlots(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ batch: EventBatch, argumentByteCount: Int
  ) throws(FormatDamage) {
    var total = 0
    for template in templates {
      let shape = batch.templates[Int(template.template)]
      for place in 0..<Int(shape.slotCount) {
        let type = batch.slots[Int(shape.firstSlot) + place].type
        let index = template.firstSlot + place
        let mode = slots[index].mode
        guard ArgumentBytes.allows(mode, type) else {
          throw FormatDamage("it codes an argument in a way (\(mode)) that isn't defined")
        }
        if mode == ArgumentMode.constant {
          slots[index].constant = try ArgumentBytes.read(
            bytes, &offset, type, textCount: batch.strings.count)
        } else {
          slots[index].byteCount = try ByteReader.count(
            bytes, &offset, max: argumentByteCount - total, "bytes of arguments")
          total += slots[index].byteCount
        }
      }
    }
    guard total == argumentByteCount else {
      throw FormatDamage("its arguments have \(argumentByteCount) bytes, their plan has \(total)")
    }
  }
}

/// Single values as bytes, as rows have them.
enum ArgumentBytes {
  /// Whether values of a type may be coded in a mode.
  static func allows(_ mode: UInt8, _ type: ArgumentType) -> Bool {
    switch type {
    case .integer, .unsigned: mode <= ArgumentMode.last
    case .string, .json: mode <= ArgumentMode.delta
    case .number, .boolean: mode <= ArgumentMode.raw
    }
  }

  static func append(_ value: UInt64, _ type: ArgumentType, to output: inout [UInt8]) {
    switch type {
    case .integer: output.appendZigzag(Int64(bitPattern: value))
    case .unsigned, .string, .json: output.appendVarint(value)
    case .number: output.appendLittleEndian(RowCoding.finite(value))
    case .boolean: output.append(value == 0 ? 0 : 1)
    }
  }

  static func read(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ type: ArgumentType, textCount: Int
  ) throws(FormatDamage) -> UInt64 {
    switch type {
    case .integer: return UInt64(bitPattern: try ByteReader.zigzag(bytes, &offset))
    case .unsigned: return try ByteReader.varint(bytes, &offset)
    case .string, .json:
      return UInt64(try ByteReader.index(bytes, &offset, below: textCount, "the text"))
    case .number: return RowCoding.finite(try ByteReader.uint64(bytes, &offset))
    case .boolean:
      let byte = try ByteReader.byte(bytes, &offset)
      guard byte <= 1 else { throw FormatDamage("a boolean argument is neither 0 nor 1") }
      return UInt64(byte)
    }
  }
}
