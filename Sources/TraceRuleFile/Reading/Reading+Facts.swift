// Reads what a rule says beside its clauses: facts, parameters, sources, examples.

import TraceLifecycle
import TraceModel
import TraceRules

extension Reading {
  /// The facts of a rule. The names of all of them are known before the first is read.
  func facts(_ value: YAMLValue) -> [Fact] {
    let elements = elements(value)
    guard elements.count <= RuleFileLimits.namesMax else {
      error(
        .tooMany, at: value.place, "the rule has \(elements.count) facts",
        expected: "at most \(RuleFileLimits.namesMax)")
      return []
    }
    for element in elements {
      guard let name = element.entries?.first(where: { $0.key == "name" })?.value,
        let text = name.text
      else { continue }
      if factNames.contains(text) {
        error(
          .duplicateID, at: name.place,
          "the fact '\(PrintableScalars.shown(text))' is declared twice")
      }
      factNames.append(text)
      let key = element.entries?.first { $0.key == "key" }?.value
      factKeyCounts[text] = key.map { self.elements($0).count } ?? 0
    }
    return elements.compactMap { fact($0) }
  }

  private func fact(_ value: YAMLValue) -> Fact? {
    guard var map = MapReader(value, "a fact", self) else { return nil }
    let name = map.required("name").flatMap { text($0, "'name'") }
    var fact = Fact(name ?? "", set: requiredPatterns(&map, "set"))
    fact.clear = patterns(&map, "clear")
    fact.clearAll = patterns(&map, "clear_all")
    fact.key = key(&map, of: fact.set) ?? []
    if let initially = map.value("initially") {
      fact.initially =
        word(
          initially, "initial value",
          among: [("true", true as Bool?), ("false", false), ("unknown", nil)]) ?? false
    }
    fact.after = map.value("after").flatMap { time($0, "'after'") }
    fact.lasts = map.value("lasts").flatMap { time($0, "'lasts'") }
    fact.nests = flag(&map, "nests")
    fact.life = map.value("life").flatMap { word($0, "life", among: Names.lives) } ?? .launch
    map.finish()
    if fact.set.isEmpty, fact.initially != true, map.has("set") {
      warning(
        .vacuous, at: value.place,
        "the fact '\(PrintableScalars.shown(fact.name))' is never set", expected: "events in 'set'")
    }
    return name == nil ? nil : fact
  }

  /// The numbers of a rule that a caller may change.
  func parameters(_ value: YAMLValue) -> [RuleParameter] {
    guard let entries = value.entries else {
      error(
        .badType, at: value.place, "'parameters' is \(value.description)",
        expected: "a map of names and numbers")
      return []
    }
    guard entries.count <= RuleFileLimits.namesMax else {
      error(
        .tooMany, at: value.place, "the rule has \(entries.count) parameters",
        expected: "at most \(RuleFileLimits.namesMax)")
      return []
    }
    return entries.compactMap { entry in
      let parameter = parameter(entry)
      if let parameter {
        let isBare = entry.value.entries == nil && parameter.unit == .count
        parameters[parameter.name] = DeclaredParameter(
          unit: parameter.unit, value: parameter.value,
          number: isBare ? entry.value.text.map { ($0, entry.value.place) } : nil)
      }
      return parameter
    }
  }

  private func parameter(_ entry: YAMLValue.Entry) -> RuleParameter? {
    let name = entry.key
    guard let first = name.unicodeScalars.first, ExpressionTokens.isWordStart(first),
      name.unicodeScalars.allSatisfy({ ExpressionTokens.isWordPart($0) })
    else {
      error(
        .badID, at: entry.place, "'\(PrintableScalars.shown(name))' is no name of a parameter",
        expected: "letters, digits, _ and -")
      return nil
    }
    guard entry.value.entries != nil else {
      guard let text = text(entry.value, "'\(name)'") else { return nil }
      if let count = Int64(text) { return RuleParameter(name, .count, count, .toolDefault) }
      return duration(text, at: entry.value.place, "'\(name)'").map {
        RuleParameter(name, .nanoseconds, $0, .toolDefault)
      }
    }
    guard var map = MapReader(entry.value, "a parameter", self) else { return nil }
    let unit =
      map.value("unit").flatMap { word($0, "unit", among: Names.parameterUnits) } ?? .nanoseconds
    let basis = map.value("basis").flatMap { word($0, "basis", among: Names.bases) }
    let number = map.required("value").flatMap {
      unit == .nanoseconds ? duration($0, "'\(name)'") : integer($0, "'\(name)'")
    }
    let limits = map.value("limits").flatMap { word($0, "duration", among: Names.durations) }
    map.finish()
    return number.map { RuleParameter(name, unit, $0, basis ?? .toolDefault, limits: limits) }
  }

