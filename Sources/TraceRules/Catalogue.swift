// The catalogue: every rule that ships, found by id, slug or family.

/// All built-in rules.
public enum Catalogue {
  /// Every rule, by id.
  public static let all: [Rule] = rulesOfFolder

  /// The rules that a name means: an id, a slug or a family. Ids in any case.
  public static func rules(matching name: String) -> [Rule] {
    all.filter { $0.id == name.uppercased() || $0.slug == name || $0.family == name }
  }
}
