// What the user and the system do to an app: the steps of a scenario.
// This file must not know how steps are written down.

package import TraceModel

/// Something that happens to an app.
package enum ScenarioAction: Hashable, Sendable {
  /// The user opens the app, whether it runs or not.
  case open(reason: String)
  case home, switchApp, lock, unlock, banner, forceQuit, memoryWarning, shutdown, wait
  /// The system needs memory and ends the app if it is suspended.
  case reclaim
  /// The user touches the screen, so many times.
  case touch(count: Int64)
  /// The user opens the list of running apps, and closes it or leaves the app by it.
  case switcher(leaves: Bool)
  /// Something lies over the app for a time, and the user dismisses or accepts it.
  case interruption(kind: String, isAccepted: Bool, nanoseconds: Int64)
  case purchase(dialogues: Int64)
  case wake(WakeReason)
  case notice(String)
  case refresh(String)
  /// The system ends the process without asking it, for a reason of the vocabulary.
  case kill(String)
  /// A call that the life cycle doesn't provide for at this moment.
  case callAgainstOrder(EventKind)
  /// The system leaves out the next call of a kind.
  case leaveOut(EventKind)
}

/// A wait, and what happens then.
package struct ScenarioStep: Hashable, Sendable {
  package var waitNanoseconds: Int64
  package var action: ScenarioAction

  package init(_ action: ScenarioAction, afterNanoseconds wait: Int64) {
    waitNanoseconds = wait
    self.action = action
  }
}

/// A scripted session.
package struct Scenario: Sendable {
  package var profile: SystemProfile?
  /// The parts of the app, by their names; nil leaves the choice to the seed.
  package var parts: [AppPartName]?
  package var steps: [ScenarioStep] = []

  package init() {}
}
