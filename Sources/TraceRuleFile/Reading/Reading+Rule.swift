// Reads a rule, and the list of rules of a file.

import TraceLifecycle
import TraceModel
import TraceRules

extension Reading {
  /// The rules of a file that have no errors.
  func rules(_ root: YAMLValue, reserved: Set<String>) -> [Rule] {
    guard var map = MapReader(root, "the file", self) else { return [] }
    if let version = map.required("tracecheck"), version.text != "1" {
      error(
        .badVersion, at: version.place, "the version of the notation is \(version.description)",
        expected: "1", suggestion: "1")
      return []
    }
    for kind in map.value("kinds").map({ elements($0) }) ?? [] {
      guard let name = text(kind, "a kind") else { continue }
      if Vocabulary.kind(named: name) == nil, Self.isKindName(name) {
        declaredKinds.insert(name)
      } else {
        error(
          .badID, at: kind.place, "'\(PrintableScalars.shown(name))' is no kind of the app's own",
          expected: "a name with a dot that the vocabulary doesn't have")
      }
    }
    var rules: [Rule] = []
    if let list = map.required("rules") {
      if case .list(let elements) = list.content {
        rules = read(elements, reserved: reserved)
      } else if problems.isEmpty || !list.isEmpty {
        error(.badType, at: list.place, "'rules' is \(list.description)", expected: "a list")
      }
    }
    map.finish(elsewhere: RuleKeys.rule)
    return rules
  }

  private func read(_ elements: [YAMLValue], reserved: Set<String>) -> [Rule] {
    var rules: [(index: Int, rule: Rule)] = []
    var names = RuleNames(reading: self, reserved: reserved)
    var clauseCount = 0
    for (index, element) in elements.enumerated() {
      guard index < RuleFileLimits.rulesMax else {
        error(
          .tooMany, at: element.place, "the file has \(elements.count) rules",
          expected: "at most \(RuleFileLimits.rulesMax)")
        break
      }
      if element.isEmpty { continue }
      let rule = rule(element)
      names.check(element)
      clauseCount += rule?.clauses.count ?? 0
      guard clauseCount <= RuleFileLimits.fileClausesMax else {
        error(
          .tooMany, at: element.place, "the rules of the file have more clauses than are judged",
          expected: "at most \(RuleFileLimits.fileClausesMax)")
        break
      }
      self.rule = nil
      if let rule { rules.append((index, rule)) }
    }
    names.checkReferences(named)
    let faulty = attribute(to: elements)
    return rules.filter { !faulty.contains($0.index) }.map(\.rule)
  }

  private func rule(_ value: YAMLValue) -> Rule? {
    rule = nil
    parameterNames = []
    parameters = [:]
    usedParameters = []
    factNames = []
    factKeyCounts = [:]
    let errorsBefore = errorCount
    guard var map = MapReader(value, "a rule", self) else { return nil }
    let id = map.required("id").flatMap { self.id($0) }
    rule = id
    let slug = map.value("slug").flatMap { self.slug($0) }
    let severity = map.value("severity").flatMap { self.severity($0) } ?? .warning
    let parameterList = map.value("parameters")
    let parameters = parameterList.map { self.parameters($0) } ?? []
    parameterNames = parameters.map(\.name)
    var facts = map.value("facts").map { self.facts($0) } ?? []
    let needsValue = map.value("needs")
    let needs = needsValue.map { texts($0, "a namespace") }
    let message = map.value("message").flatMap { self.message($0) }
    let defaults = ClauseDefaults(
      severity: severity, message: message, messageValue: map.value("message"), number: 1,
      isRule: true)
    let clauses = clauses(&map, defaults, &facts)
    if let needsValue { checkNamespaces(needsValue) }
    var made = Rule(
      id: id ?? "", slug: slug ?? "user/\(id ?? "")", severity: severity,
      summary: prose(&map, "summary"), rationale: prose(&map, "rationale"),
      consequence: prose(&map, "consequence"),
      advice: prose(&map, map.has("help") ? "help" : "advice"),
      sources: map.value("sources").map { sources($0) } ?? [],
      needs: [], profiles: map.value("profiles").map { profiles($0) } ?? Profile.allCases,
      parameters: parameters, facts: facts, clauses: clauses,
      clausesAreIndependent: flag(&map, "clauses_are_independent"),
      isLoweredUnderDebugger: flag(&map, "is_lowered_under_debugger"),
      isLoweredWhereSystemIsAssumed: flag(&map, "is_lowered_where_system_is_assumed"),
      allowance: map.value("allowance").flatMap {
        word($0, "allowance", among: Names.allowances)
      },
      explains: map.value("explains").map { ends($0) } ?? [],
      yields: map.value("yields").map { yields($0) } ?? [], examples: [])
    made.examples = map.value("examples").map { examples($0) } ?? []
    made.needs = needs ?? made.namespaces
    made.tags = map.value("tags").map { texts($0, "a tag") } ?? []
    made.keysMax = keysMax(&map)
    map.finish(elsewhere: RuleKeys.patterns + RuleKeys.modifiers + RuleKeys.clause)
    if errorCount == errorsBefore, id != nil, clauses.isEmpty {
      error(.noPattern, at: map.place, "the rule asks for nothing")
    }
    if errorCount == errorsBefore {
      reportUnused(parameterList, map)
      RuleChecks(reading: self, value: value).check(made)
    }
    return id == nil || clauses.isEmpty ? nil : made
  }

