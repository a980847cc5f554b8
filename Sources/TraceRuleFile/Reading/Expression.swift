// Expressions such as `phase == background and not may_run`: words, comparisons, and, or, not.
// This file must not know what the words mean.

import TraceRules

/// A word or a value of an expression, and the character at which it begins.
struct Term {
  indirect enum Content {
    case word(String)
    case quoted(String)
    /// Digits, perhaps with a sign, a dot, and letters behind them.
    case number(String)
    /// `$limit`.
    case parameter(String)
    /// `argument(limit_s, 1s)`, or another word with words in parentheses.
    case call(String, [Term])
  }

  var content: Content
  var offset: Int

  /// The text of a word or of a quoted text.
  var text: String? {
    switch content {
    case .word(let text), .quoted(let text): text
    case .number, .parameter, .call: nil
    }
  }

  /// As it was written, more or less.
  var shown: String {
    switch content {
    case .word(let text), .number(let text): text
    case .quoted(let text): "\"\(text)\""
    case .parameter(let name): "$\(name)"
    case .call(let name, _): "\(name)(…)"
    }
  }
}

/// An expression as it was written; what its words mean depends on where it stands.
indirect enum Expression {
  case not(Expression)
  case all([Expression])
  case any([Expression])
  case compare(Term, Comparison, Term)
  case isIn(Term, [Term], negated: Bool)
  /// `name in header.field`.
  case isInHeader(Term, field: Term, negated: Bool)
  case matches(Term, Term)
  /// `background_modes has location`.
  case has(Term, Term)
  /// `header(…)`: an expression in parentheses behind a word.
  case nested(Term, Expression)
  case term(Term)

  /// Where the expression begins.
  var offset: Int {
    switch self {
    case .not(let part), .nested(_, let part): part.offset
    case .all(let parts), .any(let parts): parts.first?.offset ?? 0
    case .compare(let term, _, _), .isIn(let term, _, _), .isInHeader(let term, _, _),
      .matches(let term, _), .has(let term, _), .term(let term):
      term.offset
    }
  }
}

/// Why a text is no expression.
struct ExpressionError: Error {
  var offset: Int
  var message: String
  var expected: String
  var suggestion: String?
}

/// Reads an expression from the tokens of a text.
struct ExpressionParser {
  private var tokens: ExpressionTokens
  private var depth = 0

  static let reserved: Set<String> = ["and", "or", "not", "in", "matches", "has", "true", "false"]

  static func parse(_ text: String) throws(ExpressionError) -> Expression {
    var parser = ExpressionParser(tokens: try ExpressionTokens(text))
    let expression = try parser.disjunction()
    guard parser.tokens.next == nil else {
      throw parser.unexpected("'and', 'or' or the end")
    }
    return expression
  }

  private init(tokens: ExpressionTokens) { self.tokens = tokens }

  private func unexpected(_ expected: String) -> ExpressionError {
    guard let next = tokens.next else {
      return ExpressionError(
        offset: tokens.endOffset, message: "the expression ends too early", expected: expected)
    }
    return ExpressionError(
      offset: next.offset, message: "'\(PrintableScalars.shown(next.text))' doesn't belong here",
      expected: expected, suggestion: next.meant)
  }

