// Prints patterns in full: the keys are those of the AST.

import TraceLifecycle
import TraceModel
import TraceRules

enum PatternPrinter {
  typealias Entries = [(String, YAMLOutput)]

  /// The keys of a clause that say its pattern.
  static func pattern(_ pattern: Pattern) -> Entries {
    switch pattern {
    case .never(let never): [("never", self.never(never))]
    case .expect(let expect): [("expect", self.expect(expect))]
    case .lasts(let lasts): [("lasts", self.lasts(lasts))]
    case .sums(let sums): [("sums", self.sums(sums))]
    case .openAtMost(let open): [("open_at_most", openAtMost(open))]
    case .limit(let limit): [("limit", self.limit(limit))]
    case .order(let order): [("order", self.order(order))]
    case .header(let test): [("header", .text(ExpressionText.text(test)))]
    case .handWritten(let monitor, let because):
      [("hand_written", .text(Names.snake(monitor.rawValue))), ("because", .text(because))]
    }
  }

  static func events(_ patterns: [EventPattern]) -> YAMLOutput {
    patterns.count == 1 ? event(patterns[0]) : .list(patterns.map { event($0) })
  }

  /// A name where that says all, else a map.
  static func event(_ pattern: EventPattern) -> YAMLOutput {
    let names = pattern.kinds == .appWork ? ["app_work"] : pattern.kindNames
    let isBare =
      pattern.test == nil && pattern.condition == nil && pattern.key == nil && !pattern.isLiteral
    if isBare, names.count == 1, pattern.edge != .any {
      return .text((pattern.edge == .end ? "<" : "") + names[0])
    }
    var map: Entries = [("event", names.count == 1 ? .text(names[0]) : .words(names))]
    if pattern.edge != .begin {
      map.append(("edge", .plain(Names.word(pattern.edge, in: Names.edges))))
    }
    if let test = pattern.test { map.append(("where", .text(ExpressionText.text(test)))) }
    if let condition = pattern.condition {
      map.append(("while", .text(ExpressionText.text(condition))))
    }
    if let key = pattern.key { map.append(("key", self.key(key))) }
    append(pattern.isLiteral, as: "literal", to: &map)
    return .map(map)
  }

  static func key(_ key: [KeyField]) -> YAMLOutput {
    let fields = key.map { ExpressionText.field($0) }
    return fields.count == 1 ? .text(fields[0]) : .words(fields)
  }

  static func time(_ time: Time) -> YAMLOutput {
    let length = duration(time.amount)
    if time.clock == .run, time.states == nil { return length }
    var map: Entries = [
      ("time", length), ("clock", .plain(Names.word(time.clock, in: Names.clocks))),
    ]
    if let states = time.states {
      map.append(("phases", .words(Names.states.filter { states.contains($0.1) }.map(\.0))))
    }
    return .map(map)
  }

  static func duration(_ amount: Amount) -> YAMLOutput {
    if case .fixed(let nanoseconds) = amount { return .plain(DurationWords.text(nanoseconds)) }
    return count(amount)
  }

  static func count(_ amount: Amount) -> YAMLOutput {
    let text = ExpressionText.amount(amount)
    switch amount {
    case .fixed, .large: return .plain(text)
    case .parameter, .argument: return .text(text)
    }
  }

  static func codes(_ codes: [UInt32]) -> YAMLOutput {
    .list(codes.map { .plain("0x" + String($0, radix: 16)) })
  }

  private static func unit(_ unit: ReportUnit) -> (String, YAMLOutput) {
    ("per", .plain(Names.word(unit, in: Names.units)))
  }

  private static func append(_ patterns: [EventPattern], as key: String, to map: inout Entries) {
    if !patterns.isEmpty { map.append((key, events(patterns))) }
  }

  private static func append(_ flag: Bool, as key: String, to map: inout Entries) {
    if flag { map.append((key, .plain("true"))) }
  }

  private static func never(_ never: Never) -> YAMLOutput {
    var map: Entries
    if never.event.key == nil, case .map(let event) = event(never.event) {
      map = event
    } else {
      map = [("event", event(never.event))]
    }
    map.append(unit(never.unit))
    if !never.key.isEmpty { map.append(("key", key(never.key))) }
    if never.max != .fixed(0) { map.append(("max", count(never.max))) }
    append(never.resets, as: "resets", to: &map)
    if never.lateNanoseconds != 0 {
      map.append(("late", .plain(DurationWords.text(never.lateNanoseconds))))
    }
    append(never.isLateOnly, as: "late_only", to: &map)
    if let name = never.countArgument {
      map.append(("count_argument", .text(ExpressionText.argument(name))))
    }
    append(never.silentUnderDebugger, as: "silent_under_debugger", to: &map)
    append(
      never.ignoresCallbacksWhileSuspended, as: "ignores_callbacks_while_suspended", to: &map)
    if let rule = never.yieldsWhileSuspendedTo {
      map.append(("yields_while_suspended_to", .text(rule)))
    }
    return .map(map)
  }

