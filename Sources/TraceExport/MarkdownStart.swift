// What makes a list, a line or a block of code of a paragraph of Markdown, at its very beginning.
// This file must not know what the paragraph says.

/// The beginning of a text that Markdown would take for a mark.
public enum MarkdownStart {
  /// The digits that the number of an item can have.
  private static let digitsMax = 9

  /// The mark that a text begins with, escaped so that it is shown as it is, and the rest of the
  /// text; the mark is empty where there is none.
  public static func split(_ text: String) -> (escaped: String, rest: Substring) {
    // Blanks at the start would make code of it, or be part of a mark.
    let blanks = text.prefix { $0 == " " }
    var rest = text[blanks.endIndex...]
    var start = blanks.isEmpty ? "" : "&#32;" + blanks.dropFirst()
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    let behind = rest[digits.endIndex...]
    if !digits.isEmpty, digits.count <= digitsMax, let sign = behind.first,
      sign == "." || sign == ")",
      endsMark(behind.dropFirst())
    {
      start += digits + (sign == "." ? "&#46;" : "&#41;")
      rest = behind.dropFirst()
    } else if rest.first == "-", rest.dropFirst().first == "-" || endsMark(rest.dropFirst()) {
      start += "&#45;"
      rest = rest.dropFirst()
    }
    return (start, rest)
  }

  /// Whether a mark ends before this.
  private static func endsMark(_ rest: Substring) -> Bool { rest.first.map { $0 == " " } ?? true }
}
