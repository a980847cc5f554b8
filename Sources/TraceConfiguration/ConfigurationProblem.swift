// What is wrong with a configuration file, and where.

import TraceRuleFile

/// What is wrong at one place of a configuration file.
public struct ConfigurationProblem: Hashable, Sendable {
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
    case missingKey = "missing-key"
    case duplicateKey = "duplicate-key"
    case badType = "bad-type"
    case badWord = "bad-word"
    case unknownRule = "unknown-rule"
    case unknownParameter = "unknown-parameter"
    case unknownProfile = "unknown-profile"
    case badSeverity = "bad-severity"
    case badNumber = "bad-number"
    case badDuration = "bad-duration"
    case numberWithoutUnit = "number-without-unit"
    case badPattern = "bad-pattern"
    case unknownEvent = "unknown-event"
    case unknownArgument = "unknown-argument"
    case unknownField = "unknown-field"
    case badValue = "bad-value"
    case badFingerprint = "bad-fingerprint"
    case badDate = "bad-date"
    case expiredSuppression = "expired-suppression"
  }

  public enum Level: String, Hashable, Sendable {
    case error, warning
  }

  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in Unicode scalars.
  public var column: Int
  public var level: Level
  public var code: Code
  /// What was read.
  public var message: String
  /// What was expected; empty where the message says it.
  public var expected: String
  /// What was probably meant, to be written in place of what was read.
  public var suggestion: String?
  /// The line of the file, a caret below the place, and what was probably meant; begins with a
  /// line feed if it isn't empty.
  public var excerpt: String

  /// The first line of the report: place, level, code, what was read, what was expected.
  public var headline: String {
    let rest = expected.isEmpty ? "" : "; expected \(expected)"
    return "\(file):\(line):\(column): \(level.rawValue)[\(code.rawValue)]: \(message)\(rest)"
  }

  /// The headline, the line of the file, and a caret below the place with the suggestion.
  public var text: String { headline + excerpt }
}

extension ConfigurationProblem {
  /// A problem of the YAML itself.
  init(_ problem: RuleFileProblem, of document: YAMLDocument) {
    let isAlias = problem.code == .noAliases
    self.init(
      file: problem.file, line: problem.line, column: problem.column, level: .error,
      code: Code(rawValue: problem.code.rawValue) ?? .notYAML,
      message: isAlias
        ? "'&' and '*' begin an anchor or an alias of YAML, which this file can't have"
        : problem.message,
      expected: isAlias ? "the value itself, or quotes around a pattern" : problem.expected,
      suggestion: problem.suggestion,
      excerpt: document.excerpt(
        line: problem.line, column: problem.column, suggestion: problem.suggestion))
  }
}
