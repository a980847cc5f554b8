// Reads the patterns that are written out in full: the keys are those of the AST.

import TraceLifecycle
import TraceModel
import TraceRules

extension Reading {
  /// For what one report is made.
  func unit(_ value: YAMLValue?, else standard: ReportUnit) -> ReportUnit {
    guard let value else { return standard }
    return word(value, "unit of reports", among: Names.units) ?? standard
  }

  func flag(_ map: inout MapReader, _ key: String, otherwise usual: Bool = false) -> Bool {
    map.value(key).flatMap { boolean($0, "'\(key)'") } ?? usual
  }

  func patterns(_ map: inout MapReader, _ key: String) -> [EventPattern] {
    map.value(key).map { patterns($0) } ?? []
  }

  /// Patterns that must be there.
  func requiredPatterns(_ map: inout MapReader, _ key: String) -> [EventPattern] {
    map.required(key).map { patterns($0) } ?? []
  }

  func argument(_ map: inout MapReader, _ key: String, of patterns: [EventPattern])
    -> ArgumentName?
  {
    guard let value = map.value(key), let name = text(value, "'\(key)'") else { return nil }
    let near = argumentNames(of: patterns.flatMap(\.knownKinds))
    return argument(name, at: value.place, among: near)
  }

  func key(_ map: inout MapReader, of patterns: [EventPattern]) -> [KeyField]? {
    map.value("key").map { keyFields($0, among: argumentNames(of: patterns.flatMap(\.knownKinds))) }
  }

  func never(_ map: inout MapReader, key: [KeyField], per unit: ReportUnit?) -> Never? {
    guard let event = pattern(&map, hasKey: false) else {
      map.allow(RuleKeys.never)
      return nil
    }
    let ownKey = self.key(&map, of: [event]) ?? key
    var never = Never(
      event, per: self.unit(map.value("per"), else: unit ?? (ownKey.isEmpty ? .event : .key)),
      key: ownKey)
    if let max = map.value("max") { never.max = countAmount(max, "'max'") ?? never.max }
    never.resets = patterns(&map, "resets")
    never.lateNanoseconds = map.value("late").flatMap { duration($0, "'late'") } ?? 0
    never.isLateOnly = flag(&map, "late_only")
    never.countArgument = argument(&map, "count_argument", of: [event])
    never.silentUnderDebugger = flag(&map, "silent_under_debugger")
    never.ignoresCallbacksWhileSuspended = flag(&map, "ignores_callbacks_while_suspended")
    never.yieldsWhileSuspendedTo = map.value("yields_while_suspended_to").flatMap {
      ruleName($0, "'yields_while_suspended_to'")
    }
    return never
  }

  func expect(_ value: YAMLValue) -> Expect? {
    guard var map = MapReader(value, "'expect'", self) else { return nil }
    let opens = requiredPatterns(&map, "opens")
    var expect = Expect(opens: opens, due: [])
    expect.closes = patterns(&map, "closes")
    expect.closesAll = patterns(&map, "closes_all")
    expect.closesOthers = flag(&map, "closes_others")
    expect.key = key(&map, of: opens) ?? []
    expect.isSpan = flag(&map, "is_span")
    if expect.isSpan, let value = map.value("opens"), !opens.isEmpty { checkSpans(value) }
    expect.reopening =
      map.value("reopening").flatMap { word($0, "reopening", among: Names.reopenings) } ?? .keep
    if let count = map.value("closes_needed") {
      expect.closesNeeded = countAmount(count, "'closes_needed'", least: 1) ?? .fixed(1)
    }
    if let due = map.required("due") {
      expect.due = elements(due).compactMap { self.due($0) }
      if elements(due).isEmpty {
        warning(.vacuous, at: due.place, "nothing is ever due", expected: "a due, such as within")
      }
    }
    expect.unit = unit(map.value("per"), else: .key)
    expect.outlivesLaunch = flag(&map, "outlives_launch")
    expect.isUndecidedIfCutOff = flag(&map, "is_undecided_if_cut_off")
    if let end = map.value("at_end") {
      expect.mayStayOpen = word(end, "word for 'at_end'", among: [("ok", true)]) == true
    }
    map.finish()
    return opens.isEmpty ? nil : expect
  }