  func sources(_ value: YAMLValue) -> [RuleSource] {
    elements(value).compactMap { element in
      guard element.entries != nil else {
        return text(element, "a source").map { RuleSource($0, "") }
      }
      guard var map = MapReader(element, "a source", self) else { return nil }
      let title = map.required("title").flatMap { text($0, "'title'") }
      let section = map.value("section").flatMap { text($0, "'section'") }
      map.finish()
      return title.map { RuleSource($0, section ?? "") }
    }
  }

  func yields(_ value: YAMLValue) -> [Yield] {
    elements(value).compactMap { element in
      guard var map = MapReader(element, "'yields'", self) else { return nil }
      let rule = map.required("to").flatMap { ruleName($0, "'to'") }
      let same = map.required("same").flatMap { word($0, "sameness", among: Names.samenesses) }
      let unlessMilder = flag(&map, "unless_milder")
      map.finish()
      guard let rule, let same else { return nil }
      return Yield(to: rule, same: same, unlessMilder: unlessMilder)
    }
  }

  /// The id of another rule, which is looked for when all are read.
  func ruleName(_ value: YAMLValue, _ what: String) -> String? {
    guard let text = text(value, what) else { return nil }
    named.append((text, value.place))
    return text
  }

  func profiles(_ value: YAMLValue) -> [Profile] {
    elements(value).compactMap { word($0, "profile", among: Names.profiles) }
  }

  /// Short: `holds:` and `violates:` with timelines. In full: a list of maps with remarks.
  func examples(_ value: YAMLValue) -> [RuleExample] {
    if case .list(let elements) = value.content { return elements.compactMap { example($0) } }
    guard var map = MapReader(value, "'examples'", self) else { return [] }
    var examples: [RuleExample] = []
    for (key, make) in Self.expectations {
      for element in map.value(key).map({ elements($0) }) ?? [] {
        if let timeline = text(element, "an example") { examples.append(make("", timeline)) }
      }
    }
    map.finish()
    return examples
  }

  private static let expectations: [(String, @Sendable (String, String) -> RuleExample)] = [
    ("holds", { RuleExample.holds($0, $1) }), ("violates", { RuleExample.violates($0, $1) }),
    ("unknown", { RuleExample.unknown($0, $1) }),
  ]

  private func example(_ value: YAMLValue) -> RuleExample? {
    guard var map = MapReader(value, "an example", self) else { return nil }
    let timeline = map.required("trace").flatMap { text($0, "'trace'") }
    let reasons = map.value("reasons").map { list in
      elements(list).map { element -> String? in
        if case .scalar("null", .plain) = element.content { return nil }
        return text(element, "a reason")
      }
    }
    let severities = map.value("severities").map { list in
      elements(list).compactMap { severity($0) }
    }
    let given = Self.expectations.filter { map.has($0.0) }
    let remark = given.first.flatMap { map.value($0.0) }.map { $0.text ?? "" }
    if given.count != 1 {
      error(
        .missingKey, at: value.place, "an example has \(given.count) expectations",
        expected: "one of holds, violates, unknown, with a remark")
    }
    map.finish()
    guard let timeline, let (_, make) = given.first else { return nil }
    var example = make(remark ?? "", timeline)
    if let reasons, case .violates = example.expectation {
      example.expectation = .violates(reasons)
    }
    if case .violates = example.expectation { example.severities = severities }
    return example
  }
}
