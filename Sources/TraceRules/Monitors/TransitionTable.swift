// Which event may come in which state, worked out from the rows of the table of transitions.
// This file must not know how a trace is judged.

import TraceLifecycle
import TraceModel

/// What the rows of one profile allow.
struct TransitionTable: Sendable {
  /// For each kind a bit per state before the event.
  private var states: [EventKind: UInt32] = [:]
  /// The states that some callback or turn of the process leaves.
  private var departures: UInt32 = 0
  private(set) var hasBackgroundLaunches = false

  private static let tables = Dictionary(
    uniqueKeysWithValues: Profile.allCases.map { ($0, TransitionTable($0)) })

  static func of(_ profile: Profile) -> TransitionTable {
    tables[profile] ?? TransitionTable(profile)
  }

  private init(_ profile: Profile) {
    let parameters = profile.parameters
    for row in Transition.all where row.profiles.contains(profile) {
      if row.to.contains(.launchingBackground) { hasBackgroundLaunches = true }
      for start in row.from { walk(row, from: start) }
    }
    // What the walk over optional calls allows beyond the rows' remarks.
    remove([.inactive], from: .delegateWillResignActive)
    if parameters.resignBeforeLeaving != .optional {
      remove([.active], from: .delegateDidEnterBackground)
    }
    if parameters.enterBackgroundBeforeTerminate == .never {
      states[.delegateDidEnterBackground] = nil
    }
    // A suspended app is resumed first.
    for kind in states.keys where kind != .procResume { remove([.suspended], from: kind) }
    for (_, mask) in states { departures |= mask }
  }

  /// Goes through the calls of a row, each optional one both taken and left out.
  private mutating func walk(_ row: Transition, from start: LifecycleState) {
    var current: Set<LifecycleState> = [start]
    for call in row.calls where !Self.isAlwaysAllowed(call.kind) {
      var next: Set<LifecycleState> = call.isOptional ? current : []
      for state in current {
        states[call.kind, default: 0] |= Self.bit(state)
        next.insert(Self.state(after: call.kind, in: state, row))
      }
      current = next
    }
  }

  /// A process may be killed, and events may be lost, in any state.
  private static func isAlwaysAllowed(_ kind: EventKind) -> Bool {
    switch kind {
    case .procKill, .traceLost, .traceStart, .noteDeliver, .delegateOpenUrl: true
    default: false
    }
  }

  private static func state(
    after kind: EventKind, in state: LifecycleState, _ row: Transition
  ) -> LifecycleState {
    switch kind {
    case .procStart: row.to.first ?? state
    case .delegateDidFinishLaunching: state == .launchingBackground ? .background : state
    case .delegateWillTerminate: .terminating
    case .procSuspend: .suspended
    case .procResume: .background
    case .procExit: .notRunning
    default: SceneTwin(of: kind)?.after ?? state
    }
  }

  private mutating func remove(_ gone: [LifecycleState], from kind: EventKind) {
    guard var mask = states[kind] else { return }
    for state in gone { mask &= ~Self.bit(state) }
    states[kind] = mask
  }

  private static func bit(_ state: LifecycleState) -> UInt32 { 1 << UInt32(state.rawValue) }

  /// Whether the rows don't have an event in a state. Not in a state that isn't known; nor inside
  /// a callback, where either its return was lost or two callbacks are nested, which another rule
  /// tells; nor in one to which only a violation leads, so that one fault is told once.
  func forbids(_ kind: EventKind, in state: LifecycleState) -> Bool {
    switch state {
    case .unknown, .notRunning, .resigning, .enteringBackground, .enteringForeground: return false
    case .background, .launchingBackground, .suspended:
      if departures & Self.bit(state) == 0 { return false }
    default: break
    }
    return states[kind, default: 0] & Self.bit(state) == 0
  }

  /// Whether a process can't exit by itself in a state.
  func forbidsExit(in state: LifecycleState) -> Bool {
    switch state {
    case .unknown, .notRunning: false
    default: states[.procExit, default: 0] & Self.bit(state) == 0
    }
  }
}
