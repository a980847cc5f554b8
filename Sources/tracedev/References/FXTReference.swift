// Fuchsia's trace format: records of words of eight bytes, with texts and threads by number.

import TraceModel

/// Writes a trace as FXT.
struct FXTReference {
  private(set) var output = ReferenceBytes()

  private enum RecordType: UInt64 {
    case initialization = 1
    case string, thread, event
  }

  private static let magic: UInt64 = 0x0016_5478_4604_0010
  private static let ticksPerSecond: UInt64 = 1_000_000_000
  private static let process: UInt64 = 400
  /// What a record's header can say.
  private static let stringsMax: UInt64 = 0x7FFF
  private static let stringBytesMax = 32_000
  private static let argumentsMax = 15
  /// Says that a text stands in the record itself.
  private static let isInline: UInt64 = 0x8000

  private var strings: [[UInt8]: UInt64] = [:]
  private var threads: [Int64: UInt64] = [:]
  private var arguments = ReferenceBytes()

  init(_ trace: ReferenceTrace) {
    output.number(Self.magic)
    header(.initialization, words: 2)
    output.number(Self.ticksPerSecond)
    trace.visit { entry in write(entry, trace.shapes[entry.shape]) }
  }

  private mutating func header(_ type: RecordType, words: Int, _ rest: UInt64 = 0) {
    output.number(type.rawValue | UInt64(words) << 4 | rest)
  }

  /// The number of a text, which is written before the record that names it. Texts beyond the
  /// table stand in the records; 0 is the empty text.
  private mutating func reference(_ text: some Collection<UInt8>) -> UInt64 {
    if text.isEmpty { return 0 }
    let bytes = Array(text.prefix(Self.stringBytesMax))
    if let number = strings[bytes] { return number }
    let number = UInt64(strings.count + 1)
    guard number <= Self.stringsMax else { return Self.isInline | UInt64(bytes.count) }
    strings[bytes] = number
    header(
      .string, words: 1 + (bytes.count + 7) / 8, number << 16 | UInt64(bytes.count) << 32)
    output.append(bytes)
    output.align()
    return number
  }

  private mutating func reference(_ thread: Int64) -> UInt64 {
    if let number = threads[thread] { return number }
    let number = UInt64(threads.count + 1)
    precondition(number < 256, "FXT names at most 255 threads")
    threads[thread] = number
    header(.thread, words: 3, number << 16)
    output.number(Self.process)
    output.number(thread)
    return number
  }

  private mutating func write(_ entry: ReferenceTrace.Entry, _ shape: ReferenceTrace.Shape) {
    arguments.removeAll()
    for (place, field) in shape.fields.enumerated().prefix(Self.argumentsMax) {
      append(entry, place, field)
    }
    let thread = reference(entry.thread)
    let category = reference(shape.name.utf8.prefix { $0 != UInt8(ascii: ".") })
    let name = reference(shape.name.utf8)
    precondition(category < Self.isInline && name < Self.isInline, "too many names for FXT")
    let type: UInt64 =
      switch shape.phase {
      case .instant: 0
      case .enter: 2
      case .return: 3
      }
    let count = UInt64(min(shape.fields.count, Self.argumentsMax))
    header(
      .event, words: 2 + arguments.count / 8,
      type << 16 | count << 20 | thread << 24 | category << 32 | name << 48)
    output.number(entry.time)
    output.append(arguments.bytes)
  }

  private mutating func append(
    _ entry: ReferenceTrace.Entry, _ place: Int, _ field: ReferenceTrace.Field
  ) {
    let name = reference(field.name.utf8)
    precondition(name < Self.isInline, "too many names for FXT")
    let bits = entry.bits(place)
    func header(_ type: UInt64, words: Int = 1, _ value: UInt64 = 0) {
      arguments.number(type | UInt64(words) << 4 | name << 16 | value << 32)
    }
    switch field.type {
    case .integer:
      if let short = Int32(exactly: Int64(bitPattern: bits)) {
        header(1, UInt64(UInt32(bitPattern: short)))
      } else {
        header(3, words: 2)
        arguments.number(bits)
      }
    case .unsigned:
      header(4, words: 2)
      arguments.number(bits)
    case .number:
      header(5, words: 2)
      arguments.number(bits)
    case .boolean: header(9, bits == 0 ? 0 : 1)
    case .string, .json:
      let text = entry.text(place)
      let value = reference(text)
      if value >= Self.isInline {
        let bytes = text.prefix(Self.stringBytesMax)
        header(6, words: 1 + (bytes.count + 7) / 8, value)
        arguments.append(bytes)
        arguments.align()
      } else {
        header(6, value)
      }
    }
  }
}
