// Makes batches out of single events. Every importer, notation and simulator uses it.
// This file must not know any text or byte format.

/// Collects events into an ``EventBatch``: templates, threads, names and texts are stored once.
///
///     var assembler = BatchAssembler()
///     assembler.begin(.bgtaskBegin, .instant, thread: 1, timeNanoseconds: 1_500_000_000)
///     assembler.add(.token, .integer(7))
///     assembler.endEvent()
///
/// When ``isFull`` is true, take the batch with ``take(into:)`` before the next event.
public struct BatchAssembler: Sendable {
  /// The events so far. An event that was begun and not ended is not among them.
  public private(set) var batch = EventBatch()

  private var kind = EventKind(rawValue: 0)
  private var phase = Phase.instant
  private var thread: UInt16 = 0
  private var timeNanoseconds: Int64 = 0
  private var line: UInt32 = 0
  private var pendingSlots: [ArgumentSlot] = []
  private var pendingBits: [UInt64] = []
  private var pendingTextBytes = 0
  /// Bytes of the texts of all events, of a text as many times as an argument names it.
  private var textBytes = 0

  private var templateSlots: [UInt16] = [UInt16](repeating: 0, count: 64)
  private var lastThread = 0
  private var eventsBefore = 0
  /// How many batches were taken.
  private var takenCount = 0

  public init() {}

  /// The number of events so far, with those of the batches already taken.
  public var eventCount: Int { eventsBefore + batch.count }

  /// Whether the batch must be taken before the next event.
  public var isFull: Bool {
    batch.count >= BatchLimits.eventsMax || batch.templates.count >= BatchLimits.templatesMax
      || batch.threads.count >= BatchLimits.threadsMax
      || batch.strings.bytes.count >= BatchLimits.stringPoolBytesFull
      || textBytes >= BatchLimits.eventTextBytesFull
      || batch.argumentBits.count >= BatchLimits.argumentsFull
      || batch.kindNames.count >= BatchLimits.unknownNamesFull
      || batch.argumentNames.count >= BatchLimits.unknownNamesFull
  }

  /// The kind with this name, known or declared in the batch.
  public mutating func kind(named name: String) -> EventKind {
    if let kind = Vocabulary.kind(named: name) { return kind }
    return EventKind(
      rawValue: EventKind.firstUnknownNumber + UInt16(batch.kindNames.intern(name)))
  }

  /// The argument name with this text, known or declared in the batch.
  ///
  /// ``isFull`` and ``canAddArgument`` must have been asked since the last name was declared:
  /// they bound the number of names.
  public mutating func argumentName(_ text: String) -> ArgumentName {
    if let name = ArgumentName.known(text) { return name }
    return ArgumentName(
      rawValue: ArgumentName.firstUnknownNumber + UInt16(batch.argumentNames.intern(text)))
  }

  /// Begins an event. ``isFull`` must be false; the line is 0 where there is none.
  public mutating func begin(
    _ kind: EventKind, _ phase: Phase, thread: Int64, timeNanoseconds: Int64, line: UInt32 = 0
  ) {
    precondition(!isFull, "take the batch first")
    self.kind = kind
    self.phase = phase
    self.thread = threadIndex(thread)
    self.timeNanoseconds = timeNanoseconds
    self.line = line
    pendingTextBytes = 0
    if !pendingSlots.isEmpty {
      pendingSlots.removeAll(keepingCapacity: true)
      pendingBits.removeAll(keepingCapacity: true)
    }
  }

  /// Whether the event can take one more argument.
  public var canAddArgument: Bool { pendingSlots.count < BatchLimits.argumentsPerEventMax }

  /// Adds an argument to the event. ``canAddArgument`` must be true, and a text at most
  /// ``BatchLimits/stringBytesMax`` bytes long.
  public mutating func add(_ name: ArgumentName, _ value: ArgumentValue) {
    switch value {
    case .integer(let value): add(name, .integer, UInt64(bitPattern: value))
    case .unsigned(let value): add(name, .unsigned, value)
    case .number(let value): add(name, .number, value.bitPattern)
    case .boolean(let value): add(name, .boolean, value ? 1 : 0)
    case .string(let text): add(name, .string, UInt64(batch.strings.intern(text)))
    case .json(let text): add(name, .json, UInt64(batch.strings.intern(text)))
    }
  }

