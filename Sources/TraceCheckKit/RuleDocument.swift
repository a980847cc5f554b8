// What `explain` says of a rule, for documents that are made from it.

package import TraceRules

/// The page about a rule, for generators.
package enum RuleDocument {
  /// The text of `tracecheck explain RULE --format markdown`.
  package static func markdown(of rule: Rule) -> String { RulePage(rule).markdown() }
}
