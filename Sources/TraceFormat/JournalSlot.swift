// The second word of a slot: what the slot is, and the check that binds it to its payload and
// place. This file must not know how slots are reserved or searched.

public import TraceModel

/// The commit word of a slot: fields in the low half, the check in the high half. Never zero. The
/// fields are laid out in the article on the journal.
public enum JournalSlot {
  /// What a slot holds.
  public enum Kind: UInt32, Sendable {
    case chunk = 1
    case event = 2
    case argument = 3
    case text = 4
    /// In the table of drops: the last event that a thread dropped, and when it began to drop.
    case drop = 5
    case dropTime = 6
  }

  /// How the payload of an argument is to be read.
  public enum Argument: UInt32, Sendable {
    case integer = 0
    case unsigned = 1
    case number = 2
    case boolean = 3
    /// The text follows in slots of its own; the payload is nothing.
    case text = 4
    /// The text follows, and the payload is the number by which later events of the turn name it.
    case definedName = 5
    /// The number of a name that an earlier event of the turn defined.
    case name = 6
    /// The keyed hash of a text that isn't recorded.
    case hash = 7
  }

  public static let sequenceMax: UInt64 = (1 << 48) - 1
  public static let threadMax: UInt64 = (1 << 16) - 1

  @inlinable
  public static func chunk(turn: UInt64) -> UInt32 {
    Kind.chunk.rawValue | UInt32(truncatingIfNeeded: turn) << 3
  }

  @inlinable
  public static func drop(turn: UInt64) -> UInt32 {
    Kind.drop.rawValue | UInt32(truncatingIfNeeded: turn) << 3
  }

  @inlinable
  public static func event(
    _ kind: EventKind, _ phase: Phase, furtherSlots: Int, ordinal: Int
  ) -> UInt32 {
    Kind.event.rawValue | UInt32(phase.rawValue) << 3 | UInt32(kind.rawValue & 1023) << 5
      | UInt32(truncatingIfNeeded: furtherSlots & 127) << 15
      | UInt32(truncatingIfNeeded: ordinal & 127) << 22
  }

  @inlinable
  public static func argument(
    _ type: Argument, _ name: ArgumentName, furtherSlots: Int
  ) -> UInt32 {
    Kind.argument.rawValue | type.rawValue << 3 | UInt32(name.rawValue & 1023) << 7
      | UInt32(truncatingIfNeeded: furtherSlots & 127) << 17
  }

  @inlinable
  public static func text(byteCount: Int) -> UInt32 {
    Kind.text.rawValue | UInt32(truncatingIfNeeded: byteCount & 15) << 3
  }

  /// The commit word for a payload, fields and the slot's number in the ring.
  @inlinable @inline(__always)
  public static func commit(_ payload: UInt64, _ fields: UInt32, slot: Int) -> UInt64 {
    var mix = payload &+ UInt64(truncatingIfNeeded: slot &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mix ^= mix >> 32
    mix = (mix ^ UInt64(fields)) &* 0xD6E8_FEB8_6659_FD93
    return mix & 0xFFFF_FFFF_0000_0000 | UInt64(fields)
  }

  /// The commit word of the own slot of a chunk, and of a drop: bound to its journal too, by the
  /// journal's key.
  @inlinable
  public static func commit(
    _ payload: UInt64, _ fields: UInt32, slot: Int, key: UInt16
  ) -> UInt64 {
    commit(payload, fields, slot: slot) ^ UInt64(key) << 48
  }

  /// The key with which the own slot of a chunk was committed; nil if it is none.
  ///
  /// Half of the check doesn't depend on the key: what was destroyed passes for another key once in
  /// 65,536 times, and only where the key isn't known.
  static func chunkKey(_ payload: UInt64, _ word: UInt64, slot: Int) -> UInt16? {
    let fields = UInt32(truncatingIfNeeded: word)
    let difference = commit(payload, fields, slot: slot) ^ word
    guard fields & 7 == Kind.chunk.rawValue, difference << 16 == 0 else { return nil }
    return UInt16(truncatingIfNeeded: difference >> 48)
  }

  /// Whether a slot tells of a drop, in a journal with this key.
  static func isDrop(_ payload: UInt64, _ word: UInt64, slot: Int, key: UInt16) -> Bool {
    let fields = UInt32(truncatingIfNeeded: word)
    return fields & 7 == Kind.drop.rawValue
      && commit(payload, fields, slot: slot, key: key) == word
  }

  /// The fields of a commit word; nil if it doesn't belong to the payload and the place.
  static func fields(_ payload: UInt64, _ word: UInt64, slot: Int) -> UInt32? {
    let fields = UInt32(truncatingIfNeeded: word)
    return word != 0 && commit(payload, fields, slot: slot) == word ? fields : nil
  }
}
