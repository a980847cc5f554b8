// Finds every committed event in the ring of a journal, and every defect, slot by slot.
// Holes are stepped over: a thread that was killed leaves what it reserved, and others went on.

import TraceModel

/// What the ring of a journal holds.
struct JournalScan: Sendable {
  /// A committed event: where it stands, and what orders it.
  struct Found: Sendable {
    var timeNanoseconds: Int64
    /// Thread in the upper 16 bits, the number in the thread in the lower 48.
    var threadAndSequence: UInt64
    /// The turn of its chunk, modulo 2²⁹.
    var turn: UInt32
    /// The number of its first slot in the ring; ``noSlot`` for an event that was dropped.
    var slot: UInt32

    var thread: UInt64 { threadAndSequence >> 48 }
    var sequence: UInt64 { threadAndSequence & JournalSlot.sequenceMax }

    static let noSlot = UInt32.max

    /// Whether it stands for an event that was dropped.
    var isLoss: Bool { slot == Self.noSlot }

    /// What stands for the event before, if that was dropped.
    var lossBefore: Found {
      Found(
        timeNanoseconds: timeNanoseconds, threadAndSequence: threadAndSequence - 1, turn: turn,
        slot: Self.noSlot)
    }
  }

  private(set) var events: [Found] = []  // in the order of time, thread and sequence
  /// Where the text of each name stands: the first slot of its text, and its bytes.
  private(set) var names: [UInt64: (slot: Int, byteCount: Int)] = [:]
  /// Slots that hold neither something intact nor nothing, in order, joined.
  private(set) var damagedSlots: [Range<Int>] = []
  /// Events whose first slot was never committed: nobody was told that they are recorded.
  private(set) var tornCount = 0
  /// The last drop of each thread, by the table behind the ring.
  private var drops: [UInt64: JournalDrop] = [:]
  /// Events that stand for dropped ones.
  var dropCount: Int { drops.count }

  private let slotCount: Int
  private let ring: Range<Int>
  private let sealedTurns: UInt64
  private let ringSlotCount: Int?
  /// The number in the ring of the first slot of the range.
  private let firstSlot: Int
  /// The journal's key: ``JournalLayout/Fixed/chunkKey``.
  private var key: UInt16

  /// Names of one recording that a reader remembers.
  private static let namesMax = 65_536

  /// Scans the ring, or whole chunks of it, that lies in a range of some bytes.
  ///
  /// - Parameters:
  ///   - key: The key of the journal; nil if its header is lost.
  ///   - sealedTurns: Turns that stand in blocks. What they left may be half cleared, which is no
  ///     damage.
  ///   - ringSlotCount: Where the table of drops begins; nil if the header is lost.
  ///   - drops: What the threads dropped, if it is known from elsewhere than the table.
  init(
    _ bytes: Span<UInt8>, ring: Range<Int>, firstSlot: Int = 0, key: UInt16?,
    sealedTurns: UInt64 = 0, ringSlotCount: Int? = nil, drops: [JournalDrop] = []
  ) {
    self.ring = ring
    self.sealedTurns = sealedTurns
    self.ringSlotCount = ringSlotCount
    self.firstSlot = firstSlot
    self.key = key ?? 0
    slotCount = ring.count / JournalLayout.slotByteCount
    if key == nil { self.key = commonKey(bytes) }
    var first = 0
    while first < slotCount {
      let end = min(first + JournalLayout.slotsPerChunk, slotCount)
      scanChunk(bytes, first..<end)
      first = end
    }
    for drop in drops { add(drop) }
    for drop in self.drops.values {
      events.append(
        Found(
          timeNanoseconds: drop.timeNanoseconds, threadAndSequence: drop.threadAndSequence,
          turn: UInt32(truncatingIfNeeded: drop.turnBefore), slot: Found.noSlot))
    }
    events.sort {
      ($0.timeNanoseconds, $0.threadAndSequence) < ($1.timeNanoseconds, $1.threadAndSequence)
    }
  }

  /// The two words of a slot.
  private func words(_ bytes: Span<UInt8>, _ slot: Int) -> (payload: UInt64, word: UInt64) {
    var offset = ring.lowerBound + slot * JournalLayout.slotByteCount
    let payload = (try? ByteReader.uint64(bytes, &offset)) ?? 0
    return (payload, (try? ByteReader.uint64(bytes, &offset)) ?? 0)
  }

