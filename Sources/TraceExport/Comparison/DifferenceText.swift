// The differences of two lives for a terminal.

import TraceLifecycle
import TraceModel
import TraceRules

extension TimelineFormat {
  /// Lines of text.
  static let differenceText = TimelineFormat(
    name: "text", mediaType: "text/plain; charset=utf-8", title: "text", tracesMax: 2
  ) { DifferenceText(compared: ComparedLives($0.comparison)) }
}

private struct DifferenceText: DifferenceSink {
  /// Differences that are told; a reader who wants more takes another form.
  private static let shownMax = 200

  var output: [UInt8] = []
  var compared: ComparedLives

  init(compared: ComparedLives) { self.compared = compared }

  mutating func tell(_ comparison: LifeComparison) {
    head("A", comparison.first)
    head("B", comparison.second)
    line(
      "Aligned at \(comparison.alignment.words); times are measured from there, A before B.")
    findings(comparison)
    times(comparison)
    line("")
    if !comparison.differences.isEmpty { line("Life") }
    for difference in comparison.differences.prefix(Self.shownMax) {
      tell(difference, comparison)
    }
    if comparison.differences.count > Self.shownMax {
      line(
        "  and \(comparison.differences.count - Self.shownMax) more; --format json has them all")
    }
    let omitted = comparison.first.omittedCount.addingReportingOverflow(
      comparison.second.omittedCount
    ).partialValue
    if omitted > 0 { line("  \(omitted) stretches and moments of other names are left out") }
    line(DifferenceWords.summary(comparison.differences))
  }

  private mutating func head(_ letter: String, _ life: LifeSketch) {
    let fields: [HeaderField] = [.appBundleID, .appVersion, .osVersion, .deviceModel]
    let known = fields.compactMap { life.header.string($0) }
    let length = TimeText.exact(
      (life.lastNanoseconds ?? 0).minus(life.firstNanoseconds ?? 0))
    let words = [life.path] + known + ["\(life.eventCount) events", length]
    line("\(letter)  " + words.map { PrintableText.printable($0) }.joined(separator: "  "))
  }

  private mutating func findings(_ comparison: LifeComparison) {
    let found = comparison.findings
    line("")
    line("Findings")
    for (word, list) in [("appeared", found.appeared), ("vanished", found.vanished)] {
      for finding in list.prefix(Self.shownMax) {
        let words = "\(finding.severity.rawValue) \(finding.rule) \(finding.slug)"
        line("  \(word)  " + PrintableText.printable(words))
        let sentence = "\(FindingText.place(of: finding)): \(FindingText.sentence(finding))"
        append(WrappedText.lines(PrintableText.printable(sentence), indent: 12))
      }
      if list.count > Self.shownMax {
        line("  \(word)  \(list.count - Self.shownMax) more")
      }
    }
    line("  \(found.common.count) in both")
  }

  private mutating func times(_ comparison: LifeComparison) {
    let rows = comparison.times.map { row in
      [
        row.name, row.first.map { TimeText.exact($0) } ?? "-",
        row.second.map { TimeText.exact($0) } ?? "-",
        change(row.first, row.second),
      ]
    }
    line("")
    line("Times")
    let table = [["", "A", "B", "change"]] + rows
    let widths = (0..<4).map { column in table.map { $0[column].count }.max() ?? 0 }
    for row in table {
      let name = row[0] + String(repeating: " ", count: widths[0] - row[0].count)
      let numbers = (1..<4).map { column in
        String(repeating: " ", count: widths[column] - row[column].count) + row[column]
      }
      line("  " + ([name] + numbers).joined(separator: "  "))
    }
  }

  private func change(_ first: Int64?, _ second: Int64?) -> String {
    guard let first, let second else { return "-" }
    return DifferenceWords.change(second.minus(first))
  }

  private mutating func tell(_ difference: LifeDifference, _ comparison: LifeComparison) {
    let word = difference.change.rawValue
    let time = DifferenceWords.moment(comparison.time(of: difference))
    let details = DifferenceWords.details(difference, comparison)
    var text = "  " + word + String(repeating: " ", count: max(0, 11 - word.count))
    text += String(repeating: " ", count: max(0, 12 - time.count)) + time + "  "
    text += PrintableText.printable(difference.name)
    text += " (\(PrintableText.printable(DifferenceWords.place(difference))))"
    if !details.isEmpty { text += "  \(details)" }
    line(text)
  }

  private mutating func line(_ text: String) { append(text + "\n") }
  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }
}
