// One event of a batch, as a small value that refers to the batch for its arguments.
// This file must not keep anything alive: an event is read while its batch is at hand.

/// One event of a batch. Arguments are read through the batch it came from.
public struct Event: Sendable {
  public var kind: EventKind
  public var phase: Phase
  public var thread: Int64
  public var timeNanoseconds: Int64
  /// The place in the trace, from 0.
  public var ordinal: Int
  /// The place in the batch.
  public var index: Int

  @inlinable
  public init(
    kind: EventKind, phase: Phase, thread: Int64, timeNanoseconds: Int64, ordinal: Int, index: Int
  ) {
    self.kind = kind
    self.phase = phase
    self.thread = thread
    self.timeNanoseconds = timeNanoseconds
    self.ordinal = ordinal
    self.index = index
  }
}

extension EventBatch {
  /// The event at a place of the batch.
  @inlinable
  public func event(at index: Int) -> Event {
    let template = templates[Int(templateIndices[index])]
    return Event(
      kind: template.kind, phase: template.phase, thread: threads[Int(template.thread)].id,
      timeNanoseconds: timesNanoseconds[index], ordinal: ordinal(at: index), index: index)
  }

  /// The names and types of the arguments of a template's events.
  public func slots(of template: EventTemplate) -> ArraySlice<ArgumentSlot> {
    let first = Int(template.firstSlot)
    return slots[first..<first + Int(template.slotCount)]
  }

  /// The slot type and the bits of an argument; nil if the event has none of that name.
  @inlinable
  public func bits(_ name: ArgumentName, of event: Event) -> (ArgumentType, UInt64)? {
    let template = templates[Int(templateIndices[event.index])]
    let first = Int(template.firstSlot)
    for offset in 0..<Int(template.slotCount) where slots[first + offset].name == name {
      return (
        slots[first + offset].type, argumentBits[Int(argumentStarts[event.index]) + offset]
      )
    }
    return nil
  }

  /// The value of an argument; nil if the event has none of that name.
  public func value(_ name: ArgumentName, of event: Event) -> ArgumentValue? {
    bits(name, of: event).map { value($0.1, as: $0.0) }
  }

  /// A boolean argument; nil if it is absent or of another type.
  @inlinable
  public func boolean(_ name: ArgumentName, of event: Event) -> Bool? {
    guard let (type, bits) = bits(name, of: event), type == .boolean else { return nil }
    return bits != 0
  }

  /// An integer argument, also from a number without fraction; nil if it is absent, of another
  /// type, or out of range.
  public func integer(_ name: ArgumentName, of event: Event) -> Int64? {
    guard let (type, bits) = bits(name, of: event) else { return nil }
    switch type {
    case .integer: return Int64(bitPattern: bits)
    case .number: return Int64(exactly: Double(bitPattern: bits))
    default: return nil
    }
  }

  /// A numeric argument; nil if it is absent or of another type.
  public func number(_ name: ArgumentName, of event: Event) -> Double? {
    guard let (type, bits) = bits(name, of: event) else { return nil }
    switch type {
    case .integer: return Double(Int64(bitPattern: bits))
    case .unsigned: return Double(bits)
    case .number: return Double(bitPattern: bits)
    default: return nil
    }
  }

  /// A text argument; nil if it is absent or of another type. Allocates for long texts.
  public func text(_ name: ArgumentName, of event: Event) -> String? {
    guard let (type, bits) = bits(name, of: event), type == .string else { return nil }
    return strings[Int(bits)]
  }

  /// Whether a text argument has exactly this value. Doesn't allocate.
  public func isText(_ name: ArgumentName, _ text: String, of event: Event) -> Bool {
    guard let (type, bits) = bits(name, of: event), type == .string else { return false }
    return strings.equals(Int(bits), text)
  }
}
