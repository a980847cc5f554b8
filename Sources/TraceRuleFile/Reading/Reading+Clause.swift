// Reads a clause: its pattern, and what is said about it.

import TraceLifecycle
import TraceModel
import TraceRules

/// What a clause takes from its rule.
struct ClauseDefaults {
  var severity: Severity
  var message: MessageTemplate?
  /// Where the message stands.
  var messageValue: YAMLValue?
  var number: Int
  /// The clause is the whole rule: what both may say, the rule has read.
  var isRule: Bool
}

extension Reading {
  /// The clauses that the keys of a map make, and the facts that they need. A short form may make
  /// more than one.
  func clauses(
    _ map: inout MapReader, _ defaults: ClauseDefaults
  ) -> (clauses: [Clause], facts: [Fact]) {
    let reason = map.value("reason").flatMap { text($0, "'reason'") }
    var severity = defaults.severity
    var needs: [String] = []
    var message = defaults.message
    if !defaults.isRule {
      severity = map.value("severity").flatMap { self.severity($0) } ?? severity
      needs = map.value("needs").map { texts($0, "a namespace") } ?? []
      message = map.value("message").flatMap { self.message($0) } ?? message
    }
    let messageValue = map.value("message") ?? defaults.messageValue
    let errorsBefore = errorCount
    let applies = self.applies(&map)
    let evidence =
      map.value("evidence").flatMap { word($0, "evidence", among: Names.evidence) } ?? .none
    let escalation = map.value("escalation").flatMap { self.escalation($0) }
    let ends = map.value("ends").map { self.ends($0) } ?? []
    let explainsEnds = flag(&map, "explains_ends", otherwise: true)
    let trustsUnknownEnds = flag(&map, "trusts_unknown_ends")
    let spared = map.value("spares_inactivity").flatMap {
      durationAmount($0, "'spares_inactivity'")
    }
    guard let (translation, facts) = translation(&map, number: defaults.number) else {
      return ([], [])
    }
    if !defaults.isRule, let value = map.value("needs") { checkNamespaces(value) }
    if let messageValue, message != nil, errorCount == errorsBefore {
      checkFields(messageValue, translation.map(\.pattern))
    }
    let clauses = translation.map { part in
      var clause = Clause(
        reason: reason ?? part.reason, severity, needs: needs, applies: applies, part.pattern,
        evidence: evidence, escalation: escalation, explainsEnds: explainsEnds,
        trustsUnknownEnds: trustsUnknownEnds, sparesInactivity: spared,
        message: message ?? MessageTemplate(part.message))
      clause.ends = ends
      return clause
    }
    return (clauses, facts)
  }

  /// Ids of the table of ends.
  func ends(_ value: YAMLValue) -> [String] {
    elements(value).compactMap { word($0, "end", among: Names.ends) }
  }

  func severity(_ value: YAMLValue) -> Severity? {
    guard let text = text(value, "'severity'") else { return nil }
    if let severity = Severity(rawValue: text) { return severity }
    let meant: String? =
      switch text.lowercased() {
      case "critical", "fatal", "failure", "high", "blocker": "error"
      case "info", "information", "hint", "low", "advice": "note"
      case "warn", "medium": "warning"
      default: nearest(to: text, among: Names.severities.map(\.0))
      }
    error(
      .badSeverity, at: value.place, "no severity '\(PrintableScalars.shown(text))'",
      expected: "error, warning or note", suggestion: meant)
    return nil
  }

  /// `applies`, and `unless: {declared: FIELD, has: VALUE}`.
  private func applies(_ map: inout MapReader) -> HeaderTest? {
    let applies = map.value("applies").flatMap { headerTest($0, "'applies'") }
    guard let value = map.value("unless"), var unless = MapReader(value, "'unless'", self) else {
      return applies
    }
    let declared = unless.required("declared")
    let given = unless.required("has")
    unless.finish()
    guard let declared, let name = text(declared, "'declared'"), let hasValue = given,
      let has = text(hasValue, "'has'")
    else { return applies }
    let term = Term(content: .word(name), offset: 0)
    guard let field = headerField(term, nil, in: declared) else { return applies }
    let test: HeaderTest
    switch field.type {
    case .strings:
      warnOfMode(has, field, at: hasValue.place)
      test = .has(field, has)
    case .string: test = .isText(field, [has])
    case .boolean:
      guard let isTrue = boolean(hasValue, "'has'") else { return applies }
      test = isTrue ? .isTrue(field) : .isFalse(field)
    case .integer:
      error(
        .badType, at: declared.place, "the header field '\(name)' is a number",
        expected: "a text, a list or a boolean")
      return applies
    }
    return applies.map { .all([$0, .not(test)]) } ?? .not(test)
  }

