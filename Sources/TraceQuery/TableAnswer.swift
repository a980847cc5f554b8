// An answer as a table for people, with columns as wide as what is in them.

import TraceExport

/// Aligned columns: numbers to the right, texts to the left.
///
/// How wide columns are is decided by the first rows; a later cell that is wider moves the rest of
/// its line. Characters that could mislead a reader are shown as `\u{…}`, long texts are cut.
struct TableAnswer: AnswerWriter {
  var output: [UInt8] = []

  /// Rows, and bytes of them, that decide how wide columns are; they wait for that.
  private static let rowsMax = 1_000
  private static let bytesMax = 1 << 20
  /// Between columns.
  private static let gap = 2

  private struct Cell {
    var text: String
    var columns: Int
    var isNumber: Bool
  }

  private var names: [Cell] = []
  private var waiting: [[Cell]] = []
  private var waitingBytes = 0
  /// Nil as long as rows wait.
  private var widths: [Int]?

  mutating func begin(_ columns: [String]) {
    names = columns.map { Self.cell(PrintableText.printable($0), isNumber: false) }
  }

  mutating func row(_ values: [QueryValue]) {
    let cells = values.map(Self.cell)
    if let widths {
      append(cells, widths)
      return
    }
    waiting.append(cells)
    waitingBytes += cells.reduce(0) { $0 + $1.text.utf8.count }
    if waiting.count >= Self.rowsMax || waitingBytes >= Self.bytesMax { settle() }
  }

  mutating func end() { if widths == nil { settle() } }

  /// Decides how wide the columns are, and writes what waits.
  private mutating func settle() {
    var widths = names.map(\.columns)
    for row in waiting {
      for (place, cell) in row.enumerated() { widths[place] = max(widths[place], cell.columns) }
    }
    self.widths = widths
    // A heading stands as its column does.
    var heading = names
    for place in heading.indices {
      heading[place].isNumber = !waiting.isEmpty && waiting.allSatisfy { $0[place].isNumber }
    }
    append(heading, widths)
    append(widths.map { Self.cell(String(repeating: "-", count: $0), isNumber: false) }, widths)
    for row in waiting { append(row, widths) }
    waiting.removeAll()
  }

  private mutating func append(_ cells: [Cell], _ widths: [Int]) {
    var blanks = 0
    for (place, cell) in cells.enumerated() {
      if place > 0 { blanks += Self.gap }
      let room = max(0, widths[place] - cell.columns)
      if cell.isNumber { blanks += room }
      // No line ends with blanks.
      if !cell.text.isEmpty {
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: blanks))
        output.append(contentsOf: cell.text.utf8)
        blanks = 0
      }
      if !cell.isNumber { blanks += room }
    }
    output.append(UInt8(ascii: "\n"))
  }

  private static func cell(_ value: QueryValue) -> Cell {
    switch value {
    case .null: return cell("", isNumber: true)
    case .integer(let number): return cell("\(number)", isNumber: true)
    case .real(let number): return cell("\(number)", isNumber: true)
    case .text(let text):
      let shown = String(decoding: text.prefix(textBytesMax), as: UTF8.self)
      return cell(PrintableText.printable(shown), isNumber: false)
    case .blob(let bytes):
      var digits: [UInt8] = []
      HexText.append(Array(bytes.prefix(blobBytesMax)), to: &digits)
      let isCut = bytes.count > blobBytesMax
      return cell(String(decoding: digits, as: UTF8.self) + (isCut ? "…" : ""), isNumber: false)
    }
  }

  /// More than is shown of any text.
  private static let textBytesMax = 4 * (PrintableText.scalarsMax + 1)
  private static let blobBytesMax = 64

  private static func cell(_ text: String, isNumber: Bool) -> Cell {
    Cell(text: text, columns: DisplayColumns.count(text), isNumber: isNumber)
  }
}
