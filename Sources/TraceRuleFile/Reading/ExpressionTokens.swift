// The tokens of an expression.

import TraceRules

/// The words, values and symbols of a text, one after the other.
struct ExpressionTokens {
  struct Token {
    enum Content {
      case word(String)
      case quoted(String)
      case number(String)
      case parameter(String)
      case comparison(Comparison)
      case symbol(Unicode.Scalar)
    }

    var content: Content
    var offset: Int
    var text: String

    /// What was probably meant by a token that doesn't belong where it is.
    var meant: String? {
      switch text {
      case "&&", "AND", "And": "and"
      case "||", "OR", "Or": "or"
      case "!", "NOT", "Not": "not"
      case "=": "=="
      case "===": "=="
      case "<>", "=!": "!="
      case "=>": ">="
      case "=<": "<="
      default: nil
      }
    }
  }

  private var tokens: [Token] = []
  private var position = 0
  let endOffset: Int

  init(_ text: String) throws(ExpressionError) {
    let scalars = Array(text.unicodeScalars)
    endOffset = scalars.count
    var index = 0
    while index < scalars.count {
      let start = index
      let scalar = scalars[index]
      if scalar == " " || scalar == "\t" || scalar == "\n" {
        index += 1
      } else if scalar == "\"" || scalar == "'" {
        let text = try Self.quoted(scalars, &index)
        tokens.append(Token(content: .quoted(text), offset: start, text: text))
      } else if Self.isWordStart(scalar) {
        let word = Self.run(scalars, &index, Self.isWordPart)
        tokens.append(Token(content: .word(word), offset: start, text: word))
      } else if scalar == "$" {
        index += 1
        let name = Self.run(scalars, &index, Self.isWordPart)
        tokens.append(Token(content: .parameter(name), offset: start, text: "$" + name))
      } else if Self.isDigit(scalar)
        || (scalar == "-" && index + 1 < scalars.count && Self.isDigit(scalars[index + 1]))
      {
        index += 1
        let rest = Self.run(scalars, &index, Self.isWordPart)
        let number = String(scalar) + rest
        tokens.append(Token(content: .number(number), offset: start, text: number))
      } else if "()[],".unicodeScalars.contains(scalar) {
        index += 1
        tokens.append(Token(content: .symbol(scalar), offset: start, text: String(scalar)))
      } else {
        try appendComparison(scalars, &index)
      }
    }
  }

  /// The token that is read next; nil at the end.
  var next: Token? { position < tokens.count ? tokens[position] : nil }

  mutating func advance() { position += 1 }

  mutating func take(word: String) -> Bool {
    guard case .word(word)? = next?.content else { return false }
    position += 1
    return true
  }

  mutating func take(symbol: Unicode.Scalar) -> Bool {
    guard case .symbol(symbol)? = next?.content else { return false }
    position += 1
    return true
  }

  mutating func takeComparison() -> Comparison? {
    guard case .comparison(let comparison)? = next?.content else { return nil }
    position += 1
    return comparison
  }

  /// Whether the token after the next is this symbol.
  func isFollowed(by symbol: Unicode.Scalar) -> Bool {
    guard position + 1 < tokens.count, case .symbol(symbol) = tokens[position + 1].content else {
      return false
    }
    return true
  }

  /// Whether `not in` comes next.
  var isNegatedIn: Bool {
    guard position + 1 < tokens.count, case .word("not") = tokens[position].content,
      case .word("in") = tokens[position + 1].content
    else { return false }
    return true
  }

  private mutating func appendComparison(
    _ scalars: [Unicode.Scalar], _ index: inout Int
  ) throws(ExpressionError) {
    let start = index
    let symbols = Set("=!<>&|".unicodeScalars)
    let text = Self.run(scalars, &index) { symbols.contains($0) }
    if let comparison = Comparison(rawValue: text) {
      tokens.append(Token(content: .comparison(comparison), offset: start, text: text))
      return
    }
    let read = text.isEmpty ? String(scalars[start]) : text
    let token = Token(content: .symbol("?"), offset: start, text: read)
    throw ExpressionError(
      offset: start, message: "'\(PrintableScalars.shown(read))' has no meaning here",
      expected: token.meant == nil ? "names, == != < <= > >=, in, matches, and, or, not" : "",
      suggestion: token.meant)
  }

  private static func quoted(
    _ scalars: [Unicode.Scalar], _ index: inout Int
  ) throws(ExpressionError) -> String {
    let start = index
    let quote = scalars[index]
    var view = String.UnicodeScalarView()
    index += 1
    while index < scalars.count, scalars[index] != quote {
      if scalars[index] == "\\", index + 1 < scalars.count { index += 1 }
      view.append(scalars[index])
      index += 1
    }
    guard index < scalars.count else {
      throw ExpressionError(offset: start, message: "a text has no end", expected: "\(quote)")
    }
    index += 1
    return String(view)
  }

  private static func run(
    _ scalars: [Unicode.Scalar], _ index: inout Int, _ belongs: (Unicode.Scalar) -> Bool
  ) -> String {
    var view = String.UnicodeScalarView()
    while index < scalars.count, belongs(scalars[index]) {
      view.append(scalars[index])
      index += 1
    }
    return String(view)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    isWordStart(scalar) || isDigit(scalar) || scalar == "." || scalar == "-"
  }
}