  /// Adds a text or JSON argument from its UTF-8.
  public mutating func add(_ name: ArgumentName, _ type: ArgumentType, text: Span<UInt8>) {
    precondition(type == .string || type == .json)
    add(name, type, UInt64(batch.strings.intern(text)))
  }

  /// Adds an argument from its bits, which for texts are a number of the batch's string pool.
  @inline(__always)
  public mutating func add(_ name: ArgumentName, _ type: ArgumentType, _ bits: UInt64) {
    precondition(canAddArgument, "too many arguments")
    pendingSlots.append(ArgumentSlot(name: name, type: type))
    pendingBits.append(bits)
    if type == .string || type == .json {
      pendingTextBytes += batch.strings.range(at: Int(bits)).count
    }
  }

  /// Ends the event: it is now the last of the batch.
  public mutating func endEvent() {
    let template = templateIndex()
    if line != 0 || !batch.lines.isEmpty {
      while batch.lines.count < batch.count { batch.lines.append(0) }
      batch.lines.append(line)
    }
    batch.templateIndices.append(template)
    batch.timesNanoseconds.append(timeNanoseconds)
    batch.argumentStarts.append(UInt32(batch.argumentBits.count))
    textBytes += pendingTextBytes
    for index in pendingBits.indices { batch.argumentBits.append(pendingBits[index]) }
  }

  /// Copies an event of another batch, at another time if asked. Both batches keep the places
  /// of their events.
  public mutating func copy(_ index: Int, of other: EventBatch, timeNanoseconds: Int64? = nil) {
    var texts = CopiedTexts()
    copy(index, of: other, timeNanoseconds: timeNanoseconds, texts: &texts)
  }

  /// Copies an event of another batch, of which several are copied.
  ///
  /// - Parameter texts: Those of the other batch that this assembler has copied.
  public mutating func copy(
    _ index: Int, of other: EventBatch, timeNanoseconds: Int64? = nil, texts: inout CopiedTexts
  ) {
    append(
      index, of: other, timeNanoseconds: timeNanoseconds ?? other.timesNanoseconds[index],
      line: other.lines.isEmpty ? 0 : other.lines[index], texts: &texts)
    let ordinal = other.ordinal(at: index)
    if batch.count == 1 { batch.firstOrdinal = ordinal }
    if !batch.ordinals.isEmpty || ordinal != batch.firstOrdinal + batch.count - 1 {
      for place in batch.ordinals.count..<(batch.count - 1) {
        batch.ordinals.append(batch.firstOrdinal + place)
      }
      batch.ordinals.append(ordinal)
    }
  }

  /// Appends a copy of an event of another batch, with a time, a line, and the next place in the
  /// trace.
  public mutating func append(
    _ index: Int, of other: EventBatch, timeNanoseconds: Int64, line: UInt32
  ) {
    var texts = CopiedTexts()
    append(index, of: other, timeNanoseconds: timeNanoseconds, line: line, texts: &texts)
  }

  /// Appends a copy of an event of another batch, of which several are copied.
  ///
  /// - Parameter texts: Those of the other batch that this assembler has copied.
  public mutating func append(
    _ index: Int, of other: EventBatch, timeNanoseconds: Int64, line: UInt32,
    texts: inout CopiedTexts
  ) {
    let template = other.templates[Int(other.templateIndices[index])]
    let kind = template.kind.isKnown ? template.kind : kind(named: other.name(of: template.kind))
    begin(
      kind, template.phase, thread: other.threads[Int(template.thread)].id,
      timeNanoseconds: timeNanoseconds, line: line)
    let start = Int(other.argumentStarts[index])
    for offset in 0..<Int(template.slotCount) {
      let slot = other.slots[Int(template.firstSlot) + offset]
      var bits = other.argumentBits[start + offset]
      if slot.type == .string || slot.type == .json {
        bits = UInt64(number(of: Int(bits), in: other, &texts))
      }
      let name = slot.name.isKnown ? slot.name : argumentName(other.text(of: slot.name))
      add(name, slot.type, bits)
    }
    endEvent()
  }

