// The bounds of a configuration file, each with its reason. Bytes, depth and aliases are bounded
// where YAML is read.

/// How much of a configuration file is read.
public enum ConfigurationLimits {
  /// Files are written by people.
  public static let bytesMax = 1 << 20
  /// Sections for apps; each is compared with the app of every trace.
  public static let appsMax = 1_000
  /// Suppressions of a file; each of a rule is compared with every finding of it.
  public static let suppressionsMax = 10_000
  /// Patterns for log lines; each may be compared with every line of a log.
  public static let capturePatternsMax = 200
  /// Files of rules.
  public static let ruleFilesMax = 1_000
  /// Characters of a pattern, so that a comparison stays cheap.
  public static let patternScalarsMax = 256
  /// Problems that are kept: more help nobody, and each costs time for its suggestion.
  public static let problemsMax = 200
  /// Folders above the current one that are searched: as many as a path has room for.
  public static let foldersMax = 1_024
}
