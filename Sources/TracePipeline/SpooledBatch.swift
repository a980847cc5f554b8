// How a batch stands in the temporary file of a spool: column after column, as it is in memory.
// Nothing but the process that wrote it reads it.

import TraceModel

enum SpooledBatch {
  static func append(_ batch: EventBatch, to bytes: inout [UInt8]) {
    for pool in [batch.kindNames, batch.argumentNames, batch.strings] { append(pool, &bytes) }
    append(batch.threads, &bytes) { [UInt64(bitPattern: $0.id), $0.firstSequence] }
    append(batch.slots, &bytes) {
      [UInt64($0.name.rawValue) << 8 | UInt64($0.type.rawValue)]
    }
    append(batch.templates, &bytes) {
      [
        UInt64($0.kind.rawValue) << 32 | UInt64($0.phase.rawValue) << 16 | UInt64($0.thread),
        UInt64($0.slotCount) << 32 | UInt64($0.firstSlot),
      ]
    }
    append(batch.templateIndices, &bytes) { [UInt64($0)] }
    append(batch.timesNanoseconds, &bytes) { [UInt64(bitPattern: $0)] }
    append(batch.argumentStarts, &bytes) { [UInt64($0)] }
    append(batch.argumentBits, &bytes) { [$0] }
    append(batch.lines, &bytes) { [UInt64($0)] }
    append(batch.ordinals, &bytes) { [UInt64($0)] }
    append(UInt64(batch.firstOrdinal), &bytes)
  }

  static func batch(_ bytes: [UInt8]) -> EventBatch {
    var reader = Reader(bytes: bytes)
    var batch = EventBatch()
    reader.pool(&batch.kindNames)
    reader.pool(&batch.argumentNames)
    reader.pool(&batch.strings)
    batch.threads = reader.list {
      ThreadEntry(id: Int64(bitPattern: $0.number()), firstSequence: $0.number())
    }
    batch.slots = reader.list {
      let number = $0.number()
      return ArgumentSlot(
        name: ArgumentName(rawValue: UInt16(truncatingIfNeeded: number >> 8)),
        type: ArgumentType(rawValue: UInt8(truncatingIfNeeded: number)) ?? .integer)
    }
    batch.templates = reader.list {
      let (first, second) = ($0.number(), $0.number())
      return EventTemplate(
        kind: EventKind(rawValue: UInt16(truncatingIfNeeded: first >> 32)),
        phase: Phase(rawValue: UInt8(truncatingIfNeeded: first >> 16)) ?? .instant,
        thread: UInt16(truncatingIfNeeded: first),
        slotCount: UInt16(truncatingIfNeeded: second >> 32),
        firstSlot: UInt32(truncatingIfNeeded: second))
    }
    batch.templateIndices = reader.list { UInt16(truncatingIfNeeded: $0.number()) }
    batch.timesNanoseconds = reader.list { Int64(bitPattern: $0.number()) }
    batch.argumentStarts = reader.list { UInt32(truncatingIfNeeded: $0.number()) }
    batch.argumentBits = reader.list { $0.number() }
    batch.lines = reader.list { UInt32(truncatingIfNeeded: $0.number()) }
    batch.ordinals = reader.list { Int(truncatingIfNeeded: $0.number()) }
    batch.firstOrdinal = Int(truncatingIfNeeded: reader.number())
    return batch
  }

  private static func append(_ number: UInt64, _ bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  private static func append<Element>(
    _ list: [Element], _ bytes: inout [UInt8], _ numbers: (Element) -> [UInt64]
  ) {
    append(UInt64(list.count), &bytes)
    for element in list { for number in numbers(element) { append(number, &bytes) } }
  }

  private static func append(_ pool: StringPool, _ bytes: inout [UInt8]) {
    append(UInt64(pool.count), &bytes)
    for index in 0..<pool.count {
      append(UInt64(pool.range(at: index).count), &bytes)
      bytes += pool.bytes[pool.range(at: index)]
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var offset = 0

    mutating func number() -> UInt64 {
      var number: UInt64 = 0
      for place in 0..<8 { number |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
      offset += 8
      return number
    }

    mutating func list<Element>(_ element: (inout Reader) -> Element) -> [Element] {
      let count = Int(number())
      return (0..<count).map { _ in element(&self) }
    }

    mutating func pool(_ pool: inout StringPool) {
      let count = Int(number())
      for _ in 0..<count {
        let byteCount = Int(number())
        pool.append(bytes.span.extracting(offset..<offset + byteCount))
        offset += byteCount
      }
    }
  }
}
