// Conditions at a moment, and the facts they ask for: looked up by going back event by event.

import TraceLifecycle
import TraceModel
import TraceRules

/// From where a condition is looked at.
struct Standpoint {
  /// The event at hand: thread, time and arguments.
  var place: Int
  var state: LifecycleState
  var stateBefore: LifecycleState
  /// The life cycle that is asked.
  var model: LifecycleModel
  /// Facts before this one in the list have taken the event, the others haven't.
  var freshFacts = Int.max
  /// The key of the instance that is judged, and what it is made of.
  var key: [NaiveKey]?
  var keyFields: [KeyField] = []

  func judging(_ key: [NaiveKey], _ fields: [KeyField]) -> Standpoint {
    var other = self
    other.key = key
    other.keyFields = fields
    return other
  }
}

/// What a fact is after an event.
struct FactState: Hashable {
  var value: Bool?
  var depth = 0
  /// It was set when it wasn't known whether it held: it may be deeper.
  var mayBeDeeper = false
  /// The place of the event that set it last.
  var setPlace = 0
}

struct FactQuestion: Hashable {
  var fact: Int
  var key: [NaiveKey]
  var place: Int
}

extension NaiveInterpreter {
  /// What holds when an event happens. At the end of the process: what held before it.
  func at(_ place: Int) -> Standpoint {
    let event = events[place]
    return event.endsProcess
      ? Standpoint(
        place: place, state: event.stateBefore, stateBefore: event.stateBefore,
        model: event.modelBefore)
      : Standpoint(
        place: place, state: event.stateAfter, stateBefore: certainStateBefore(place),
        model: event.model)
  }

  /// The state before an event. That it was suspended is certain only of a suspension that was
  /// seen, more than the tolerance ago.
  private func certainStateBefore(_ place: Int) -> LifecycleState {
    let event = events[place]
    guard event.stateBefore == .suspended, let suspension = trace.suspension(before: place) else {
      return event.stateBefore
    }
    let isSeen = !suspension.isInferred && suspension.start < place
    let isOld = event.time > suspension.startTime.plus(trace.tolerance)
    return isSeen && isOld ? .suspended : .background
  }

  /// What held just before an event.
  func before(_ place: Int) -> Standpoint {
    Standpoint(
      place: place, state: events[place].stateBefore,
      stateBefore: place > 0 ? events[place - 1].stateBefore : events[place].stateBefore,
      model: events[place].modelBefore, freshFacts: 0)
  }

  func holds(_ condition: Condition, _ point: Standpoint) -> Bool? {
    let model = point.model
    let event = events[point.place]
    switch condition {
    case .phase(let states): return point.state == .unknown ? nil : states.contains(point.state)
    case .wasPhase(let states):
      return point.stateBefore == .unknown ? nil : states.contains(point.stateBefore)
    case .mayRun:
      if point.state == .unknown {
        return model.holds(Set(RunReason.allCases), at: event.time) ? true : nil
      }
      if model.mayRun(at: event.time) { return true }
      let hidReasons = point.state != .suspended && model.hidReasonsBeforeSuspension
      return model.mayHideReasons || hidReasons ? nil : false
    case .hasReason(let reasons):
      if model.holds(reasons, at: event.time) { return true }
      return model.mayHideReasons ? nil : false
    case .isLocked: return model.isLockKnown ? model.isLocked : nil
    case .isRefreshOff:
      return model.isBackgroundRefreshKnown ? model.isBackgroundRefreshOff : nil
    case .wasLaunchedIntoBackground:
      switch point.state {
      case .unknown: return nil
      case .background, .suspended: return model.origin.map { $0 == .launched }
      default: return false
      }
    case .isOnMain: return model.isMain(thread: event.thread)
    case .isTold(let name):
      return key([.argument(name)], at: point.place) == [.absent] ? nil : true
    case .header(let test): return test.holds(for: trace.header, trace.profile)
    case .fact(let name): return factHolds(name, nil, point)
    case .factOf(let name, let fields):
      return factHolds(name, key(fields, at: point.place), point)
    case .anyFact(let name): return anyFactHolds(name, point)
    case .not(let inner): return holds(inner, point).map { !$0 }
    case .all(let parts): return Kleene.all(parts) { holds($0, point) }
    case .any(let parts): return Kleene.any(parts) { holds($0, point) }
    }
  }

  // MARK: Facts

  private func factPlace(_ name: String) -> Int? { rule.facts.firstIndex { $0.name == name } }

