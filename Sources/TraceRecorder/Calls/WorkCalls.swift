// Calls for the events of `work`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `work`.
  public var work: WorkCalls {
    WorkCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `work`. Arguments that aren't known are left out.
public struct WorkCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `work.span`.
  ///
  /// The app calls it when it does this. Returns the span, to be ended on this thread.
  @discardableResult
  public func span(
    id: Int? = nil, class: Class? = nil, protectsToken: Int? = nil, queue: RecordedText? = nil,
    session: RecordedText? = nil, label: RecordedText? = nil
  ) -> RecordedSpan {
    var slots = 6
    if let queue { slots += queue.slotsMax(bytesMax: 312) }
    if let session { slots += session.slotsMax(bytesMax: 312) }
    if let label { slots += label.slotsMax(bytesMax: 312) }
    let span = RecordedSpan(core: core, kind: .workSpan)
    guard var event = core.open(.workSpan, .enter, slotsMax: slots) else { return span }
    if let id { event.add(.id, Int64(id)) }
    if let `class` { event.add(.class, `class`.text) }
    if let protectsToken { event.add(.protectsToken, Int64(protectsToken)) }
    if let queue { event.add(.queue, queue, key: privacyKey, bytesMax: 312) }
    if let session { event.add(.session, session, key: privacyKey, bytesMax: 312) }
    if let label { event.add(.label, label, key: privacyKey, bytesMax: 312) }
    event.commit()
    return span
  }

  /// `work.span` around a body, which may throw.
  public func span<Returned>(
    id: Int? = nil, class: Class? = nil, protectsToken: Int? = nil, queue: RecordedText? = nil,
    session: RecordedText? = nil, label: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try span(
      id: id, class: `class`, protectsToken: protectsToken, queue: queue, session: session,
      label: label
    ).around(body)
  }

  /// Records `work.sample`.
  ///
  /// Made up by who records: a sample, not an act.
  public func sample(thread: Int? = nil, label: Label? = nil) {
    guard var event = core.open(.workSample, .instant, slotsMax: 5) else { return }
    if let thread { event.add(.thread, Int64(thread)) }
    if let label { event.add(.label, label.text) }
    event.commit()
  }

  /// Records `work.dispatch`: dispatch_async, NSOperationQueue.addOperation.
  ///
  /// The app calls it when it does this.
  public func dispatch(queue: RecordedText? = nil, critical: Bool? = nil, work: Int? = nil) {
    var slots = 3
    if let queue { slots += queue.slotsMax }
    guard var event = core.open(.workDispatch, .instant, slotsMax: slots) else { return }
    if let queue { event.add(.queue, queue, key: privacyKey) }
    if let critical { event.add(.critical, critical) }
    if let work { event.add(.work, Int64(work)) }
    event.commit()
  }

  /// Records `work.queue_suspend`: dispatch_suspend, setSuspended:YES.
  ///
  /// The app calls it when it does this.
  public func queueSuspend(queue: RecordedText? = nil, critical: Bool? = nil) {
    var slots = 2
    if let queue { slots += queue.slotsMax }
    guard var event = core.open(.workQueueSuspend, .instant, slotsMax: slots) else { return }
    if let queue { event.add(.queue, queue, key: privacyKey) }
    if let critical { event.add(.critical, critical) }
    event.commit()
  }

  /// Records `work.queue_resume`: dispatch_resume, setSuspended:NO.
  ///
  /// The app calls it when it does this.
  public func queueResume(queue: RecordedText? = nil) {
    var slots = 1
    if let queue { slots += queue.slotsMax }
    guard var event = core.open(.workQueueResume, .instant, slotsMax: slots) else { return }
    if let queue { event.add(.queue, queue, key: privacyKey) }
    event.commit()
  }

  /// Records `work.timer_start`: NSTimer, dispatch source, CADisplayLink.
  ///
  /// The app calls it when it does this.
  public func timerStart(timer: Int? = nil, intervalS: Double? = nil, repeats: Bool? = nil) {
    guard var event = core.open(.workTimerStart, .instant, slotsMax: 4) else { return }
    if let timer { event.add(.timer, Int64(timer)) }
    if let intervalS { event.add(.intervalS, intervalS) }
    if let repeats { event.add(.repeats, repeats) }
    event.commit()
  }

  /// Records `work.timer_stop`: invalidate, cancel.
  ///
  /// The app calls it when it does this.
  public func timerStop(timer: Int? = nil) {
    guard var event = core.open(.workTimerStop, .instant, slotsMax: 2) else { return }
    if let timer { event.add(.timer, Int64(timer)) }
    event.commit()
  }

  /// Records `work.timer_fire`: timer callback.
  ///
  /// The app calls it when it does this. Returns the span, to be ended on this thread.
  @discardableResult
  public func timerFire(timer: Int? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .workTimerFire)
    guard var event = core.open(.workTimerFire, .enter, slotsMax: 2) else { return span }
    if let timer { event.add(.timer, Int64(timer)) }
    event.commit()
    return span
  }

  /// `work.timer_fire` around a body, which may throw.
  public func timerFire<Returned>(
    timer: Int? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try timerFire(timer: timer).around(body)
  }

  /// Records `work.query_start`: NSMetadataQuery startQuery.
  ///
  /// The app calls it when it does this.
  public func queryStart(query: Int? = nil) {
    guard var event = core.open(.workQueryStart, .instant, slotsMax: 2) else { return }
    if let query { event.add(.query, Int64(query)) }
    event.commit()
  }

  /// Records `work.query_stop`: NSMetadataQuery stopQuery.
  ///
  /// The app calls it when it does this.
  public func queryStop(query: Int? = nil) {
    guard var event = core.open(.workQueryStop, .instant, slotsMax: 2) else { return }
    if let query { event.add(.query, Int64(query)) }
    event.commit()
  }

  /// Values of `Class`.
  public enum Class: Sendable {
    case save
    case db
    case download
    case upload
    case critical
    case noncritical
    case audioFill
    case location
    case housekeeping
    case ui
    case other

    @inline(__always)
    var text: StaticString {
      switch self {
      case .save: "save"
      case .db: "db"
      case .download: "download"
      case .upload: "upload"
      case .critical: "critical"
      case .noncritical: "noncritical"
      case .audioFill: "audio_fill"
      case .location: "location"
      case .housekeeping: "housekeeping"
      case .ui: "ui"
      case .other: "other"
      }
    }
  }

  /// Values of `Label`.
  public enum Label: Sendable {
    case profiler
    case heartbeat

    @inline(__always)
    var text: StaticString {
      switch self {
      case .profiler: "profiler"
      case .heartbeat: "heartbeat"
      }
    }
  }
}
