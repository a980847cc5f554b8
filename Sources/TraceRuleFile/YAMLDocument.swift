// A YAML file with places, for the other files that people write for this program.
// This file must not know what is in them.

/// A value of a YAML file, and where it begins.
package struct YAMLNode: Sendable {
  package struct Entry: Sendable {
    package var key: String
    /// Where the key stands; the key's own text begins ``YAMLNode/textOffset`` later.
    package var node: YAMLNode
    package var value: YAMLNode
  }

  package enum Content: Sendable {
    case text(String)
    case list([YAMLNode])
    case map([Entry])
  }

  /// From 1.
  package var line: Int
  /// From 1, in Unicode scalars.
  package var column: Int
  package var content: Content
  /// Columns between the place of a text and its first character: 1 for a quotation mark.
  package var textOffset = 0

  /// The text of a scalar; nil for others.
  package var text: String? {
    if case .text(let text) = content { text } else { nil }
  }

  /// What the value is, for messages.
  package var description: String {
    switch content {
    case .text(""): "nothing"
    case .text(let text): "'\(PrintableScalars.shown(text))'"
    case .list: "a list"
    case .map: "a map"
    }
  }
}

/// A YAML file that was read.
///
/// Tags, anchors and aliases aren't allowed: a file can't grow while it is read. Never traps and
/// never throws, whatever the text is.
package struct YAMLDocument {
  /// Nil if the text is no YAML, or holds nothing.
  package private(set) var root: YAMLNode?
  package let problems: [RuleFileProblem]
  private let lines: [[Unicode.Scalar]]

  /// - Parameters:
  ///   - text: at most `bytesMax` bytes.
  ///   - name: the file's name, for messages.
  package init(_ text: String, name: String, bytesMax: Int) {
    guard text.utf8.count <= bytesMax, let source = SourceText(text) else {
      lines = []
      let reading = Reading(file: name, lines: [])
      reading.error(
        text.utf8.count > bytesMax ? .tooLarge : .notYAML, at: .start,
        "the file has \(text.utf8.count) bytes, or characters that nobody uses",
        expected: "a text of at most \(bytesMax) bytes")
      problems = reading.problems
      return
    }
    lines = source.lines
    let reading = Reading(file: name, lines: lines)
    if let place = source.forbidden {
      reading.error(.notYAML, at: place, "not YAML: a character that isn't allowed in files")
    } else if !Self.isEmpty(source) {
      var tree = YAMLTree(reading, source)
      root = tree.root().map { YAMLNode($0) }
    }
    problems = reading.problems
  }

  /// What a message shows of a text that was read.
  package static func shown(_ text: String) -> String { PrintableScalars.shown(text) }

  /// What follows the headline of a problem: the line of the file, a caret below the place, and
  /// what was probably meant. Begins with a line feed if it isn't empty.
  package func excerpt(line: Int, column: Int, suggestion: String?) -> String {
    let reading = Reading(file: "", lines: lines)
    reading.error(
      .notYAML, at: Place(line: line, column: column), "", suggestion: suggestion)
    guard let problem = reading.problems.first else { return "" }
    return String(problem.text.dropFirst(problem.headline.count))
  }

  private static func isEmpty(_ source: SourceText) -> Bool {
    source.lines.allSatisfy { line in
      let rest = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
      return rest.isEmpty || rest.first == "#"
    }
  }
}

extension YAMLNode {
  fileprivate init(_ value: YAMLValue) {
    line = value.place.line
    column = value.place.column
    switch value.content {
    case .scalar(let text, let style):
      content = .text(text)
      if style == .quoted { textOffset = 1 }
    case .list(let values): content = .list(values.map { YAMLNode($0) })
    case .map(let entries):
      content = .map(
        entries.map { entry in
          Entry(
            key: entry.key,
            node: YAMLNode(
              line: entry.place.line, column: entry.place.column, content: .text(entry.key)),
            value: YAMLNode(entry.value))
        })
    }
  }
}
