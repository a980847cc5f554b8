// Code that keeps rules, for the pages about them. One file per family, keyed by the rule's id.

/// A piece of code that shows how a rule is kept, in one or both languages.
public struct Snippet: Hashable, Sendable {
  public var swift: String
  /// Empty where the interface is Swift's alone.
  public var objectiveC: String

  init(swift: String, objectiveC: String = "") {
    self.swift = swift
    self.objectiveC = objectiveC
  }
}

/// Code that keeps rules.
public enum Snippets {
  /// How to keep a rule; nil where code doesn't say more than the rule's advice.
  public static func of(_ ruleID: String) -> Snippet? { all[ruleID] }

  /// The tables of all families. A rule is in one of them at most.
  static let families: [[String: Snippet]] = [
    backgroundTask, watchdog, launch, graphics, suspension, data, interface, scheduling,
    inactive, backgroundMode, networking, notification,
  ]

  private static let all: [String: Snippet] = families.reduce(into: [:]) { all, family in
    all.merge(family) { first, _ in first }
  }
}