  private func factHolds(_ name: String, _ key: [NaiveKey]?, _ point: Standpoint) -> Bool? {
    guard let place = factPlace(name) else { return false }
    let fields = rule.facts[place].key
    if fields.isEmpty { return factHolds(place, [], point) }
    if let key { return factHolds(place, key, point) }
    let isSameSort =
      fields.count == point.keyFields.count
      && zip(fields, point.keyFields).allSatisfy { ($0 == .thread) == ($1 == .thread) }
    if let instance = point.key, isSameSort { return factHolds(place, instance, point) }
    return factHolds(place, self.key(fields, at: point.place), point)
  }

  func anyFactHolds(_ name: String, _ point: Standpoint) -> Bool? {
    guard let place = factPlace(name) else { return false }
    let fact = rule.facts[place]
    if fact.key.isEmpty { return factHolds(place, [], point) }
    var keys: Set<[NaiveKey]> = [fact.key.map { _ in .other }]
    for earlier in 0...point.place {
      for pattern in fact.set { keys.insert(key(pattern, fact.key, at: earlier)) }
    }
    return Kleene.any(Array(keys)) { factHolds(place, $0, point) }
  }

  private func factHolds(_ place: Int, _ key: [NaiveKey], _ point: Standpoint) -> Bool? {
    let isFresh = place < point.freshFacts
    let state = factState(place, key, after: isFresh ? point.place : point.place - 1)
    guard state.value == true else { return state.value }
    let fact = rule.facts[place]
    if let after = fact.after {
      guard let limit = number(after.amount, at: state.setPlace) else { return nil }
      let since = elapsed(after, from: state.setPlace, to: point.place, isTaken: isFresh)
      if since <= limit { return false }
    }
    if let lasts = fact.lasts {
      guard let limit = number(lasts.amount, at: state.setPlace) else { return nil }
      let since = elapsed(lasts, from: state.setPlace, to: point.place, isTaken: isFresh)
      if since >= limit { return false }
    }
    return true
  }

  /// What a fact is once it has taken an event, from what it was after the event before.
  private func factState(_ number: Int, _ key: [NaiveKey], after place: Int) -> FactState {
    let fact = rule.facts[number]
    guard place >= 0 else { return FactState(value: fact.initially) }
    let question = FactQuestion(fact: number, key: key, place: place)
    if let known = factMemo[question] { return known }
    let event = events[place]
    var state =
      fact.life == .launch && event.beginsLaunch
      ? FactState(value: fact.initially, setPlace: place)
      : factState(number, key, after: place - 1)
    let goesOn = event.isFirstSign && fact.life == .trace && fact.initially == nil
    if event.losesTrack && !goesOn { state = FactState(value: nil, setPlace: place) }

    var point = at(place)
    point.freshFacts = number
    let set = Kleene.any(fact.set.filter { self.key($0, fact.key, at: place) == key }) {
      matches($0, keyedBy: fact.key, point)
    }
    let clears = fact.clear.filter { self.key($0, fact.key, at: place) == key }
    let clear = matchesAny(clears, keyedBy: fact.key, point)
    let keyless = fact.clear.filter { isWithoutKey($0.key ?? fact.key, at: place) }
    let clearAll = matchesAny(fact.clearAll + keyless, keyedBy: fact.key, point)
    if set == true {
      state = FactState(
        value: true, depth: fact.nests && state.value == true ? state.depth + 1 : 1,
        mayBeDeeper: state.value == nil || (state.value == true && state.mayBeDeeper),
        setPlace: place)
    } else if set == nil && (state.value != true || countsSettings(fact)) {
      state.value = nil
    }
    if clearAll == true || (clear == true && !fact.nests)
      || (clear == true && state.value != nil && state.depth <= 1)
    {
      let mayHold = fact.nests && state.mayBeDeeper && clearAll != true
      state = FactState(value: mayHold ? nil : false)
    } else if clear == true && state.value == nil {
      // How deep it is isn't known, so that it may go on.
      return remember(state, question)
    } else if clear == true {
      state.depth -= 1
    } else if (clear == nil || clearAll == nil) && state.value != false {
      state.value = nil
    }
    return remember(state, question)
  }

  private func remember(_ state: FactState, _ question: FactQuestion) -> FactState {
    factMemo[question] = state
    return state
  }

  /// Whether it matters for a fact that holds that it is set again.
  private func countsSettings(_ fact: Fact) -> Bool {
    fact.nests || fact.after != nil || fact.lasts != nil
  }
}
