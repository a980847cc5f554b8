// Makes tests of arguments from expressions: `where: kind in (draw, present) and count > 3`.

import TraceModel
import TraceRules

extension Reading {
  /// The expression of a value; nil, with a problem reported, if it is none.
  func expression(
    _ value: YAMLValue, _ what: String, _ code: RuleFileProblem.Code = .badWhere
  ) -> Expression? {
    guard let text = text(value, what) else { return nil }
    do throws(ExpressionError) {
      return try ExpressionParser.parse(text)
    } catch {
      self.error(
        code, at: place(of: value, at: error.offset), "\(what): \(error.message)",
        expected: error.expected, suggestion: error.suggestion)
      return nil
    }
  }

  /// A test of the arguments of an event of one of these kinds; empty: of any kind.
  func fieldTest(_ value: YAMLValue, of kinds: [EventKind]) -> FieldTest? {
    guard let expression = expression(value, "'where'") else { return nil }
    let reader = FieldTestReader(reading: self, value: value, kinds: kinds)
    let errorsBefore = errorCount
    let test = reader.test(expression)
    if let test, errorCount == errorsBefore, let why = Contradiction.of(test) {
      warning(
        .vacuous, at: place(of: value, at: expression.offset), "'where': no event passes: \(why)",
        expected: "a test that some event passes")
    }
    return test
  }
}

/// Gives the words of an expression their meaning as arguments of events.
struct FieldTestReader {
  let reading: Reading
  let value: YAMLValue
  let kinds: [EventKind]

  func test(_ expression: Expression) -> FieldTest? {
    switch expression {
    case .not(let part): return test(part).map { .not($0) }
    case .all(let parts): return tests(parts).map { .all($0) }
    case .any(let parts): return tests(parts).map { .any($0) }
    case .compare(let name, let comparison, let term):
      return compare(name, comparison, term)
    case .isIn(let name, let terms, let isNegated):
      let argument = argument(name)
      let texts = texts(terms)
      guard let argument, let texts else { return nil }
      for (text, term) in zip(texts, terms) where !isMismatched(argument, text, term) {
        warn(argument, text, term)
      }
      return isNegated ? .not(.isText(argument, texts)) : .isText(argument, texts)
    case .isInHeader(let name, let field, let isNegated):
      let argument = argument(name)
      let list = reading.headerField(field, .strings, in: value)
      guard let argument, let list else { return nil }
      return isNegated ? .isNotInHeader(argument, list) : .isInHeader(argument, list)
    case .matches(let name, let pattern):
      guard let argument = argument(name) else { return nil }
      refuse([.boolean], of: argument, at: name, "is true or false, and no text")
      guard let text = pattern.text else {
        report(pattern, "'\(pattern.shown)' is no text", expected: "a text with * and ?, in quotes")
        return nil
      }
      return .matches(argument, text)
    case .has(let name, _):
      report(name, "'has' is for lists of the header", expected: "'in' or '=='")
      return nil
    case .nested(let name, _):
      report(name, "'header' can't be asked in 'where'", expected: "'while'")
      return nil
    case .term(let term): return single(term)
    }
  }

  private func tests(_ parts: [Expression]) -> [FieldTest]? {
    let tests = parts.map { test($0) }
    let known = tests.compactMap { $0 }
    return known.count == tests.count ? known : nil
  }

  private func single(_ term: Term) -> FieldTest? {
    switch term.content {
    case .call("present", let terms) where terms.count == 1:
      return argument(terms[0]).map { .isPresent($0) }
    case .word:
      guard let argument = argument(term) else { return nil }
      refuse([.number, .text], of: argument, at: term, "isn't true or false")
      return .isTrue(argument)
    default:
      report(term, "'\(term.shown)' is no test", expected: "an argument and a comparison")
      return nil
    }
  }

  private func compare(_ name: Term, _ comparison: Comparison, _ term: Term) -> FieldTest? {
    guard let argument = argument(name) else { return nil }
    switch term.content {
    case .number, .parameter, .call:
      refuse([.boolean, .text], of: argument, at: term, "is no number")
      return amount(term).map { .compare(argument, comparison, $0) }
    case .word("true"), .word("false"):
      refuse([.number, .text], of: argument, at: term, "isn't true or false")
      let test: FieldTest = term.text == "true" ? .isTrue(argument) : .isFalse(argument)
      if comparison == .equal { return test }
      if comparison == .notEqual { return .not(test) }
    case .word(let text), .quoted(let text):
      if !isMismatched(argument, text, term) { warn(argument, text, term) }
      if comparison == .equal { return .isText(argument, [text]) }
      if comparison == .notEqual { return .not(.isText(argument, [text])) }
    }
    report(term, "texts can't be compared with \(comparison.rawValue)", expected: "a number")
    return nil
  }

  private func amount(_ term: Term) -> Amount? {
    switch term.content {
    case .number(let text):
      if let number = Int64(text) { return .fixed(number) }
      if let number = UInt64(text) { return .large(number) }
      report(term, "'\(PrintableScalars.shown(text))' is no whole number", expected: "digits only")
      return nil
    case .parameter(let name):
      return reading.parameter(name, at: reading.place(of: value, at: term.offset))
    case .call("argument", _):
      report(term, "two arguments can't be compared", expected: "a number or a parameter")
      return nil
    default:
      report(term, "'\(term.shown)' is no number", expected: "a number or a parameter")
      return nil
    }
  }

