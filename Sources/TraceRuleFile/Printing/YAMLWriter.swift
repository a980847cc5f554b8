// Writes YAML that people can read, and that comes back as the same texts.

/// A value that is to be written.
indirect enum YAMLOutput {
  /// A word or number that is no text: written as it is.
  case plain(String)
  /// A text, quoted or put in a block where it needs that.
  case text(String)
  case list([YAMLOutput])
  case map([(String, YAMLOutput)])

  static func words(_ words: [String]) -> YAMLOutput { .list(words.map { .text($0) }) }
}

enum YAMLWriter {
  private static let columnsMax = 98

  static func document(_ value: YAMLOutput) -> String {
    var lines: [String] = []
    write(value, indentation: 0, to: &lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func write(_ value: YAMLOutput, indentation: Int, to lines: inout [String]) {
    let space = String(repeating: " ", count: indentation)
    switch value {
    case .map(let entries):
      for (key, value) in entries {
        append(value, after: "\(space)\(self.key(key)):", indentation: indentation, to: &lines)
      }
    case .list(let values):
      for value in values {
        if case .map(let entries) = value, !entries.isEmpty {
          var inner: [String] = []
          write(value, indentation: indentation + 2, to: &inner)
          inner[0] = space + "- " + inner[0].dropFirst(indentation + 2)
          lines += inner
        } else {
          append(value, after: "\(space)-", indentation: indentation, to: &lines)
        }
      }
    case .plain, .text: lines.append(space + flow(value, inFlow: false))
    }
  }

  /// A value behind a key or a dash: on the same line if it fits there.
  private static func append(
    _ value: YAMLOutput, after head: String, indentation: Int, to lines: inout [String]
  ) {
    if case .text(let text) = value, let block = block(text, after: head, indentation + 2) {
      lines += block
      return
    }
    let short = "\(head) \(flow(value, inFlow: false))"
    switch value {
    case .plain, .text: lines.append(short)
    case .list(let values) where values.isEmpty: lines.append(short)
    case .map(let entries) where entries.isEmpty: lines.append(short)
    case .list(let values) where isSimple(values) && short.count <= columnsMax:
      lines.append(short)
    case .map(let entries)
    where isSimple(entries.map(\.1)) && entries.count <= 3
      && short.count <= columnsMax && !head.hasSuffix("-"):
      lines.append(short)
    case .list, .map:
      lines.append(head)
      write(value, indentation: indentation + 2, to: &lines)
    }
  }

  /// Whether values may stand on one line: no maps, and no lists of lists.
  private static func isSimple(_ values: [YAMLOutput]) -> Bool {
    values.allSatisfy { value in
      switch value {
      case .plain, .text: true
      case .list(let inner): inner.count <= 3 && inner.allSatisfy { isScalar($0) }
      case .map: false
      }
    }
  }

  private static func isScalar(_ value: YAMLOutput) -> Bool {
    switch value {
    case .plain, .text: true
    case .list, .map: false
    }
  }

  private static func flow(_ value: YAMLOutput, inFlow: Bool) -> String {
    switch value {
    case .plain(let text): text
    case .text(let text): scalar(text, inFlow: inFlow)
    case .list(let values):
      "[" + values.map { flow($0, inFlow: true) }.joined(separator: ", ") + "]"
    case .map(let entries):
      entries.isEmpty
        ? "{}"
        : "{ "
          + entries.map { "\(self.key($0.0)): \(flow($0.1, inFlow: true))" }.joined(separator: ", ")
          + " }"
    }
  }

  private static func key(_ text: String) -> String { scalar(text, inFlow: true) }

  /// A text of several lines, or a long one, as a block; nil if it is none or can't be one.
  private static func block(_ text: String, after head: String, _ indentation: Int) -> [String]? {
    let isPrintable = text.unicodeScalars.allSatisfy { $0 == "\n" || isPlain($0) }
    let space = String(repeating: " ", count: indentation)
    guard isPrintable, text.unicodeScalars.first.map({ $0 != " " && $0 != "\n" }) == true,
      text.last != "\n", text.last != " ", !holdsCommand(text)
    else { return nil }
    if text.contains("\n") {
      let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
      return ["\(head) |-"] + rows.map { $0.isEmpty ? "" : space + $0 }
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard text.count + head.count > columnsMax, words.count > 1, words.allSatisfy({ !$0.isEmpty })
    else { return nil }
    var lines = ["\(head) >-"]
    var line = space
    for word in words {
      if line.count + word.count > columnsMax, line != space {
        lines.append(line)
        line = space
      }
      line += (line == space ? "" : " ") + word
    }
    lines.append(line)
    return lines
  }

  /// Whether the runner of a job could take a line of a block for a command.
  private static func holdsCommand(_ text: String) -> Bool {
    text.contains("##") || text.split { $0 == " " || $0 == "\n" }.contains { $0.hasPrefix("::") }
  }

  /// A text on one line, quoted if YAML would read it as something else.
  private static func scalar(_ text: String, inFlow: Bool) -> String {
    if isPlain(text, inFlow: inFlow) { return text }
    var quoted = "\""
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      switch scalar {
      case "#" where last == "#": quoted += escape(scalar)
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted += isPlain(scalar) ? String(scalar) : escape(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Words that YAML readers take for something else than a text.
  private static let taken: Set<String> = [
    "true", "false", "yes", "no", "on", "off", "null", "y", "n", "~", "",
  ]

  private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
    guard !taken.contains(text.lowercased()), let first = text.unicodeScalars.first,
      isWord(first) || first == "$" || first == "<" || first == "(",
      text.last != " ", text.last != ":"
    else { return false }
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      let isGood = isPlain(scalar) && !"\"'#`|&*?!%@\\".unicodeScalars.contains(scalar)
      if !isGood || (last == ":" && scalar == " ") { return false }
      if inFlow, "[]{},:".unicodeScalars.contains(scalar) { return false }
      last = scalar
    }
    // What begins like a number is one of several things for other readers, but for durations.
    return true
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  /// Whether a scalar can stand in a file as it is.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: return true
    case 0xA1...0xD7FF, 0x10000...0xEFFFF:
      switch scalar.properties.generalCategory {
      case .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned: return false
      default: return true
      }
    default: return false
    }
  }
}
