// What a page of two traces says of their differences.
// This file must not know how they are found.

import TraceLifecycle
import TraceModel

extension HTMLTimeline {
  /// A line of the list. Times are nanoseconds from the first event of each trace.
  struct Difference {
    var change: String
    var name: String
    var place: String
    var details: String
    var first: (start: Int64, end: Int64)?
    var second: (start: Int64, end: Int64)?
  }

  /// Lines of the list: a browser gets slow with more.
  static let differencesMax = 5_000

  /// Writes where the traces are aligned, and the list of their differences.
  mutating func differences(_ rows: [Difference], _ comparison: LifeComparison) {
    var head = ColumnBytes()
    for life in [comparison.first, comparison.second] {
      let anchor = life.anchorNanoseconds ?? 0
      head.append(Double(anchor.minus(life.firstNanoseconds ?? 0)))
    }
    head.append(text(comparison.alignment.words))
    head.append(UInt32(clamping: max(0, rows.count - Self.differencesMax)))
    block.section(.alignment, rows: 1, [head])
    for row in rows.prefix(Self.differencesMax) {
      var bytes = ColumnBytes()
      for range in [row.first, row.second] {
        bytes.append(range.map { Double($0.start) } ?? .nan)
        bytes.append(range.map { Double($0.end) } ?? .nan)
      }
      for words in [row.change, row.name, row.place, row.details] { bytes.append(text(words)) }
      block.section(.difference, rows: 1, [bytes])
      if block.bytes.count > 1 << 20 { endBlock() }
    }
    endBlock()
  }
}