  private func texts(_ terms: [Term]) -> [String]? {
    var texts: [String] = []
    for term in terms {
      if let text = term.text {
        texts.append(text)
      } else {
        report(
          term, "'\(term.shown)' is no text", expected: "a word, or a text in quotes",
          suggestion: "\"\(term.shown)\"")
        return nil
      }
    }
    return texts
  }

  private func argument(_ term: Term) -> ArgumentName? {
    let place = reading.place(of: value, at: term.offset)
    guard case .word(let text) = term.content else {
      report(term, "'\(term.shown)' is no argument", expected: "the name of an argument")
      return nil
    }
    let near = reading.argumentNames(of: kinds)
    guard let name = reading.argument(text, at: place, among: near) else { return nil }
    if !near.isEmpty, !near.contains(text) {
      reading.error(
        .unknownArgument, at: place, "\(reading.shownKinds(kinds)) has no argument '\(text)'",
        expected: "one of \(near.joined(separator: ", "))",
        suggestion: reading.nearest(to: text, among: near))
      return nil
    }
    return name
  }

  /// Sorts of arguments that a test can't be asked of.
  private enum Sort { case boolean, number, text }

  /// What the vocabulary says that an argument of these kinds is; nil if it says several things.
  private func sort(_ argument: ArgumentName) -> Sort? {
    var sorts: Set<Sort> = []
    for kind in kinds {
      let described = Vocabulary.description(of: kind)?.arguments.first { $0.name == argument }
      switch described?.shape {
      case .boolean?: sorts.insert(.boolean)
      case .integer?, .token?, .number?: sorts.insert(.number)
      case .words?: sorts.insert(.text)
      // Texts may be numbers too.
      case .string?: return nil
      case nil: continue
      }
    }
    return sorts.count == 1 ? sorts.first : nil
  }

  private func refuse(
    _ sorts: Set<Sort>, of argument: ArgumentName, at term: Term, _ why: String
  ) {
    guard let sort = sort(argument), sorts.contains(sort) else { return }
    let name = argument.knownText ?? ""
    let expected =
      switch sort {
      case .boolean: "'\(name)', 'not \(name)' or '\(name) == false'"
      case .number: "a comparison with a number"
      case .text: "a comparison with a word"
      }
    report(term, "'\(name)' of \(reading.shownKinds(kinds)) \(why)", expected: expected)
  }

  /// Words that stand where a number is not known, or is no number.
  private static let wordsForNumbers: Set<String> = ["<private>", "now", "never", "none"]

  /// Reports a text with which an argument is compared that is none.
  private func isMismatched(_ argument: ArgumentName, _ text: String, _ term: Term) -> Bool {
    guard let sort = sort(argument), sort != .text else { return false }
    let name = argument.knownText ?? ""
    if sort == .number, Self.wordsForNumbers.contains(text) { return true }
    report(
      term,
      "'\(name)' of \(reading.shownKinds(kinds)) is"
        + " \(sort == .number ? "a number" : "true or false"), and never a text",
      expected: sort == .number ? "a number" : "true or false",
      suggestion: sort == .number
        ? (Int64(text) == nil ? nil : text)
        : ["yes", "on"].contains(text.lowercased())
          ? "true" : ["no", "off"].contains(text.lowercased()) ? "false" : nil)
    return true
  }

  /// Warns of a word that the vocabulary doesn't list for an argument of these kinds.
  private func warn(_ argument: ArgumentName, _ text: String, _ term: Term) {
    var words: [String] = []
    for kind in kinds {
      let described = Vocabulary.description(of: kind)?.arguments.first { $0.name == argument }
      guard let described else { continue }
      guard case .words(let some) = described.shape else { return }
      words += some
    }
    guard !words.isEmpty, !words.contains(text) else { return }
    let nearest = reading.nearest(to: text, among: words)
    reading.warning(
      .vacuous, at: reading.place(of: value, at: term.offset),
      "'\(argument.knownText ?? "")' is never '\(PrintableScalars.shown(text))'",
      expected: nearest == nil ? "one of \(words.joined(separator: ", "))" : "",
      suggestion: nearest)
  }

  private func report(
    _ term: Term, _ message: String, expected: String, suggestion: String? = nil
  ) {
    reading.error(
      .badWhere, at: reading.place(of: value, at: term.offset), "'where': \(message)",
      expected: expected, suggestion: suggestion)
  }
}

extension Reading {
  /// The arguments that the vocabulary gives events of these kinds.
  func argumentNames(of kinds: [EventKind]) -> [String] {
    var names: [String] = []
    for kind in kinds {
      for argument in Vocabulary.description(of: kind)?.arguments ?? [] {
        if let text = argument.name.knownText, !names.contains(text) { names.append(text) }
      }
    }
    return names
  }

  func shownKinds(_ kinds: [EventKind]) -> String {
    let names = kinds.prefix(3).compactMap { Vocabulary.description(of: $0)?.name }
    return names.joined(separator: ", ") + (kinds.count > 3 ? ", …" : "")
  }
}
