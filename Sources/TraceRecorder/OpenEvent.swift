// An event being written into its slots: arguments first, its own slot last.
// This file must not know where slots come from.

import TraceFormat
package import TraceModel

/// An event that was begun. It becomes one with ``commit()``, and not before.
///
/// The caller reserved enough slots: it adds no more than it asked for.
package struct OpenEvent: ~Copyable {
  let core: JournalCore
  let state: ThreadState
  let kind: EventKind
  let phase: Phase
  let time: Int64
  let first: Int
  private(set) var next: Int
  // Names whose text stands in this event, one more than the place; 0 for none.
  private var defined0 = 0
  private var defined1 = 0
  private var defined2 = 0
  private var defined3 = 0

  @inline(__always)
  init(
    core: JournalCore, state: ThreadState, kind: EventKind, phase: Phase, time: Int64, first: Int
  ) {
    self.core = core
    self.state = state
    self.kind = kind
    self.phase = phase
    self.time = time
    self.first = first
    next = first &+ 1
  }

  @inline(__always)
  private mutating func add(
    _ name: ArgumentName, _ type: JournalSlot.Argument, _ payload: UInt64
  ) {
    precondition(next < state.end)
    core.write(next, payload, JournalSlot.argument(type, name, furtherSlots: 0))
    next &+= 1
  }

  @inline(__always)
  package mutating func add(_ name: ArgumentName, _ value: Int64) {
    add(name, .integer, UInt64(bitPattern: value))
  }

  @inline(__always)
  package mutating func add(_ name: ArgumentName, unsigned value: UInt64) {
    if let small = Int64(exactly: value) {
      add(name, .integer, UInt64(bitPattern: small))
    } else {
      add(name, .unsigned, value)
    }
  }

  @inline(__always)
  package mutating func add(_ name: ArgumentName, _ value: Double) {
    let greatest = Double.greatestFiniteMagnitude
    add(name, .number, (value.isNaN ? 0 : min(max(value, -greatest), greatest)).bitPattern)
  }

  @inline(__always)
  package mutating func add(_ name: ArgumentName, _ value: Bool) {
    add(name, .boolean, value ? 1 : 0)
  }

  /// Adds the keyed hash of a text.
  @inline(__always)
  package mutating func add(_ name: ArgumentName, hash: UInt64) { add(name, .hash, hash) }

  /// Adds a text of the program: the first time in a turn with its bytes, then by its number.
  @inline(__always)
  package mutating func add(_ name: ArgumentName, _ text: StaticString) {
    add(name, text, bytesMax: JournalLayout.textBytesMax)
  }

  @inline(__always)
  mutating func add(_ name: ArgumentName, _ text: StaticString, bytesMax: Int) {
    guard text.hasPointerRepresentation else { return addScalar(name, text) }
    let start = unsafe text.utf8Start
    guard let place = unsafe core.names.place(of: start) else {
      return unsafe add(
        name, .text, 0, UnsafeBufferPointer(start: start, count: text.utf8CodeUnitCount), bytesMax)
    }
    if core.names.isDefined(place, turn: state.turn) {
      return add(name, .name, UInt64(truncatingIfNeeded: place))
    }
    unsafe add(
      name, .definedName, UInt64(truncatingIfNeeded: place),
      UnsafeBufferPointer(start: start, count: text.utf8CodeUnitCount), bytesMax)
    note(place + 1)
  }

  private mutating func note(_ place: Int) {
    if defined0 == 0 {
      defined0 = place
    } else if defined1 == 0 {
      defined1 = place
    } else if defined2 == 0 {
      defined2 = place
    } else {
      defined3 = place
    }
  }

  private mutating func addScalar(_ name: ArgumentName, _ text: StaticString) {
    var character = String(text.unicodeScalar)
    character.withUTF8 { unsafe add(name, .text, 0, $0, JournalLayout.textBytesMax) }
  }

  /// Adds a text as it is, cut to ``JournalLayout/textBytesMax`` bytes.
  @inline(never)
  package mutating func add(_ name: ArgumentName, text: UnsafeBufferPointer<UInt8>) {
    unsafe add(name, .text, 0, text, JournalLayout.textBytesMax)
  }

  /// Adds a text as it is, cut to so many bytes, at most ``JournalLayout/textBytesMax``.
  @inline(never)
  mutating func add(
    _ name: ArgumentName, text: UnsafeBufferPointer<UInt8>, bytesMax: Int
  ) {
    unsafe add(name, .text, 0, text, bytesMax)
  }

  @inline(never)
  private mutating func add(
    _ name: ArgumentName, _ type: JournalSlot.Argument, _ payload: UInt64,
    _ text: UnsafeBufferPointer<UInt8>, _ bytesMax: Int
  ) {
    let count = unsafe Self.cut(text, bytesMax)
    let slots = (count + 7) / 8
    precondition(next + slots < state.end)
    core.write(next, payload, JournalSlot.argument(type, name, furtherSlots: slots))
    next += 1
    var offset = 0
    while offset < count {
      let part = min(8, count - offset)
      var word: UInt64 = 0
      // `offset + part` is at most the count of the text.
      for byte in 0..<part { word |= unsafe UInt64(text[offset + byte]) << UInt64(byte * 8) }
      core.write(next, word, JournalSlot.text(byteCount: part))
      next += 1
      offset += part
    }
  }

  /// Bytes of the longest beginning that fits and cuts no character.
  private static func cut(_ text: UnsafeBufferPointer<UInt8>, _ bytesMax: Int) -> Int {
    guard text.count > bytesMax else { return text.count }
    var end = bytesMax
    // The place is below the count, which is larger than the bound.
    while end > 0, unsafe text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// Makes it an event: after this call it outlives the process.
  @inline(__always)
  package consuming func commit() {
    core.write(
      first, UInt64(bitPattern: time),
      JournalSlot.event(
        kind, phase, furtherSlots: next &- first &- 1, ordinal: state.ordinal))
    if defined0 != 0 { defineNames() }
    core.end(state, first: first, next: next)
  }

  private borrowing func defineNames() {
    let names = core.names
    names.define(defined0 - 1, turn: state.turn)
    if defined1 != 0 { names.define(defined1 - 1, turn: state.turn) }
    if defined2 != 0 { names.define(defined2 - 1, turn: state.turn) }
    if defined3 != 0 { names.define(defined3 - 1, turn: state.turn) }
  }
}
