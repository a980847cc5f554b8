// Makes the recorder's typed calls from the vocabulary: one file for each namespace.
// This file must not know how calls are recorded, but for the few lines it writes.

import TraceFormat
import TraceModel

/// The recorder's calls as source text.
enum RecorderCalls {
  /// What the namespaces of the vocabulary are called in Swift.
  private static let namespaceNames: [String: String] = [
    "trace": "trace", "proc": "process", "sys": "system", "wake": "wake",
    "delegate": "delegate", "completion": "completion", "state": "state",
    "bgtask": "backgroundTask", "work": "work", "data": "data", "game": "game",
    "movie": "movie", "app": "app", "gl": "openGL", "metal": "metal", "ui": "interface",
    "priv": "privacy", "note": "notification", "localnote": "localNotification",
    "audio": "audio", "loc": "location", "voip": "voip", "ea": "accessory",
    "bt": "bluetooth", "news": "newsstand", "fetch": "fetch", "file": "file",
    "res": "resource", "bonjour": "bonjour", "net": "network", "url": "url", "mem": "memory",
    "scene": "scene", "bgsched": "backgroundScheduler", "pushkit": "pushKit",
    "callkit": "callKit",
  ]

  /// Kinds that no app can know of itself: the recorder makes them up, or an importer does.
  private static let omitted: Set<EventKind> = [
    .traceStart, .traceEnd, .traceLost, .traceClockSync, .traceClockStep, .procKill,
    .procSuspend, .procResume, .procAssertion, .exitImport,
  ]

  /// The files, by name.
  static func files() -> [(name: String, text: String)] {
    var groups: [(namespace: String, kinds: [KindDescription])] = []
    for kind in Vocabulary.kinds where !omitted.contains(kind.kind) {
      if let place = groups.firstIndex(where: { $0.namespace == kind.namespace }) {
        groups[place].kinds.append(kind)
      } else {
        groups.append((kind.namespace, [kind]))
      }
    }
    return groups.map { group in
      let name = namespaceNames[group.namespace] ?? group.namespace
      var file = CallsFile(namespace: group.namespace, name: name)
      return ("\(upper(name))Calls.swift", file.text(of: group.kinds))
    }.sorted { $0.name < $1.name }
  }

  static func upper(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// `will_finish_launching` as `willFinishLaunching`.
  static func camel(_ text: String) -> String {
    let parts = text.split { $0 == "_" || $0 == "." }
    return parts.enumerated().map { place, part in
      place == 0 ? String(part) : upper(String(part))
    }.joined()
  }
}

/// One file: the calls of a namespace.
private struct CallsFile {
  let namespace: String
  let name: String
  /// Enumerations of the namespace, by name, with their words.
  private var enumerations: [(name: String, words: [String])] = []

  init(namespace: String, name: String) {
    self.namespace = namespace
    self.name = name
  }

  private var type: String { RecorderCalls.upper(name) + "Calls" }

  mutating func text(of kinds: [KindDescription]) -> String {
    let calls = kinds.map { call($0) }.joined(separator: "\n")
    var text = """
      // Calls for the events of `\(namespace)`. Made by `tracedev generate` from the vocabulary.

      import TraceModel

      extension TraceRecorder {
        /// Records events of `\(namespace)`.
        public var \(name): \(type) {
          \(type)(core: journal.core, privacyKey: key)
        }
      }

      /// Calls for the events of `\(namespace)`. Arguments that aren't known are left out.
      public struct \(type): Sendable {
        let core: JournalCore
        let privacyKey: PrivacyKey

      """
    text += "\n" + calls
    for enumeration in enumerations { text += "\n" + declaration(enumeration) }
    return text + "}\n"
  }

  private struct Argument {
    let label: String
    var type = "Int"
    /// What is added to the event.
    var value: String
    /// Slots, if they don't depend on a text.
    var slots = 1
    var isText = false

    init(_ label: String) {
      self.label = label
      value = "Int64(\(Self.local(label)))"
    }

    /// The name inside a function.
    var local: String { Self.local(label) }

