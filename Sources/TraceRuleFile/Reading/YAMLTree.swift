// Reads YAML into a tree with places. The only file that knows the YAML library.

import Yams

/// Makes the tree of a file, and says what is no YAML, what is there twice, and what isn't allowed.
struct YAMLTree {
  private let reading: Reading
  private var source: SourceText
  /// Keys that are there twice and whose second place the tree will show.
  private var repeated: [(key: String, place: Place)] = []

  init(_ reading: Reading, _ source: SourceText) {
    self.reading = reading
    self.source = source
  }

  /// The tree; nil if there is none.
  mutating func root() -> YAMLValue? {
    let affordable = RuleFileLimits.repairedBytesMax / max(1, source.scalars.count)
    let repairsMax = max(
      RuleFileLimits.repairsMin, min(RuleFileLimits.repairsMax, affordable))
    for _ in 0...repairsMax {
      do {
        guard let node = try Yams.compose(yaml: source.text, .basic, .default, .utf8) else {
          reading.error(.notYAML, at: .start, "the file is empty", expected: Self.example)
          return nil
        }
        return value(of: node, depth: 0)
      } catch let error as YamlError {
        guard repair(after: error) else { return nil }
      } catch {
        reading.error(.notYAML, at: .start, "the file can't be read as YAML")
        return nil
      }
    }
    reportRepeated()
    return nil
  }

  private static let example = "'tracecheck: 1' and 'rules:'"

  /// Reports what is wrong, or takes it out of the text, and says whether to try again.
  private mutating func repair(after error: YamlError) -> Bool {
    switch error {
    case .duplicatedKeysInMapping(let names, let context):
      let place = Place(line: context.mark.line, column: context.mark.column)
      let key = source.restored(names.first ?? "", at: place)
      guard source.markRepeatedKey(at: place) else {
        reading.error(.duplicateKey, at: place, "a key of this map is there twice")
        reportRepeated()
        return false
      }
      repeated.append((key, place))
      return true
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let (place, itemLine) = report(problem, context: context, mark)
      let isRepaired = source.removeItem(around: min(place.line, itemLine))
      if !isRepaired { reportRepeated() }
      return isRepaired
    case .reader(let problem, _, _, _):
      reading.error(.notYAML, at: source.forbidden ?? .start, "not YAML: \(problem)")
      return false
    default:
      reading.error(.notYAML, at: .start, "the file can't be read as YAML")
      return false
    }
  }

  private func report(
    _ problem: String, context: YamlError.Context?, _ mark: Mark
  ) -> (Place, Int) {
    let start = context.map { Place(line: $0.mark.line, column: $0.mark.column) }
    var place = Place(line: mark.line, column: mark.column)
    if problem.contains("Maximum nesting") {
      reading.error(
        .tooDeep, at: place, "lists and maps lie more than \(RuleFileLimits.depthMax) deep")
      return (place, place.line)
    }
    if problem.contains("end of stream"), let start { place = start }
    let what = context.map { " \($0.text)" } ?? ""
    let line = reading.line(place.line)
    if line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
      reading.error(
        .notYAML, at: place, "not YAML: a tab is in the indentation", expected: "spaces only")
    } else if problem.contains("mapping values are not allowed") {
      reading.error(
        .notYAML, at: place, "not YAML: a second ': ' in one value",
        expected: "quotes around a text with ': ' in it, or another indentation",
        suggestion: quoted(line))
    } else {
      reading.error(.notYAML, at: place, "not YAML\(what): \(problem)")
    }
    return (place, start?.line ?? place.line)
  }

  /// The value of a line in quotes, if it is a text with ': ' in it.
  private func quoted(_ line: String) -> String? {
    guard let colon = line.end(ofFirst: ": ") else { return nil }
    let value = line[colon...].drop { $0 == " " }
    guard let first = value.first, !"\"'[{|>&*".contains(first), !value.contains("\""),
      value.end(ofFirst: ": ") != nil
    else { return nil }
    return "\"\(value)\""
  }

  /// Reports keys that are there twice in a file that has no tree.
  private func reportRepeated() {
    for (key, place) in repeated {
      reading.error(
        .duplicateKey, at: place, "the key '\(PrintableScalars.shown(key))' is there twice")
    }
  }

  private func value(of node: Node, depth: Int) -> YAMLValue {
    let place = Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    guard depth < RuleFileLimits.depthMax else {
      reading.error(
        .tooDeep, at: place, "lists and maps lie more than \(RuleFileLimits.depthMax) deep")
      return YAMLValue(place: place, content: .scalar("", .plain))
    }
    switch node {
    case .scalar(let scalar):
      refuseTag(scalar.tag, at: place)
      return YAMLValue(place: place, content: content(of: scalar, at: place))
    case .sequence(let sequence):
      refuseTag(sequence.tag, at: place)
      return YAMLValue(
        place: place, content: .list(sequence.map { value(of: $0, depth: depth + 1) }))
    case .mapping(let mapping):
      refuseTag(mapping.tag, at: place)
      return YAMLValue(place: place, content: .map(entries(of: mapping, depth: depth)))
    case .alias:
      return YAMLValue(place: place, content: .scalar("", .plain))
    }
  }

  private func content(of scalar: Node.Scalar, at place: Place) -> YAMLValue.Content {
    let text = source.restored(scalar.string, at: place)
    switch scalar.style {
    case .singleQuoted, .doubleQuoted: return .scalar(text, .quoted)
    case .literal, .folded: return .scalar(text, .block)
    case .any, .plain: break
    }
    switch source.reservedStart(of: scalar.string) {
    case "&"?, "*"?:
      let next = text.unicodeScalars.dropFirst().first
      if next == nil || next == " " { break }
      reading.error(
        .noAliases, at: place,
        "'\(PrintableScalars.shown(text))' is an anchor or an alias of YAML,"
          + " which rules don't have",
        expected: "the value itself, or quotes around the text", suggestion: "\"\(text)\"")
    case ">"?:
      reading.error(
        .needsQuotes, at: place, "a text that begins with '>' begins a block in YAML",
        expected: "quotes", suggestion: "\"\(text)\"")
    default: break
    }
    return .scalar(text, .plain)
  }

  private func entries(of mapping: Node.Mapping, depth: Int) -> [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = []
    var keys: Set<String> = []
    for (node, child) in mapping {
      let place = Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
      guard case .scalar(let scalar) = node else {
        reading.error(.badType, at: place, "a key is a list or a map", expected: "a word")
        continue
      }
      guard case .scalar(let key, _) = content(of: scalar, at: place) else { continue }
      guard keys.insert(key).inserted else {
        reading.error(
          .duplicateKey, at: place, "the key '\(PrintableScalars.shown(key))' is there twice")
        continue
      }
      entries.append(
        YAMLValue.Entry(key: key, place: place, value: value(of: child, depth: depth + 1)))
    }
    return entries
  }

  private func refuseTag(_ tag: Tag, at place: Place) {
    let name = tag.description
    let isWritten = source.scalar(at: place) == "!"
    guard isWritten || !(name.isEmpty || name == "tag:yaml.org,2002:str" || name == "!") else {
      return
    }
    reading.error(
      .noTags, at: place, "'\(PrintableScalars.shown(name))' is a tag of YAML",
      expected: "the value alone")
  }
}

extension StringProtocol {
  /// Where the text behind the first place of another text begins; nil if it isn't there.
  fileprivate func end(ofFirst other: String) -> Index? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(other) { return self.index(index, offsetBy: other.count) }
      index = self.index(after: index)
    }
    return nil
  }
}
