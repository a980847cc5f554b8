// Rules as help texts and messages name them in examples of what may be typed.

import TraceRules

/// Examples of what names a rule on the command line.
public enum CatalogueSamples {
  /// The id of a rule.
  public static let id = LC003.rule.id
  /// A list of a rule and a family.
  public static let list = "\(LC001.rule.id),\(LC004.rule.family)"
  /// Another limit of a rule by its first parameter, and by a parameter's name.
  public static let threshold = "\(id)=8s"
  public static let namedThreshold = "\(LC002.rule.id).grace=2s"
  /// The limit of a task of today, on an older system.
  public static let taskThreshold = "\(LC105.rule.id)=30s"
  /// Another severity of a rule.
  public static let severity = "\(id)=warning"
}
