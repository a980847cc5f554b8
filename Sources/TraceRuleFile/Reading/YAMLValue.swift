// A file of rules as a tree with places, apart from the library that reads YAML.

/// A place in a file: line and column from 1, columns in Unicode scalars.
struct Place: Hashable, Comparable {
  var line: Int
  var column: Int

  static let start = Place(line: 1, column: 1)

  func moved(by columns: Int) -> Place { Place(line: line, column: column + columns) }

  static func < (a: Place, b: Place) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A value of a file of rules, and where it begins.
struct YAMLValue {
  enum Style {
    case plain, quoted, block
  }

  struct Entry {
    var key: String
    var place: Place
    var value: YAMLValue
  }

  enum Content {
    case scalar(String, Style)
    case list([YAMLValue])
    case map([Entry])
  }

  var place: Place
  var content: Content

  /// The text of a scalar; nil for others.
  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// Whether nothing was written where the value belongs.
  var isEmpty: Bool {
    if case .scalar("", .plain) = content { true } else { false }
  }

  var entries: [Entry]? {
    if case .map(let entries) = content { entries } else { nil }
  }

  /// What the value is, for messages.
  var description: String {
    switch content {
    case .scalar("", .plain): "nothing"
    case .scalar(let text, _): "'\(PrintableScalars.shown(text))'"
    case .list: "a list"
    case .map: "a map"
    }
  }
}
