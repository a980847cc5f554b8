// Reads a baseline's file. Its lines may come in any order and twice, as a merge leaves them.

import TraceModel
import TraceNotation

/// Why a file is no baseline.
public struct BaselineError: Error, Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// One sentence without a final dot.
  public var message: String
}

extension Baseline {
  /// Bytes of a file that is read: a hundred times what a large team has.
  public static let bytesMax = 64 << 20
  /// Bytes of one line; a family's rules take a few hundred.
  private static let lineBytesMax = 65_536

  /// - Parameter bytes: The whole file.
  /// - Throws: ``BaselineError`` with the first line that is wrong.
  public init(_ bytes: [UInt8]) throws(BaselineError) {
    self.init()
    var hasVersion = false
    var number = 0
    var start = 0
    // Line by line and not split at once: a file of line feeds has as many lines as bytes.
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = bytes[start..<end]
      start = end + 1
      number += 1
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if text.allSatisfy({ $0 == UInt8(ascii: " ") }) { continue }
      if text.count > Self.lineBytesMax {
        throw BaselineError(
          line: number, message: "the line is longer than \(Self.lineBytesMax) bytes")
      }
      if Self.isConflictMark(text) {
        throw BaselineError(
          line: number,
          message: "a conflict of a merge was left; keep the lines of both sides, in any order,"
            + " and remove the marks")
      }
      let fields: Fields
      do throws(JSONError) {
        fields = try Fields(Array(text))
      } catch {
        throw BaselineError(line: number, message: error.message)
      }
      try add(fields, line: number, &hasVersion)
    }
    if !hasVersion {
      throw BaselineError(
        line: 1, message: "it is no baseline: no line says \"\(Self.versionKey)\"")
    }
  }

  private mutating func add(
    _ fields: Fields, line: Int, _ hasVersion: inout Bool
  ) throws(BaselineError) {
    if let version = fields.version {
      if version != Self.version {
        throw BaselineError(
          line: line,
          message: "the baseline has version \(version), and this program reads"
            + " \(Self.version); write it again with --write-baseline")
      }
      hasVersion = true
    } else if let app = fields.texts["app"], fields.texts["evaluated"] != nil {
      add(evaluated: fields.rules, partly: try Self.shares(fields.partly, line: line), app: app)
    } else if let app = fields.texts["app"], let rule = fields.texts["rule"],
      let fingerprint = fields.texts["fingerprint"]
    {
      add(
        Entry(
          app: app, rule: rule, severity: fields.texts["severity"] ?? "",
          fingerprint: fingerprint, subject: fields.texts["subject"] ?? ""))
    } else {
      throw BaselineError(
        line: line,
        message: "found neither a finding (app, rule, fingerprint) nor what was evaluated (app,"
          + " evaluated, rules)")
    }
  }

  /// The shares of rules that were evaluated in some traces only.
  private static func shares(
    _ numbers: [String: [Int64]]?, line: Int
  ) throws(BaselineError) -> [String: RuleCoverage.Share]? {
    guard let numbers else { return nil }
    var shares: [String: RuleCoverage.Share] = [:]
    for (rule, pair) in numbers {
      guard pair.count == 2, pair[0] >= 1, pair[0] <= pair[1],
        pair[1] <= Int64(RuleCoverage.Share.countMax)
      else {
        throw BaselineError(
          line: line,
          message: "\"\(partlyKey)\" takes two numbers for a rule, [2,3] for 2 of 3 traces")
      }
      shares[rule] = RuleCoverage.Share(
        evaluatedCount: Int(pair[0]), traceCount: Int(pair[1]))
    }
    return shares
  }

  private static func isConflictMark(_ line: ArraySlice<UInt8>) -> Bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains { line.starts(with: Array($0.utf8)) }
  }

  /// What one line says.
  private struct Fields {
    var texts: [String: String] = [:]
    var rules: [String] = []
    /// The numbers beside each rule; nil if there are none.
    var partly: [String: [Int64]]?
    var version: Int64?

    init(_ bytes: [UInt8]) throws(JSONError) {
      let text = bytes.span
      var parser = JSONPullParser(stringBytesMax: Baseline.lineBytesMax, depthMax: 4)
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) {
        let name = key.string(in: text)
        if name == "rules" {
          try parser.beginArray(in: text)
          while try parser.nextElement(in: text) {
            rules.append(try parser.string(in: text).string(in: text))
          }
        } else if name == Baseline.partlyKey {
          partly = try Self.numbers(&parser, text)
        } else if name == Baseline.versionKey {
          let number = try parser.number(in: text)
          if case .integer(let value) = number.value { version = value } else { version = 0 }
        } else if ["app", "evaluated", "rule", "severity", "fingerprint", "subject"].contains(name)
        {
          texts[name] = try parser.string(in: text).string(in: text)
        } else {
          try parser.skipValue(in: text)
        }
      }
      try parser.end(in: text)
    }

    private static func numbers(
      _ parser: inout JSONPullParser, _ text: Span<UInt8>
    ) throws(JSONError) -> [String: [Int64]] {
      var numbers: [String: [Int64]] = [:]
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) {
        var list: [Int64] = []
        try parser.beginArray(in: text)
        while try parser.nextElement(in: text) {
          let number = try parser.number(in: text)
          if case .integer(let value) = number.value { list.append(value) } else { list.append(0) }
        }
        numbers[key.string(in: text)] = list
      }
      return numbers
    }
  }
}
