// The state that a React Native app prints. This file must not know where such a line stands.

/// Reads `AppState changed to background`, `'AppState', 'active'` and the like.
enum ReactState {
  /// Bytes of such a message: it says nothing else.
  private static let bytesMax = 80
  private static let filling: Set<String> = [
    "change", "changed", "is", "next", "now", "state", "to",
  ]

  /// The state, in Flutter's word for the same; nil if the message says anything else.
  static func read(_ message: Span<UInt8>, from start: Int) -> FlutterState? {
    guard message.count - start <= bytesMax, start < message.count else { return nil }
    // A longer word that only begins like the name.
    guard !isLetter(message[start]) else { return nil }
    var words: [String] = []
    var offset = start
    while offset < message.count {
      let first = offset
      while offset < message.count, isLetter(message[offset]) { offset += 1 }
      if offset > first {
        words.append(message.text(first..<offset).lowercased())
      } else {
        offset += 1
      }
    }
    guard let state = words.popLast(), words.allSatisfy(filling.contains) else { return nil }
    switch state {
    case "active": return .resumed
    case "inactive": return .inactive
    case "background": return .paused
    default: return nil
    }
  }

  /// Digits are letters here: a number is no filling.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 32) &- 97 < 26 || byte &- 48 < 10 || byte >= 128
  }
}
