// The bounds of a file of rules, each with its reason.

/// How much of a file of rules is read.
public enum RuleFileLimits {
  /// A file of rules is written by people; the whole built-in catalogue with its examples takes a
  /// quarter of this.
  public static let bytesMax = 8 << 20
  /// Lists and maps inside each other. No rule needs ten; what reads them calls itself.
  public static let depthMax = 64
  /// Rules in a file.
  public static let rulesMax = 1_000
  /// Clauses of a rule; each looks at events on its own.
  public static let clausesMax = 256
  /// Clauses of all rules of a file.
  public static let fileClausesMax = 4_096
  /// Events in one list; each is compared with what happens.
  public static let eventsMax = 256
  /// States of an order.
  public static let orderStatesMax = 1_024
  /// Edges of an order; each is compared with what happens.
  public static let orderEdgesMax = 4_096
  /// Kinds that the vocabulary doesn't have; each costs a look for the kind that was meant.
  public static let ownKindsMax = 1_000
  /// Names of parameters and of facts in a rule.
  public static let namesMax = 1_000
  /// Problems that are kept; more help nobody, and each costs time for its suggestion.
  public static let problemsMax = 200
  /// How often a file is parsed again after a key that is there twice, or a rule that is no YAML,
  /// was taken out; each time costs as much as the first, so that large files have fewer.
  public static let repairsMax = 20
  static let repairsMin = 3
  static let repairedBytesMax = 4 << 20
  /// Parts of an expression inside each other.
  public static let expressionDepthMax = 64
  /// Characters of what was read that a message shows.
  static let shownScalarsMax = 60
  /// Characters of a line of the file that a report shows.
  static let lineScalarsMax = 100
}
