// Patterns for names, without the cost of regular expressions.

/// A pattern for names: `*` stands for any text, `?` for one letter.
package struct Glob: Hashable, Sendable {
  private let pattern: [Unicode.Scalar]

  package init(_ text: String) { pattern = Array(text.unicodeScalars) }

  /// Whether the whole name matches. Goes back to the last star only: no pattern takes more than
  /// the product of both lengths.
  package func matches(_ name: some StringProtocol) -> Bool {
    let name = Array(name.unicodeScalars)
    var (n, p) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == name[n] {
        p += 1
        n += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        p = last.pattern + 1
        n = last.name + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
