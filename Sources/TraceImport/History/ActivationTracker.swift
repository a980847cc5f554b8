// Which application callbacks follow from lines about the application's state.
// This file must not know how any system words its lines.

import TraceModel

/// Follows one process between active, inactive and background.
///
/// Several lines tell of one change; a callback is concluded when the state changes, never twice.
struct ActivationTracker: Sendable {
  private enum State {
    case unknown, active, inactive, background
  }

  private var state = State.unknown
  /// Whether the last line about the process's visibility has it in the foreground.
  private var isVisible = false

  /// Whether the app is on the screen, by the last lines that tell.
  var isInForeground: Bool { state == .active || state == .unknown && isVisible }

  /// The reason that UIKit sets while an app is launched: the app was not active before it.
  private static let launchReason: UInt64 = 10

  /// Callbacks that a line of the app's own process stands for.
  mutating func take(_ fact: Fact) -> [EventKind] {
    switch fact.kind {
    case .deactivation: deactivation(fact)
    case .callback: callback(EventKind(rawValue: UInt16(truncatingIfNeeded: fact.number)))
    case .flutterState: FlutterState(rawValue: fact.number).map { flutter($0) } ?? []
    default: []
    }
  }

  /// Callbacks that SpringBoard's visibility stands for: only a change that the log shows counts.
  mutating func takeVisibility(_ visibility: UInt64) -> [EventKind] {
    if visibility != 0 { isVisible = visibility == StateWord.foreground }
    switch visibility {
    case StateWord.background where state == .active || state == .inactive:
      state = .background
      return [.delegateDidEnterBackground]
    case StateWord.background: state = .background
    case StateWord.foreground where state == .background:
      state = .inactive
      return [.delegateWillEnterForeground]
    default: break
    }
    return []
  }

  /// Takes a callback that a pattern of the user made of a line: it is an event already.
  mutating func note(_ kind: EventKind) { _ = callback(kind) }

  private mutating func deactivation(_ fact: Fact) -> [EventKind] {
    if fact.to == 0 { return fact.from == 0 ? [] : become(.active, .delegateDidBecomeActive) }
    switch state {
    case .unknown where fact.from == 0 && fact.number != Self.launchReason: break
    case .active where fact.number != Self.launchReason || fact.from != 0: break
    default: return []
    }
    // A mask that is set already is a change whose line is lost.
    return become(.inactive, .delegateWillResignActive)
  }

  private mutating func callback(_ kind: EventKind) -> [EventKind] {
    switch kind {
    case .delegateDidBecomeActive: return become(.active, kind)
    case .delegateWillResignActive: return state == .background ? [] : become(.inactive, kind)
    case .delegateDidEnterBackground: return become(.background, kind)
    case .delegateWillEnterForeground:
      guard state == .background || state == .unknown else { return [] }
      return become(.inactive, kind)
    default: return [kind]
    }
  }

  /// Flutter says "inactive" on the way out and on the way back.
  private mutating func flutter(_ word: FlutterState) -> [EventKind] {
    switch word {
    case .resumed: return become(.active, .delegateDidBecomeActive)
    case .paused: return become(.background, .delegateDidEnterBackground)
    case .hidden: return []
    case .inactive:
      switch state {
      case .active: return become(.inactive, .delegateWillResignActive)
      case .background: return become(.inactive, .delegateWillEnterForeground)
      case .unknown, .inactive: return []
      }
    }
  }

  private mutating func become(_ next: State, _ kind: EventKind) -> [EventKind] {
    guard state != next else { return [] }
    state = next
    return [kind]
  }
}
