// The unit between reader and engine: the events of one block as a struct of arrays.
// This file must not know where the events come from or who judges them.

/// The events of one block, column by column, with the dictionary they refer to.
///
/// A batch needs nothing outside itself: names of unknown kinds and arguments, texts, threads and
/// templates are its own. Batches are made by a ``BatchAssembler`` or a decoder and are reused:
/// no event has an object of its own.
public struct EventBatch: Sendable {
  // The dictionary.

  /// Names of the kinds outside the vocabulary; number `1024 + place`.
  public var kindNames = StringPool()
  /// Names of the arguments outside the vocabulary; number `1024 + place`.
  public var argumentNames = StringPool()
  /// The texts that arguments of type `string` and `json` refer to.
  public var strings = StringPool()
  public var threads: [ThreadEntry] = []
  /// The arguments of all templates, template after template.
  public var slots: [ArgumentSlot] = []
  public var templates: [EventTemplate] = []

  // The columns, one element per event.

  /// The place of the event's template in ``templates``.
  public var templateIndices: [UInt16] = []
  /// Nanoseconds on the header's clock.
  public var timesNanoseconds: [Int64] = []
  /// The place of the event's first argument in ``argumentBits``.
  public var argumentStarts: [UInt32] = []
  /// The arguments of all events, event after event.
  public var argumentBits: [UInt64] = []
  /// The line of the text each event was read from, from 1; empty if the source is no text.
  public var lines: [UInt32] = []
  /// The place of each event in its trace; empty if the places follow ``firstOrdinal``.
  public var ordinals: [Int] = []

  /// The place of the batch's first event in its trace, from 0.
  public var firstOrdinal = 0

  public init() {}

  @inlinable
  public var count: Int { templateIndices.count }

  /// The place of an event in its trace, from 0.
  @inlinable
  public func ordinal(at index: Int) -> Int {
    ordinals.isEmpty ? firstOrdinal + index : ordinals[index]
  }

  /// Removes events and dictionary, and keeps the memory for the next block.
  public mutating func removeAll() {
    kindNames.removeAll()
    argumentNames.removeAll()
    strings.removeAll()
    threads.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    templates.removeAll(keepingCapacity: true)
    templateIndices.removeAll(keepingCapacity: true)
    timesNanoseconds.removeAll(keepingCapacity: true)
    argumentStarts.removeAll(keepingCapacity: true)
    argumentBits.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    ordinals.removeAll(keepingCapacity: true)
    firstOrdinal = 0
  }

  /// The name of a kind, known or not.
  public func name(of kind: EventKind) -> String {
    if let description = Vocabulary.description(of: kind) { return description.name }
    let index = Int(kind.rawValue) - Int(EventKind.firstUnknownNumber)
    return index >= 0 && index < kindNames.count ? kindNames[index] : "kind-\(kind.rawValue)"
  }

  /// The text of an argument's name, known or not.
  public func text(of name: ArgumentName) -> String {
    if let text = name.knownText { return text }
    let index = Int(name.rawValue) - Int(ArgumentName.firstUnknownNumber)
    return index >= 0 && index < argumentNames.count
      ? argumentNames[index] : "argument-\(name.rawValue)"
  }

  /// The value behind a slot's 64 bits.
  public func value(_ bits: UInt64, as type: ArgumentType) -> ArgumentValue {
    switch type {
    case .integer: .integer(Int64(bitPattern: bits))
    case .unsigned: .unsigned(bits)
    case .number: .number(Double(bitPattern: bits))
    case .boolean: .boolean(bits != 0)
    case .string: .string(strings[Int(bits)])
    case .json: .json(strings[Int(bits)])
    }
  }

  /// All arguments of an event, in order. For output and tests; allocates.
  public func arguments(at index: Int) -> [(name: String, value: ArgumentValue)] {
    let template = templates[Int(templateIndices[index])]
    let start = Int(argumentStarts[index])
    return (0..<Int(template.slotCount)).map { offset in
      let slot = slots[Int(template.firstSlot) + offset]
      return (text(of: slot.name), value(argumentBits[start + offset], as: slot.type))
    }
  }
}
