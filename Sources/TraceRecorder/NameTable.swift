// Numbers of texts that stand in the program itself, found by their address without a lock.
// This file must not know where the texts are stored.

import CTraceAtomics

/// Texts of the program, each with a number and the last turn in which its text was recorded.
///
/// The first event of a turn that uses a name holds its text; later ones hold the number.
@safe struct NameTable {
  /// Names at once, half of the places: literals at the call sites of a program.
  static let namesMax = 2_048
  static let placeCount = 4_096
  /// Places that are looked at before giving up: the text is then recorded with the event.
  private static let probesMax = 64

  /// An address and one more than a turn, for each place.
  private let words: UnsafeMutablePointer<UInt64>

  init() {
    unsafe words = .allocate(capacity: Self.placeCount * 2)
    unsafe words.initialize(repeating: 0, count: Self.placeCount * 2)
  }

  /// Forgets every text. Nobody may use the table meanwhile.
  func clear() { unsafe words.update(repeating: 0, count: Self.placeCount * 2) }

  /// The place of a text; nil if the table is full.
  @inline(__always)
  func place(of text: UnsafePointer<UInt8>) -> Int? {
    let address = UInt64(UInt(bitPattern: text))
    var place = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 52)
    for _ in 0..<Self.probesMax {
      // The place is below the number of places.
      let word = unsafe words + place * 2
      let found = unsafe lct_load_relaxed(word)
      if found == address { return place }
      if found == 0 {
        if unsafe lct_compare_exchange(word, 0, address) != 0 { return place }
        if unsafe lct_load_relaxed(word) == address { return place }
      }
      place = (place + 1) & (Self.placeCount - 1)
    }
    return nil
  }

  /// Whether the text was recorded in a turn.
  @inline(__always)
  func isDefined(_ place: Int, turn: UInt64) -> Bool {
    unsafe lct_load_acquire(words + place * 2 + 1) == turn &+ 1
  }

  /// Notes that the text was recorded, after the event that holds it was committed.
  @inline(__always)
  func define(_ place: Int, turn: UInt64) {
    unsafe lct_store_release(words + place * 2 + 1, turn &+ 1)
  }
}
