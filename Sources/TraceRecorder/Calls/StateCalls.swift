// Calls for the events of `state`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `state`.
  public var state: StateCalls {
    StateCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `state`. Arguments that aren't known are left out.
public struct StateCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `state.application`: UIApplication.applicationState.
  ///
  /// The app calls it when it does this.
  public func application(value: Value? = nil) {
    guard var event = core.open(.stateApplication, .instant, slotsMax: 4) else { return }
    if let value { event.add(.value, value.text) }
    event.commit()
  }

  /// Records `state.time_remaining`: UIApplication.backgroundTimeRemaining.
  ///
  /// The app calls it when it does this.
  public func timeRemaining(seconds: Double? = nil) {
    guard var event = core.open(.stateTimeRemaining, .instant, slotsMax: 2) else { return }
    if let seconds { event.add(.seconds, seconds) }
    event.commit()
  }

  /// Records `state.multitasking`: UIDevice.multitaskingSupported.
  ///
  /// The app calls it when it does this.
  public func multitasking(guarded: Bool? = nil, value: Bool? = nil) {
    guard var event = core.open(.stateMultitasking, .instant, slotsMax: 3) else { return }
    if let guarded { event.add(.guarded, guarded) }
    if let value { event.add(.value, value) }
    event.commit()
  }

  /// Records `state.refresh_status`: UIApplication.backgroundRefreshStatus.
  ///
  /// The app calls it when it does this.
  public func refreshStatus(value: RefreshStatusValue? = nil) {
    guard var event = core.open(.stateRefreshStatus, .instant, slotsMax: 4) else { return }
    if let value { event.add(.value, value.text) }
    event.commit()
  }

  /// Records `state.launch_options`: launch options read.
  ///
  /// The app calls it when it does this.
  public func launchOptions(key: RecordedText? = nil) {
    var slots = 1
    if let key { slots += key.slotsMax }
    guard var event = core.open(.stateLaunchOptions, .instant, slotsMax: slots) else { return }
    if let key { event.add(.key, key, key: privacyKey) }
    event.commit()
  }

  /// Values of `Value`.
  public enum Value: Sendable {
    case active
    case inactive
    case background

    @inline(__always)
    var text: StaticString {
      switch self {
      case .active: "active"
      case .inactive: "inactive"
      case .background: "background"
      }
    }
  }

  /// Values of `RefreshStatusValue`.
  public enum RefreshStatusValue: Sendable {
    case available
    case denied
    case restricted

    @inline(__always)
    var text: StaticString {
      switch self {
      case .available: "available"
      case .denied: "denied"
      case .restricted: "restricted"
      }
    }
  }
}
