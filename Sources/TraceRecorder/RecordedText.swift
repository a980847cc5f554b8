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
  private let sipHash: SipHash

  /// A key that nobody knows.
  public init() { sipHash = .random() }

  /// A key that the app keeps, for example in its keychain.
  public init(_ low: UInt64, _ high: UInt64) { sipHash = SipHash(low, high) }

  /// The hash of a text's UTF-8. Allocates nothing for texts of Swift's own; O(n).
  package func hash(_ text: inout String) -> UInt64 {
    // The pointer is used inside the closure only.
    text.withUTF8 { unsafe sipHash.hash($0.span) }
  }
}