    private static func local(_ label: String) -> String { label == "class" ? "`class`" : label }
  }

  private mutating func argument(
    _ description: ArgumentDescription, _ kind: KindDescription
  ) -> Argument {
    let label = RecorderCalls.camel(description.name.knownText ?? "")
    var argument = Argument(label)
    switch description.shape {
    case .integer, .token: break
    case .number:
      argument.type = "Double"
      argument.value = argument.local
    case .boolean:
      argument.type = "Bool"
      argument.value = argument.local
    case .string:
      argument.type = "RecordedText"
      argument.isText = true
    case .words(let words):
      argument.type = enumeration(label, words, kind)
      argument.value = "\(argument.local).text"
      argument.slots = 1 + ((words.map(\.utf8.count).max() ?? 0) + 7) / 8
    }
    return argument
  }

  private mutating func enumeration(
    _ label: String, _ words: [String], _ kind: KindDescription
  ) -> String {
    var name = RecorderCalls.upper(label)
    if name == "Type" { name = "Sort" }
    if let known = enumerations.first(where: { $0.name == name }), known.words != words {
      name = RecorderCalls.upper(callName(kind)) + name
    }
    if !enumerations.contains(where: { $0.name == name }) { enumerations.append((name, words)) }
    return name
  }

  private func callName(_ kind: KindDescription) -> String {
    let name = RecorderCalls.camel(String(kind.name.dropFirst(namespace.count + 1)))
    return name.isEmpty ? namespace : name
  }

  private mutating func call(_ kind: KindDescription) -> String {
    let arguments = kind.arguments.map { argument($0, kind) }
    let name = callName(kind)
    var lines = documentation(kind)
    let parameters = arguments.map { "\($0.label): \($0.type)? = nil" }
    let isSpan = kind.shape != .instant
    if isSpan { lines.append("@discardableResult") }
    lines += signature(name, parameters, isSpan ? " -> RecordedSpan {" : " {")
    lines += body(kind, arguments, isSpan).map { "  \($0)" } + ["}"]
    if isSpan { lines += closureForm(kind, name, arguments, parameters) }
    return lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }

  /// What a call does: reserves slots, adds what is known, commits.
  private func body(
    _ kind: KindDescription, _ arguments: [Argument], _ isSpan: Bool
  ) -> [String] {
    let constant = RecorderCalls.camel(kind.name)
    let fixed = 1 + arguments.filter { !$0.isText }.map(\.slots).reduce(0, +)
    let texts = arguments.filter(\.isText)
    // Texts that don't fit an event together are cut, each to its share.
    let share = texts.isEmpty ? 0 : ((JournalLayout.slotsPerEventMax - fixed) / texts.count - 1) * 8
    let limit = share < JournalLayout.textBytesMax ? ", bytesMax: \(share)" : ""
    var lines: [String] = []
    if !texts.isEmpty { lines.append("var slots = \(fixed)") }
    for text in texts {
      let slots = limit.isEmpty ? "slotsMax" : "slotsMax(bytesMax: \(share))"
      lines.append("if let \(text.local) { slots += \(text.local).\(slots) }")
    }
    if isSpan { lines.append("let span = RecordedSpan(core: core, kind: .\(constant))") }
    let opening =
      "\(arguments.isEmpty ? "let" : "var") event = core.open(.\(constant), "
      + ".\(isSpan ? "enter" : "instant"), slotsMax: \(texts.isEmpty ? String(fixed) : "slots"))"
    let ending = "else { return\(isSpan ? " span" : "") }"
    let one = "guard \(opening) \(ending)"
    lines += Self.fits("  " + one) ? [one] : ["guard", "  \(opening)", ending]
    for argument in arguments {
      let value =
        argument.isText ? "\(argument.local), key: privacyKey\(limit)" : argument.value
      let add = "event.add(.\(argument.label), \(value))"
      let short = "if let \(argument.local) { \(add) }"
      lines += Self.fits("  " + short) ? [short] : ["if let \(argument.local) {", "  \(add)", "}"]
    }
    return lines + ["event.commit()"] + (isSpan ? ["return span"] : [])
  }

