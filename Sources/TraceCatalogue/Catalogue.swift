// The catalogue: every rule that ships, found by id, slug or family.

public import TraceLifecycle
public import TraceRules

extension CheckOptions {
  /// Options of a check with all built-in rules.
  public init() { self.init(rules: Catalogue.all) }
}

/// All built-in rules.
public enum Catalogue {
  /// Every rule, by id.
  public static let all: [Rule] = rulesOfFolder

  /// The four faults that the product exists to flag: tasks that aren't balanced, work while
  /// suspended, a slow way into the background, and OpenGL ES in the background.
  public static let essential: [Rule] = [LC001.rule, LC002.rule, LC003.rule, LC004.rule]

  /// The rule and the parameter that limit a measured duration; nil if none does.
  public static func limit(
    of duration: LifeDuration
  ) -> (rule: Rule, parameter: RuleParameter)? {
    for rule in all {
      if let parameter = rule.parameters.first(where: { $0.limits == duration }) {
        return (rule, parameter)
      }
    }
    return nil
  }

  /// The rules that a name means: an id, a slug or a family. Ids in any case.
  public static func rules(matching name: String) -> [Rule] {
    all.filter { $0.id == name.uppercased() || $0.slug == name || $0.family == name }
  }
}
