// Reads a configuration file. The file's own text is all that it knows: it opens nothing.

public import TraceCatalogue
import TraceRuleFile
public import TraceRules

/// Reads configuration files.
///
/// ```swift
/// let (configuration, problems) = ConfigurationFile.parse(text, name: ".tracecheck.yml")
/// for problem in problems { print(problem.text) }
/// ```
public enum ConfigurationFile {
  /// The name under which the file is searched.
  public static let name = ".tracecheck.yml"

  /// What a file says, and all that is wrong with it.
  ///
  /// Never traps and never throws, whatever the text is.
  ///
  /// - Parameters:
  ///   - text: At most ``ConfigurationLimits/bytesMax`` bytes.
  ///   - name: The file's name, for messages and origins.
  ///   - rules: The rules that the file can speak of, beside users'.
  ///   - userRules: The rules of the files that the file names.
  /// - Returns: The configuration without what is wrong, and the problems, in the order of the
  ///   file. All of them are errors.
  public static func parse(
    _ text: String, name: String, rules: [Rule] = Catalogue.all,
    userRules: ([Setting<String>]) -> [Rule] = { _ in [] }
  ) -> (configuration: Configuration, problems: [ConfigurationProblem]) {
    parse(text, name: name, rules: rules, rulesOfFiles: { userRules($0.map(\.name)) })
  }

  private static func parse(
    _ text: String, name: String, rules: [Rule], rulesOfFiles: ([NamedRuleFile]) -> [Rule]
  ) -> (configuration: Configuration, problems: [ConfigurationProblem]) {
    let reading = ConfigurationReading(
      YAMLDocument(text, name: name, bytesMax: ConfigurationLimits.bytesMax), file: name)
    let configuration = reading.configuration(rules: rules, rulesOfFiles: rulesOfFiles)
    return (configuration, reading.problems)
  }

  /// What the bytes of a file say. Bytes that are no UTF-8 are a problem.
  ///
  /// - Parameter rulesOfFiles: The rules of the files that the file names, each with its place.
  public static func parse(
    _ bytes: [UInt8], name: String, rules: [Rule] = Catalogue.all,
    rulesOfFiles: ([NamedRuleFile]) -> [Rule] = { _ in [] }
  ) -> (configuration: Configuration, problems: [ConfigurationProblem]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.count <= ConfigurationLimits.bytesMax,
      let offset = zip(bytes, text.utf8).enumerated().first(where: { $1.0 != $1.1 })?.offset
    else { return parse(text, name: name, rules: rules, rulesOfFiles: rulesOfFiles) }
    let before = String(decoding: bytes[..<offset], as: UTF8.self)
    let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let problem = ConfigurationProblem(
      file: name, line: lines.count, column: (lines.last?.count ?? 0) + 1, level: .error,
      code: .notYAML, message: "not YAML: a byte that is no UTF-8", expected: "a text in UTF-8",
      suggestion: nil, excerpt: "")
    var configuration = Configuration()
    configuration.file = name
    return (configuration, [problem])
  }
}

/// The state of one reading. A class, because every part of it adds to the same list of problems.
final class ConfigurationReading {
  let file: String
  var table = RuleTable([])
  var suppressionCount = 0
  var capturePatternCount = 0
  private let document: YAMLDocument
  private var found: [ConfigurationProblem]

  init(_ document: YAMLDocument, file: String) {
    self.document = document
    self.file = file
    found = document.problems.map { ConfigurationProblem($0, of: document) }
  }

  /// In the order of the file.
  var problems: [ConfigurationProblem] {
    found.enumerated().sorted { a, b in
      (a.element.line, a.element.column, a.offset) < (b.element.line, b.element.column, b.offset)
    }.map(\.element)
  }

  func error(
    _ code: ConfigurationProblem.Code, at node: YAMLNode, offset: Int = 0, _ message: String,
    expected: String = "", suggestion: String? = nil
  ) {
    error(
      code, line: node.line, column: node.column + offset, message, expected: expected,
      suggestion: suggestion)
  }

