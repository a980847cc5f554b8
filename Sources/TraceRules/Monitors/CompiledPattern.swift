// Event patterns and conditions made ready for one trace: names are numbers, header tests answers.

import TraceLifecycle
import TraceModel

/// A condition with its facts by number and its header tests answered.
indirect enum CompiledCondition {
  case constant(Bool?)
  case phase(UInt32)
  case wasPhase(UInt32)
  case mayRun
  case hasReason(Set<RunReason>)
  case isLocked
  case isRefreshOff
  case wasLaunchedIntoBackground
  case isOnMain
  case isTold([KeyField])
  case fact(Int)
  case factOf(Int, [KeyField])
  case anyFact(Int)
  case not(CompiledCondition)
  case all([CompiledCondition])
  case any([CompiledCondition])

  init(_ condition: Condition, _ facts: [Fact], _ judge: Judge) {
    func number(_ name: String) -> Int? { facts.firstIndex { $0.name == name } }
    switch condition {
    case .phase(let states): self = .phase(Self.mask(states))
    case .wasPhase(let states): self = .wasPhase(Self.mask(states))
    case .mayRun: self = .mayRun
    case .hasReason(let reasons): self = .hasReason(reasons)
    case .isLocked: self = .isLocked
    case .isRefreshOff: self = .isRefreshOff
    case .wasLaunchedIntoBackground: self = .wasLaunchedIntoBackground
    case .isOnMain: self = .isOnMain
    case .isTold(let name): self = .isTold([.argument(name)])
    case .header(let test): self = .constant(judge.holds(test))
    case .fact(let name): self = number(name).map { .fact($0) } ?? .constant(nil)
    case .factOf(let name, let fields):
      self = number(name).map { .factOf($0, fields) } ?? .constant(nil)
    case .anyFact(let name): self = number(name).map { .anyFact($0) } ?? .constant(nil)
    case .not(let inner): self = .not(CompiledCondition(inner, facts, judge))
    case .all(let parts): self = .all(parts.map { CompiledCondition($0, facts, judge) })
    case .any(let parts): self = .any(parts.map { CompiledCondition($0, facts, judge) })
    }
  }

  static func mask(_ states: Set<LifecycleState>) -> UInt32 {
    states.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
  }

  /// Whether the state of the app decides, or what goes with it.
  var asksState: Bool {
    switch self {
    case .phase, .wasPhase, .wasLaunchedIntoBackground, .isLocked, .isRefreshOff, .isOnMain: true
    case .not(let inner): inner.asksState
    case .all(let parts), .any(let parts): parts.contains(where: \.asksState)
    default: false
    }
  }

  /// Whether something is left open that nothing in the trace but its header can decide.
  var isSilent: Bool {
    switch self {
    case .constant(nil): true
    case .not(let inner): inner.isSilent
    case .all(let parts), .any(let parts): parts.contains(where: \.isSilent)
    default: false
    }
  }

  /// Whether reasons to run decide.
  var asksReasons: Bool {
    switch self {
    case .mayRun, .hasReason: true
    case .not(let inner): inner.asksReasons
    case .all(let parts), .any(let parts): parts.contains(where: \.asksReasons)
    default: false
    }
  }

  /// The fields by which facts are asked for.
  var fields: [KeyField] {
    switch self {
    case .factOf(_, let fields), .isTold(let fields): fields
    case .not(let inner): inner.fields
    case .all(let parts), .any(let parts): parts.flatMap(\.fields)
    default: []
    }
  }

  /// Whether the answer may change between two events that the life cycle takes.
  var dependsOnTime: Bool {
    switch self {
    case .fact, .factOf, .anyFact, .mayRun, .hasReason: true
    case .not(let inner): inner.dependsOnTime
    case .all(let parts), .any(let parts): parts.contains(where: \.dependsOnTime)
    default: false
    }
  }

  /// The facts without which the condition is certainly false, as bits of what is awake.
  var factsNeeded: UInt64 {
    switch self {
    case .fact(let fact), .factOf(let fact, _), .anyFact(let fact): RuleMonitor.bit(ofFact: fact)
    case .all(let parts): parts.reduce(0) { $0 | $1.factsNeeded }
    case .any(let parts):
      parts.isEmpty ? 0 : parts.reduce(.max) { $0 & $1.factsNeeded }
    default: 0
    }
  }

  /// States outside which the condition is certainly false; all bits if it doesn't say.
  var statesNeeded: UInt32 {
    switch self {
    case .phase(let mask): mask | 1 << UInt32(LifecycleState.unknown.rawValue)
    case .all(let parts): parts.reduce(.max) { $0 & $1.statesNeeded }
    case .any(let parts): parts.reduce(0) { $0 | $1.statesNeeded }
    case .constant(false?): 0
    default: .max
    }
  }
}

