// The ids and slugs of a file's rules, of which each stands for one rule only.

import TraceCatalogue
import TraceRules

/// Finds names that two rules have.
struct RuleNames {
  let reading: Reading
  /// Ids, slugs and families of other rules, letter case aside.
  private let reserved: Set<String>
  private var ids: [String: String] = [:]
  private var slugs: Set<String> = []

  init(reading: Reading, reserved: Set<String>) {
    self.reading = reading
    self.reserved = Set(reserved.map { $0.lowercased() })
  }

  /// Reports a name of a rule that another one has.
  mutating func check(_ rule: YAMLValue) {
    let value = rule.entries?.first { $0.key == "id" }?.value
    var isNew = false
    if let value, let id = value.text, !id.isEmpty { isNew = check(id: id, at: value.place) }
    let slug = rule.entries?.first { $0.key == "slug" }?.value
    if let slug, let text = slug.text, Self.isSlug(text) {
      check(slug: text, id: value?.text, at: slug.place)
    } else if let value, let id = value.text, slug == nil, isNew {
      check(slug: "user/\(id)", id: nil, at: value.place)
    }
  }

  /// Whether no other rule has the id.
  private mutating func check(id: String, at place: Place) -> Bool {
    let shown = PrintableScalars.shown(id)
    if let other = ids.updateValue(id, forKey: id.lowercased()) {
      let same = other == id ? "" : ", letter case aside"
      reading.error(
        .duplicateID, at: place, "a second rule has the id '\(shown)'\(same)",
        expected: "another id")
    } else if reserved.contains(id.lowercased()) {
      reading.error(
        .duplicateID, at: place, "another rule has the id '\(shown)'", expected: "another id")
    } else {
      return true
    }
    return false
  }

  private mutating func check(slug: String, id: String?, at place: Place) {
    let isTaken = reserved.contains(slug.lowercased())
    guard !slugs.insert(slug.lowercased()).inserted || isTaken else { return }
    reading.error(
      .duplicateID, at: place, "another rule has the slug '\(PrintableScalars.shown(slug))'",
      expected: "another slug",
      suggestion: id.map { "user/\($0)" }.flatMap { Self.isSlug($0) ? $0 : nil })
  }

  /// Reports names of rules that there are none of.
  func checkReferences(_ named: [(rule: String, place: Place)]) {
    let known = Set(Catalogue.all.map(\.id)).union(ids.values)
    for (rule, place) in named where !known.contains(rule) {
      // Files that were read before may have it.
      if reserved.contains(rule.lowercased()) { continue }
      reading.rule = nil
      reading.unknown(.badWord, "rule", rule, at: place, among: known.sorted())
    }
  }

  /// `family/name`: small letters, digits and dashes, and a name that may be an id.
  static func isSlug(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 128 && parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
      && parts[0].unicodeScalars.allSatisfy { isFamilyPart($0) }
      && parts[1].unicodeScalars.allSatisfy { ExpressionTokens.isWordPart($0) }
  }

  static func isFamilyPart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
  }
}
