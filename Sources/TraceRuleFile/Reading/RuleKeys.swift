// The keys of rules, by where they belong.

/// Which keys there are, for reading them and for telling where a key belongs.
enum RuleKeys {
  /// What every rule may say of itself.
  static let rule = [
    "id", "slug", "severity", "summary", "rationale", "consequence", "help", "advice", "sources",
    "needs", "profiles", "parameters", "facts", "clauses", "clauses_are_independent",
    "is_lowered_under_debugger", "is_lowered_where_system_is_assumed", "allowance", "explains",
    "yields", "examples", "tags", "max_keys",
  ]
  /// What each clause may say, or the rule if it has one clause.
  static let clause = [
    "reason", "severity", "needs", "applies", "unless", "evidence", "escalation", "ends",
    "explains_ends", "trusts_unknown_ends", "spares_inactivity", "message",
  ]
  /// The patterns, of which a clause has one. `after` is one only with `expect` in short form.
  static let patterns = [
    "never", "paired", "expect", "require", "order", "at_most", "at_least", "limit", "lasts",
    "holds", "sums", "open_at_most", "header", "hand_written",
  ]
  static let scopes = ["after", "until", "between", "after_until"]
  /// What goes with a pattern in short form.
  static let modifiers =
    ["where", "while", "key", "per", "clock", "before", "within", "at_end", "because"] + scopes
  /// The keys of `never` beside those of an event.
  static let never = [
    "key", "per", "max", "resets", "late", "late_only", "count_argument", "silent_under_debugger",
    "ignores_callbacks_while_suspended", "yields_while_suspended_to",
  ]
}
