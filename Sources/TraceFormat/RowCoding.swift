// The events of a block as rows: template, time since the row before, arguments.
// The loops here are the hot path of reading; nothing in them allocates.

import TraceModel

/// Why a row can't be read. Small, so that the loop stays small; the text is made once, outside.
private enum RowDamage: Error {
  case cut, longNumber, template, text, boolean, argumentCount

  var damage: FormatDamage {
    switch self {
    case .cut: .cut
    case .longNumber: .longNumber
    case .template: FormatDamage("an event names a template that isn't there")
    case .text: FormatDamage("an argument names a text that isn't there")
    case .boolean: FormatDamage("a boolean argument is neither 0 nor 1")
    case .argumentCount: FormatDamage("its events have other arguments than it declares")
    }
  }
}

/// The templates of a block as the row loop wants them. Reused from block to block.
struct RowPlan: Sendable {
  fileprivate var slotStarts: [UInt32] = []
  fileprivate var slotTypes: [UInt8] = []

  init() {}

  mutating func prepare(_ batch: EventBatch) {
    slotStarts.removeAll(keepingCapacity: true)
    slotTypes.removeAll(keepingCapacity: true)
    for template in batch.templates { slotStarts.append(template.firstSlot) }
    slotStarts.append(UInt32(batch.slots.count))
    for slot in batch.slots { slotTypes.append(slot.type.rawValue) }
  }
}

/// Writes and reads rows.
enum RowCoding {
  /// Appends the rows of a batch, whose times are given in ticks.
  static func append(
    _ batch: EventBatch, ticks times: Span<Int64>, from earliest: Int64, to output: inout [UInt8]
  ) {
    let templates = batch.templateIndices.span
    let starts = batch.argumentStarts.span
    let bits = batch.argumentBits.span
    var time = earliest
    for event in templates.indices {
      let template = batch.templates[Int(templates[event])]
      output.appendVarint(UInt64(templates[event]))
      output.appendZigzag(times[event] &- time)
      time = times[event]
      let start = Int(starts[event])
      let first = Int(template.firstSlot)
      for place in 0..<Int(template.slotCount) {
        let value = bits[start + place]
        switch batch.slots[first + place].type {
        case .integer: output.appendZigzag(Int64(bitPattern: value))
        case .unsigned, .string, .json: output.appendVarint(value)
        case .number: output.appendLittleEndian(finite(value))
        case .boolean: output.append(value == 0 ? 0 : 1)
        }
      }
    }
  }

  /// Numbers of the model are finite: NaN becomes 0, an infinity the greatest finite number.
  @inline(__always)
  static func finite(_ bits: UInt64) -> UInt64 {
    let exponent: UInt64 = 0x7FF0_0000_0000_0000
    if bits & exponent != exponent { return bits }
    if bits & 0x000F_FFFF_FFFF_FFFF != 0 { return 0 }
    return bits & (1 << 63) | Double.greatestFiniteMagnitude.bitPattern
  }

  /// Reads rows into a batch that holds the dictionary and no events.
  ///
  /// The counts must have been compared with their limits and with the bytes at hand.
  static func read(
    _ bytes: Span<UInt8>, _ offset: inout Int, eventCount: Int, argumentCount: Int,
    from earliest: Int64, plan: RowPlan, into batch: inout EventBatch
  ) throws(FormatDamage) {
    // The columns are filled as local arrays, each of which can be written while the others are.
    var templates: [UInt16] = []
    var times: [Int64] = []
    var starts: [UInt32] = []
    var bits: [UInt64] = []
    swap(&templates, &batch.templateIndices)
    swap(&times, &batch.timesNanoseconds)
    swap(&starts, &batch.argumentStarts)
    swap(&bits, &batch.argumentBits)
    defer {
      swap(&templates, &batch.templateIndices)
      swap(&times, &batch.timesNanoseconds)
      swap(&starts, &batch.argumentStarts)
      swap(&bits, &batch.argumentBits)
    }
    templates.appendZeros(eventCount)
    times.appendZeros(eventCount)
    starts.appendZeros(eventCount)
    bits.appendZeros(argumentCount)
    let textCount = UInt64(batch.strings.count)
    do throws(RowDamage) {
      var templateSpan = templates.mutableSpan
      var timeSpan = times.mutableSpan
      var startSpan = starts.mutableSpan
      var bitSpan = bits.mutableSpan
      try read(
        bytes, &offset, from: earliest, textCount: textCount, plan.slotStarts.span,
        plan.slotTypes.span, &templateSpan, &timeSpan, &startSpan, &bitSpan)
    } catch { throw error.damage }
  }

  private static func read(
    _ bytes: Span<UInt8>, _ offset: inout Int, from earliest: Int64, textCount: UInt64,
    _ slotStarts: Span<UInt32>, _ slotTypes: Span<UInt8>, _ templates: inout MutableSpan<UInt16>,
    _ times: inout MutableSpan<Int64>, _ starts: inout MutableSpan<UInt32>,
    _ bits: inout MutableSpan<UInt64>
  ) throws(RowDamage) {
    var place = offset
    var argument = 0
    var time = earliest
    for event in 0..<templates.count {
      let template = try varint(bytes, &place)
      guard template < UInt64(slotStarts.count - 1) else { throw .template }
      time = time &+ zigzag(try varint(bytes, &place))
      templates[event] = UInt16(truncatingIfNeeded: template)
      times[event] = time
      starts[event] = UInt32(truncatingIfNeeded: argument)
      var slot = Int(slotStarts[Int(template)])
      let slotEnd = Int(slotStarts[Int(template) + 1])
      while slot < slotEnd {
        guard argument < bits.count else { throw .argumentCount }
        let value: UInt64
        switch slotTypes[slot] {
        case 0: value = UInt64(bitPattern: zigzag(try varint(bytes, &place)))
        case 1: value = try varint(bytes, &place)
        case 2:
          guard bytes.count - place >= 8 else { throw .cut }
          var word: UInt64 = 0
          for byte in 0..<8 { word |= UInt64(bytes[place + byte]) << UInt64(byte * 8) }
          place += 8
          value = finite(word)
        case 3:
          guard place < bytes.count else { throw .cut }
          value = UInt64(bytes[place])
          place += 1
          guard value <= 1 else { throw .boolean }
        default:
          value = try varint(bytes, &place)
          guard value < textCount else { throw .text }
        }
        bits[argument] = value
        argument += 1
        slot += 1
      }
    }
    guard argument == bits.count else { throw .argumentCount }
    offset = place
  }

  @inline(__always)
  private static func zigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  @inline(__always)
  private static func varint(
    _ bytes: Span<UInt8>, _ offset: inout Int
  ) throws(RowDamage) -> UInt64 {
    guard offset < bytes.count else { throw .cut }
    let first = bytes[offset]
    offset += 1
    if first < 0x80 { return UInt64(first) }
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      guard offset < bytes.count else { throw .cut }
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
