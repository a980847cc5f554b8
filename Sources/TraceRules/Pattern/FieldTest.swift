// Tests of an event's arguments.

public import TraceModel

/// A test of an event's arguments. An absent argument passes no test but `not`.
///
/// At the return of a span an argument that the return doesn't carry is that of the enter.
public indirect enum FieldTest: Hashable, Sendable {
  /// The argument is one of these texts.
  case isText(ArgumentName, [String])
  case isTrue(ArgumentName)
  case isFalse(ArgumentName)
  case isPresent(ArgumentName)
  /// The argument is a number that compares so with the amount.
  case compare(ArgumentName, Comparison, Amount)
  /// The text matches a pattern in which `*` stands for any characters and `?` for one.
  case matches(ArgumentName, String)
  /// The text is in the header's list. Undecided, and thus not passed, if the header has none.
  case isInHeader(ArgumentName, HeaderField)
  /// The text is not in the header's list. Not passed if the header has none.
  case isNotInHeader(ArgumentName, HeaderField)
  case not(FieldTest)
  case all([FieldTest])
  case any([FieldTest])
}

/// How two numbers compare.
public enum Comparison: String, CaseIterable, Hashable, Sendable {
  case less = "<"
  case atMost = "<="
  case equal = "=="
  case notEqual = "!="
  case atLeast = ">="
  case greater = ">"

  /// Whether the comparison holds.
  public func holds(_ left: Double, _ right: Double) -> Bool {
    switch self {
    case .less: left < right
    case .atMost: left <= right
    case .equal: left == right
    case .notEqual: left != right
    case .atLeast: left >= right
    case .greater: left > right
    }
  }
}
