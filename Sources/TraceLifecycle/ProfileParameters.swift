// What each profile promises, as typed fields: one column of the parameter table per profile.
// This file must not know how a profile is chosen.

import TraceModel

/// The parameters of a profile.
public struct ProfileParameters: Hashable, Sendable {
  /// How firmly a call is expected.
  public enum Expectation: Hashable, Sendable {
    case never, optional, required, notApplicable
  }

  /// An answer that may depend on the system's version, or not make sense.
  public enum Answer: Hashable, Sendable {
    case no, yes
    /// Either is right.
    case either
    /// As the system's version says.
    case bySystem
    /// Possible, but not promised.
    case notPromised
    case notApplicable
  }

  /// When an accessory session is closed at suspension without the background mode.
  public enum AccessoryClosing: Hashable, Sendable {
    case always, withoutMode, notApplicable
  }

  /// Whether an app that leaves the foreground is ended.
  public var leavingEndsApp = false
  public var resignBeforeLeaving = Expectation.required
  public var enterBackgroundBeforeTerminate = Expectation.notApplicable
  /// Whether locking the device sends did_enter_background.
  public var lockEntersBackground = true
  /// Whether notifications are shown as banners, which don't deactivate the app.
  public var showsNotificationsAsBanner = Answer.yes
  /// Whether the force quit of an app running in the background sends will_terminate.
  public var forceQuitOfRunningSendsTerminate = Answer.yes
  /// Whether the force quit of a suspended app sends anything.
  public var forceQuitOfSuspendedSendsEvents = Answer.no
  /// Why the system may still launch the app into the background after a force quit; nil where
  /// there is no background.
  public var backgroundLaunchesAfterForceQuit: [StartReason]? = [.location, .region]
  /// Whether the location mode keeps a running app from suspension.
  public var locationModePreventsSuspension = Answer.notPromised
  public var accessorySessionCloses = AccessoryClosing.withoutMode
  public var hasBackgroundAppRefresh = true
  /// Whether the system dismisses alerts when the app leaves the foreground.
  public var systemDismissesAlerts = false
  /// How long a background task may run, in nanoseconds of run time in the background.
  public var backgroundTaskBudgetNanoseconds: Int64 = 180_000_000_000

  init() {}

  /// The profiles without a background of their own.
  fileprivate static func ending(enterBackground: Expectation, banner: Answer, alerts: Bool) -> Self
  {
    var parameters = ProfileParameters()
    parameters.leavingEndsApp = true
    parameters.resignBeforeLeaving = .optional
    parameters.enterBackgroundBeforeTerminate = enterBackground
    parameters.lockEntersBackground = false
    parameters.showsNotificationsAsBanner = banner
    parameters.forceQuitOfRunningSendsTerminate = .notApplicable
    parameters.forceQuitOfSuspendedSendsEvents = .notApplicable
    parameters.backgroundLaunchesAfterForceQuit = nil
    parameters.locationModePreventsSuspension = .notApplicable
    parameters.accessorySessionCloses = .notApplicable
    parameters.hasBackgroundAppRefresh = false
    parameters.systemDismissesAlerts = alerts
    parameters.backgroundTaskBudgetNanoseconds = 0
    return parameters
  }
}

extension Profile {
  /// What the profile promises.
  public var parameters: ProfileParameters {
    var parameters = ProfileParameters()
    switch self {
    case .os3: return .ending(enterBackground: .never, banner: .no, alerts: true)
    case .sdk3: return .ending(enterBackground: .required, banner: .no, alerts: true)
    case .nomt: return .ending(enterBackground: .required, banner: .no, alerts: false)
    case .optout: return .ending(enterBackground: .optional, banner: .bySystem, alerts: false)
    case .ios4:
      parameters.lockEntersBackground = false
      parameters.showsNotificationsAsBanner = .no
      parameters.forceQuitOfRunningSendsTerminate = .no
      parameters.backgroundLaunchesAfterForceQuit = []
      parameters.locationModePreventsSuspension = .yes
      parameters.accessorySessionCloses = .always
      parameters.hasBackgroundAppRefresh = false
      parameters.backgroundTaskBudgetNanoseconds = 600_000_000_000
    case .ios5:
      parameters.forceQuitOfRunningSendsTerminate = .either
      parameters.backgroundLaunchesAfterForceQuit = []
      parameters.locationModePreventsSuspension = .yes
      parameters.hasBackgroundAppRefresh = false
      parameters.backgroundTaskBudgetNanoseconds = 600_000_000_000
    case .ios7:
      parameters.backgroundLaunchesAfterForceQuit = []
    case .ios8:
      break
    case .ios13, .scene:
      parameters.backgroundLaunchesAfterForceQuit = [.location, .region, .pushkit]
      parameters.backgroundTaskBudgetNanoseconds = 30_000_000_000
    }
    return parameters
  }
}
