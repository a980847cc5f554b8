// What one reading of a file collects: problems, and the names that the rule at hand declares.

import TraceModel
import TraceRules

/// The state of one reading. A class, because every part of the reader adds to the same list of
/// problems.
final class Reading {
  let file: String
  private(set) var problems: [RuleFileProblem] = []
  /// The id of the rule that is read.
  var rule: String?
  /// The parameters of the rule that is read, and those that something referred to.
  var parameterNames: [String] = []
  var parameters: [String: DeclaredParameter] = [:]
  var usedParameters: Set<String> = []
  /// The facts of the rule that is read, and those that a condition asked for.
  var factNames: [String] = []
  /// How many fields the keys of the facts have.
  var factKeyCounts: [String: Int] = [:]
  /// Rules that rules of the file speak of, and where.
  var named: [(rule: String, place: Place)] = []
  /// Kinds of the app's own: those that the file declares, and those that its rules spoke of.
  var declaredKinds: Set<String> = []
  var ownKinds: Set<String> = []
  private let lines: [[Unicode.Scalar]]

  init(file: String, lines: [[Unicode.Scalar]]) {
    self.file = file
    self.lines = lines
  }

  /// Whether nothing more is reported.
  var isFull: Bool { problems.count >= RuleFileLimits.problemsMax }
  var errorCount: Int { problems.count { $0.level == .error } }

  /// A line as it was written.
  func line(_ number: Int) -> String {
    guard lines.indices.contains(number - 1) else { return "" }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: lines[number - 1])
    return String(view)
  }

  func error(
    _ code: RuleFileProblem.Code, at place: Place, _ message: String, expected: String = "",
    suggestion: String? = nil
  ) {
    add(.error, code, at: place, message, expected, suggestion)
  }

  func warning(
    _ code: RuleFileProblem.Code, at place: Place, _ message: String, expected: String = "",
    suggestion: String? = nil
  ) {
    add(.warning, code, at: place, message, expected, suggestion)
  }

  /// The name that was probably meant; not looked for where it wouldn't be shown.
  func nearest(
    to name: String, among names: some Sequence<String>, divisor: Int = 3
  ) -> String? {
    isFull ? nil : NameSuggestion.nearest(to: name, among: names, divisor: divisor)
  }

  /// Reports a word that isn't one of those that are known, with the nearest of them.
  func unknown(
    _ code: RuleFileProblem.Code, _ what: String, _ word: String, at place: Place,
    among names: some Sequence<String>
  ) {
    if isFull { return }
    let nearest = nearest(to: word, among: names)
    let listed = Array(names.prefix(13))
    let expected =
      listed.count <= 12 && nearest == nil ? listed.joined(separator: ", ") : ""
    error(
      code, at: place, "no \(what) '\(PrintableScalars.shown(word))'",
      expected: expected.isEmpty ? "" : (listed.count == 1 ? expected : "one of \(expected)"),
      suggestion: nearest)
  }

  /// A name for a fact that the file doesn't use.
  func freshFact(_ name: String) -> String {
    factNames.contains(name) ? freshFact(name + "'") : name
  }

  /// Names the rules in which problems of the text itself are, and tells which rules have errors.
  func attribute(to elements: [YAMLValue]) -> Set<Int> {
    var faulty: Set<Int> = []
    for index in problems.indices {
      let place = Place(line: problems[index].line, column: problems[index].column)
      guard let element = elements.lastIndex(where: { $0.place <= place }) else { continue }
      if problems[index].level == .error { faulty.insert(element) }
      if problems[index].rule == nil, problems[index].code != .tooMany {
        let id = elements[element].entries?.first { $0.key == "id" }?.value.text
        problems[index].rule = id.map { PrintableScalars.shown($0) }
      }
    }
    return faulty
  }

  /// What a parameter was declared as.
  struct DeclaredParameter {
    var unit: RuleParameter.Unit
    var value: Int64?
    /// Where its number stands, if that is all that is said of it.
    var number: (text: String, place: Place)?
  }

  private func add(
    _ level: RuleFileProblem.Level, _ code: RuleFileProblem.Code, at place: Place,
    _ message: String, _ expected: String, _ suggestion: String?
  ) {
    if isFull || isReported(code, at: place, message) { return }
    let isLast = problems.count == RuleFileLimits.problemsMax - 1
    let excerpt = excerpt(at: place)
    problems.append(
      RuleFileProblem(
        file: file, line: place.line, column: place.column, level: isLast ? .error : level,
        code: isLast ? .tooMany : code, rule: isLast ? nil : rule,
        message: isLast ? "more problems are not shown" : message,
        expected: isLast ? "" : expected,
        suggestion: isLast
          ? nil : suggestion.flatMap { PrintableScalars.shown($0) == $0 ? $0 : nil },
        sourceLine: excerpt.text, caretOffset: excerpt.caret))
  }

  /// Whether something is wrong already with what stands at a place.
  func isRefused(at place: Place) -> Bool {
    problems.contains { $0.line == place.line && $0.column == place.column }
  }

  /// Whether the same was said before: some values are read twice.
  private func isReported(
    _ code: RuleFileProblem.Code, at place: Place, _ message: String
  ) -> Bool {
    problems.contains {
      $0.line == place.line && $0.column == place.column && $0.code == code
        && $0.message == message
    }
  }

  /// The place of a character of a scalar, which may go over several lines. Escapes in quotes
  /// aren't looked at.
  func place(of value: YAMLValue, at offset: Int) -> Place {
    guard case .scalar(_, let style) = value.content else { return value.place }
    var place = value.place
    var rest = offset
    switch style {
    case .plain: break
    case .quoted: place.column += 1
    case .block: place = beginning(ofLine: place.line + 1)
    }
    while lines.indices.contains(place.line - 1) {
      let line = lines[place.line - 1]
      let end = line.count - line.reversed().prefix { $0 == " " }.count
      let length = max(0, end - place.column + 1)
      if rest <= length { return place.moved(by: rest) }
      rest -= length + 1
      place = beginning(ofLine: place.line + 1)
    }
    return value.place
  }

  private func beginning(ofLine number: Int) -> Place {
    guard lines.indices.contains(number - 1) else { return Place(line: number, column: 1) }
    let indentation = lines[number - 1].prefix { $0 == " " || $0 == "\t" }.count
    return Place(line: number, column: indentation + 1)
  }

  /// The part of a line around a place, without indentation, and how many characters are before
  /// the place.
  private func excerpt(at place: Place) -> (text: String, caret: Int) {
    guard lines.indices.contains(place.line - 1) else { return ("", 0) }
    let line = lines[place.line - 1]
    let column = min(place.column - 1, line.count)
    let indentation = line.prefix { $0 == " " || $0 == "\t" }.count
    let start = max(min(indentation, column), column - RuleFileLimits.lineScalarsMax / 2)
    let shown = line.dropFirst(start).prefix(RuleFileLimits.lineScalarsMax)
    return (PrintableScalars.text(shown), column - start)
  }
}
