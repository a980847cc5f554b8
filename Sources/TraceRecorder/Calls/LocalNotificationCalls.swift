// Calls for the events of `localnote`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `localnote`.
  public var localNotification: LocalNotificationCalls {
    LocalNotificationCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `localnote`. Arguments that aren't known are left out.
public struct LocalNotificationCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `localnote.schedule`: scheduleLocalNotification:, presentLocalNotificationNow:.
  ///
  /// The app calls it when it does this.
  public func schedule(
    id: RecordedText? = nil, fireWallNs: Int? = nil, repeatInterval: RecordedText? = nil,
    soundName: RecordedText? = nil, soundInBundle: Bool? = nil, soundFormat: SoundFormat? = nil
  ) {
    var slots = 6
    if let id { slots += id.slotsMax(bytesMax: 312) }
    if let repeatInterval { slots += repeatInterval.slotsMax(bytesMax: 312) }
    if let soundName { slots += soundName.slotsMax(bytesMax: 312) }
    guard var event = core.open(.localnoteSchedule, .instant, slotsMax: slots) else { return }
    if let id { event.add(.id, id, key: privacyKey, bytesMax: 312) }
    if let fireWallNs { event.add(.fireWallNs, Int64(fireWallNs)) }
    if let repeatInterval {
      event.add(.repeatInterval, repeatInterval, key: privacyKey, bytesMax: 312)
    }
    if let soundName { event.add(.soundName, soundName, key: privacyKey, bytesMax: 312) }
    if let soundInBundle { event.add(.soundInBundle, soundInBundle) }
    if let soundFormat { event.add(.soundFormat, soundFormat.text) }
    event.commit()
  }

  /// Records `localnote.cancel`: cancelLocalNotification:.
  ///
  /// The app calls it when it does this.
  public func cancel(id: RecordedText? = nil) {
    var slots = 1
    if let id { slots += id.slotsMax }
    guard var event = core.open(.localnoteCancel, .instant, slotsMax: slots) else { return }
    if let id { event.add(.id, id, key: privacyKey) }
    event.commit()
  }

  /// Records `localnote.cancel_all`: cancelAllLocalNotifications.
  ///
  /// The app calls it when it does this.
  public func cancelAll() {
    guard let event = core.open(.localnoteCancelAll, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `localnote.fire`: local notification delivered.
  ///
  /// The app calls it when the system does this to it.
  public func fire(id: RecordedText? = nil, to: To? = nil) {
    var slots = 3
    if let id { slots += id.slotsMax }
    guard var event = core.open(.localnoteFire, .instant, slotsMax: slots) else { return }
    if let id { event.add(.id, id, key: privacyKey) }
    if let to { event.add(.to, to.text) }
    event.commit()
  }

  /// Values of `SoundFormat`.
  public enum SoundFormat: Sendable {
    case linearPcm
    case ma4
    case ulaw
    case alaw
    case other

    @inline(__always)
    var text: StaticString {
      switch self {
      case .linearPcm: "linear_pcm"
      case .ma4: "ma4"
      case .ulaw: "ulaw"
      case .alaw: "alaw"
      case .other: "other"
      }
    }
  }

  /// Values of `To`.
  public enum To: Sendable {
    case user
    case app

    @inline(__always)
    var text: StaticString {
      switch self {
      case .user: "user"
      case .app: "app"
      }
    }
  }
}
