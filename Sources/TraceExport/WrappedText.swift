// Breaks paragraphs into lines of a readable width.

/// Paragraphs as lines.
public enum WrappedText {
  /// Columns of a line: what fits a terminal, a code review and a printed page.
  public static let widthMax = 100

  /// The lines of a paragraph, each behind so many spaces and ended by a line feed. The first line
  /// begins with a title instead of spaces if there is one.
  ///
  /// - Parameters:
  ///   - width: The columns of a line. A longer word has a line of its own.
  ///   - breaksWords: Whether such a word is broken instead.
  public static func lines(
    _ words: String, indent: Int = 2, title: String = "", width: Int = widthMax,
    breaksWords: Bool = false
  ) -> String {
    var text = title + String(repeating: " ", count: max(0, indent - DisplayColumns.count(title)))
    var column = max(indent, DisplayColumns.count(title))
    var isLineEmpty = true
    var startsLine = title.allSatisfy { $0 == " " }
    for whole in words.split(separator: " ") {
      let parts = breaksWords ? broken(whole, columnsMax: max(2, width - indent)) : [whole]
      for word in parts {
        var columns = DisplayColumns.count(word)
        if column > indent, column + (isLineEmpty ? 0 : 1) + columns > width {
          text += "\n" + String(repeating: " ", count: indent)
          column = indent
          isLineEmpty = true
          startsLine = true
        }
        if !isLineEmpty {
          text += " "
          column += 1
        }
        if startsLine {
          // What was in the middle of a line is no command; at the start of one it could be.
          let shown = LogCommands.broken(String(word))
          columns = DisplayColumns.count(shown)
          text += shown
          startsLine = false
        } else {
          text += word
        }
        column += columns
        isLineEmpty = false
      }
    }
    return text + "\n"
  }

  /// The parts of a word of which each fits a line.
  private static func broken(_ word: Substring, columnsMax: Int) -> [Substring] {
    if DisplayColumns.count(word) <= columnsMax { return [word] }
    var parts: [Substring] = []
    var start = word.startIndex
    var columns = 0
    for index in word.indices {
      let letter = DisplayColumns.count(word[index])
      if columns + letter > columnsMax {
        parts.append(word[start..<index])
        start = index
        columns = 0
      }
      columns += letter
    }
    return parts + [word[start...]]
  }
}