  func error(
    _ code: ConfigurationProblem.Code, line: Int, column: Int, _ message: String,
    expected: String = "", suggestion: String? = nil
  ) {
    guard hasRoom, !isRefused(line: line, column: column) else { return }
    let isLast = found.count == ConfigurationLimits.problemsMax - 1
    found.append(
      ConfigurationProblem(
        file: file, line: line, column: column, level: .error, code: isLast ? .tooMany : code,
        message: isLast ? "more problems are not shown" : message,
        expected: isLast ? "" : expected, suggestion: isLast ? nil : suggestion,
        excerpt: document.excerpt(
          line: line, column: column, suggestion: isLast ? nil : suggestion)))
  }

  /// Whether what stands at a place is no YAML that is allowed, so that its text means nothing.
  private func isRefused(line: Int, column: Int) -> Bool {
    document.problems.contains { $0.line == line && $0.column == column }
  }

  /// Whether another problem would be kept; finding suggestions costs time.
  var hasRoom: Bool { found.count < ConfigurationLimits.problemsMax }

  /// Reports a word that isn't one of those that are known.
  ///
  /// - Parameters:
  ///   - place: What the word belongs to, for the message: ` in a suppression`.
  ///   - meanings: What words that aren't near to a known one mean.
  ///   - listsAll: Whether the known words are listed although one of them is near.
  func unknown(
    _ code: ConfigurationProblem.Code, _ what: String, _ word: String, at node: YAMLNode,
    offset: Int = 0, in place: String = "", among names: [String],
    meanings: [String: String] = [:], listsAll: Bool = false
  ) {
    guard hasRoom else { return }
    let nearest =
      meanings[word.lowercased()] ?? NameSuggestion.nearest(to: word, among: names)
    let isListed = listsAll || nearest == nil && names.count <= 12
    error(
      code, at: node, offset: offset, "there is no \(what) '\(YAMLDocument.shown(word))'\(place)",
      expected: isListed ? "one of \(names.joined(separator: ", "))" : "", suggestion: nearest)
  }

  func origin(_ node: YAMLNode) -> SettingOrigin { .file(file, line: node.line) }

  /// What a problem at a place shows below its headline.
  func excerpt(_ node: YAMLNode) -> String {
    document.excerpt(line: node.line, column: node.column, suggestion: nil)
  }

  /// The root's entries; nil, with a problem, if it is no map.
  func rootEntries() -> [YAMLNode.Entry]? {
    guard let root = document.root else {
      if found.isEmpty {
        error(
          .missingKey, line: 1, column: 1, "the file says nothing", expected: "'tracecheck: 1'",
          suggestion: "tracecheck: 1")
      }
      return nil
    }
    return entries(root, "the file")
  }

  /// The entries of a map; nil, with a problem, for anything else.
  func entries(_ node: YAMLNode, _ what: String, of contents: String = "keys")
    -> [YAMLNode.Entry]?
  {
    if case .map(let entries) = node.content { return entries }
    // A key without anything below it: nothing is set.
    if case .text("") = node.content, node.textOffset == 0, what != "the file" { return [] }
    error(.badType, at: node, "\(what) is \(node.description)", expected: "a map of \(contents)")
    return nil
  }

  /// The elements of a list; a value that is no list is a list with one element.
  func elements(_ node: YAMLNode) -> [YAMLNode] {
    switch node.content {
    case .list(let values): values
    case .text("") where node.textOffset == 0: []
    default: [node]
    }
  }

  /// A text that says something; nil, with a problem, for anything else.
  func text(_ node: YAMLNode, _ what: String) -> String? {
    if let text = node.text, text.unicodeScalars.contains(where: { $0 != " " && $0 != "\t" }) {
      return text
    }
    error(.badType, at: node, "\(what) is \(node.description)", expected: "a text")
    return nil
  }
}
