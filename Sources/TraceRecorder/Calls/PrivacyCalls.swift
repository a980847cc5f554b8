// Calls for the events of `priv`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `priv`.
  public var privacy: PrivacyCalls {
    PrivacyCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `priv`. Arguments that aren't known are left out.
public struct PrivacyCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `priv.auth`.
  ///
  /// The app calls it when the system does this to it.
  public func auth(kind: Kind? = nil, status: RecordedText? = nil) {
    var slots = 5
    if let status { slots += status.slotsMax }
    guard var event = core.open(.privAuth, .instant, slotsMax: slots) else { return }
    if let kind { event.add(.kind, kind.text) }
    if let status { event.add(.status, status, key: privacyKey) }
    event.commit()
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case microphone
    case bluetoothPeripheral
    case location

    @inline(__always)
    var text: StaticString {
      switch self {
      case .microphone: "microphone"
      case .bluetoothPeripheral: "bluetooth_peripheral"
      case .location: "location"
      }
    }
  }
}
