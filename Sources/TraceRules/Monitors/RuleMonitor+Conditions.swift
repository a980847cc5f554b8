// Whether a condition of a rule holds at a moment.

import TraceLifecycle
import TraceModel

extension RuleMonitor {
  /// The arguments that a pattern may ask for at a return.
  func namesAsked(by compiled: CompiledPattern) -> Set<ArgumentName> {
    let fields =
      compiled.keyFields + rule.facts.flatMap(\.key) + (compiled.condition?.fields ?? [])
    return (compiled.pattern.test?.names ?? []).union(fields.compactMap(\.argument))
  }

  /// The names of the facts that hold for some key.
  func factsHeld(at time: Int64, _ judge: Judge) -> Set<String> {
    let holding = rule.facts.indices.filter { facts.any($0, at: time, judge) == true }
    return Set(holding.map { rule.facts[$0].name })
  }

  /// Whether a condition holds at an event, with facts of the key that its fields say.
  func value(
    _ condition: CompiledCondition, _ hearing: Hearing, _ fields: [KeyField]
  ) -> Bool? {
    value(condition, hearing.event, hearing.judge) { fact in
      let own = facts.key(fact)
      let key = fields.count == own.count ? fields : own
      return hearing.instanceKey(key)
    } keyOf: {
      hearing.instanceKey($0)
    }
  }

  /// Whether a condition holds at an event for an instance with this key.
  func value(
    _ condition: CompiledCondition, _ hearing: Hearing, instance: InstanceKey
  ) -> Bool? {
    value(condition, hearing.event, hearing.judge) { fact in
      facts.key(fact).isEmpty ? .none : instance
    } keyOf: {
      hearing.instanceKey($0)
    }
  }

  /// Whether a condition on the life cycle and on facts holds at a time for an instance.
  func value(
    _ condition: CompiledCondition, at time: Int64, instance: InstanceKey, _ batch: EventBatch,
    _ judge: Judge
  ) -> Bool? {
    let moment = Event(
      kind: .traceMarker, phase: .instant, thread: judge.model.mainThread, timeNanoseconds: time,
      ordinal: 0, index: 0)
    return value(condition, moment, judge) { fact in
      facts.key(fact).isEmpty ? .none : instance
    } keyOf: { _ in
      instance
    }
  }

  /// Whether a condition holds at an event, as if the app were in another state.
  func value(
    _ condition: CompiledCondition, _ hearing: Hearing, _ fields: [KeyField],
    in state: LifecycleState
  ) -> Bool? {
    assumedState = state
    defer { assumedState = nil }
    return value(condition, hearing, fields)
  }

  /// Whether what is left of a condition holds for an event by what the life cycle says now.
  func value(
    _ rest: CompiledCondition, _ event: Event, _ judge: Judge, in state: LifecycleState
  ) -> Bool? {
    assumedState = state
    defer { assumedState = nil }
    return value(rest, event, judge) { _ in
      .none
    } keyOf: { _ in
      .none
    }
  }

  /// What is left of a condition to ask of the life cycle once the rest of it is answered.
  func rest(
    of condition: CompiledCondition, _ hearing: Hearing, _ fields: [KeyField]
  ) -> CompiledCondition {
    switch condition {
    case .phase, .wasPhase, .mayRun, .hasReason, .isLocked, .isRefreshOff,
      .wasLaunchedIntoBackground:
      condition
    case .not(let inner): .not(rest(of: inner, hearing, fields))
    case .all(let parts): .all(parts.map { rest(of: $0, hearing, fields) })
    case .any(let parts): .any(parts.map { rest(of: $0, hearing, fields) })
    default: .constant(value(condition, hearing, fields))
    }
  }

  private func value(
    _ condition: CompiledCondition, _ event: Event, _ judge: Judge,
    _ factKey: (Int) -> InstanceKey, keyOf: ([KeyField]) -> InstanceKey
  ) -> Bool? {
    func isIn(_ state: LifecycleState, _ mask: UInt32) -> Bool? {
      state == .unknown ? nil : mask & 1 << UInt32(state.rawValue) != 0
    }
    switch condition {
    case .constant(let value): return value
    case .phase(let mask): return isIn(assumedState ?? judge.model.state, mask)
    case .wasPhase(let mask):
      return isIn(
        judge.isEnding ? assumedState ?? judge.model.state : judge.stateBefore(event), mask)
    case .mayRun:
      guard assumedState ?? judge.model.state != .unknown else {
        return judge.holds(Set(RunReason.allCases), at: event.timeNanoseconds) ? true : nil
      }
      if judge.mayRun(at: event.timeNanoseconds, ruleIndex) { return true }
      let hidReasons =
        (assumedState ?? judge.model.state) != .suspended
        && judge.model.hidReasonsBeforeSuspension
      return judge.model.mayHideReasons || hidReasons ? nil : false
    case .hasReason(let reasons):
      if judge.holds(reasons, at: event.timeNanoseconds) { return true }
      return judge.model.mayHideReasons ? nil : false
    case .isLocked: return judge.model.isLocked ? true : judge.model.isLockKnown ? false : nil
    case .isRefreshOff:
      return judge.model.isBackgroundRefreshKnown ? judge.model.isBackgroundRefreshOff : nil
    case .wasLaunchedIntoBackground:
      let state = judge.model.state
      if state == .unknown { return nil }
      if judge.model.origin == nil && state.isBackgroundOrSuspended { return nil }
      return judge.model.origin == .launched
    case .isOnMain:
      return judge.model.isMain(thread: event.thread)
    case .isTold(let fields): return keyOf(fields).isAbsent ? nil : true
    case .fact(let fact):
      let key = facts.key(fact).isEmpty ? InstanceKey.none : factKey(fact)
      return facts.value(fact, key, at: event.timeNanoseconds, judge)
    case .factOf(let fact, let fields):
      return facts.value(fact, keyOf(fields), at: event.timeNanoseconds, judge)
    case .anyFact(let fact): return facts.any(fact, at: event.timeNanoseconds, judge)
    case .not(let inner):
      return value(inner, event, judge, factKey, keyOf: keyOf).map { !$0 }
    case .all(let parts):
      return Kleene.all(parts) { value($0, event, judge, factKey, keyOf: keyOf) }
    case .any(let parts):
      return Kleene.any(parts) { value($0, event, judge, factKey, keyOf: keyOf) }
    }
  }

  /// Why something that the rule asks can't be known at this moment.
  func doubtReason(_ judge: Judge) -> String {
    let reason = judge.doubtReason
    return reason == "header-silent" && !isHeaderSilent ? "argument-missing" : reason
  }
}
