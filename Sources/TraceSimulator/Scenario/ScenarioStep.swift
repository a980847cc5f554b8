// What the user and the system do to an app: the steps of a scenario.
// This file must not know how steps are written down.

package import TraceModel

/// Something that happens to an app.
package enum ScenarioAction: Hashable, Sendable {
  /// The user opens the app, whether it runs or not.
  case open(reason: String)
  case home, switchApp, lock, unlock, banner, forceQuit, memoryWarning, shutdown, wait
  /// The system needs memory and ends the app if nobody sees it.
  case reclaim
  /// The system starts the process before the user opens the app.
  case prewarm
  /// The user touches the screen, so many times.
  case touch(count: Int64)
  /// The user opens the list of running apps, and closes it or leaves the app by it.
  case switcher(leaves: Bool)
  /// Something lies over the app for a time, and the user dismisses or accepts it.
  case interruption(kind: String, isAccepted: Bool, nanoseconds: Int64)
  /// The same with other steps in between.
  case beginInterruption(kind: String)
  case endInterruption(isAccepted: Bool)
  /// The list of running apps stays open over other steps, until ``switcher(leaves:)``.
  case openSwitcher
  case purchase(dialogues: Int64)
  case wake(WakeReason)
  case notice(String)
  case refresh(String)
  /// The system slows the app down: its processor, or the rate of its wakes.
  case throttle(String)
  /// The system ends the process without asking it, for a reason of the vocabulary.
  case kill(String)
  /// A call that the life cycle doesn't provide for at this moment.
  case callAgainstOrder(EventKind)
  /// The system leaves out the next call of a kind.
  case leaveOut(EventKind)
}

extension ScenarioAction {
  static let touchNanoseconds = Int64.milliseconds(200)
  static let bannerNanoseconds = Int64.seconds(3)
  static let switcherNanoseconds = Int64.seconds(2)
  static let forceQuitNanoseconds = Int64.seconds(4)
  static let dialogueNanoseconds = Int64.seconds(3)
  static let dialoguePauseNanoseconds = Int64.milliseconds(1_200)
  /// The longest that a device which is turned off waits for apps that it has woken.
  static let shutdownNanoseconds = Int64.seconds(200)

  /// How long the step takes by itself, at most, in nanoseconds. All counts have limits that keep
  /// this far from overflowing.
  package var nanoseconds: Int64 {
    switch self {
    case .touch(let count): max(0, count - 1) * Self.touchNanoseconds
    case .purchase(let dialogues):
      dialogues * (Self.dialogueNanoseconds + Self.dialoguePauseNanoseconds)
    case .interruption(_, _, let nanoseconds): nanoseconds
    case .banner: Self.bannerNanoseconds
    case .switcher: Self.switcherNanoseconds
    case .forceQuit: Self.forceQuitNanoseconds
    case .shutdown: Self.shutdownNanoseconds
    default: 0
    }
  }
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
