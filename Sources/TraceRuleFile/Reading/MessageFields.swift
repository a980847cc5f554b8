// The fields of messages, and which of them have a value for a pattern.

import TraceModel
import TraceRules

/// What stands in braces in messages.
enum MessageFields {
  /// The fields that aren't arguments.
  static let names = [
    "what", "thread", "since", "key", "duration", "limit", "count", "callback",
    "total", "state", "weighing", "task",
  ]

  /// Whether a field is more than an empty text in reports of a pattern.
  static func hasValue(_ name: String, _ pattern: Pattern) -> Bool {
    switch (name, pattern) {
    case (_, .handWritten), (_, .header): true
    case ("duration", .lasts), ("duration", .sums), ("duration", .expect): true
    case ("duration", _): false
    case ("limit", .never(let never)): never.max != .fixed(0)
    case ("limit", .order): false
    case ("total", .openAtMost): true
    case ("total", _): false
    case ("state", .order): true
    case ("state", _): isCarried("state", by: pattern)
    default: names.contains(name) || isCarried(name, by: pattern)
    }
  }

  /// Whether an event of the pattern may have the argument.
  private static func isCarried(_ name: String, by pattern: Pattern) -> Bool {
    guard let argument = ArgumentName.known(name) else { return false }
    if case .lasts(let lasts) = pattern {
      guard case .span = lasts.subject else { return true }
    }
    return pattern.events.contains { $0.knownKinds.isEmpty || $0.mayCarry(argument) }
  }
}

extension Reading {
  /// Warns of fields of a message that stay empty, whatever is reported.
  func checkFields(_ value: YAMLValue, _ patterns: [Pattern]) {
    guard case .scalar(let text, _) = value.content else { return }
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while !isFull, let open = scalars[index...].firstIndex(of: "{"),
      let close = scalars[open...].firstIndex(of: "}")
    {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[(open + 1)..<close])
      let name = String(view)
      let isKnown = MessageFields.names.contains(name) || ArgumentName.known(name) != nil
      if isKnown, !patterns.contains(where: { MessageFields.hasValue(name, $0) }) {
        warning(
          .badMessage, at: place(of: value, at: open + 1),
          "'{\(PrintableScalars.shown(name))}' has no value in reports of this pattern",
          expected: "a field that it fills in, such as {what}")
      }
      index = close + 1
    }
  }

  /// Reports namespaces that no kind has, neither of the vocabulary nor of the app.
  func checkNamespaces(_ value: YAMLValue) {
    let own = declaredKinds.union(ownKinds).map { String($0.prefix { $0 != "." }) }
    let known = Set(Vocabulary.kinds.map(\.namespace) + own)
    for element in elements(value) {
      guard let name = element.text, !name.isEmpty, !known.contains(name) else { continue }
      unknown(.badWord, "namespace of events", name, at: element.place, among: known.sorted())
    }
  }

  /// Warns of a background mode that no system has.
  func warnOfMode(_ mode: String, _ field: HeaderField, at place: Place) {
    let known = BackgroundMode.names
    guard field == .backgroundModes, !known.contains(mode) else { return }
    let nearest = nearest(to: mode, among: known)
    warning(
      .vacuous, at: place, "no system has the background mode '\(PrintableScalars.shown(mode))'",
      expected: nearest == nil ? "one of \(known.joined(separator: ", "))" : "",
      suggestion: nearest)
  }
}