  private func closureForm(
    _ kind: KindDescription, _ name: String, _ arguments: [Argument], _ parameters: [String]
  ) -> [String] {
    var lines = ["", "/// `\(kind.name)` around a body, which may throw."]
    lines += signature(
      "\(name)<Returned>", parameters + ["_ body: () throws -> Returned"],
      " rethrows -> Returned {")
    let values = arguments.map { "\($0.label): \($0.local)" }
    let one = "  try \(name)(\(values.joined(separator: ", "))).around(body)"
    if Self.fits(one) { return lines + [one, "}"] }
    lines.append("  try \(name)(")
    lines += listed(values, indentation: 4)
    return lines + ["  ).around(body)", "}"]
  }

  private func signature(_ name: String, _ parameters: [String], _ end: String) -> [String] {
    let one = "public func \(name)(\(parameters.joined(separator: ", ")))\(end)"
    if Self.fits(one) { return [one] }
    return ["public func \(name)("] + listed(parameters, indentation: 2) + [")\(end)"]
  }

  /// A list between parentheses, as many items in a line as fit.
  private func listed(_ items: [String], indentation: Int) -> [String] {
    let start = String(repeating: " ", count: indentation)
    var lines: [String] = []
    var current = start
    for (place, item) in items.enumerated() {
      let word = place + 1 < items.count ? item + "," : item
      if current == start {
        current += word
      } else if Self.fits(current + " " + word) {
        current += " " + word
      } else {
        lines.append(current)
        current = start + word
      }
    }
    return lines + [current]
  }

  /// Whether a line of a member fits a page.
  private static func fits(_ line: String) -> Bool { line.count <= 98 }

  private func documentation(_ kind: KindDescription) -> [String] {
    var lines = ["/// Records `\(kind.name)`."]
    if !kind.symbol.isEmpty { lines[0] = "/// Records `\(kind.name)`: \(kind.symbol)." }
    let by: String =
      switch kind.emitter {
      case .app: "The app calls it when it does this."
      case .system: "The app calls it when the system does this to it."
      case .recorder: "Made up by who records: a sample, not an act."
      case .appOrSystem, .systemOrRecorder: "The app calls it when it learns of this."
      }
    let end: String =
      switch kind.shape {
      case .instant: ""
      case .span: " Returns the span, to be ended on this thread."
      case .window: " Returns the span, to be ended on any thread."
      }
    lines += ["///", "/// \(by)\(end)"]
    return lines.flatMap { wrapped($0) }
  }

  /// Comments of at most 96 columns, unless a word is longer.
  private func wrapped(_ line: String) -> [String] {
    let start = "///"
    var lines: [String] = []
    var current = start
    for word in line.dropFirst(start.count).split(separator: " ") {
      if current.count + 1 + word.count > 96, current != start {
        lines.append(current)
        current = start
      }
      current += " \(word)"
    }
    return lines + [current]
  }

  private func declaration(_ enumeration: (name: String, words: [String])) -> String {
    let cases = enumeration.words.map { (Self.caseName($0), $0) }
    var text = "  /// Values of `\(enumeration.name)`.\n"
    text += "  public enum \(enumeration.name): Sendable {\n"
    for (name, _) in cases { text += "    case \(name)\n" }
    text += "\n    @inline(__always)\n    var text: StaticString {\n      switch self {\n"
    for (name, word) in cases {
      let plain = name.filter { $0 != "`" }
      text += "      case .\(plain): \"\(word)\"\n"
    }
    return text + "      }\n    }\n  }\n"
  }

  /// Words of the vocabulary that mean something to Swift.
  private static let keywords: Set<String> = ["default", "private"]

  private static func caseName(_ word: String) -> String {
    // `none` is what an absent argument is called.
    if word == "none" { return "noneGiven" }
    if keywords.contains(word) { return "`\(word)`" }
    if let first = word.first, first.isNumber { return "level\(word)" }
    if word.first?.isUppercase == true {
      let capitals = word.prefix { $0.isUppercase }
      return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
    }
    return RecorderCalls.camel(word)
  }
}
