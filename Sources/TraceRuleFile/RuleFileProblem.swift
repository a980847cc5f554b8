// What is wrong with a file of rules, and where.

/// What is wrong at one place of a file of rules.
public struct RuleFileProblem: Hashable, Sendable {
  /// The kind of the mistake; the raw value is shown in brackets and never changes.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    case notYAML = "not-yaml"
    case tooLarge = "too-large"
    case tooDeep = "too-deep"
    case tooMany = "too-many"
    case noAliases = "no-aliases"
    case noTags = "no-tags"
    case needsQuotes = "needs-quotes"
    case badVersion = "bad-version"
    case unknownKey = "unknown-key"
    case misplacedKey = "misplaced-key"
    case missingKey = "missing-key"
    case duplicateKey = "duplicate-key"
    case duplicateID = "duplicate-id"
    case badID = "bad-id"
    case badType = "bad-type"
    case badWord = "bad-word"
    case badNumber = "bad-number"
    case badDuration = "bad-duration"
    case numberWithoutUnit = "number-without-unit"
    case badSeverity = "bad-severity"
    case badWhere = "bad-where"
    case badMessage = "bad-message"
    case noPattern = "no-pattern"
    case twoPatterns = "two-patterns"
    case twoScopes = "two-scopes"
    case unknownEvent = "unknown-event"
    case unknownArgument = "unknown-argument"
    case unknownField = "unknown-field"
    case unknownState = "unknown-state"
    case unknownFact = "unknown-fact"
    case unknownParameter = "unknown-parameter"
    case unusedParameter = "unused-parameter"
    case unreachableState = "unreachable-state"
    case unsupported
    case vacuous
  }

  public enum Level: String, Hashable, Sendable {
    /// The rule can't be used.
    case error
    /// The rule works, but hardly as it was meant.
    case warning
  }

  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in Unicode scalars.
  public var column: Int
  public var level: Level
  public var code: Code
  /// The id of the rule it is in; nil outside rules.
  public var rule: String?
  /// What was read.
  public var message: String
  /// What was expected; empty where the message says it.
  public var expected: String
  /// What was probably meant, to be written in place of what was read.
  public var suggestion: String?
  /// The part of the line around the place, without indentation, printable.
  public var sourceLine: String
  /// How many characters of ``sourceLine`` are before the place.
  public var caretOffset: Int
}

extension RuleFileProblem {
  /// The first line of the report: place, level, code, rule, what was read, what was expected.
  public var headline: String {
    let subject = rule.map { "rule '\($0)': " } ?? ""
    let rest = expected.isEmpty ? "" : "; expected \(expected)"
    return "\(file):\(line):\(column): \(level.rawValue)[\(code.rawValue)]: "
      + "\(subject)\(message)\(rest)"
  }

  /// The headline, the line of the file, and a caret below the place with the suggestion.
  public var text: String {
    guard !sourceLine.isEmpty else {
      return headline + (suggestion.map { "\n    did you mean '\($0)'?" } ?? "")
    }
    let meant = suggestion.map { " did you mean '\($0)'?" } ?? ""
    let space = String(repeating: " ", count: caretOffset)
    return "\(headline)\n    \(sourceLine)\n    \(space)^\(meant)"
  }
}

/// Text that a terminal shows as it is, one column for each scalar where that is possible.
enum PrintableScalars {
  /// Scalars that move the cursor, or the text around them, become question marks.
  static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var result = String.UnicodeScalarView()
    for scalar in scalars { result.append(isPrintable(scalar) ? scalar : "?") }
    return String(result)
  }

  /// What was read, shortened for a message.
  static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let head = Self.text(scalars.prefix(RuleFileLimits.shownScalarsMax))
    return scalars.count > RuleFileLimits.shownScalarsMax ? head + "…" : head
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
}
