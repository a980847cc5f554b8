// Calls for the events of `ui`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `ui`.
  public var interface: InterfaceCalls {
    InterfaceCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `ui`. Arguments that aren't known are left out.
public struct InterfaceCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `ui.touch`: UITouch delivered.
  ///
  /// The app calls it when the system does this to it.
  public func touch(x: Double? = nil, y: Double? = nil) {
    guard var event = core.open(.uiTouch, .instant, slotsMax: 3) else { return }
    if let x { event.add(.x, x) }
    if let y { event.add(.y, y) }
    event.commit()
  }

  /// Records `ui.event`: remote control, motion, redraw.
  ///
  /// The app calls it when the system does this to it.
  public func event(kind: Kind? = nil) {
    guard var event = core.open(.uiEvent, .instant, slotsMax: 4) else { return }
    if let kind { event.add(.kind, kind.text) }
    event.commit()
  }

  /// Records `ui.update`.
  ///
  /// The app calls it when it does this.
  public func update(what: What? = nil, forSnapshot: Bool? = nil) {
    guard var event = core.open(.uiUpdate, .instant, slotsMax: 4) else { return }
    if let what { event.add(.what, what.text) }
    if let forSnapshot { event.add(.forSnapshot, forSnapshot) }
    event.commit()
  }

  /// Records `ui.needs_display`: setNeedsDisplay, setNeedsDisplayInRect:.
  ///
  /// The app calls it when it does this.
  public func needsDisplay(view: RecordedText? = nil) {
    var slots = 1
    if let view { slots += view.slotsMax }
    guard var event = core.open(.uiNeedsDisplay, .instant, slotsMax: slots) else { return }
    if let view { event.add(.view, view, key: privacyKey) }
    event.commit()
  }

  /// Records `ui.alert_show`: UIAlertView, UIActionSheet shown.
  ///
  /// The app calls it when it does this.
  public func alertShow(id: Int? = nil, type: RecordedText? = nil) {
    var slots = 2
    if let type { slots += type.slotsMax }
    guard var event = core.open(.uiAlertShow, .instant, slotsMax: slots) else { return }
    if let id { event.add(.id, Int64(id)) }
    if let type { event.add(.type, type, key: privacyKey) }
    event.commit()
  }

  /// Records `ui.alert_dismiss`.
  ///
  /// The app calls it when it learns of this.
  public func alertDismiss(id: Int? = nil, by: By? = nil) {
    guard var event = core.open(.uiAlertDismiss, .instant, slotsMax: 4) else { return }
    if let id { event.add(.id, Int64(id)) }
    if let by { event.add(.by, by.text) }
    event.commit()
  }

  /// Records `ui.sensitive_show`.
  ///
  /// The app calls it when it does this.
  public func sensitiveShow(id: Int? = nil) {
    guard var event = core.open(.uiSensitiveShow, .instant, slotsMax: 2) else { return }
    if let id { event.add(.id, Int64(id)) }
    event.commit()
  }

  /// Records `ui.sensitive_hide`.
  ///
  /// The app calls it when it does this.
  public func sensitiveHide(id: Int? = nil) {
    guard var event = core.open(.uiSensitiveHide, .instant, slotsMax: 2) else { return }
    if let id { event.add(.id, Int64(id)) }
    event.commit()
  }

  /// Records `ui.icloud_prompt`: asks about iCloud storage.
  ///
  /// The app calls it when it does this.
  public func icloudPrompt(choiceInDefaults: Bool? = nil) {
    guard var event = core.open(.uiIcloudPrompt, .instant, slotsMax: 2) else { return }
    if let choiceInDefaults { event.add(.choiceInDefaults, choiceInDefaults) }
    event.commit()
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case remoteControl
    case motion
    case accelerometer
    case redraw
    case gesture

    @inline(__always)
    var text: StaticString {
      switch self {
      case .remoteControl: "remote_control"
      case .motion: "motion"
      case .accelerometer: "accelerometer"
      case .redraw: "redraw"
      case .gesture: "gesture"
      }
    }
  }

  /// Values of `What`.
  public enum What: Sendable {
    case view
    case layer
    case window

    @inline(__always)
    var text: StaticString {
      switch self {
      case .view: "view"
      case .layer: "layer"
      case .window: "window"
      }
    }
  }

  /// Values of `By`.
  public enum By: Sendable {
    case user
    case app
    case system

    @inline(__always)
    var text: StaticString {
      switch self {
      case .user: "user"
      case .app: "app"
      case .system: "system"
      }
    }
  }
}
