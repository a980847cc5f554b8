// Breaks paragraphs into lines of a readable width.

/// Paragraphs as lines.
public enum WrappedText {
  /// Columns of a line: what fits a terminal, a code review and a printed page.
  public static let widthMax = 100

  /// The lines of a paragraph, each behind so many spaces and ended by a line feed. The first line
  /// begins with a title instead of spaces if there is one.
  public static func lines(_ words: String, indent: Int = 2, title: String = "") -> String {
    var text = title + String(repeating: " ", count: max(0, indent - title.utf8.count))
    var column = indent
    var isLineEmpty = true
    for word in words.split(separator: " ") {
      let width = word.unicodeScalars.count
      if !isLineEmpty, column + 1 + width > widthMax {
        text += "\n" + String(repeating: " ", count: indent)
        column = indent
        isLineEmpty = true
      }
      if !isLineEmpty {
        text += " "
        column += 1
      }
      text += word
      column += width
      isLineEmpty = false
    }
    return text + "\n"
  }
}
