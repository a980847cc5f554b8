// Calls for the events of `app`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `app`.
  public var app: AppCalls {
    AppCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `app`. Arguments that aren't known are left out.
public struct AppCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `app.react`.
  ///
  /// The app calls it when it does this.
  public func react(subject: Subject? = nil, security: Bool? = nil) {
    guard var event = core.open(.appReact, .instant, slotsMax: 5) else { return }
    if let subject { event.add(.subject, subject.text) }
    if let security { event.add(.security, security) }
    event.commit()
  }

  /// Values of `Subject`.
  public enum Subject: Sendable {
    case settings
    case locale
    case icloud
    case statusBar
    case reauth
    case hideInfo
    case reload

    @inline(__always)
    var text: StaticString {
      switch self {
      case .settings: "settings"
      case .locale: "locale"
      case .icloud: "icloud"
      case .statusBar: "status_bar"
      case .reauth: "reauth"
      case .hideInfo: "hide_info"
      case .reload: "reload"
      }
    }
  }
}