  /// The key of the chunk whose own slot this is; nil if it was never begun, or is destroyed.
  private func chunkKey(_ bytes: Span<UInt8>, _ slot: Int) -> UInt16? {
    let (payload, word) = words(bytes, slot)
    return JournalSlot.chunkKey(payload, word, slot: firstSlot + slot)
  }

  /// The key of most chunks; of several the one that comes first.
  private func commonKey(_ bytes: Span<UInt8>) -> UInt16 {
    let chunks = stride(from: 0, to: slotCount, by: JournalLayout.slotsPerChunk)
    var counts: [UInt16: Int] = [:]
    for first in chunks {
      if let key = chunkKey(bytes, first) { counts[key, default: 0] += 1 }
    }
    var common: (key: UInt16, count: Int) = (0, 0)
    for first in chunks {
      guard let key = chunkKey(bytes, first), let count = counts[key] else { continue }
      if count > common.count { common = (key, count) }
    }
    return common.key
  }

  private enum Slot {
    /// Never committed.
    case empty
    case intact(JournalSlot.Kind, payload: UInt64, fields: UInt32)
    case damaged
  }

  private func slot(_ bytes: Span<UInt8>, _ slot: Int) -> Slot {
    let (payload, word) = words(bytes, slot)
    if word == 0 { return .empty }
    guard let fields = JournalSlot.fields(payload, word, slot: firstSlot + slot),
      let kind = JournalSlot.Kind(rawValue: fields & 7)
    else { return .damaged }
    return .intact(kind, payload: payload, fields: fields)
  }

  private func isZero(_ bytes: Span<UInt8>, _ slots: Range<Int>) -> Bool {
    slots.allSatisfy { words(bytes, $0) == (0, 0) }
  }

  private mutating func scanChunk(_ bytes: Span<UInt8>, _ slots: Range<Int>) {
    let (owner, word) = words(bytes, slots.lowerBound)
    guard chunkKey(bytes, slots.lowerBound) == key else {
      if takeDrops(bytes, slots) { return }
      // A chunk that was reserved and not begun, or one that was never reserved, is all zero but
      // perhaps for the payload of its first slot. One of another journal is as good as destroyed.
      if word != 0 || !isZero(bytes, slots.lowerBound + 1..<slots.upperBound) {
        noteDamage(slots)
      }
      return
    }
    let turn = UInt32(truncatingIfNeeded: word) >> 3
    let isSealed = UInt64(turn) < sealedTurns
    var place = slots.lowerBound + 1
    var gap: Range<Int>?
    while place < slots.upperBound {
      switch slot(bytes, place) {
      case .intact(.event, let time, let head):
        let end = place + 1 + Int(head >> 15 & 127)
        if end <= slots.upperBound, Self.isKnown(head), isWhole(bytes, place + 1..<end) {
          if let gap, !isSealed { noteDamage(gap) }
          gap = nil
          add(time, head, owner, turn, place)
          collectNames(bytes, place + 1..<end)
          place = end
        } else {
          gap = (gap?.lowerBound ?? place)..<place + 1
          place += 1
        }
      case .empty, .intact, .damaged:
        // Nothing follows, or something was destroyed: the next event tells.
        gap = (gap?.lowerBound ?? place)..<place + 1
        place += 1
      }
    }
    if let gap, !isSealed { noteTail(bytes, gap) }
  }

  /// The end of a chunk, without an event: slots never used, an event that wasn't committed, or
  /// damage.
  private mutating func noteTail(_ bytes: Span<UInt8>, _ gap: Range<Int>) {
    guard let last = gap.last(where: { words(bytes, $0) != (0, 0) }) else { return }
    let used = gap.lowerBound..<last + 1
    if case .empty = slot(bytes, used.lowerBound) {
      // The first slot is committed last. Whatever stands behind it is intact, or being written
      // while it is read.
      let rest = used.dropFirst().dropLast(1)
      let isTorn = rest.allSatisfy { place in
        switch slot(bytes, place) {
        case .intact(.argument, _, _), .intact(.text, _, _): true
        default: false
        }
      }
      var endsTorn = true
      if used.count > 1, case .intact(.chunk, _, _) = slot(bytes, last) { endsTorn = false }
      if used.count > 1, case .damaged = slot(bytes, last) {
        // Its payload was copied before it was written: only where nothing follows.
        endsTorn = words(bytes, last).payload == 0
      }
      if isTorn, endsTorn {
        tornCount += 1
        return
      }
    }
    noteDamage(used)
  }

