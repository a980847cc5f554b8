// What a line must hold to match a pattern: a text that is looked for before lines are read.

extension MessagePattern {
  /// A shorter text stands in too many lines that say nothing.
  private static let literalBytesMin = 12

  /// The longest run of the pattern's start that publishing and encodings leave as it is: letters,
  /// digits, blanks and a few marks. Of patterns whose start is short, that of a part which stands
  /// in the same line.
  var literal: [UInt8] {
    let own = Self.longestRun(start)
    guard own.count < Self.literalBytesMin else { return own }
    let others = parts.filter(\.isRequired).map { Self.longestRun($0.after) }
    return others.reduce(own) { $0.count < $1.count ? $1 : $0 }
  }

  private static func longestRun(_ text: [UInt8]) -> [UInt8] {
    text.split { !isPlain($0) }.max { $0.count < $1.count }.map { Array($0) } ?? []
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, Byte.space, Byte.colon, Byte.dot, Byte.comma: true
    default: false
    }
  }
}
