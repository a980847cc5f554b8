// The identity of an event kind: a small stable number.
// This file must not know which kinds exist; the vocabulary does.

/// The kind of an event, for example "a background task was begun".
///
/// Kinds of the vocabulary have stable numbers from 1 to 1,023, which never change and are never
/// reused. A kind that the vocabulary doesn't know gets a number of its own from 1,024 up, valid
/// only inside the ``EventBatch`` that holds its name.
public struct EventKind: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt16

  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The first number given to kinds outside the vocabulary.
  public static let firstUnknownNumber: UInt16 = 1024

  /// Whether the vocabulary knows this kind.
  @inlinable
  public var isKnown: Bool { rawValue < 1024 }

  @inlinable
  public static func < (a: EventKind, b: EventKind) -> Bool { a.rawValue < b.rawValue }
}

/// Whether an event is a moment, or the beginning or the end of a span.
public enum Phase: UInt8, Hashable, Sendable, CaseIterable {
  /// A moment; for a span kind: a callback of which only one line is known. It then counts as
  /// enter and return for the state, and never as a duration.
  case instant = 0
  case enter = 1
  case `return` = 2

  /// The word used by the text forms.
  public var word: String {
    switch self {
    case .instant: "instant"
    case .enter: "enter"
    case .return: "return"
    }
  }
}

/// A set of kinds: one bit for each number up to 254, and one bit for all others together.
public struct KindSet: Hashable, Sendable {
  public var word0: UInt64 = 0
  public var word1: UInt64 = 0
  public var word2: UInt64 = 0
  public var word3: UInt64 = 0

  public init() {}

  public init(_ kinds: some Sequence<EventKind>) {
    for kind in kinds { insert(kind) }
  }

  /// The bit that stands for unknown kinds and for numbers above 254.
  public static let otherBit = 255

  private static func bit(_ kind: EventKind) -> Int {
    kind.rawValue < 255 ? Int(kind.rawValue) : otherBit
  }

  public mutating func insert(_ kind: EventKind) {
    let bit = Self.bit(kind)
    let mask: UInt64 = 1 << UInt64(bit & 63)
    switch bit >> 6 {
    case 0: word0 |= mask
    case 1: word1 |= mask
    case 2: word2 |= mask
    default: word3 |= mask
    }
  }

  public func contains(_ kind: EventKind) -> Bool {
    let bit = Self.bit(kind)
    let word =
      switch bit >> 6 {
      case 0: word0
      case 1: word1
      case 2: word2
      default: word3
      }
    return word & (1 << UInt64(bit & 63)) != 0
  }

  public func isDisjoint(with other: KindSet) -> Bool {
    (word0 & other.word0) | (word1 & other.word1) | (word2 & other.word2) | (word3 & other.word3)
      == 0
  }

  public mutating func formUnion(_ other: KindSet) {
    word0 |= other.word0
    word1 |= other.word1
    word2 |= other.word2
    word3 |= other.word3
  }
}
