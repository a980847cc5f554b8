// The page about a rule as text for a terminal and as Markdown, and the whole catalogue.

import TraceExport
import TraceRules

extension RulePage {
  /// The page for a terminal.
  var text: String {
    var text = "\(id)  \(slug)  (\(severity))\n"
    if !summary.isEmpty { text += "\n" + WrappedText.lines(summary, indent: 0) }
    for section in sections {
      text += "\n\(section.title)\n"
      for (index, block) in section.blocks.enumerated() {
        switch block {
        case .paragraph(let words):
          if index > 0 { text += "\n" }
          text += WrappedText.lines(words)
        case .items(let items):
          for item in items { text += WrappedText.lines(item, indent: 4, title: "  - ") }
        case .code(let lines, _):
          for line in lines { text += line.isEmpty ? "\n" : "    \(line)\n" }
        }
      }
    }
    return text
  }

  /// The page as Markdown, below a heading of a level.
  func markdown(level: Int = 1) -> String {
    let marks = String(repeating: "#", count: level)
    var text = "\(marks) \(Markdown.escaped(heading))\n\n"
    text += "**\(severity)**"
    text += summary.isEmpty ? "\n" : ": \(Markdown.escaped(summary))\n"
    for section in sections {
      text += "\n\(marks)# \(Markdown.escaped(section.title))\n"
      for block in section.blocks {
        switch block {
        case .paragraph(let words): text += "\n\(Markdown.escaped(words))\n"
        case .items(let items):
          text += "\n" + items.map { "- \(Markdown.escaped($0))\n" }.joined()
        case .code(let lines, let language):
          let fence = Markdown.fence(for: lines)
          text += "\n\(fence)\(language)\n"
          text += lines.map { $0 + "\n" }.joined() + "\(fence)\n"
        }
      }
    }
    return text
  }

  private var heading: String { "\(id) \(slug)" }

  /// Rules as one document, with a table of contents by family.
  static func catalogue(_ rules: [Rule], examples: Examples) -> String {
    var families: [(name: String, pages: [RulePage])] = []
    var places: [String: Int] = [:]
    for rule in rules {
      let name = oneLine(rule.family)
      if let place = places[name] {
        families[place].pages.append(RulePage(rule, examples: examples))
      } else {
        places[name] = families.count
        families.append((name, [RulePage(rule, examples: examples)]))
      }
    }
    families.sort { $0.name < $1.name }
    var anchors = Markdown.Anchors()
    _ = anchors.next("Rules")
    var contents = ""
    for family in families {
      let count = Counted.text(family.pages.count, "rule")
      let anchor = anchors.next(family.name)
      contents += "- [\(Markdown.escaped(family.name))](#\(anchor)), \(count)\n"
      for page in family.pages {
        contents += "  - [\(Markdown.escaped(page.heading))](#\(anchors.next(page.heading)))"
        contents += page.summary.isEmpty ? "\n" : ": \(Markdown.escaped(page.summary))\n"
        for section in page.sections { _ = anchors.next(section.title) }
      }
    }
    var text = "# Rules\n\n"
    text += "\(Counted.text(rules.count, "rule")) in "
    text += families.count == 1 ? "1 family.\n\n" : "\(families.count) families.\n\n"
    text += contents
    for family in families {
      text += "\n## \(Markdown.escaped(family.name))\n"
      for page in family.pages { text += "\n" + page.markdown(level: 3) }
    }
    return text
  }
}

/// Text in Markdown, as GitHub and others read it.
enum Markdown {
  /// The text with everything that Markdown would take for its own marked as text.
  static func escaped(_ text: String) -> String {
    let (start, rest) = MarkdownStart.split(text)
    var result = start
    for (index, character) in rest.enumerated() {
      switch character {
      case "\\", "`", "*", "_", "<", "[", "]", "|", "~": result += "\\"
      case "#", ">", "+", "-", "=": if index == 0 { result += "\\" }
      case "&": result += "&amp;"
      default: break
      }
      if character != "&" { result.append(character) }
    }
    return result
  }

  /// Marks around code that are longer than any in it.
  static func fence(for lines: [String]) -> String {
    let longest = lines.map { $0.drop { $0 == " " }.prefix { $0 == "`" }.count }.max() ?? 0
    return String(repeating: "`", count: max(3, longest + 1))
  }

  /// Names of headings for links, each only once in a document.
  struct Anchors {
    private var counts: [String: Int] = [:]

    mutating func next(_ heading: String) -> String {
      var name = ""
      for character in heading.lowercased() {
        if character == " " { name += "-" }
        if character.isLetter || character.isNumber || character == "-" || character == "_" {
          name.append(character)
        }
      }
      let count = counts[name, default: 0]
      counts[name] = count + 1
      return count == 0 ? name : "\(name)-\(count)"
    }
  }
}
