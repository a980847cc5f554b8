// What a rule listens to just now: steps that can do nothing sleep.

import TraceLifecycle
import TraceModel

extension RuleMonitor {
  /// See ``Monitor/spanNanosecondsUnheard(_:in:)``.
  func spanLengthUnheard(_ kind: EventKind, in state: LifecycleState) -> Int64? {
    var length: Int64?
    for step in steps[Int(listOfPlace[Self.place(kind, .enter)])]
    where step.states & 1 << UInt32(state.rawValue) != 0 {
      guard case .clause(let place, let role) = step.target, step.needs == 0,
        step.pattern.condition?.dependsOnTime != true,
        let unheard = runners[place].spanNanosecondsUnheard(role)
      else { return nil }
      length = min(length ?? .max, unheard)
    }
    return length
  }

  /// Whether facts change as time passes, without an event: any event may show it.
  private var asksTime: Bool { rule.facts.contains { $0.after != nil || $0.lasts != nil } }

  /// See ``Monitor/needs(_:_:in:lacks:)``.
  func stepsNeed(
    _ kind: EventKind, _ phase: Phase, in state: LifecycleState,
    lacks: (ArgumentName) -> Bool
  ) -> [MonitorNeed] {
    let list = steps[Int(listOfPlace[Self.place(kind, phase)])]
    let provesReturn = watchesCallbacks && phase != .return && CallbackKinds.provesReturn(kind)
    let concernsFollowers =
      provesReturn || (followsState && LifecycleModel.stateKinds.contains(kind))
      || (followsReasons && LifecycleModel.kinds.contains(kind))
    if list.isEmpty && !concernsFollowers { return [] }
    var needs: Set<UInt64> = []
    var followers: Set<UInt64> = []
    // An event that may change the state is judged in the state it leads to.
    let states =
      LifecycleModel.stateKinds.contains(kind) ? UInt32.max : 1 << UInt32(state.rawValue)
    for step in list where step.states & states != 0 {
      // What a return lacks its enter may have said.
      if phase != .return, step.namesNeeded.contains(where: lacks) { continue }
      needs.insert(step.needs)
    }
    for (place, runner) in runners.enumerated() where concernsFollowers {
      if (runner.followsReasons && LifecycleModel.kinds.contains(kind))
        || (runner.watchesCallbacks && provesReturn)
        || (runner.followsState && LifecycleModel.stateKinds.contains(kind)
          && (asksTime || !LifecycleModel.signKinds.contains(kind)))
      {
        needs.insert(Self.bit(ofRunner: place))
      } else if runner.followsState && LifecycleModel.stateKinds.contains(kind) {
        followers.insert(Self.bit(ofRunner: place))
      }
    }
    if needs.contains(0) { return [MonitorNeed()] }
    return needs.sorted().map { MonitorNeed(bits: $0) }
      + followers.subtracting(needs).sorted().map { MonitorNeed(bits: $0, isOfFollower: true) }
  }

  /// The place of a kind and phase among the lists of steps.
  static func place(_ kind: EventKind, _ phase: Phase) -> Int {
    (kind.rawValue < 255 ? Int(kind.rawValue) : 255) * 3 + Int(phase.rawValue)
  }

  /// What must be awake for a step to matter: the facts without which its condition is false, and
  /// what it ends.
  func needs(_ pattern: CompiledPattern, _ target: Target) -> UInt64 {
    let needs = pattern.condition?.factsNeeded ?? 0
    return switch target {
    case .set: needs
    case .clear(let fact), .clearAll(let fact): needs | Self.bit(ofFact: fact)
    case .clause(let place, let role):
      runners[place].needsOpen(role) ? needs | Self.bit(ofRunner: place) : needs
    }
  }

  /// The states in which a step may matter.
  func states(_ pattern: CompiledPattern, _ target: Target) -> UInt32 {
    guard case .clause(let place, _) = target else { return .max }
    guard runners[place].judgesSuspension,
      pattern.statesNeeded & CompiledCondition.mask([.background]) != 0
    else { return pattern.statesNeeded }
    return pattern.statesNeeded | CompiledCondition.mask([.suspended])
  }

  /// The bit of a fact among those that are awake; 0 if there is none left for it.
  static func bit(ofFact fact: Int) -> UInt64 { fact < 31 ? 1 << UInt64(fact) : 0 }

  static func bit(ofRunner place: Int) -> UInt64 {
    place < runnerBits ? 1 << UInt64(place + 64 - runnerBits) : 0
  }

  /// So many runners have bits of their own.
  static let runnerBits = 32
}