  /// Whether the vocabulary knows the kind in the fields of an event.
  private static func isKnown(_ head: UInt32) -> Bool {
    let kind = EventKind(rawValue: UInt16(truncatingIfNeeded: head >> 5 & 1023))
    return Vocabulary.description(of: kind) != nil && head >> 3 & 3 <= Phase.return.rawValue
  }

  private func isWhole(_ bytes: Span<UInt8>, _ slots: Range<Int>) -> Bool {
    var place = slots.lowerBound
    while place < slots.upperBound {
      guard case .intact(.argument, _, let fields) = slot(bytes, place) else { return false }
      let end = place + 1 + Int(fields >> 17 & 127)
      let name = ArgumentName(rawValue: UInt16(truncatingIfNeeded: fields >> 7 & 1023))
      guard end <= slots.upperBound, name.knownText != nil,
        JournalSlot.Argument(rawValue: fields >> 3 & 15) != nil
      else { return false }
      for text in place + 1..<end {
        guard case .intact(.text, _, _) = slot(bytes, text) else { return false }
      }
      place = end
    }
    return true
  }

  private mutating func add(
    _ time: UInt64, _ head: UInt32, _ owner: UInt64, _ turn: UInt32, _ place: Int
  ) {
    let sequence = (owner & JournalSlot.sequenceMax) + UInt64(head >> 22 & 127)
    events.append(
      Found(
        timeNanoseconds: Int64(bitPattern: time),
        threadAndSequence: (owner & ~JournalSlot.sequenceMax)
          | (sequence & JournalSlot.sequenceMax),
        turn: turn, slot: UInt32(truncatingIfNeeded: place)))
  }

  private mutating func collectNames(_ bytes: Span<UInt8>, _ slots: Range<Int>) {
    var place = slots.lowerBound
    while place < slots.upperBound {
      guard case .intact(.argument, let payload, let fields) = slot(bytes, place) else { return }
      let count = Int(fields >> 17 & 127)
      if fields >> 3 & 15 == JournalSlot.Argument.definedName.rawValue,
        names.count < Self.namesMax
      {
        names[payload] = (place + 1, byteCount(bytes, place + 1..<place + 1 + count))
      }
      place += 1 + count
    }
  }

  private func byteCount(_ bytes: Span<UInt8>, _ slots: Range<Int>) -> Int {
    slots.reduce(0) { sum, place in
      guard case .intact(.text, _, let fields) = slot(bytes, place) else { return sum }
      return sum + min(8, Int(fields >> 3 & 15))
    }
  }

  // The table behind the ring.

  /// Reads the pairs of a piece of the table. False if it is none, or nothing in it is intact.
  private mutating func takeDrops(_ bytes: Span<UInt8>, _ slots: Range<Int>) -> Bool {
    let pairs = stride(from: slots.lowerBound, to: slots.upperBound - 1, by: 2)
    // Where the header is lost nobody knows where the ring ends.
    let isTable =
      ringSlotCount.map { slots.lowerBound >= $0 } ?? pairs.contains { isDrop(bytes, $0) }
    guard isTable else { return false }
    for place in pairs {
      // The drop is committed last, and taken back first.
      if words(bytes, place).word == 0 { continue }
      if isDrop(bytes, place), case .intact(.dropTime, let time, _) = slot(bytes, place + 1) {
        let (owner, word) = words(bytes, place)
        add(
          JournalDrop(
            threadAndSequence: owner, timeNanoseconds: Int64(bitPattern: time),
            turn: UInt64(UInt32(truncatingIfNeeded: word) >> 3)))
      } else {
        noteDamage(place..<place + 2)
      }
    }
    return true
  }

  private func isDrop(_ bytes: Span<UInt8>, _ slot: Int) -> Bool {
    let (payload, word) = words(bytes, slot)
    return JournalSlot.isDrop(payload, word, slot: firstSlot + slot, key: key)
  }

  /// Keeps the last drop of each thread.
  private mutating func add(_ drop: JournalDrop) {
    if let other = drops[drop.thread], other.threadAndSequence > drop.threadAndSequence { return }
    drops[drop.thread] = drop
  }