  private static func expect(_ expect: Expect) -> YAMLOutput {
    var map: Entries = [("opens", events(expect.opens))]
    append(expect.closes, as: "closes", to: &map)
    append(expect.closesAll, as: "closes_all", to: &map)
    append(expect.closesOthers, as: "closes_others", to: &map)
    if !expect.key.isEmpty { map.append(("key", key(expect.key))) }
    append(expect.isSpan, as: "is_span", to: &map)
    if expect.reopening != .keep {
      map.append(("reopening", .plain(Names.word(expect.reopening, in: Names.reopenings))))
    }
    if expect.closesNeeded != .fixed(1) {
      map.append(("closes_needed", count(expect.closesNeeded)))
    }
    map.append(("due", .list(expect.due.map { due($0) })))
    map.append(unit(expect.unit))
    append(expect.outlivesLaunch, as: "outlives_launch", to: &map)
    append(expect.isUndecidedIfCutOff, as: "is_undecided_if_cut_off", to: &map)
    if expect.mayStayOpen { map.append(("at_end", .plain("ok"))) }
    return .map(map)
  }

  private static func due(_ due: Due) -> YAMLOutput {
    switch due {
    case .within(let time): return .map([("within", self.time(time))])
    case .at(let events): return .map([("at", self.events(events))])
    case .atSameKey(let events): return .map([("at_same_key", self.events(events))])
    case .after(let events, let time, let orSuspension, let unless):
      var map: Entries = [("after", self.events(events)), ("time", self.time(time))]
      append(orSuspension, as: "or_suspension", to: &map)
      append(unless, as: "unless", to: &map)
      return .map(map)
    case .suspension(let inferred):
      return .map([("suspension", .plain(inferred ? "inferred" : "seen"))])
    case .graceEnd: return .plain("grace_end")
    case .processEnd(let events, let orNewStart, let condition):
      var map: Entries = [("process_end", self.events(events))]
      append(orNewStart, as: "or_new_start", to: &map)
      if let condition { map.append(("while", .text(ExpressionText.text(condition)))) }
      return .map(map)
    case .recordingEnd: return .plain("recording_end")
    }
  }

  private static func lasts(_ lasts: Lasts) -> YAMLOutput {
    var map: Entries
    switch lasts.subject {
    case .span(let spans): map = [("span", events(spans))]
    case .launch: map = [("launch", .plain("true"))]
    case .condition(let condition): map = [("condition", .text(ExpressionText.text(condition)))]
    }
    map.append(("max", time(lasts.max)))
    if let upTo = lasts.upTo { map.append(("up_to", duration(upTo))) }
    if !lasts.killCauses.isEmpty { map.append(("kill_causes", .words(lasts.killCauses))) }
    if !lasts.killCodes.isEmpty { map.append(("kill_codes", codes(lasts.killCodes))) }
    append(lasts.isInnermost, as: "is_innermost", to: &map)
    map.append(unit(lasts.unit))
    let isCondition = if case .condition = lasts.subject { true } else { false }
    switch (lasts.subject, lasts.openMessage) {
    case (.condition, nil): break
    case (_, nil): map.append(("at_end", .plain("ok")))
    case (_, let message?):
      let isStandard = message == Reading.openMessage && !isCondition
      if !isStandard { map.append(("open_message", .text(message.text))) }
    }
    return .map(map)
  }

  private static func sums(_ sums: Sums) -> YAMLOutput {
    var map: Entries = [("spans", events(sums.spans))]
    append(sums.resets, as: "resets", to: &map)
    map.append(("max", time(sums.max)))
    map.append(unit(sums.unit))
    return .map(map)
  }

  private static func openAtMost(_ open: OpenAtMost) -> YAMLOutput {
    var map: Entries = [("opens", events(open.opens)), ("closes", events(open.closes))]
    append(open.closesAll, as: "closes_all", to: &map)
    if !open.key.isEmpty { map.append(("key", key(open.key))) }
    map.append(("max", count(open.max)))
    if let weight = open.weight { map.append(("weight", .text(ExpressionText.argument(weight)))) }
    append(open.at, as: "at", to: &map)
    map.append(unit(open.unit))
    append(open.outlivesLaunch, as: "outlives_launch", to: &map)
    return .map(map)
  }

  private static func limit(_ limit: Limit) -> YAMLOutput {
    var map: Entries = [("event", event(limit.event)), ("max", count(limit.max))]
    map.append(("window", duration(limit.window)))
    if let sustained = limit.sustained { map.append(("for", duration(sustained))) }
    if !limit.key.isEmpty { map.append(("key", key(limit.key))) }
    map.append(unit(limit.unit))
    return .map(map)
  }

  private static func order(_ order: Order) -> YAMLOutput {
    var map: Entries = []
    if !order.key.isEmpty { map.append(("key", key(order.key))) }
    map.append(("start", .text(order.start)))
    let edges = order.edges.map { edge in
      YAMLOutput.map([
        ("from", .text(edge.from)), ("event", event(edge.event)), ("to", .text(edge.to)),
      ])
    }
    map.append(("edges", .list(edges)))
    map.append(unit(order.unit))
    return .map(map)
  }
}
