// The YAML form of rules: reads users' rules, and prints any rule in the same form.

public import TraceRules

/// Rules in YAML.
///
/// ```swift
/// let (rules, problems) = RuleFile.parse(text, name: "rules.yaml")
/// for problem in problems { print(problem.text) }
/// ```
public enum RuleFile {
  /// The rules of a file, and all that is wrong with it.
  ///
  /// Rules with errors are left out; those with warnings are not. Never traps and never throws,
  /// whatever the text is.
  ///
  /// - Parameters:
  ///   - text: at most ``RuleFileLimits/bytesMax`` bytes.
  ///   - name: the file's name, for messages.
  ///   - reservedIDs: ids and slugs that the file's rules must not have, as other rules have them,
  ///     letter case aside.
  public static func parse(
    _ text: String, name: String, reservedIDs: Set<String> = []
  ) -> (rules: [Rule], problems: [RuleFileProblem]) {
    guard text.utf8.count <= RuleFileLimits.bytesMax else {
      let reading = Reading(file: name, lines: [])
      reading.error(
        .tooLarge, at: .start, "the file has \(text.utf8.count) bytes",
        expected: "at most \(RuleFileLimits.bytesMax)")
      return ([], reading.problems)
    }
    guard let source = SourceText(text) else {
      let reading = Reading(file: name, lines: [])
      reading.error(.notYAML, at: .start, "the file is full of private-use characters")
      return ([], reading.problems)
    }
    let reading = Reading(file: name, lines: source.lines)
    if let place = source.forbidden {
      reading.error(.notYAML, at: place, "not YAML: a character that isn't allowed in files")
      return ([], reading.problems)
    }
    var tree = YAMLTree(reading, source)
    let rules = tree.root().map { reading.rules($0, reserved: reservedIDs) } ?? []
    let places = reading.problems.enumerated().sorted { a, b in
      (a.element.line, a.element.column, a.offset) < (b.element.line, b.element.column, b.offset)
    }
    return (rules, places.map(\.element))
  }

  /// What is wrong with bytes that are no UTF-8; nil if they are, or are too many to be read.
  ///
  /// - Parameter name: the file's name, for messages.
  public static func encodingProblem(_ bytes: [UInt8], name: String) -> RuleFileProblem? {
    let text = String(decoding: bytes, as: UTF8.self)
    // What is no UTF-8 was replaced, so that it differs from there on.
    guard bytes.count <= RuleFileLimits.bytesMax,
      let offset = zip(bytes, text.utf8).enumerated().first(where: { $1.0 != $1.1 })?.offset
    else { return nil }
    let before = String(decoding: bytes[..<offset], as: UTF8.self)
    let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return RuleFileProblem(
      file: name, line: lines.count, column: (lines.last?.count ?? 0) + 1, level: .error,
      code: .notYAML, rule: nil, message: "not YAML: a byte that is no UTF-8",
      expected: "a text in UTF-8", suggestion: nil, sourceLine: "", caretOffset: 0)
  }

  /// A rule as a file of rules that holds nothing else.
  ///
  /// What ``parse(_:name:reservedIDs:)`` makes of the text is the same rule, but for clauses that
  /// are written by hand: they are printed by their names, and can't be read.
  public static func print(_ rule: Rule, withExamples: Bool = true) -> String {
    print([rule], withExamples: withExamples)
  }

  /// Rules as a file.
  public static func print(_ rules: [Rule], withExamples: Bool = true) -> String {
    let printed = rules.map { RulePrinter($0).rule(withExamples: withExamples) }
    return YAMLWriter.document(
      .map([("tracecheck", .plain("1")), ("rules", .list(printed))]))
  }
}