/// An event pattern made ready for one trace.
///
/// A class, so that a loop over patterns doesn't copy them.
final class CompiledPattern {
  let pattern: EventPattern
  let test: CompiledTest?
  let condition: CompiledCondition?
  let keyFields: [KeyField]
  /// Names of kinds that the vocabulary doesn't have.
  let names: [String]
  let statesNeeded: UInt32
  private let selection: Selection

  /// What besides the kind decides, without the kinds themselves: the monitor has chosen by them.
  private enum Selection {
    case kinds, named, appWork
    /// Callbacks of the delegate and of scenes may stand for each other.
    case twins
  }

  init(
    _ pattern: EventPattern, key: [KeyField], _ facts: [Fact], _ judge: Judge, _ ruleIndex: Int
  ) {
    self.pattern = pattern
    test = pattern.test.map { CompiledTest($0, judge, ruleIndex) }
    condition = pattern.condition.map { CompiledCondition($0, facts, judge) }
    keyFields = pattern.key ?? key
    names =
      if case .named(let names) = pattern.kinds { names } else { [] }
    statesNeeded = condition?.statesNeeded ?? .max
    selection =
      switch pattern.kinds {
      case .kinds(let kinds):
        !pattern.isLiteral && kinds.contains { SceneTwin(of: $0) != nil } ? .twins : .kinds
      case .named: .named
      case .appWork: .appWork
      }
  }

  /// The kinds that may match, scenes' twins included.
  func kinds(withScenes: Bool) -> [EventKind] {
    switch pattern.kinds {
    case .kinds(let kinds):
      guard withScenes, !pattern.isLiteral else { return kinds }
      return kinds + kinds.compactMap { SceneTwin(of: $0)?.sceneKind }
    case .named: return []
    case .appWork:
      return Vocabulary.kinds.map(\.kind).filter { AppWork.kinds.contains($0) }
    }
  }

  /// Whether kind, arguments and the life cycle's view of the event fit, the condition aside; nil
  /// if it isn't known whether the callback is the one that moves the app.
  func fits(_ hearing: Hearing) -> Bool? {
    var isMover: Bool? = true
    switch selection {
    case .kinds: break
    case .twins:
      guard case .kinds(let kinds) = pattern.kinds else { break }
      isMover = fitsScenes(kinds, hearing.event, hearing)
      if isMover == false { return false }
    case .appWork:
      guard AppWork.counts(hearing.event, in: hearing.batch) else { return false }
    case .named:
      guard names.contains(hearing.batch.name(of: hearing.event.kind)) else { return false }
    }
    guard let test else { return isMover }
    return test.holds(for: hearing) ? isMover : false
  }

  /// Whether a callback is the one that moves the app: the delegate's, or its twin of a scene; nil
  /// where events were lost that would tell.
  private func fitsScenes(
    _ kinds: [EventKind], _ event: Event, _ hearing: Hearing
  ) -> Bool? {
    let judge = hearing.judge
    if kinds.contains(event.kind) {
      if SceneTwin(of: event.kind) == nil { return true }
      return judge.model.isMoverHidden ? nil : !judge.model.isMovedByScenes
    }
    guard judge.model.isMovedByScenes || judge.model.isMoverHidden else { return false }
    for kind in kinds {
      guard let twin = SceneTwin(of: kind), twin.sceneKind == event.kind else { continue }
      let state = judge.model.state
      if state == .unknown || judge.model.isMoverHidden { return nil }
      let new = state != judge.model.stateBefore ? state : nil
      switch event.phase {
      case .enter: return new == twin.during
      case .return: return new == twin.after || hearing.enter?.newState == twin.during
      case .instant: return new == twin.after
      }
    }
    return false
  }
}

extension EventPattern {
  /// The kinds whose spans the pattern speaks of; ``SpanTable/ownKind`` for all outside the
  /// vocabulary.
  var spanKinds: [EventKind] {
    switch kinds {
    case .kinds(let kinds): kinds
    case .named: [SpanTable.ownKind]
    case .appWork: []
    }
  }
}
