// Whether a background app may run, how long still, and the derived clocks.
// Reasons to run are kept in RunReasons; here it is decided which of them count.

import TraceModel

extension LifecycleModel {
  // MARK: Clocks

  /// The run time of the app at a time not before the last event, in nanoseconds. Only
  /// differences mean something. It stands still while the app is suspended; it steps back where a
  /// sample of the clocks shows that the device slept unnoticed.
  public func runTimeNanoseconds(at time: Int64) -> Int64 {
    clock.runTime(at: time, isBackground: state == .background)
  }

  /// The clock of the watchdogs at a time not before the last event, in nanoseconds. Only
  /// differences mean something.
  public func watchdogTimeNanoseconds(at time: Int64) -> Int64 { clock.watchdogTime(at: time) }

  // MARK: May the app run?

  /// Whether a known reason lets the app run at a time not before the last event.
  ///
  /// - Parameter grace: How long it may go on without, in nanoseconds of run time; nil: for
  ///   ``graceNanoseconds``.
  public func mayRun(at time: Int64, grace: Int64? = nil) -> Bool {
    guard state.isBackgroundOrSuspended, !reasons.holds(counting) else { return true }
    return runTimeNanoseconds(at: time) <= graceBeginRunNanoseconds.plus(grace ?? graceNanoseconds)
  }

  /// Whether a known reason of these holds at a time not before the last event; the grace doesn't
  /// count.
  public func holds(_ wanted: Set<RunReason>, at time: Int64) -> Bool {
    let counting = counting
    let run = runTimeNanoseconds(at: time)
    return wanted.contains { reasons.holds($0, counting, atRunNanoseconds: run) }
  }

  /// Whether Background App Refresh is off, by the header or by the last change; false on systems
  /// without it.
  public var isBackgroundRefreshOff: Bool { isRefreshOff && hasRefreshSetting }

  /// Whether it is known if Background App Refresh is off: the header says so, or a change.
  public var isBackgroundRefreshKnown: Bool { isRefreshKnown || !hasRefreshSetting }

  /// The last moment at which the app may run if nothing more happens, in nanoseconds on the
  /// header's clock; nil while a reason holds that time doesn't end, and while suspended.
  ///
  /// - Parameter grace: As for ``mayRun(at:grace:)``.
  public func graceEndNanoseconds(grace: Int64? = nil) -> Int64? {
    guard state == .background, !reasons.holds(counting), let last = clock.lastNanoseconds else {
      return nil
    }
    let end = graceBeginRunNanoseconds.plus(grace ?? graceNanoseconds)
    return last.plus(end.minus(runTimeNanoseconds(at: last)))
  }

  /// Run time at which the last known reason was gone, or will be.
  private var graceBeginRunNanoseconds: Int64 {
    max(graceStartRunNanoseconds, reasons.timedEnd(counting) ?? .min)
  }

  var counting: RunReasons.Counting {
    RunReasons.Counting(
      hasAudioMode: hasAudioMode, hasLocationMode: hasLocationMode,
      isRefreshOff: isRefreshOff && hasRefreshSetting)
  }

  /// Whether the main thread has entered a callback and not returned from it.
  public var isInMainCallback: Bool { reasons.hasOpenSpan(ofThread: mainThread) }

  mutating func startGrace(at time: Int64) {
    graceStartRunNanoseconds = runTimeNanoseconds(at: time)
  }

  /// What held before an event.
  struct ReasonsBefore {
    var holds: Bool
    var timedEnd: Int64?
  }

  mutating func reasonsBefore() -> ReasonsBefore {
    guard let last = clock.lastNanoseconds else { return ReasonsBefore(holds: false) }
    let run = runTimeNanoseconds(at: last)
    let counting = counting
    if let end = reasons.timedEnd(counting), end < run {
      graceStartRunNanoseconds = max(graceStartRunNanoseconds, end)
    }
    reasons.expire(atRunNanoseconds: run)
    return ReasonsBefore(holds: reasons.holds(counting), timedEnd: reasons.timedEnd(counting))
  }

  /// The grace begins anew when the last reason is gone.
  mutating func followGrace(_ before: ReasonsBefore) {
    guard isLaunched, let last = clock.lastNanoseconds,
      state != .suspended || isAtSuspension(last)
    else { return }
    let counting = counting
    let ended = (before.holds || hadMomentaryReason) && !reasons.holds(counting)
    let closed = before.timedEnd.map { (reasons.timedEnd(counting) ?? .min) < $0 } ?? false
    if ended || closed {
      let start = max(graceStartRunNanoseconds, runTimeNanoseconds(at: last))
      graceStartRunNanoseconds = start
      if state == .suspended { graceBeforeSuspension?.startRunNanoseconds = start }
    }
  }

  /// Whether a time is within the tolerance after the beginning of the suspension in force: what
  /// ends then had not ended before it by much, and counts as before it.
  private func isAtSuspension(_ time: Int64) -> Bool {
    guard let suspension else { return false }
    return time.minus(suspension.startNanoseconds) <= suspensionToleranceNanoseconds
  }

  // MARK: Reasons