  private func escalation(_ value: YAMLValue) -> Clause.Escalation? {
    guard var map = MapReader(value, "'escalation'", self) else { return nil }
    let severity = map.required("severity").flatMap { self.severity($0) }
    let causes = map.value("causes").map { texts($0, "a cause") } ?? []
    let codes = map.value("codes").map { self.codes($0) } ?? []
    let within = map.value("within").flatMap { duration($0, "'within'") }
    var fact: String?
    if let name = map.value("while_fact"), let text = text(name, "'while_fact'") {
      fact = text
      if !factNames.contains(text) {
        unknown(.unknownFact, "fact", text, at: name.place, among: factNames)
      }
    }
    map.finish()
    return severity.map {
      Clause.Escalation(
        $0, causes: causes, codes: codes, withinNanoseconds: within, whileFact: fact)
    }
  }

  /// A message, with fields that there are.
  func message(_ value: YAMLValue, _ what: String = "'message'") -> MessageTemplate? {
    guard case .scalar(let text, _) = value.content else {
      _ = self.text(value, what)
      return nil
    }
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while !isFull, let open = scalars[index...].firstIndex(of: "{") {
      let place = self.place(of: value, at: open + 1)
      guard let close = scalars[open...].firstIndex(of: "}") else {
        error(
          .badMessage, at: self.place(of: value, at: open), "a field has no end", expected: "'}'")
        break
      }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[(open + 1)..<close])
      let name = String(view)
      if !MessageFields.names.contains(name), ArgumentName.known(name) == nil {
        let names = MessageFields.names + Names.arguments
        let nearest = nearest(to: name, among: names)
        error(
          .unknownField, at: place, "no field '{\(PrintableScalars.shown(name))}' in messages",
          expected: nearest == nil
            ? "an argument, or one of \(MessageFields.names.joined(separator: ", "))" : "",
          suggestion: nearest)
      }
      index = close + 1
    }
    return MessageTemplate(text)
  }

  /// The one pattern of a clause, translated.
  private func translation(
    _ map: inout MapReader, number: Int
  ) -> (ShortForm.Translation, [Fact])? {
    let given = map.keys.filter { RuleKeys.patterns.contains($0) }
    guard let name = given.first, let value = map.value(name) else {
      reportNoPattern(&map)
      return nil
    }
    guard given.count == 1 else {
      map.allow(given + RuleKeys.modifiers)
      error(
        .twoPatterns, at: map.place(of: given[1]), "a second pattern beside '\(name)'",
        expected: "one pattern, or a list of 'clauses'")
      return nil
    }
    map.pattern = name
    let isFullExpect = name == "expect" && (value.entries?.contains { $0.key == "opens" } ?? false)
    switch name {
    case "expect" where isFullExpect:
      return expect(value).map { ([(nil, .expect($0), "{what} was not answered in time")], []) }
    case "sums": return sums(value).map { ([(nil, .sums($0), "{what} took too long in sum")], []) }
    case "open_at_most":
      return openAtMost(value).map { ([(nil, .openAtMost($0), "too many are open at once")], []) }
    case "header":
      return headerTest(value, "'header'").map {
        ([(nil, .header($0), "the app declares what it must not")], [])
      }
    case "hand_written":
      map.allow(["because"])
      error(
        .unsupported, at: value.place, "a rule written by hand is no pattern",
        expected: "one of the patterns that the documentation of user rules lists")
      return nil
    default: break
    }
    var form = ShortForm(
      &map, number: number, afterIsPattern: name == "expect", events: [])
    let translation: ShortForm.Translation
    switch name {
    case "never": translation = form.never(value)
    case "paired": translation = form.paired(value, &map)
    case "expect": translation = form.answered(value, &map)
    case "require": translation = form.require(value)
    case "order": translation = form.order(value)
    case "at_most": translation = form.atMost(value)
    case "at_least": translation = form.atLeast(value)
    case "limit": translation = form.limit(value)
    case "lasts": translation = form.lasts(value)
    default: translation = form.holds(value)
    }
    if name != "lasts", !map.has("within") { form.refuseClock("'\(name)'") }
    return (translation, form.facts)
  }

  private func reportNoPattern(_ map: inout MapReader) {
    map.allow(RuleKeys.modifiers)
    let known = RuleKeys.patterns + RuleKeys.modifiers + RuleKeys.rule + RuleKeys.clause
    let isSlip = map.keys.contains { key in
      !known.contains(key) && nearest(to: key, among: RuleKeys.patterns) != nil
    }
    if isSlip { return }
    error(
      .noPattern, at: map.place, "\(map.what) has no pattern",
      expected: "one of \(RuleKeys.patterns.dropLast().joined(separator: ", "))")
  }
}