  private static let dueKeys = [
    "within", "at", "at_same_key", "after", "suspension", "grace_end", "process_end",
    "recording_end",
  ]

  private func due(_ value: YAMLValue) -> Due? {
    if value.entries == nil {
      switch value.text {
      case "grace_end"?:
        usedParameters.insert("grace")
        return .graceEnd
      case "recording_end"?: return .recordingEnd
      default:
        unknown(
          .badWord, "due", value.text ?? "", at: value.place, among: ["grace_end", "recording_end"])
        return nil
      }
    }
    guard var map = MapReader(value, "a due", self) else { return nil }
    defer { map.finish() }
    if let time = map.value("within") { return self.time(time, "'within'").map { .within($0) } }
    if let events = map.value("at") { return .at(patterns(events)) }
    if let events = map.value("at_same_key") { return .atSameKey(patterns(events)) }
    if let events = map.value("after") {
      let time = map.required("time").flatMap { self.time($0, "'time'") }
      let orSuspension = flag(&map, "or_suspension")
      let unless = patterns(&map, "unless")
      return time.map {
        .after(patterns(events), $0, orSuspension: orSuspension, unless: unless)
      }
    }
    if let suspension = map.value("suspension") {
      let isInferred = word(
        suspension, "suspension", among: [("seen", false), ("inferred", true)])
      return isInferred.map { .suspension(inferred: $0) }
    }
    if let events = map.value("process_end") {
      let orNewStart = flag(&map, "or_new_start")
      let condition = map.value("while").flatMap { self.condition($0) }
      return .processEnd(patterns(events), orNewStart: orNewStart, while: condition)
    }
    map.allow(Self.dueKeys)
    if map.rest.isEmpty {
      error(
        .missingKey, at: value.place, "a due says nothing",
        expected: "one of \(Self.dueKeys.joined(separator: ", "))")
    }
    return nil
  }

  /// `lasts` in full; nil without a problem if it is the short form.
  func lasts(_ map: inout MapReader, on clock: Clock) -> Lasts? {
    let subject: Lasts.Subject?
    let place = map.place
    let errorsBefore = errorCount
    let span = map.value("span")
    let launch = map.value("launch")
    let condition = map.value("condition")
    switch (span, launch, condition) {
    case (let span?, nil, nil): subject = .span(patterns(span))
    case (nil, let launch?, nil):
      subject = boolean(launch, "'launch'") == true ? .launch : nil
    case (nil, nil, let condition?):
      subject = self.condition(condition, "'condition'").map { .condition($0) }
    default:
      subject = nil
      error(.badType, at: place, "'lasts' needs one subject", expected: "span, launch or condition")
    }
    let max = map.required("max").flatMap { time($0, "'max'", on: clock) }
    let upTo = map.value("up_to").flatMap { durationAmount($0, "'up_to'") }
    let causes = map.value("kill_causes").map { texts($0, "a cause") } ?? []
    let codes = map.value("kill_codes").map { self.codes($0) } ?? []
    let isInnermost = flag(&map, "is_innermost")
    let unit = unit(map.value("per"), else: .event)
    let openMessage = openMessage(&map, mayStayOpen: condition == nil)
    if let span, errorCount == errorsBefore { checkSpans(span) }
    guard let subject, let max else { return nil }
    return Lasts(
      subject, max: max, upTo: upTo, killCauses: causes, killCodes: codes,
      isInnermost: isInnermost, per: unit, openMessage: openMessage)
  }

