// Joins JSON Lines reports of several calls into the one that a single call would have written.
// This file must not know where the reports come from.

public import TraceExport
import TraceModel
import TraceNotation
import TraceRules

/// Lines of reports, sorted and each kept once, so that merging is associative and commutative.
public struct ReportMerge: Sendable {
  /// Bytes of all lines: they are held while they are sorted.
  public static let bytesMax = 1 << 30
  /// Bytes of one line: a trace with all its findings.
  public static let lineBytesMax = 64 << 20

  /// What the lines say, added up.
  public private(set) var summary = ReportSummary()

  private struct Line: Sendable {
    var path: [UInt8]
    var number: Int64
    var bytes: [UInt8]
    var facts: Facts
  }

  private struct Facts: Sendable {
    var path: String?
    var number: Int64 = 0
    var isUnreadable = false
    var isDamaged = false
    /// Whether it stands for what a gate found, and for no trace.
    var isGate = false
    var events: Int64 = 0
    var severities: [Severity] = []
    var knownCount = 0
  }

  private var lines: [Line] = []
  private var byteCount = 0

  public init() {}

  /// What is wrong with a line.
  public struct Problem: Error, Hashable, Sendable {
    /// From 1; 0 for a line as a whole.
    public var column: Int
    public var message: String
  }

  /// Adds a line, without its line feed.
  ///
  /// - Throws: ``Problem`` if it is no line of a report, or if there are too many.
  public mutating func add(_ bytes: [UInt8]) throws(Problem) {
    if bytes.count > Self.lineBytesMax || byteCount + bytes.count > Self.bytesMax {
      throw Problem(
        column: 0, message: "the reports are larger than \(Self.bytesMax >> 20) MiB together")
    }
    let facts: Facts
    do throws(JSONError) {
      facts = try Self.facts(of: bytes)
    } catch {
      throw Problem(column: error.offset + 1, message: error.message)
    }
    guard let path = facts.path else {
      throw Problem(column: 0, message: "found no \"path\", which every line of a report has")
    }
    byteCount += bytes.count
    // Folders stand before files that begin with their name, as in a listing.
    let key = path.utf8.map { $0 == UInt8(ascii: "/") ? 0 : $0 }
    lines.append(Line(path: key, number: facts.number, bytes: bytes, facts: facts))
  }

  /// The lines in their order, each once and without its line feed, after they were added up.
  public mutating func sortedLines() -> [[UInt8]] {
    lines.sort(by: Self.precedes)
    var sorted: [[UInt8]] = []
    for line in lines where line.bytes != sorted.last {
      sorted.append(line.bytes)
      add(line.facts)
    }
    return sorted
  }

  private static func precedes(_ a: Line, _ b: Line) -> Bool {
    if a.path != b.path { return a.path.lexicographicallyPrecedes(b.path) }
    if a.number != b.number { return a.number < b.number }
    return a.bytes.lexicographicallyPrecedes(b.bytes)
  }

  private mutating func add(_ facts: Facts) {
    if facts.isUnreadable {
      summary.unreadable += 1
      return
    }
    if !facts.isGate { summary.traces += 1 }
    summary.events += Int(clamping: max(0, facts.events))
    summary.known += facts.knownCount
    if facts.isDamaged { summary.damaged += 1 }
    for severity in facts.severities { summary.add(severity) }
  }

  // What a line says.

  private static func facts(of bytes: [UInt8]) throws(JSONError) -> Facts {
    let text = bytes.span
    var facts = Facts()
    var parser = JSONPullParser()
    try parser.beginObject(in: text)
    while let key = try parser.nextKey(in: text) {
      switch key.string(in: text) {
      case "path": facts.path = try parser.string(in: text).string(in: text)
      case "format":
        facts.isGate =
          try parser.string(in: text).equals(JudgedCapture.gateFormat, in: text)
      case "number": facts.number = try integer(&parser, text)
      case "events": facts.events = try integer(&parser, text)
      case "completeness":
        facts.isDamaged =
          try parser.string(in: text).equals(Completeness.damaged.rawValue, in: text)
      case "findings":
        try parser.beginArray(in: text)
        while try parser.nextElement(in: text) { try finding(&parser, text, &facts) }
      case "unreadable":
        facts.isUnreadable = true
        try parser.skipValue(in: text)
      default: try parser.skipValue(in: text)
      }
    }
    try parser.end(in: text)
    return facts
  }

  private static func integer(
    _ parser: inout JSONPullParser, _ text: Span<UInt8>
  ) throws(JSONError) -> Int64 {
    if case .integer(let value) = try parser.number(in: text).value { value } else { 0 }
  }

  private static func finding(
    _ parser: inout JSONPullParser, _ text: Span<UInt8>, _ facts: inout Facts
  ) throws(JSONError) {
    var severity: Severity?
    var isKnown = false
    try parser.beginObject(in: text)
    while let key = try parser.nextKey(in: text) {
      switch key.string(in: text) {
      case "severity": severity = Severity(rawValue: try parser.string(in: text).string(in: text))
      case "baseline":
        isKnown =
          try parser.string(in: text).equals(BaselineState.unchanged.rawValue, in: text)
      default: try parser.skipValue(in: text)
      }
    }
    if isKnown { facts.knownCount += 1 } else if let severity { facts.severities.append(severity) }
  }
}
