// What an end means, and the rules that find in a trace what led to it.
// This file must not know traces or how an end is told.

import TraceCatalogue
import TraceModel
import TraceRules

/// What is known of the reason of an end.
struct EndingExplanation {
  /// The row of the table of ends.
  let end: Termination
  /// Rules that explain it, the nearest first; none where the app broke no rule.
  var rules: [String]

  /// The end of a sentence that begins with the app.
  var meaning: String { end.meaning }
  /// Whether such an end can come of nothing but a broken rule.
  var provesFault: Bool { end.provesFault }
  /// Whether the system's own words say which rule it is, and not only which family.
  let isNamed: Bool

  /// What a kill says; nil where neither code, words nor cause say anything.
  init?(
    cause: String?, code: Int64?, namespace: String?, description: String?, visibility: String?
  ) {
    let end = Terminations.meaning(
      cause: cause, code: code, namespace: namespace, description: description,
      visibility: visibility)
    guard let end else { return nil }
    self.end = end
    rules = Catalogue.all.explaining([end]).map(\.id)
    isNamed = end.isNamed
  }

  /// What a category of counted exits says; nil for exits in good order.
  init?(category: String) {
    guard let counted = Terminations.counted(category), counted.meaning.cause != "exit" else {
      return nil
    }
    end = counted.meaning
    rules = Catalogue.all.explaining(counted.rows).map(\.id)
    // A counter counts all ends of a family.
    isNamed = false
  }
}