  private mutating func disjunction() throws(ExpressionError) -> Expression {
    var parts = [try conjunction()]
    while tokens.take(word: "or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(ExpressionError) -> Expression {
    var parts = [try negation()]
    while tokens.take(word: "and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(ExpressionError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= RuleFileLimits.expressionDepthMax else {
      throw ExpressionError(
        offset: tokens.next?.offset ?? tokens.endOffset, message: "the expression is too deep",
        expected: "at most \(RuleFileLimits.expressionDepthMax) parts inside each other")
    }
    if tokens.take(word: "not") { return .not(try negation()) }
    if tokens.take(symbol: "(") {
      let inner = try disjunction()
      guard tokens.take(symbol: ")") else { throw unexpected("')'") }
      return inner
    }
    if let next = tokens.next, case .word(let name) = next.content,
      tokens.isFollowed(by: "("), ["all", "any", "header"].contains(name)
    {
      tokens.advance()
      tokens.advance()
      return try nested(name, at: next.offset)
    }
    return try comparison()
  }

  /// What stands in the parentheses behind `all`, `any` and `header`.
  private mutating func nested(
    _ name: String, at offset: Int
  ) throws(ExpressionError) -> Expression {
    var parts: [Expression] = []
    if !tokens.take(symbol: ")") {
      repeat { parts.append(try disjunction()) } while tokens.take(symbol: ",")
      guard tokens.take(symbol: ")") else { throw unexpected("')' or ','") }
    }
    switch name {
    case "all": return .all(parts)
    case "any": return .any(parts)
    default:
      guard parts.count == 1 else {
        throw ExpressionError(
          offset: offset, message: "'header(…)' holds \(parts.count) tests", expected: "one test")
      }
      return .nested(Term(content: .word(name), offset: offset), parts[0])
    }
  }

  private mutating func comparison() throws(ExpressionError) -> Expression {
    let left = try term("a name, 'not' or '('")
    if let comparison = tokens.takeComparison() {
      return .compare(left, comparison, try term("a value"))
    }
    if tokens.take(word: "matches") { return .matches(left, try term("a text with * and ?")) }
    if tokens.take(word: "has") { return .has(left, try term("a text")) }
    let isNegated = tokens.isNegatedIn
    if isNegated { tokens.advance() }
    guard tokens.take(word: "in") else { return .term(left) }
    if let next = tokens.next, case .word(let name) = next.content, name.hasPrefix("header.") {
      tokens.advance()
      let field = Term(content: .word(String(name.dropFirst(7))), offset: next.offset + 7)
      return .isInHeader(left, field: field, negated: isNegated)
    }
    return .isIn(left, try list(), negated: isNegated)
  }

  private mutating func list() throws(ExpressionError) -> [Term] {
    let close: Unicode.Scalar
    if tokens.take(symbol: "(") {
      close = ")"
    } else if tokens.take(symbol: "[") {
      close = "]"
    } else {
      throw unexpected("a list in parentheses, such as (a, b)")
    }
    var terms: [Term] = []
    if tokens.take(symbol: close) { return terms }
    repeat { terms.append(try term("a value")) } while tokens.take(symbol: ",")
    guard tokens.take(symbol: close) else { throw unexpected("',' or '\(close)'") }
    return terms
  }

  private mutating func term(_ expected: String) throws(ExpressionError) -> Term {
    guard let next = tokens.next else { throw unexpected(expected) }
    switch next.content {
    case .symbol, .comparison: throw unexpected(expected)
    case .number(let text):
      tokens.advance()
      return Term(content: .number(text), offset: next.offset)
    case .parameter(let name):
      tokens.advance()
      return Term(content: .parameter(name), offset: next.offset)
    case .quoted(let text):
      tokens.advance()
      return Term(content: .quoted(text), offset: next.offset)
    case .word(let name):
      if ExpressionParser.reserved.subtracting(["true", "false"]).contains(name) {
        throw unexpected(expected)
      }
      tokens.advance()
      guard tokens.take(symbol: "(") else { return Term(content: .word(name), offset: next.offset) }
      var terms: [Term] = []
      if !tokens.take(symbol: ")") {
        depth += 1
        defer { depth -= 1 }
        guard depth <= RuleFileLimits.expressionDepthMax else {
          throw unexpected("no more than \(RuleFileLimits.expressionDepthMax) parentheses")
        }
        repeat { terms.append(try term("a name")) } while tokens.take(symbol: ",")
        guard tokens.take(symbol: ")") else { throw unexpected("')' or ','") }
      }
      return Term(content: .call(name, terms), offset: next.offset)
    }
  }
}
