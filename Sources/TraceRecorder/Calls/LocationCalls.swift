// Calls for the events of `loc`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `loc`.
  public var location: LocationCalls {
    LocationCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `loc`. Arguments that aren't known are left out.
public struct LocationCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `loc.start`: startUpdatingLocation, startMonitoringSignificantLocationChanges,
  /// startMonitoringForRegion:.
  ///
  /// The app calls it when it does this.
  public func start(service: Service? = nil, accuracy: Double? = nil) {
    guard var event = core.open(.locStart, .instant, slotsMax: 5) else { return }
    if let service { event.add(.service, service.text) }
    if let accuracy { event.add(.accuracy, accuracy) }
    event.commit()
  }

  /// Records `loc.stop`: stopUpdatingLocation, stopMonitoringSignificantLocationChanges,
  /// stopMonitoringForRegion:.
  ///
  /// The app calls it when it does this.
  public func stop(service: Service? = nil) {
    guard var event = core.open(.locStop, .instant, slotsMax: 4) else { return }
    if let service { event.add(.service, service.text) }
    event.commit()
  }

  /// Records `loc.update`: locationManager:didUpdateToLocation:fromLocation:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func update(service: Service? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .locUpdate)
    guard var event = core.open(.locUpdate, .enter, slotsMax: 4) else { return span }
    if let service { event.add(.service, service.text) }
    event.commit()
    return span
  }

  /// `loc.update` around a body, which may throw.
  public func update<Returned>(
    service: Service? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try update(service: service).around(body)
  }

  /// Values of `Service`.
  public enum Service: Sendable {
    case standard
    case significant
    case region

    @inline(__always)
    var text: StaticString {
      switch self {
      case .standard: "standard"
      case .significant: "significant"
      case .region: "region"
      }
    }
  }
}
