// Texts that an app records, and whether anybody may read them.

import TraceFormat
import TraceModel

/// A text in an event: a literal, a text marked public, or a private one.
///
///     recorder.backgroundTask.begin(token: 7, name: "upload")             // literal: as it is
///     recorder.backgroundTask.begin(token: 7, name: .private(fileName))   // keyed hash
///     recorder.backgroundTask.begin(token: 7, name: .public(queueName))   // as it is
///
/// Texts that are made at run time may name people, files or places. They are recorded as a keyed
/// hash, `#` and sixteen digits, unless they are marked public: equal texts stay equal, and nobody
/// who lacks the key can tell what they were. Never mark a URL public with its query.
public enum RecordedText: Sendable, ExpressibleByStringLiteral {
  /// A literal of the program, recorded as it is. The first use in a segment stores its bytes,
  /// later ones a number.
  case constant(StaticString)
  /// A text that anybody may read. At most ``JournalLayout/textBytesMax`` bytes are kept; of
  /// several texts of one event a little less, so that they fit it together.
  case `public`(String)
  /// A text that is recorded as a keyed hash.
  case `private`(String)

  public init(stringLiteral value: StaticString) { self = .constant(value) }

  /// The most slots that the text takes as an argument.
  @inline(__always)
  var slotsMax: Int { slotsMax(bytesMax: JournalLayout.textBytesMax) }

  /// The most slots that the text takes as an argument of which so many bytes are kept.
  @inline(__always)
  func slotsMax(bytesMax: Int) -> Int {
    switch self {
    case .constant(let text):
      text.hasPointerRepresentation ? 1 + (min(text.utf8CodeUnitCount, bytesMax) + 7) / 8 : 2
    case .public(let text): 1 + (min(text.utf8.count, bytesMax) + 7) / 8
    case .private: 1
    }
  }
}

extension OpenEvent {
  @inline(__always)
  mutating func add(
    _ name: ArgumentName, _ text: RecordedText, key: PrivacyKey,
    bytesMax: Int = JournalLayout.textBytesMax
  ) {
    switch text {
    case .constant(let text):
      add(name, text, bytesMax: bytesMax)
    case .public(var text):
      // The pointer is used inside the closure only.
      text.withUTF8 { unsafe add(name, text: $0, bytesMax: bytesMax) }
    case .private(var text):
      add(name, hash: key.hash(&text))
    }
  }
}

/// The key of the hashes that stand for private texts: 128 bits, SipHash-2-4.
///
/// The key is never written anywhere. With the same key, equal texts have equal hashes over several
/// launches; without one, every recording has a key of its own.
public struct PrivacyKey: Sendable {
  private let low: UInt64
  private let high: UInt64

  /// A key that nobody knows.
  public init() { self.init(.random(in: .min ... .max), .random(in: .min ... .max)) }

  /// A key that the app keeps, for example in its keychain.
  public init(_ low: UInt64, _ high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The hash of a text's UTF-8. Allocates nothing for texts of Swift's own; O(n).
  package func hash(_ text: inout String) -> UInt64 {
    // The pointer is used inside the closure only.
    text.withUTF8 { unsafe hash($0) }
  }

  private func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var state = SipState(low, high)
    var offset = 0
    while text.count - offset >= 8 {
      unsafe state.take(Self.word(text, offset, 8))
      offset += 8
    }
    let last = UInt64(truncatingIfNeeded: text.count) << 56
    unsafe state.take(last | Self.word(text, offset, text.count - offset))
    return state.finish()
  }

  private static func word(
    _ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ count: Int
  ) -> UInt64 {
    var word: UInt64 = 0
    // The caller's offset and count lie inside the text.
    for byte in 0..<count { word |= unsafe UInt64(text[offset + byte]) << UInt64(byte * 8) }
    return word
  }
}

/// The four words of SipHash (Aumasson and Bernstein, 2012).
private struct SipState {
  private var v0, v1, v2, v3: UInt64

  init(_ low: UInt64, _ high: UInt64) {
    v0 = low ^ 0x736F_6D65_7073_6575
    v1 = high ^ 0x646F_7261_6E64_6F6D
    v2 = low ^ 0x6C79_6765_6E65_7261
    v3 = high ^ 0x7465_6462_7974_6573
  }

  mutating func take(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  mutating func finish() -> UInt64 {
    v2 ^= 0xFF
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func round() {
    v0 &+= v1
    v1 = Self.rotate(v1, 13) ^ v0
    v0 = Self.rotate(v0, 32)
    v2 &+= v3
    v3 = Self.rotate(v3, 16) ^ v2
    v0 &+= v3
    v3 = Self.rotate(v3, 21) ^ v0
    v2 &+= v1
    v1 = Self.rotate(v1, 17) ^ v2
    v2 = Self.rotate(v2, 32)
  }

  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }
}
