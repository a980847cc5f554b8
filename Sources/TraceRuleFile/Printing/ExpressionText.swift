// Writes tests and conditions as expressions, which read back as the same tree.

import TraceLifecycle
import TraceModel
import TraceRules

/// The text of expressions.
enum ExpressionText {
  static func text(_ test: FieldTest) -> String {
    switch test {
    case .isText(let name, let texts): return isOneOf(argument(name), texts, negated: false)
    case .isTrue(let name): return argument(name)
    case .isFalse(let name): return "\(argument(name)) == false"
    case .isPresent(let name): return "present(\(argument(name)))"
    case .compare(let name, let comparison, let amount):
      return "\(argument(name)) \(comparison.rawValue) \(self.amount(amount))"
    case .matches(let name, let pattern): return "\(argument(name)) matches \(quoted(pattern))"
    case .isInHeader(let name, let field): return "\(argument(name)) in header.\(field.name)"
    case .isNotInHeader(let name, let field):
      return "\(argument(name)) not in header.\(field.name)"
    case .not(.isText(let name, let texts)):
      return isOneOf(argument(name), texts, negated: true)
    case .not(let part): return "not \(operand(text(part), isBinary(part)))"
    case .all(let parts):
      return joined("and", "all", parts.map { operand(text($0), isBinary($0)) })
    case .any(let parts):
      return joined("or", "any", parts.map { operand(text($0), isBinary($0)) })
    }
  }

  static func text(_ condition: Condition) -> String {
    switch condition {
    case .phase(let states): return isOneOf("phase", words(states), negated: false)
    case .wasPhase(let states): return isOneOf("was_phase", words(states), negated: false)
    case .mayRun, .isLocked, .isRefreshOff, .wasLaunchedIntoBackground, .isOnMain:
      return Names.word(condition, in: ConditionReader.words)
    case .hasReason(let reasons):
      let words = Names.reasons.filter { reasons.contains($0.1) }.map(\.0)
      return isOneOf("reason", words, negated: false)
    case .header(let test): return "header(\(text(test)))"
    case .fact(let name): return "fact(\(word(name)))"
    case .factOf(let name, let key):
      return "fact(\(([word(name)] + key.map { field($0) }).joined(separator: ", ")))"
    case .isTold(let name): return "told(\(field(.argument(name))))"
    case .anyFact(let name): return "any_fact(\(word(name)))"
    case .not(.phase(let states)): return isOneOf("phase", words(states), negated: true)
    case .not(let part): return "not \(operand(text(part), isBinary(part)))"
    case .all(let parts):
      return joined("and", "all", parts.map { operand(text($0), isBinary($0)) })
    case .any(let parts):
      return joined("or", "any", parts.map { operand(text($0), isBinary($0)) })
    }
  }

  static func text(_ test: HeaderTest) -> String {
    switch test {
    case .isTrue(let field): return field.name
    case .isFalse(let field): return "\(field.name) == false"
    case .isText(let field, let texts): return isOneOf(field.name, texts, negated: false)
    case .has(let field, let text): return "\(field.name) has \(word(text))"
    case .isSet(let field): return "is_set(\(field.name))"
    case .declares(let field): return "declares(\(field.name))"
    case .system(let major, let minor): return "system >= \(major).\(minor)"
    case .sdk(let major, let minor): return "sdk >= \(major).\(minor)"
    case .profile(let profiles):
      return isOneOf("profile", profiles.map(\.rawValue), negated: false)
    case .hasUnknownMode: return "has_unknown_mode"
    case .not(let part): return "not \(operand(text(part), isBinary(part)))"
    case .all(let parts):
      return joined("and", "all", parts.map { operand(text($0), isBinary($0)) })
    case .any(let parts):
      return joined("or", "any", parts.map { operand(text($0), isBinary($0)) })
    }
  }

  static func amount(_ amount: Amount) -> String {
    switch amount {
    case .parameter(let name): "$\(name)"
    case .fixed(let number): "\(number)"
    case .large(let number): "\(number)"
    case .argument(let name, let unit):
      "argument(\(argument(name)), \(DurationWords.text(unit)))"
    }
  }

  static func argument(_ name: ArgumentName) -> String { name.knownText ?? "\(name.rawValue)" }

  static func field(_ field: KeyField) -> String {
    switch field {
    case .thread: "thread"
    case .argument(.thread): "arg.thread"
    case .argument(let name): argument(name)
    }
  }

  private static func words(_ states: Set<LifecycleState>) -> [String] {
    Names.states.filter { states.contains($0.1) }.map(\.0)
  }

  /// One value with ==, several in parentheses.
  private static func isOneOf(_ name: String, _ texts: [String], negated: Bool) -> String {
    if texts.count == 1 { return "\(name) \(negated ? "!=" : "==") \(word(texts[0]))" }
    let list = texts.map { word($0) }.joined(separator: ", ")
    return "\(name) \(negated ? "not in" : "in") (\(list))"
  }

  /// Parts of one kind in a row; fewer than two in parentheses behind a word.
  private static func joined(_ word: String, _ function: String, _ parts: [String]) -> String {
    parts.count < 2
      ? "\(function)(\(parts.joined()))" : parts.joined(separator: " \(word) ")
  }

  private static func operand(_ text: String, _ isBinary: Bool) -> String {
    isBinary ? "(\(text))" : text
  }

  private static func isBinary(_ test: FieldTest) -> Bool {
    switch test {
    case .all(let parts): parts.count > 1
    case .any(let parts): parts.count > 1
    default: false
    }
  }

  private static func isBinary(_ condition: Condition) -> Bool {
    switch condition {
    case .all(let parts): parts.count > 1
    case .any(let parts): parts.count > 1
    default: false
    }
  }

  private static func isBinary(_ test: HeaderTest) -> Bool {
    switch test {
    case .all(let parts): parts.count > 1
    case .any(let parts): parts.count > 1
    default: false
    }
  }

  /// A text as a word if it is one, else in quotes.
  private static func word(_ text: String) -> String {
    let isWord =
      text.unicodeScalars.first.map { ExpressionTokens.isWordStart($0) } == true
      && text.unicodeScalars.allSatisfy { ExpressionTokens.isWordPart($0) }
      && !ExpressionParser.reserved.contains(text)
    return isWord ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
