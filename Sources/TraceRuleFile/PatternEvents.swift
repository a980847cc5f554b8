// The events and conditions that patterns name, wherever they stand in them.

import TraceLifecycle
import TraceModel
import TraceRules

extension Pattern {
  /// Every event pattern of the pattern.
  var events: [EventPattern] {
    switch self {
    case .never(let never): [never.event] + never.resets
    case .expect(let expect):
      expect.opens + expect.closes + expect.closesAll + expect.due.flatMap(\.events)
    case .lasts(let lasts):
      if case .span(let spans) = lasts.subject { spans } else { [] }
    case .sums(let sums): sums.spans + sums.resets
    case .openAtMost(let open): open.opens + open.closes + open.closesAll + open.at
    case .limit(let limit): [limit.event]
    case .order(let order): order.edges.map(\.event)
    case .header, .handWritten: []
    }
  }

  /// Every condition of the pattern.
  var conditions: [Condition] {
    var conditions = events.compactMap(\.condition)
    if case .lasts(let lasts) = self, case .condition(let condition) = lasts.subject {
      conditions.append(condition)
    }
    if case .expect(let expect) = self {
      for case .processEnd(_, _, let condition?) in expect.due { conditions.append(condition) }
    }
    return conditions
  }
}

extension Due {
  var events: [EventPattern] {
    switch self {
    case .at(let events), .atSameKey(let events), .processEnd(let events, _, _): events
    case .after(let events, _, _, let unless): events + unless
    case .within, .suspension, .graceEnd, .recordingEnd: []
    }
  }
}

extension Fact {
  var events: [EventPattern] { self.set + clear + clearAll }
}

extension Rule {
  /// The namespaces of the events that the rule speaks of, but for those that every recorder has.
  var namespaces: [String] {
    let events = clauses.flatMap { $0.pattern.events } + facts.flatMap(\.events)
    let names = events.flatMap(\.kindNames).map { String($0.prefix { $0 != "." }) }
    return Set(names).subtracting(["proc", "sys", "trace"]).sorted()
  }
}

extension Condition {
  /// The condition and the parts that it is made of.
  var parts: [Condition] {
    switch self {
    case .not(let part): return [self] + part.parts
    case .all(let parts), .any(let parts): return [self] + parts.flatMap { $0.parts }
    default: return [self]
    }
  }
}

extension Pattern {
  /// The key by which the pattern tells things apart, and the events that begin something.
  var keyed: (key: [KeyField], events: [EventPattern]) {
    switch self {
    case .never(let never): (never.key, [never.event])
    case .expect(let expect): (expect.key, expect.opens)
    case .openAtMost(let open): (open.key, open.opens)
    case .limit(let limit): (limit.key, [limit.event])
    case .order(let order): (order.key, order.edges.map(\.event))
    case .lasts, .sums, .header, .handWritten: ([], [])
    }
  }
}

extension EventPattern {
  /// Whether the vocabulary gives some of the events this argument.
  func mayCarry(_ name: ArgumentName) -> Bool {
    knownKinds.contains { kind in
      Vocabulary.description(of: kind)?.arguments.contains { $0.name == name } ?? false
    }
  }
}