  mutating func applyReason(_ reason: KindRole.Reason, _ event: Event, _ batch: EventBatch) {
    switch reason {
    case .none: break
    case .task: applyTask(event, batch)
    case .service: applyService(event, batch)
    case .window: applyWindow(event, batch)
    case .span: applySpan(event)
    // The system tells the app that its sound is interrupted, and that it may go on: two calls,
    // between which the app may well be suspended.
    case .moment: hadMomentaryReason = true
    case .touch:
      if event.thread == mainThread && !isForeseen { reasons.closeSpans(ofThread: event.thread) }
    case .delegate, .scene:
      if event.thread == mainThread && event.phase != .return && event.kind != .delegateOpenUrl
        && !isForeseen
      {
        // The return of a callback of the main thread that is still open was lost.
        reasons.closeSpans(ofThread: event.thread)
      }
      applySpan(event)
      if reason == .delegate && event.phase != .return {
        reasons.awaitCompletion(batch.key(.completionId, of: event))
      }
    }
  }

  private mutating func applySpan(_ event: Event) {
    switch event.phase {
    case .enter: reasons.enterSpan(event.kind, thread: event.thread)
    case .return: reasons.leaveSpan(event.kind, thread: event.thread)
    case .instant: hadMomentaryReason = true
    }
  }

  private mutating func applyTask(_ event: Event, _ batch: EventBatch) {
    let token = batch.key(.token, of: event)
    let isInvalid = batch.boolean(.isInvalid, of: event) == true
    switch event.kind {
    case .bgtaskBegin where !isInvalid:
      if case .bits(let bits) = token { endedTasks[bits] = nil }
      reasons.beginTask(token, ofUIKit: batch.isText(.by, "uikit", of: event))
    case .bgtaskEnd where !isInvalid:
      guard case .bits(let bits) = token else { return }
      if endedTasks.count >= Self.endedTasksMax { endedTasks.removeAll(keepingCapacity: true) }
      endedTasks[bits] = event.timeNanoseconds
      reasons.endTask(bits)
    case .bgtaskExpire:
      applySpan(event)
      if event.phase != .return { auditExpiration(token, event) }
    default: break
    }
  }

  /// An expiration handler runs in the background, for a task that is open or was ended just now.
  private mutating func auditExpiration(_ token: ArgumentKey, _ event: Event) {
    let raceNanoseconds: Int64 = 100_000_000
    var isLate = false
    if case .bits(let bits) = token, let end = endedTasks[bits] {
      isLate = event.timeNanoseconds.minus(end) > raceNanoseconds
    }
    if state.isForeground || isTimeUnlimited || isLate { quality.add(.tq06) }
  }

  private mutating func applyService(_ event: Event, _ batch: EventBatch) {
    let starts = batch.isText(.op, "start", of: event)
    let stops = batch.isText(.op, "stop", of: event)
    switch event.kind {
    case .audioPlay:
      if starts || stops { reasons.play(batch.key(.stream, of: event), starts: starts) }
    case .audioRecord:
      if starts || stops { reasons.record(batch.key(.stream, of: event), starts: starts) }
    case .locStart, .locStop:
      let isStandard =
        batch.bits(.service, of: event) == nil || batch.isText(.service, "standard", of: event)
      if isStandard { reasons.isLocating = event.kind == .locStart }
    case .procAssertion:
      let key = batch.key(.id, of: event)
      if batch.isText(.op, "acquire", of: event) {
        reasons.acquireAssertion(key)
      } else if batch.isText(.op, "release", of: event)
        || batch.isText(.op, "invalidate", of: event)
      {
        reasons.releaseAssertion(key)
      }
    default: reasons.complete(batch.key(.completionId, of: event))
    }
  }

  private mutating func applyWindow(_ event: Event, _ batch: EventBatch) {
    let run = runTimeNanoseconds(at: event.timeNanoseconds)
    switch (event.kind, event.phase) {
    case (.wakeWindow, .enter):
      reasons.openWindow(
        batch.key(.id, of: event), needsRefresh: needsRefresh(event, batch), run: run)
    case (.wakeWindow, .return): reasons.closeWindow(batch.key(.id, of: event))
    case (.wakeWindow, .instant):
      if !(counting.isRefreshOff && needsRefresh(event, batch)) { hadMomentaryReason = true }
    case (.voipCall, .enter): reasons.enterCall()
    case (.voipCall, .return): reasons.leaveCall()
    case (.voipCall, .instant): hadMomentaryReason = true
    case (.bgschedRun, .enter), (.bgschedRun, .instant):
      reasons.startRun(
        batch.key(.identifier, of: event), isRefresh: batch.isText(.kind, "refresh", of: event),
        run: run)
    case (.bgschedRun, .return): break
    case (.bgschedExpire, .enter): reasons.enterExpiration(batch.key(.identifier, of: event))
    case (.bgschedExpire, .return): reasons.leaveExpiration(batch.key(.identifier, of: event))
    default: reasons.endRun(batch.key(.identifier, of: event))
    }
  }

  private func needsRefresh(_ event: Event, _ batch: EventBatch) -> Bool {
    batch.isText(.reason, "fetch", of: event)
      || batch.isText(.reason, "remote_notification", of: event)
      || batch.isText(.reason, "location", of: event)
  }

  /// A wake-up that nobody declares over ends when the life cycle goes on.
  mutating func endWakeWindows() {
    reasons.wakeWindows.removeAll()
  }
}
