// The loop that reads arguments, against the plainest reading of the same column: of random plans
// and bytes, most of which contradict each other somewhere.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct ArgumentKernelTests {
  /// A plan, and bytes that it may or may not belong to.
  private struct Arguments {
    var plan = ColumnPlan()
    var batch = EventBatch()
    var templates: [UInt16] = []
    /// The part of each slot of the plan.
    var parts: [[UInt8]] = []

    init(using random: inout SeededGenerator) {
      for thread in 0..<3 { batch.threads.append(ThreadEntry(id: Int64(thread))) }
      for text in 0..<Int.random(in: 0...3, using: &random) {
        batch.strings.append(Array("text \(text)".utf8).span)
      }
      let modeMax = UInt8.random(in: 1...ArgumentMode.last, using: &random)
      plan.initialMaximum = Int64.random(in: -3...3, using: &random)
      for template in 0..<Int.random(in: 1...5, using: &random) {
        let slotCount = [0, 1, 2, 3, 9][Int.random(in: 0..<5, using: &random)]
        batch.templates.append(
          EventTemplate(
            kind: .workSpan, phase: Phase(rawValue: .random(in: 0...2, using: &random)) ?? .instant,
            thread: .random(in: 0...2, using: &random), slotCount: UInt16(slotCount),
            firstSlot: UInt32(batch.slots.count)))
        plan.templates.append(
          ColumnTemplate(template: UInt16(template), firstSlot: plan.slots.count))
        for _ in 0..<slotCount { addSlot(modeMax: modeMax, using: &random) }
      }
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let template = Int.random(in: 0..<plan.templates.count, using: &random)
        templates.append(UInt16(template))
        let first = plan.templates[template].firstSlot
        for slot in first..<first + Int(batch.templates[template].slotCount)
        where plan.slots[slot].mode != ArgumentMode.constant {
          addValue(to: slot, using: &random)
        }
      }
    }

    private mutating func addSlot(modeMax: UInt8, using random: inout SeededGenerator) {
      let type = ArgumentType(rawValue: .random(in: 0...5, using: &random)) ?? .integer
      batch.slots.append(ArgumentSlot(name: .id, type: type))
      var mode = UInt8.random(in: 0...modeMax, using: &random)
      while !ArgumentBytes.allows(mode, type) { mode -= 1 }
      let constant = UInt64.random(in: 0...1, using: &random)
      plan.slots.append(ColumnSlot(mode: mode, constant: constant))
      parts.append([])
    }

    private mutating func addValue(to slot: Int, using random: inout SeededGenerator) {
      switch batch.slots[slot].type {
      case .number:
        let word = UInt64.random(in: .min ... .max, using: &random)
        parts[slot].appendLittleEndian(Bool.random(using: &random) ? UInt64.max : word)
      case .boolean: parts[slot].append(.random(in: 0...1, using: &random))
      case .string, .json: parts[slot].append(.random(in: 0...1, using: &random))
      case .integer, .unsigned:
        let bound = [2, 200, .max][Int.random(in: 0..<3, using: &random)] as UInt64
        parts[slot].appendVarint(.random(in: 0...bound, using: &random))
      }
    }

    /// Changes one thing, mostly for the worse.
    mutating func damage(using random: inout SeededGenerator) {
      guard !parts.isEmpty, !templates.isEmpty else { return }
      let slot = Int.random(in: 0..<parts.count, using: &random)
      let byte = [0, 1, 2, 0x7F, 0x80, 0xFF][Int.random(in: 0..<6, using: &random)] as UInt8
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where plan.slots[slot].mode != ArgumentMode.constant: parts[slot].append(byte)
      case 1: _ = parts[slot].popLast()
      case 2: parts[slot] = []
      case 3:
        let event = Int.random(in: 0..<templates.count, using: &random)
        templates[event] = .random(in: 0..<UInt16(plan.templates.count), using: &random)
      default:
        guard let place = parts[slot].indices.randomElement(using: &random) else { return }
        parts[slot][place] = byte
      }
    }

    /// What was read, or why nothing was.
    typealias Outcome = Result<[[UInt64]], FormatDamage>

    func read() -> Outcome {
      var (plan, batch) = (plan, batch)
      for slot in parts.indices { plan.slots[slot].byteCount = parts[slot].count }
      let bytes = parts.flatMap { $0 }
      var reader = ArgumentReader()
      do throws(FormatDamage) {
        try reader.read(bytes.span, plan, templates.span, into: &batch)
      } catch {
        return .failure(error)
      }
      let ends = batch.argumentStarts.dropFirst().map(Int.init) + [batch.argumentBits.count]
      return .success(
        zip(batch.argumentStarts, ends).map { Array(batch.argumentBits[Int($0)..<$1]) })
    }

    func readPlainly() -> Outcome {
      var rest = parts.map { $0[...] }
      var before = [UInt64](repeating: 0, count: parts.count)
      var context = ArgumentContext()
      context.reset(threadCount: 3, maximum: plan.initialMaximum, tracksSpans: true)
      var events: [[UInt64]] = []
      do throws(FormatDamage) {
        for template in templates {
          let shape = batch.templates[Int(template)]
          let thread = Int(shape.thread)
          var event: [UInt64] = []
          var number: Int64?
          for slot in Int(shape.firstSlot)..<Int(shape.firstSlot) + Int(shape.slotCount) {
            let type = batch.slots[slot].type
            let value: UInt64
            switch plan.slots[slot].mode {
            case ArgumentMode.constant: value = plan.slots[slot].constant
            case ArgumentMode.raw: value = try Self.raw(&rest[slot], type, batch.strings.count)
            case ArgumentMode.delta:
              value = before[slot] &+ (try Self.signed(&rest[slot]))
              if type == .string || type == .json, value >= UInt64(batch.strings.count) {
                throw ArgumentDamage.text.damage
              }
              before[slot] = value
            case ArgumentMode.thread:
              value =
                UInt64(bitPattern: context.threadNumbers[thread])
                &+ (try Self.signed(&rest[slot]))
            case ArgumentMode.maximum:
              value = UInt64(bitPattern: context.maximum) &+ (try Self.signed(&rest[slot]))
            default:
              value =
                UInt64(bitPattern: context.enclosing(thread))
                &+ (try Self.signed(&rest[slot]))
            }
            if number == nil, type == .integer || type == .unsigned {
              number = Int64(bitPattern: value)
            }
            event.append(value)
          }
          if let number { context.add(number, thread: thread) }
          if shape.phase != .instant {
            context.addSpan(isEnter: shape.phase == .enter, number ?? 0, thread: thread)
          }
          events.append(event)
        }
        if rest.contains(where: { !$0.isEmpty }) { throw ArgumentDamage.rest.damage }
        return .success(events)
      } catch {
        return .failure(error)
      }
    }

    private static func raw(
      _ bytes: inout ArraySlice<UInt8>, _ type: ArgumentType, _ textCount: Int
    ) throws(FormatDamage) -> UInt64 {
      if type == .boolean {
        let value = try varint(&bytes)
        guard value <= 1 else { throw ArgumentDamage.boolean.damage }
        return value
      }
      if type == .integer { return try signed(&bytes) }
      if type == .unsigned { return try varint(&bytes) }
      if type == .number {
        guard bytes.count >= 8 else { throw .cut }
        var word: UInt64 = 0
        for byte in bytes.prefix(8).reversed() { word = word << 8 | UInt64(byte) }
        bytes = bytes.dropFirst(8)
        return RowCoding.finite(word)
      }
      let value = try varint(&bytes)
      guard value < UInt64(textCount) else { throw ArgumentDamage.text.damage }
      return value
    }

    private static func signed(_ bytes: inout ArraySlice<UInt8>) throws(FormatDamage) -> UInt64 {
      UInt64(bitPattern: TimeSymbols.signed(try varint(&bytes)))
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) throws(FormatDamage) -> UInt64 {
      var offset = 0
      let all = Array(bytes)
      let value = try ByteReader.varint(all.span, &offset)
      bytes = bytes.dropFirst(offset)
      return value
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func arguments(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<8 {
      let column = Arguments(using: &random)
      #expect(column.read() == column.readPlainly())
      for _ in 0..<6 {
        var damaged = column
        for _ in 0..<Int.random(in: 1...2, using: &random) { damaged.damage(using: &random) }
        #expect(damaged.read() == damaged.readPlainly())
      }
    }
  }

  /// The plans above are read, and refused for every reason there is.
  @Test func everyOutcomeOccurs() {
    var random = SeededGenerator(seed: 7)
    var messages: Set<String> = []
    var readCount = 0
    for _ in 0..<600 {
      var column = Arguments(using: &random)
      if case .success(let events) = column.read(), !events.isEmpty { readCount += 1 }
      column.damage(using: &random)
      if case .failure(let damage) = column.read() { messages.insert(damage.message) }
    }
    #expect(readCount > 100)
    let reasons = [ArgumentDamage.cut, .text, .boolean, .rest].map(\.damage.message)
    #expect(messages.isSuperset(of: reasons), "\(messages)")
  }
}
