// A block's dictionary: names, texts, threads and templates, before its events.
// Every block has its own, so that no lost record makes another one unreadable.

import TraceModel

/// Writes and reads the dictionary of a block.
enum BlockDictionary {
  static func append(_ batch: EventBatch, to output: inout [UInt8]) {
    var kinds = LateNames(first: EventKind.firstUnknownNumber, batch.kindNames)
    var names = LateNames(first: ArgumentName.firstUnknownNumber, batch.argumentNames)
    for template in batch.templates {
      let number = template.kind.rawValue
      if template.kind.isKnown, number > FormatVocabulary.kindNumberMax || number == 0 {
        kinds.add(number, batch.name(of: template.kind))
      }
    }
    for slot in batch.slots {
      let number = slot.name.rawValue
      if slot.name.isKnown, number > FormatVocabulary.argumentNumberMax || number == 0 {
        names.add(number, batch.text(of: slot.name))
      }
    }
    kinds.append(to: &output)
    names.append(to: &output)
    appendStrings(batch.strings, to: &output)
    output.appendVarint(batch.threads.count)
    for thread in batch.threads {
      output.appendZigzag(thread.id)
      output.appendVarint(thread.firstSequence)
    }
    output.appendVarint(batch.templates.count)
    for template in batch.templates {
      output.appendVarint(Int(kinds.number(template.kind.rawValue)))
      output.appendVarint(Int(template.slotCount) << 2 | Int(template.phase.rawValue))
      output.appendVarint(Int(template.thread))
      let first = Int(template.firstSlot)
      for slot in batch.slots[first..<first + Int(template.slotCount)] {
        output.appendVarint(
          Int(names.number(slot.name.rawValue)) << 3 | Int(slot.type.rawValue))
      }
    }
  }

  private static func appendStrings(_ strings: StringPool, to output: inout [UInt8]) {
    output.appendVarint(strings.count)
    var cuts: [Int] = []
    cuts.reserveCapacity(strings.count)
    for index in 0..<strings.count {
      let text = strings.bytes.span.extracting(strings.range(at: index))
      cuts.append(TextRepair.cut(text, bytesMax: FormatLimits.stringBytesMax))
      output.appendVarint(cuts[index])
    }
    for index in 0..<strings.count {
      let start = strings.range(at: index).lowerBound
      output.append(copying: strings.bytes.span.extracting(start..<start + cuts[index]))
    }
  }

  /// Reads a dictionary into an empty batch. All numbers in it are in range afterwards.
  static func read(
    _ bytes: Span<UInt8>, _ offset: inout Int, into batch: inout EventBatch
  ) throws(FormatDamage) {
    var name: [UInt8] = []
    let kindCount = try ByteReader.count(
      bytes, &offset, max: FormatLimits.unknownNamesMax, "names of kinds")
    var kinds: [UInt16] = []
    for _ in 0..<kindCount {
      try readName(bytes, &offset, into: &name)
      if let kind = Vocabulary.kind(named: String(decoding: name, as: UTF8.self)) {
        kinds.append(kind.rawValue)
      } else {
        kinds.append(EventKind.firstUnknownNumber + UInt16(batch.kindNames.count))
        batch.kindNames.append(name.span)
      }
    }
    let nameCount = try ByteReader.count(
      bytes, &offset, max: FormatLimits.unknownNamesMax, "names of arguments")
    var names: [UInt16] = []
    for _ in 0..<nameCount {
      try readName(bytes, &offset, into: &name)
      if let known = ArgumentName.known(String(decoding: name, as: UTF8.self)) {
        names.append(known.rawValue)
      } else {
        names.append(ArgumentName.firstUnknownNumber + UInt16(batch.argumentNames.count))
        batch.argumentNames.append(name.span)
      }
    }
    try readStrings(bytes, &offset, into: &batch.strings)
    let threadCount = try ByteReader.count(
      bytes, &offset, max: FormatLimits.threadsMax, "threads")
    for _ in 0..<threadCount {
      let id = try ByteReader.zigzag(bytes, &offset)
      let sequence = try ByteReader.varint(bytes, &offset)
      batch.threads.append(ThreadEntry(id: id, firstSequence: sequence))
    }
    try readTemplates(bytes, &offset, kinds: kinds, names: names, into: &batch)
  }

  private static func readName(
    _ bytes: Span<UInt8>, _ offset: inout Int, into name: inout [UInt8]
  ) throws(FormatDamage) {
    let count = try ByteReader.count(
      bytes, &offset, max: FormatLimits.nameBytesMax, "bytes of a name")
    let range = try ByteReader.range(bytes, &offset, count: count)
    name.removeAll(keepingCapacity: true)
    name.append(copying: bytes.extracting(range))
    TextRepair.repair(&name, 0..<count)
  }