  /// The number that a text of another batch has in this one.
  private mutating func number(
    of text: Int, in other: EventBatch, _ texts: inout CopiedTexts
  ) -> Int {
    texts.follow(takenCount)
    if let known = texts[text] { return known }
    let range = other.strings.range(at: text)
    let number = batch.strings.intern(other.strings.bytes.span.extracting(range))
    texts[text] = number
    return number
  }

  /// Hands over the batch and starts an empty one, in the memory of the batch given.
  public mutating func take(into other: inout EventBatch) {
    eventsBefore += batch.count
    takenCount += 1
    textBytes = 0
    swap(&batch, &other)
    batch.removeAll()
    batch.firstOrdinal = eventsBefore
    for index in templateSlots.indices { templateSlots[index] = 0 }
    lastThread = 0
  }

  private mutating func threadIndex(_ id: Int64) -> UInt16 {
    if lastThread < batch.threads.count, batch.threads[lastThread].id == id {
      return UInt16(lastThread)
    }
    if let index = batch.threads.firstIndex(where: { $0.id == id }) {
      lastThread = index
    } else {
      lastThread = batch.threads.count
      batch.threads.append(ThreadEntry(id: id))
    }
    return UInt16(lastThread)
  }

  private mutating func templateIndex() -> UInt16 {
    if (batch.templates.count + 1) * 2 > templateSlots.count { growTemplates() }
    let mask = templateSlots.count - 1
    var place = Self.hash(kind, phase, thread, pendingSlots[...]) & mask
    while templateSlots[place] != 0 {
      let index = Int(templateSlots[place]) - 1
      let template = batch.templates[index]
      if template.kind == kind, template.phase == phase, template.thread == thread,
        Int(template.slotCount) == pendingSlots.count,
        hasPendingSlots(at: Int(template.firstSlot))
      {
        return UInt16(index)
      }
      place = (place + 1) & mask
    }
    let index = batch.templates.count
    batch.templates.append(
      EventTemplate(
        kind: kind, phase: phase, thread: thread, slotCount: UInt16(pendingSlots.count),
        firstSlot: UInt32(batch.slots.count)))
    batch.slots.append(contentsOf: pendingSlots)
    templateSlots[place] = UInt16(index + 1)
    return UInt16(index)
  }

  /// Whether the slots of the event are those of the batch from a place on.
  @inline(__always)
  private func hasPendingSlots(at first: Int) -> Bool {
    for index in pendingSlots.indices where batch.slots[first + index] != pendingSlots[index] {
      return false
    }
    return true
  }

  private mutating func growTemplates() {
    templateSlots = [UInt16](repeating: 0, count: templateSlots.count * 2)
    let mask = templateSlots.count - 1
    for (index, template) in batch.templates.enumerated() {
      let slots = batch.slots[
        Int(template.firstSlot)..<Int(template.firstSlot) + Int(template.slotCount)]
      var place = Self.hash(template.kind, template.phase, template.thread, slots) & mask
      while templateSlots[place] != 0 { place = (place + 1) & mask }
      templateSlots[place] = UInt16(index + 1)
    }
  }

  private static func hash(
    _ kind: EventKind, _ phase: Phase, _ thread: UInt16, _ slots: ArraySlice<ArgumentSlot>
  ) -> Int {
    var hash = UInt64(kind.rawValue) << 24 ^ UInt64(phase.rawValue) << 16 ^ UInt64(thread)
    hash &*= 0x9E37_79B9_7F4A_7C15
    for slot in slots {
      hash =
        (hash ^ UInt64(slot.name.rawValue) << 8 ^ UInt64(slot.type.rawValue))
        &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    return Int(truncatingIfNeeded: hash >> 32)
  }
}
