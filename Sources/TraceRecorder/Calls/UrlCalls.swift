// Calls for the events of `url`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `url`.
  public var url: UrlCalls {
    UrlCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `url`. Arguments that aren't known are left out.
public struct UrlCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `url.session`: NSURLSession creation.
  ///
  /// The app calls it when it does this.
  public func session(
    identifier: RecordedText? = nil, kind: Kind? = nil, sendsLaunchEvents: Bool? = nil,
    discretionary: Bool? = nil, configHash: RecordedText? = nil
  ) {
    var slots = 6
    if let identifier { slots += identifier.slotsMax(bytesMax: 472) }
    if let configHash { slots += configHash.slotsMax(bytesMax: 472) }
    guard var event = core.open(.urlSession, .instant, slotsMax: slots) else { return }
    if let identifier { event.add(.identifier, identifier, key: privacyKey, bytesMax: 472) }
    if let kind { event.add(.kind, kind.text) }
    if let sendsLaunchEvents { event.add(.sendsLaunchEvents, sendsLaunchEvents) }
    if let discretionary { event.add(.discretionary, discretionary) }
    if let configHash { event.add(.configHash, configHash, key: privacyKey, bytesMax: 472) }
    event.commit()
  }

  /// Records `url.task`: NSURLSession task.
  ///
  /// The app calls it when it learns of this.
  public func task(
    op: Op? = nil, task: Int? = nil, session: RecordedText? = nil, type: Sort? = nil,
    bytes: Int? = nil
  ) {
    var slots = 7
    if let session { slots += session.slotsMax }
    guard var event = core.open(.urlTask, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let task { event.add(.task, Int64(task)) }
    if let session { event.add(.session, session, key: privacyKey) }
    if let type { event.add(.type, type.text) }
    if let bytes { event.add(.bytes, Int64(bytes)) }
    event.commit()
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case `default`
    case ephemeral
    case background

    @inline(__always)
    var text: StaticString {
      switch self {
      case .default: "default"
      case .ephemeral: "ephemeral"
      case .background: "background"
      }
    }
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case start
    case finish
    case error
    case cancel

    @inline(__always)
    var text: StaticString {
      switch self {
      case .start: "start"
      case .finish: "finish"
      case .error: "error"
      case .cancel: "cancel"
      }
    }
  }

  /// Values of `Sort`.
  public enum Sort: Sendable {
    case upload
    case download
    case data

    @inline(__always)
    var text: StaticString {
      switch self {
      case .upload: "upload"
      case .download: "download"
      case .data: "data"
      }
    }
  }
}