  private func id(_ value: YAMLValue) -> String? {
    guard let text = text(value, "'id'") else { return nil }
    let isGood =
      text.utf8.count <= 64
      && text.unicodeScalars.first.map { ExpressionTokens.isWordStart($0) } == true
      && text.unicodeScalars.allSatisfy { ExpressionTokens.isWordPart($0) }
    if isGood { return text }
    error(
      .badID, at: value.place, "'\(PrintableScalars.shown(text))' is no id",
      expected: "at most 64 letters, digits, '-', '_' and '.', of which the first is a letter",
      suggestion: Self.id(meantBy: text))
    return nil
  }

  private func slug(_ value: YAMLValue) -> String? {
    guard let text = text(value, "'slug'") else { return nil }
    if RuleNames.isSlug(text) || isRefused(at: value.place) { return text }
    let parts = text.lowercased().split(separator: "/").map { part in
      String(part.map { $0.unicodeScalars.allSatisfy(RuleNames.isFamilyPart) ? $0 : "-" })
    }
    let meant = (parts.count == 2 ? parts : ["user"] + parts.suffix(1)).joined(separator: "/")
    error(
      .badID, at: value.place, "'\(PrintableScalars.shown(text))' is no slug",
      expected: "FAMILY/NAME in small letters, digits and '-'",
      suggestion: RuleNames.isSlug(meant) ? meant : nil)
    return nil
  }

  private static func id(meantBy text: String) -> String? {
    guard text.utf8.count <= 64, text.unicodeScalars.first.map(ExpressionTokens.isWordStart) == true
    else { return nil }
    return String(
      text.map { character in
        character.unicodeScalars.allSatisfy { ExpressionTokens.isWordPart($0) } ? character : "-"
      })
  }

  private func prose(_ map: inout MapReader, _ key: String) -> String {
    guard let value = map.value(key) else { return "" }
    if value.isEmpty { return "" }
    return text(value, "'\(key)'") ?? ""
  }

  /// The clauses of a list, or the one that the rule is itself.
  private func clauses(
    _ map: inout MapReader, _ defaults: ClauseDefaults, _ facts: inout [Fact]
  ) -> [Clause] {
    guard let list = map.value("clauses") else {
      let (clauses, own) = clauses(&map, defaults)
      facts += own
      return clauses
    }
    if let pattern = map.keys.first(where: { RuleKeys.patterns.contains($0) }) {
      map.allow(RuleKeys.patterns + RuleKeys.modifiers + RuleKeys.clause)
      error(
        .twoPatterns, at: map.place(of: pattern), "'\(pattern)' stands beside 'clauses'",
        expected: "one pattern, or a list of 'clauses'")
      return []
    }
    var clauses: [Clause] = []
    let elements = elements(list)
    guard elements.count <= RuleFileLimits.clausesMax else {
      error(
        .tooMany, at: elements[RuleFileLimits.clausesMax].place,
        "the rule has \(elements.count) clauses",
        expected: "at most \(RuleFileLimits.clausesMax)")
      return []
    }
    var reasons: Set<String> = []
    for (index, element) in elements.enumerated() {
      if let reason = element.entries?.first(where: { $0.key == "reason" })?.value,
        let text = reason.text, !text.isEmpty, !reasons.insert(text).inserted
      {
        error(
          .duplicateID, at: reason.place,
          "a second clause has the reason '\(PrintableScalars.shown(text))'",
          expected: "another reason")
      }
      guard var clause = MapReader(element, "a clause", self) else { continue }
      let (own, ownFacts) = self.clauses(
        &clause,
        ClauseDefaults(
          severity: defaults.severity, message: defaults.message,
          messageValue: defaults.messageValue, number: index + 1, isRule: false))
      clause.finish(elsewhere: RuleKeys.patterns + RuleKeys.modifiers)
      clauses += own
      facts += ownFacts
    }
    if elements.isEmpty {
      error(.noPattern, at: list.place, "'clauses' is empty", expected: "a list of clauses")
    }
    return clauses
  }

  private func keysMax(_ map: inout MapReader) -> Int? {
    guard let value = map.value("max_keys"), let count = count(value, "'max_keys'") else {
      return nil
    }
    guard (1...Int64(MemoryBound.instancesMax)).contains(count) else {
      error(
        .badNumber, at: value.place, "'max_keys' is \(count)",
        expected: "1 to \(MemoryBound.instancesMax)")
      return nil
    }
    return Int(count)
  }

  private func reportUnused(_ list: YAMLValue?, _ map: MapReader) {
    for entry in list?.entries ?? [] where !usedParameters.contains(entry.key) {
      warning(
        .unusedParameter, at: entry.place,
        "nothing refers to the parameter '\(PrintableScalars.shown(entry.key))'",
        expected: "'$\(PrintableScalars.shown(entry.key))' somewhere")
    }
  }
}
