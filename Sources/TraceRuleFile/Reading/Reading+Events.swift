// Reads patterns of events: a name, a name with an edge, or a map.

import TraceModel
import TraceRules

extension Reading {
  /// Patterns of events, one or a list of them.
  func patterns(_ value: YAMLValue) -> [EventPattern] {
    let elements = elements(value)
    guard elements.count <= RuleFileLimits.eventsMax else {
      error(
        .tooMany, at: value.place, "the list has \(elements.count) events",
        expected: "at most \(RuleFileLimits.eventsMax)")
      return []
    }
    return elements.compactMap { pattern($0) }
  }

  /// One pattern of events; a list is one pattern of several kinds.
  func pattern(_ value: YAMLValue) -> EventPattern? {
    guard value.entries != nil else { return kindsPattern(value) }
    guard var map = MapReader(value, "this event", self) else { return nil }
    let pattern = pattern(&map)
    map.finish()
    return pattern
  }

  /// The pattern that the keys of a map make.
  func pattern(_ map: inout MapReader, hasKey: Bool = true) -> EventPattern? {
    let edge = map.value("edge").flatMap { word($0, "edge", among: Names.edges) }
    let event = map.required("event")
    let test = map.value("where")
    let condition = map.value("while").flatMap { self.condition($0) }
    let key = hasKey ? map.value("key") : nil
    let isLiteral = flag(&map, "literal")
    guard let event, var pattern = event.entries == nil ? kindsPattern(event) : pattern(event)
    else { return nil }
    if let edge { pattern.edge = edge }
    if isLiteral { pattern.isLiteral = true }
    if let test { pattern.test = merged(pattern.test, fieldTest(test, of: pattern.knownKinds)) }
    if let condition { pattern.condition = merged(pattern.condition, condition) }
    if let key { pattern.key = keyFields(key, among: argumentNames(of: pattern.knownKinds)) }
    return pattern
  }

  /// A name or a list of names.
  private func kindsPattern(_ value: YAMLValue) -> EventPattern? {
    var known: [EventKind] = []
    var own: [String] = []
    var edges: Set<Edge> = []
    let elements = elements(value)
    guard elements.count <= RuleFileLimits.eventsMax else {
      error(
        .tooMany, at: value.place, "the list has \(elements.count) events",
        expected: "at most \(RuleFileLimits.eventsMax)")
      return nil
    }
    for element in elements {
      guard var name = text(element, "an event") else { return nil }
      var place = self.place(of: element, at: 0)
      if name.hasPrefix("<") || name.hasPrefix(">") {
        edges.insert(name.hasPrefix("<") ? .end : .begin)
        name.removeFirst()
        place = place.moved(by: 1)
      } else {
        edges.insert(.begin)
      }
      if name == "app_work", elements.count == 1 {
        return EventPattern(.appWork, edge: edges.first ?? .begin)
      }
      if let kind = Vocabulary.kind(named: name) {
        known.append(kind)
      } else if isOwnKind(name, at: place) {
        own.append(name)
      } else {
        return nil
      }
    }
    if elements.isEmpty {
      error(.badType, at: value.place, "the list of events is empty", expected: "an event")
      return nil
    }
    if edges.count > 1 || !(known.isEmpty || own.isEmpty) {
      error(
        .unsupported, at: value.place,
        edges.count > 1
          ? "one event is both a beginning and an end"
          : "one event mixes kinds of the vocabulary"
            + " and of the app", expected: "a list of events of one sort, or several clauses")
      return nil
    }
    return EventPattern(own.isEmpty ? .kinds(known) : .named(own), edge: edges.first ?? .begin)
  }

  /// Whether a name that the vocabulary doesn't have is a kind of the app's own: one that the file
  /// declares, or one that isn't near to any that is known.
  private func isOwnKind(_ name: String, at place: Place) -> Bool {
    if declaredKinds.contains(name) || ownKinds.contains(name) { return true }
    guard ownKinds.count + declaredKinds.count < RuleFileLimits.ownKindsMax else {
      error(
        .tooMany, at: place, "the file speaks of very many kinds",
        expected: "at most \(RuleFileLimits.ownKindsMax) kinds of the app's own")
      return false
    }
    let near =
      Self.kind(meantBy: name)
      ?? nearest(
        to: name, among: Names.kinds + ["app_work"] + declaredKinds.sorted(), divisor: 5)
    let namespace = String(name.prefix { $0 != "." })
    let siblings = Names.kinds.filter { $0.hasPrefix(namespace + ".") }
    if Self.isKindName(name), near == nil {
      ownKinds.insert(name)
      if !siblings.isEmpty {
        warning(
          .unknownEvent, at: place,
          "the vocabulary has kinds '\(namespace).…', and not '\(PrintableScalars.shown(name))'",
          expected: "'\(PrintableScalars.shown(name))' in the list 'kinds' of the file")
      }
      return true
    }
    error(
      .unknownEvent, at: place, "no event kind '\(PrintableScalars.shown(name))'",
      expected: near != nil || !(1...12).contains(siblings.count)
        ? "" : "one of \(siblings.joined(separator: ", "))",
      suggestion: near)
    return false
  }

  /// Letters, digits, `_` and `-`, with at least one dot between.
  static func isKindName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && name.utf8.count <= 128
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.unicodeScalars.allSatisfy { ExpressionTokens.isWordPart($0) }
      }
  }

  private static let distinctiveLength = 12

  /// The kind whose name without its namespace, or whose name in the system, was written.
  private static func kind(meantBy name: String) -> String? {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    // Short names such as `open` are those of many things.
    guard last == name || last.utf8.count >= distinctiveLength, !last.isEmpty else { return nil }
    let tail = "." + Names.snake(last)
    if let kind = Vocabulary.kinds.first(where: { $0.name.hasSuffix(tail) }) { return kind.name }
    guard last.utf8.count >= distinctiveLength else { return nil }
    return Vocabulary.kinds.first { $0.symbol.contains(last) }?.name
  }

  /// Both tests together.
  func merged(_ first: FieldTest?, _ second: FieldTest?) -> FieldTest? {
    guard let first, let second else { return first ?? second }
    return .all([first, second])
  }

  /// Both conditions together.
  func merged(_ first: Condition?, _ second: Condition?) -> Condition? {
    guard let first, let second else { return first ?? second }
    return .all([first, second])
  }
}

extension EventPattern {
  /// The kinds of the vocabulary that the pattern names.
  var knownKinds: [EventKind] {
    if case .kinds(let kinds) = kinds { kinds } else { [] }
  }

  /// The names of all kinds that the pattern names.
  var kindNames: [String] {
    switch kinds {
    case .kinds(let kinds): kinds.compactMap { Vocabulary.description(of: $0)?.name }
    case .named(let names): names
    case .appWork: []
    }
  }
}
