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
  public func holds<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
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

/// A number of an event, whole numbers of 64 bits with or without a sign being exact.
enum ExactNumber: Comparable {
  case whole(Int64)
  /// Above those of ``whole(_:)``.
  case large(UInt64)
  case fraction(Double)

  init(_ number: UInt64) {
    self = Int64(exactly: number).map { .whole($0) } ?? .large(number)
  }

  private var double: Double {
    switch self {
    case .whole(let number): Double(number)
    case .large(let number): Double(number)
    case .fraction(let number): number
    }
  }

  static func == (left: ExactNumber, right: ExactNumber) -> Bool {
    switch (left, right) {
    case (.whole(let left), .whole(let right)): left == right
    case (.large(let left), .large(let right)): left == right
    case (.whole, .large), (.large, .whole): false
    case (.fraction, _), (_, .fraction): left.double == right.double
    }
  }

  static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    switch (left, right) {
    case (.whole(let left), .whole(let right)): left < right
    case (.large(let left), .large(let right)): left < right
    case (.whole, .large): true
    case (.large, .whole): false
    case (.fraction, _), (_, .fraction): left.double < right.double
    }
  }
}
