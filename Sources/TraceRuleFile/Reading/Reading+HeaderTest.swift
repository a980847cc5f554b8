// Makes tests of the header from expressions: `background_modes has audio and system >= 8.0`.

import TraceLifecycle
import TraceModel
import TraceRules

extension Reading {
  func headerTest(_ value: YAMLValue, _ what: String) -> HeaderTest? {
    guard let expression = expression(value, what) else { return nil }
    return HeaderTestReader(reading: self, value: value).test(expression)
  }

  /// A field of the header, of one type if one is asked for.
  func headerField(_ term: Term, _ type: HeaderType?, in value: YAMLValue) -> HeaderField? {
    let place = place(of: value, at: term.offset)
    let name = term.text ?? term.shown
    guard let field = HeaderField.named(name) else {
      unknown(.unknownField, "header field", name, at: place, among: Names.headerFields)
      return nil
    }
    guard let type, field.type != type else { return field }
    error(
      .badWhere, at: place, "the header field '\(name)' is of type \(field.type.rawValue)",
      expected: "a field of type \(type.rawValue)")
    return nil
  }
}

/// Gives the words of an expression their meaning as header fields.
struct HeaderTestReader {
  let reading: Reading
  let value: YAMLValue

  func test(_ expression: Expression) -> HeaderTest? {
    switch expression {
    case .not(let part): return test(part).map { .not($0) }
    case .all(let parts): return tests(parts).map { .all($0) }
    case .any(let parts): return tests(parts).map { .any($0) }
    case .compare(let name, let comparison, let term): return compare(name, comparison, term)
    case .isIn(let name, let terms, let isNegated):
      return isOneOf(name, terms).map { isNegated ? .not($0) : $0 }
    case .has(let name, let term):
      guard let field = reading.headerField(name, .strings, in: value) else { return nil }
      reading.warnOfMode(
        term.text ?? term.shown, field, at: reading.place(of: value, at: term.offset))
      return .has(field, term.text ?? term.shown)
    case .isInHeader(let name, _, _), .matches(let name, _), .nested(let name, _):
      report(name, "the header can't be asked so", expected: "==, in or has")
      return nil
    case .term(let term): return single(term)
    }
  }

  private func tests(_ parts: [Expression]) -> [HeaderTest]? {
    let tests = parts.map { test($0) }
    let known = tests.compactMap { $0 }
    return known.count == tests.count ? known : nil
  }

  private func single(_ term: Term) -> HeaderTest? {
    switch term.content {
    case .call("is_set", let terms) where terms.count == 1:
      return reading.headerField(terms[0], nil, in: value).map { .isSet($0) }
    case .call("declares", let terms) where terms.count == 1:
      return reading.headerField(terms[0], nil, in: value).map { .declares($0) }
    case .word("has_unknown_mode"): return .hasUnknownMode
    default: return reading.headerField(term, .boolean, in: value).map { .isTrue($0) }
    }
  }

  private func compare(_ name: Term, _ comparison: Comparison, _ term: Term) -> HeaderTest? {
    if case .word(let word) = name.content, word == "system" || word == "sdk" {
      guard comparison == .atLeast else {
        report(name, "'\(word)' is compared with \(comparison.rawValue)", expected: ">=")
        return nil
      }
      return version(term).map { word == "system" ? .system($0, $1) : .sdk($0, $1) }
    }
    guard comparison == .equal || comparison == .notEqual else {
      report(name, "the header is compared with \(comparison.rawValue)", expected: "== or !=")
      return nil
    }
    let test: HeaderTest?
    switch term.content {
    case .word("true"):
      test = reading.headerField(name, .boolean, in: value).map { .isTrue($0) }
    case .word("false"):
      test = reading.headerField(name, .boolean, in: value).map { .isFalse($0) }
    default: test = isOneOf(name, [term])
    }
    return test.map { comparison == .equal ? $0 : .not($0) }
  }

  private func isOneOf(_ name: Term, _ terms: [Term]) -> HeaderTest? {
    if case .word("profile") = name.content {
      var profiles: [Profile] = []
      for term in terms {
        let text = term.text ?? term.shown
        if let profile = Profile(rawValue: text) {
          profiles.append(profile)
        } else {
          reading.unknown(
            .badWord, "profile", text, at: reading.place(of: value, at: term.offset),
            among: Names.profiles.map(\.0))
        }
      }
      return profiles.count == terms.count ? .profile(profiles) : nil
    }
    guard let field = reading.headerField(name, .string, in: value) else { return nil }
    return .isText(field, terms.map { $0.text ?? $0.shown })
  }

  private func version(_ term: Term) -> (Int, Int)? {
    if case .number(let text) = term.content {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Int($0) }
      if numbers.count == parts.count, (1...2).contains(numbers.count),
        numbers.allSatisfy({ (0...9_999).contains($0) })
      {
        return (numbers[0], numbers.count == 2 ? numbers[1] : 0)
      }
    }
    report(term, "'\(term.shown)' is no version", expected: "a version such as 8.1")
    return nil
  }

  private func report(_ term: Term, _ message: String, expected: String) {
    reading.error(
      .badWhere, at: reading.place(of: value, at: term.offset), message, expected: expected)
  }
}