  /// What is said of a span that hadn't returned when the launch ended; nil if nothing is.
  private func openMessage(_ map: inout MapReader, mayStayOpen: Bool) -> MessageTemplate? {
    let isLeak = map.value("at_end").flatMap {
      word($0, "word for 'at_end'", among: [("leak", true), ("ok", false)])
    }
    let message = map.value("open_message").flatMap { self.message($0, "'open_message'") }
    let extra = ["at_end", "open_message"].first { map.has($0) }
    if let extra, !mayStayOpen {
      warning(
        .vacuous, at: map.place(of: extra),
        "'\(extra)' says nothing of a condition, which is reported when its time is over")
    } else if message != nil, isLeak == false {
      error(
        .misplacedKey, at: map.place(of: "open_message"),
        "'open_message' doesn't go with 'at_end: ok', with which no open span is reported")
    }
    if !mayStayOpen { return message }
    return message ?? (isLeak == false ? nil : Self.openMessage)
  }

  static let openMessage: MessageTemplate =
    "{what} had not returned after {duration}; the limit is {limit}"

  /// Reports kinds that are moments where spans are asked for.
  func checkSpans(_ value: YAMLValue) {
    for element in elements(value) {
      guard let pattern = pattern(element) else { continue }
      let moments = pattern.knownKinds.filter { Vocabulary.description(of: $0)?.shape == .instant }
      if !moments.isEmpty {
        error(
          .unsupported, at: element.place,
          "\(shownKinds(moments)) happens in a moment and has no length",
          expected: "a span, such as delegate.did_enter_background")
      } else if pattern.edge == .end {
        error(
          .unsupported, at: element.place, "a span is named by its return",
          expected: "the name alone")
      }
    }
  }

  /// Codes of kills: decimal, or hexadecimal with `0x`.
  func codes(_ value: YAMLValue) -> [UInt32] {
    elements(value).compactMap { element in
      guard let text = text(element, "a code") else { return nil }
      let code = text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
      if code == nil {
        error(
          .badNumber, at: element.place, "a code is \(element.description)",
          expected: "a number of 32 bits such as 0x8badf00d")
      }
      return code
    }
  }

  func sums(_ value: YAMLValue) -> Sums? {
    guard var map = MapReader(value, "'sums'", self) else { return nil }
    let errorsBefore = errorCount
    let value = map.value("spans")
    let spans = requiredPatterns(&map, "spans")
    let resets = patterns(&map, "resets")
    let max = map.required("max").flatMap { time($0, "'max'") }
    let unit = unit(map.value("per"), else: .launch)
    map.finish()
    if let value, errorCount == errorsBefore { checkSpans(value) }
    guard let max, !spans.isEmpty else { return nil }
    return Sums(spans, resets: resets, per: unit, max: max)
  }

  func openAtMost(_ value: YAMLValue) -> OpenAtMost? {
    guard var map = MapReader(value, "'open_at_most'", self) else { return nil }
    let opens = requiredPatterns(&map, "opens")
    let closes = requiredPatterns(&map, "closes")
    let closesAll = patterns(&map, "closes_all")
    let key = key(&map, of: opens) ?? []
    let max = map.required("max").flatMap { countAmount($0, "'max'") }
    let weight = argument(&map, "weight", of: opens)
    let at = patterns(&map, "at")
    let unit = unit(map.value("per"), else: .launch)
    let outlivesLaunch = flag(&map, "outlives_launch")
    map.finish()
    guard let max, !opens.isEmpty else { return nil }
    return OpenAtMost(
      opens: opens, closes: closes, closesAll: closesAll, key: key, max: max, weight: weight,
      at: at, per: unit, outlivesLaunch: outlivesLaunch)
  }

  /// The edges of `order` in full.
  func edges(_ value: YAMLValue) -> [Order.Edge] {
    guard elements(value).count <= RuleFileLimits.orderEdgesMax else {
      error(
        .tooMany, at: value.place, "'order' has \(elements(value).count) edges",
        expected: "at most \(RuleFileLimits.orderEdgesMax)")
      return []
    }
    return elements(value).compactMap { element in
      guard var map = MapReader(element, "an edge", self) else { return nil }
      let from = map.required("from").flatMap { text($0, "'from'") }
      let event = map.required("event").flatMap { pattern($0) }
      let to = map.required("to").flatMap { text($0, "'to'") }
      map.finish()
      guard let from, let event, let to else { return nil }
      return Order.Edge(from, event, to)
    }
  }
}
