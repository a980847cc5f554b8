// Takes secrets out of a text that somebody else wrote, who may have changed how they look.
// This file must not know whose secrets they are.

/// Hides what logs in.
enum SecretMask {
  /// The bytes of a secret that tell something of it.
  private static let partBytesMin = 4

  /// A byte of a text, and what stands for it there: itself, or an escape such as `%2D`.
  private typealias Character = (byte: UInt8, written: ArraySlice<UInt8>)

  /// A text without secrets, as they are and with bytes of them escaped by percent signs, and
  /// without the beginning of one at its end: an answer is kept up to a limit, which may cut one
  /// through.
  static func hiding(_ secrets: [String], in text: String) -> String {
    var rest = text
    // What is left of a character that was cut through.
    while rest.unicodeScalars.last == "\u{FFFD}" { rest.unicodeScalars.removeLast() }
    let secrets = secrets.map { Array($0.utf8) }
    for read in [unescaped, unchanged] {
      rest = hiding(secrets, in: read(Array(rest.utf8)))
    }
    return rest
  }

  private static func hiding(_ secrets: [[UInt8]], in text: [Character]) -> String {
    let text = secrets.reduce(text, replace)
    // What is left of an escape that was cut through.
    let mark = text.suffix(2).lastIndex { $0.written.elementsEqual("%".utf8) }
    for end in [text.count, mark ?? text.count] {
      let bytes = text[..<end].map(\.byte)
      let part = secrets.map { beginning(of: $0, endsIn: bytes) }.max() ?? 0
      if part > 0 { return written(text[..<(end - part)]) + "***" }
    }
    return written(text[...])
  }

  /// Puts stars in the place of a secret.
  private static func replace(_ text: [Character], _ secret: [UInt8]) -> [Character] {
    let stars = unescaped(Array("***".utf8))
    var shown: [Character] = []
    var place = 0
    while place < text.count {
      let part = text[place...].prefix(secret.count)
      if text[place].byte == secret.first, part.map(\.byte) == secret {
        shown += stars
        place += secret.count
      } else {
        shown.append(text[place])
        place += 1
      }
    }
    return shown
  }

  private static func written(_ characters: ArraySlice<Character>) -> String {
    String(decoding: characters.flatMap(\.written), as: UTF8.self)
  }

  private static func unchanged(_ text: [UInt8]) -> [Character] {
    text.indices.map { (text[$0], text[$0...$0]) }
  }

  private static func unescaped(_ text: [UInt8]) -> [Character] {
    var characters: [Character] = []
    var place = 0
    while place < text.count {
      let digits = text[place...].dropFirst().prefix(2)
      if text[place] == UInt8(ascii: "%"), digits.count == 2,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        characters.append((byte, text[place...].prefix(3)))
        place += 3
      } else {
        characters.append((text[place], text[place...].prefix(1)))
        place += 1
      }
    }
    return characters
  }

  /// How many bytes at the end of a text are the beginning of a secret; 0 if they tell nothing.
  private static func beginning(of secret: [UInt8], endsIn text: [UInt8]) -> Int {
    var count = min(secret.count, text.count)
    while count >= partBytesMin {
      if text.suffix(count).elementsEqual(secret.prefix(count)) { return count }
      count -= 1
    }
    return 0
  }
}