  private static func readStrings(
    _ bytes: Span<UInt8>, _ offset: inout Int, into strings: inout StringPool
  ) throws(FormatDamage) {
    // Each text has a length of at least one byte, so the rest of the block bounds their number.
    let count = try ByteReader.count(bytes, &offset, max: bytes.count - offset, "texts")
    var lengths: [Int] = []
    lengths.reserveCapacity(count)
    var total = 0
    for _ in 0..<count {
      let length = try ByteReader.count(
        bytes, &offset, max: FormatLimits.stringBytesMax, "bytes of a text")
      lengths.append(length)
      total += length
    }
    guard total <= FormatLimits.stringPoolBytesMax else {
      throw FormatDamage(
        "it declares \(total) bytes of text, more than \(FormatLimits.stringPoolBytesMax)")
    }
    let range = try ByteReader.range(bytes, &offset, count: total)
    var texts: [UInt8] = []
    texts.append(copying: bytes.extracting(range))
    var start = 0
    for length in lengths {
      TextRepair.repair(&texts, start..<start + length)
      strings.append(texts.span.extracting(start..<start + length))
      start += length
    }
  }

  private static func readTemplates(
    _ bytes: Span<UInt8>, _ offset: inout Int, kinds: [UInt16], names: [UInt16],
    into batch: inout EventBatch
  ) throws(FormatDamage) {
    let count = try ByteReader.count(
      bytes, &offset, max: FormatLimits.templatesMax, "templates")
    for _ in 0..<count {
      let kind = try number(
        bytes, &offset, known: Vocabulary.kinds.count, others: kinds, "the kind")
      let shape = try ByteReader.varint(bytes, &offset)
      guard let phase = Phase(rawValue: UInt8(shape & 3)) else {
        throw FormatDamage("it names the phase 3, which isn't defined")
      }
      guard shape >> 2 <= UInt64(FormatLimits.argumentsPerEventMax) else {
        throw FormatDamage("it declares a template of \(shape >> 2) arguments")
      }
      let slotCount = Int(shape >> 2)
      let thread = try ByteReader.index(
        bytes, &offset, below: batch.threads.count, "the thread")
      batch.templates.append(
        EventTemplate(
          kind: EventKind(rawValue: kind), phase: phase, thread: UInt16(thread),
          slotCount: UInt16(slotCount), firstSlot: UInt32(batch.slots.count)))
      for _ in 0..<slotCount {
        let (name, bits) = try slot(bytes, &offset, names: names)
        guard let type = ArgumentType(rawValue: bits) else {
          throw FormatDamage("it names the argument type \(bits), which isn't defined")
        }
        batch.slots.append(ArgumentSlot(name: ArgumentName(rawValue: name), type: type))
      }
    }
  }

  private static func slot(
    _ bytes: Span<UInt8>, _ offset: inout Int, names: [UInt16]
  ) throws(FormatDamage) -> (name: UInt16, type: UInt8) {
    let value = try ByteReader.varint(bytes, &offset)
    let name = try resolve(
      value >> 3, known: FormatVocabulary.argumentNameCount, others: names, "the argument name")
    return (name, UInt8(value & 7))
  }

  private static func number(
    _ bytes: Span<UInt8>, _ offset: inout Int, known: Int, others: [UInt16], _ what: StaticString
  ) throws(FormatDamage) -> UInt16 {
    try resolve(try ByteReader.varint(bytes, &offset), known: known, others: others, what)
  }

  /// The number in the batch for a number of the file: of the vocabulary, or of the block's list.
  private static func resolve(
    _ value: UInt64, known: Int, others: [UInt16], _ what: StaticString
  ) throws(FormatDamage) -> UInt16 {
    if value >= 1, value <= UInt64(known) { return UInt16(value) }
    let first = UInt64(EventKind.firstUnknownNumber)
    guard value >= first, value - first < UInt64(others.count) else {
      throw FormatDamage("it names \(what) \(value), which it doesn't declare")
    }
    return others[Int(value - first)]
  }
}

/// Names that a block declares: those of the batch, and vocabulary that joined after version 1.0.
private struct LateNames {
  private let first: UInt16
  private let pool: StringPool
  private var late: [(number: UInt16, text: String)] = []

  init(first: UInt16, _ pool: StringPool) {
    self.first = first
    self.pool = pool
  }

  mutating func add(_ number: UInt16, _ text: String) {
    if !late.contains(where: { $0.number == number }) { late.append((number, text)) }
  }

  /// The number in the file for a number of the batch.
  func number(_ number: UInt16) -> UInt16 {
    guard let place = late.firstIndex(where: { $0.number == number }) else { return number }
    return first + UInt16(pool.count + place)
  }

  func append(to output: inout [UInt8]) {
    output.appendVarint(pool.count + late.count)
    for index in 0..<pool.count {
      append(pool.bytes.span.extracting(pool.range(at: index)), to: &output)
    }
    for (_, text) in late { append(Array(text.utf8).span, to: &output) }
  }

  private func append(_ name: Span<UInt8>, to output: inout [UInt8]) {
    let count = TextRepair.cut(name, bytesMax: FormatLimits.nameBytesMax)
    output.appendVarint(count)
    output.append(copying: name.extracting(0..<count))
  }
}
