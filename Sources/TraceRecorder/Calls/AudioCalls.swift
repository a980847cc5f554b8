// Calls for the events of `audio`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `audio`.
  public var audio: AudioCalls {
    AudioCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `audio`. Arguments that aren't known are left out.
public struct AudioCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `audio.session`: AVAudioSession category or active state.
  ///
  /// The app calls it when it does this.
  public func session(op: Op? = nil, category: RecordedText? = nil) {
    var slots = 4
    if let category { slots += category.slotsMax }
    guard var event = core.open(.audioSession, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let category { event.add(.category, category, key: privacyKey) }
    event.commit()
  }

  /// Records `audio.play`: playback.
  ///
  /// The app calls it when it does this.
  public func play(
    op: PlayOp? = nil, stream: Int? = nil, audible: Bool? = nil, route: RecordedText? = nil
  ) {
    var slots = 5
    if let route { slots += route.slotsMax }
    guard var event = core.open(.audioPlay, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let stream { event.add(.stream, Int64(stream)) }
    if let audible { event.add(.audible, audible) }
    if let route { event.add(.route, route, key: privacyKey) }
    event.commit()
  }

  /// Records `audio.record`: recording.
  ///
  /// The app calls it when it does this.
  public func record(op: RecordOp? = nil, stream: Int? = nil) {
    guard var event = core.open(.audioRecord, .instant, slotsMax: 4) else { return }
    if let op { event.add(.op, op.text) }
    if let stream { event.add(.stream, Int64(stream)) }
    event.commit()
  }

  /// Records `audio.callback`: audio buffer callback.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func callback(stream: Int? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .audioCallback)
    guard var event = core.open(.audioCallback, .enter, slotsMax: 2) else { return span }
    if let stream { event.add(.stream, Int64(stream)) }
    event.commit()
    return span
  }

  /// `audio.callback` around a body, which may throw.
  public func callback<Returned>(
    stream: Int? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try callback(stream: stream).around(body)
  }

  /// Records `audio.interruption`: audio session interruption or route change.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on any
  /// thread.
  @discardableResult
  public func interruption(kind: Kind? = nil, phase: Phase? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .audioInterruption)
    guard var event = core.open(.audioInterruption, .enter, slotsMax: 6) else { return span }
    if let kind { event.add(.kind, kind.text) }
    if let phase { event.add(.phase, phase.text) }
    event.commit()
    return span
  }

  /// `audio.interruption` around a body, which may throw.
  public func interruption<Returned>(
    kind: Kind? = nil, phase: Phase? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try interruption(kind: kind, phase: phase).around(body)
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case configure
    case activate
    case deactivate

    @inline(__always)
    var text: StaticString {
      switch self {
      case .configure: "configure"
      case .activate: "activate"
      case .deactivate: "deactivate"
      }
    }
  }

  /// Values of `PlayOp`.
  public enum PlayOp: Sendable {
    case start
    case stop

    @inline(__always)
    var text: StaticString {
      switch self {
      case .start: "start"
      case .stop: "stop"
      }
    }
  }

  /// Values of `RecordOp`.
  public enum RecordOp: Sendable {
    case start
    case stop

    @inline(__always)
    var text: StaticString {
      switch self {
      case .start: "start"
      case .stop: "stop"
      }
    }
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case interruption
    case routeChange

    @inline(__always)
    var text: StaticString {
      switch self {
      case .interruption: "interruption"
      case .routeChange: "route_change"
      }
    }
  }

  /// Values of `Phase`.
  public enum Phase: Sendable {
    case began
    case ended

    @inline(__always)
    var text: StaticString {
      switch self {
      case .began: "began"
      case .ended: "ended"
      }
    }
  }
}