  private mutating func noteDamage(_ slots: Range<Int>) {
    if let last = damagedSlots.last, last.upperBound == slots.lowerBound {
      damagedSlots[damagedSlots.count - 1] = last.lowerBound..<slots.upperBound
    } else {
      damagedSlots.append(slots)
    }
  }

  // Reading an event that was found.

  /// Adds an event to a batch. False, and nothing added, if the text of one of its names is lost.
  func append(
    _ event: Found, of bytes: Span<UInt8>, to assembler: inout BatchAssembler
  ) -> Bool {
    let head = words(bytes, Int(event.slot))
    let fields = UInt32(truncatingIfNeeded: head.word)
    let slots = furtherSlots(of: event, bytes)
    guard hasAllNames(bytes, slots) else { return false }
    let phase = Phase(rawValue: UInt8(truncatingIfNeeded: fields >> 3 & 3)) ?? .instant
    assembler.begin(
      EventKind(rawValue: UInt16(truncatingIfNeeded: fields >> 5 & 1023)), phase,
      thread: Int64(event.thread), timeNanoseconds: event.timeNanoseconds)
    var place = slots.lowerBound
    while place < slots.upperBound {
      let (payload, word) = words(bytes, place)
      let fields = UInt32(truncatingIfNeeded: word)
      let texts = place + 1..<place + 1 + Int(fields >> 17 & 127)
      place = texts.upperBound
      guard assembler.canAddArgument else { continue }
      let name = ArgumentName(rawValue: UInt16(truncatingIfNeeded: fields >> 7 & 1023))
      switch JournalSlot.Argument(rawValue: fields >> 3 & 15) {
      case .integer: assembler.add(name, .integer, payload)
      case .unsigned: assembler.add(name, .unsigned, payload)
      case .number:
        let value = Double(bitPattern: payload)
        assembler.add(name, .number(value.isFinite ? value : 0))
      case .boolean: assembler.add(name, .boolean, payload == 0 ? 0 : 1)
      case .text, .definedName: assembler.add(name, .string, text: text(bytes, texts).span)
      case .name:
        if let (first, byteCount) = names[payload] {
          let text = text(bytes, first..<first + (byteCount + 7) / 8)
          assembler.add(name, .string, text: text.span)
        }
      case .hash:
        assembler.add(name, .string, text: Self.hashText(payload).span)
      case nil: break
      }
    }
    assembler.endEvent()
    return true
  }

  /// Whether the text of a name is destroyed that an event uses which isn't known from elsewhere.
  func lacksNames(of bytes: Span<UInt8>, but isKnown: (Found) -> Bool) -> Bool {
    events.contains {
      !$0.isLoss && !isKnown($0) && !hasAllNames(bytes, furtherSlots(of: $0, bytes))
    }
  }

  private func furtherSlots(of event: Found, _ bytes: Span<UInt8>) -> Range<Int> {
    let first = Int(event.slot) + 1
    return first..<first + Int(UInt32(truncatingIfNeeded: words(bytes, first - 1).word) >> 15 & 127)
  }

  private func hasAllNames(_ bytes: Span<UInt8>, _ slots: Range<Int>) -> Bool {
    var place = slots.lowerBound
    while place < slots.upperBound {
      let (payload, word) = words(bytes, place)
      let fields = UInt32(truncatingIfNeeded: word)
      if fields >> 3 & 15 == JournalSlot.Argument.name.rawValue, names[payload] == nil {
        return false
      }
      place += 1 + Int(fields >> 17 & 127)
    }
    return true
  }

  private func text(_ bytes: Span<UInt8>, _ slots: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    for place in slots {
      let (payload, word) = words(bytes, place)
      for byte in 0..<min(8, UInt64(word >> 3 & 15)) {
        text.append(UInt8(truncatingIfNeeded: payload >> (byte * 8)))
      }
    }
    TextRepair.repair(&text, 0..<text.count)
    return text
  }

  /// How the keyed hash of a private text is shown: `#` and sixteen digits.
  static func hashText(_ hash: UInt64) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "#")]
    for digit in (0..<16).reversed() {
      let value = UInt8(truncatingIfNeeded: hash >> (UInt64(digit) * 4) & 15)
      text.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
    }
    return text
  }
}
