// Suspensions, heartbeats, clocks and what surrounds the app: locks, interruptions, samples.

public import TraceModel

extension LifecycleModel {
  /// A process that used less than this share of a suspension's length as CPU time stood still.
  private static let idleShare: Int64 = 100

  mutating func applySuspension(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    switch event.kind {
    case .procSuspend:
      hasSuspendOrHeartbeat = true
      suspend(event, batch, &effects)
    case .procResume: resume(event, batch, &effects)
    case .workSample:
      if batch.isText(.label, "heartbeat", of: event) {
        hasSuspendOrHeartbeat = true
        clock.beat(at: event.timeNanoseconds, goesOn: isForeseen)
      }
    default: confirmByProcessorTime(event, batch, &effects)
    }
  }

  private mutating func suspend(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    guard isLaunched else { return }
    let isInferred = batch.boolean(.inferred, of: event) == true
    if prewarm != nil {
      clock.suspend(at: event.timeNanoseconds)
      let since = isInferred ? prewarm?.stoppedNanoseconds ?? event.timeNanoseconds : nil
      prewarm?.stoppedNanoseconds = since
      return
    }
    if state == .suspended {
      if !isInferred { observeSuspension(event, &effects) }
      return
    }
    // Silence in the foreground is a debugger or overload, never a suspension.
    if isInferred && (state.isForeground || state == .terminating) { return }
    graceBeforeSuspension = GraceBeforeSuspension(
      startRunNanoseconds: graceStartRunNanoseconds, wakeWindows: reasons.wakeWindows,
      scheduledRuns: reasons.scheduledRuns, origin: origin, mayHideScenes: mayHideScenes,
      mayHideReasons: mayHideReasons)
    // A suspended app has no scene in front.
    mayHideScenes = false
    reasons.wakeWindows.removeAll()
    reasons.scheduledRuns.removeAll()
    ignoresInferredResume = false
    if !isInferred { noteNoReasons() }
    suspension = Suspension(
      startNanoseconds: event.timeNanoseconds, startOrdinal: event.ordinal,
      isInferred: isInferred, isConfirmed: !isInferred)
    clock.suspend(at: event.timeNanoseconds)
    setState(.suspended, event)
    effects.insert(.suspended)
  }

  /// The suspension in force, inferred until now, is seen to begin here. The app was silent since
  /// its inferred beginning: run time goes on standing still from there.
  private mutating func observeSuspension(_ event: Event, _ effects: inout LifecycleEffects) {
    guard suspension?.isInferred == true else { return }
    suspension?.isInferred = false
    suspension?.isConfirmed = true
    suspension?.startNanoseconds = event.timeNanoseconds
    suspension?.startOrdinal = event.ordinal
    graceBeforeSuspension = nil
    noteNoReasons()
    effects.formUnion([.suspended, .suspensionConfirmed])
  }

  /// The app was seen to be suspended, and thus has no reason to run that nobody has seen begin:
  /// but for location, which lets it run and doesn't keep it from suspension.
  private mutating func noteNoReasons() {
    if !hasLocationMode { mayHideReasons = false }
  }

  private mutating func resume(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    guard isLaunched else { return }
    if prewarm != nil {
      clock.resume(at: event.timeNanoseconds)
      prewarm?.stoppedNanoseconds = nil
      return
    }
    if ignores(event, in: batch) {
      ignoresInferredResume = false
      return
    }
    ignoresInferredResume = false
    switch state {
    case .suspended:
      endSuspension(at: event.timeNanoseconds, event.ordinal)
      clock.resume(at: event.timeNanoseconds)
      effects.insert(.resumed)
    case .background: break
    case .unknown:
      // What would tell since when the app was suspended may have been lost.
      clock.suspend(at: stateSinceNanoseconds)
      clock.resume(at: event.timeNanoseconds)
    default:
      if batch.boolean(.inferred, of: event) == true { return }
    }
    guard state == .suspended || state == .background || state == .unknown else { return }
    setState(.background, event)
    mayHideScenes = false
    origin = .woken
    startGrace(at: event.timeNanoseconds)
    graceBeforeSuspension?.atResumeRunNanoseconds = graceStartRunNanoseconds
  }

  /// Whether an event is the end of a suspension that was refuted, and means nothing. Ask before
  /// ``apply(_:in:)``.
  public func ignores(_ event: Event, in batch: EventBatch) -> Bool {
    ignoresInferredResume && event.kind == .procResume && isLaunched && prewarm == nil
      && batch.boolean(.inferred, of: event) == true
  }

  /// Closes the suspension in force. The caller lets the clock go on.
  mutating func endSuspension(at time: Int64, _ ordinal: Int) {
    suspension?.endNanoseconds = time
    suspension?.endOrdinal = ordinal
    lastSuspension = suspension
    suspension = nil
  }

  /// Says that an inferred suspension was none, as the app ran in it. Run time goes on through it,
  /// and what it ended holds on. Of the suspension in force, or else of the one that ended last.
  public mutating func refuteSuspension() {
    guard let before = graceBeforeSuspension else { return }
    if let wrong = suspension {
      guard wrong.isInferred else { return }
      suspension = nil
      ignoresInferredResume = true
      clock.cancelSuspension()
      graceStartRunNanoseconds = before.startRunNanoseconds
      state = .background
      stateSinceNanoseconds = wrong.startNanoseconds
      stateSinceOrdinal = wrong.startOrdinal
      origin = before.origin
      mayHideScenes = before.mayHideScenes
    } else if let wrong = lastSuspension, wrong.isInferred, let end = wrong.endNanoseconds {
      lastSuspension = nil
      let duration = max(0, end.minus(wrong.startNanoseconds))
      clock.restore(duration)
      if graceStartRunNanoseconds == before.atResumeRunNanoseconds {
        graceStartRunNanoseconds = before.startRunNanoseconds
      } else {
        graceStartRunNanoseconds = graceStartRunNanoseconds.plus(duration)
      }
    } else {
      return
    }
    reasons.wakeWindows.insert(contentsOf: before.wakeWindows, at: 0)
    reasons.scheduledRuns.insert(contentsOf: before.scheduledRuns, at: 0)
    graceBeforeSuspension = nil
  }

  /// Says that the app runs at an event that is to be taken next: if a prewarmed process was only
  /// inferred to be suspended, its run time goes on.
  public mutating func noteRunning(at time: Int64) {
    guard let since = prewarm?.stoppedNanoseconds,
      time > since.plus(suspensionToleranceNanoseconds)
    else { return }
    prewarm?.stoppedNanoseconds = nil
    // The suspension may have ended this much later.
    clock.resume(at: time.plus(suspensionToleranceNanoseconds))
  }

  // MARK: Evidence

  /// Takes a sample of the clocks, which may show that the device slept.
  mutating func sync(_ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects) {
    guard let continuous = batch.integer(.continuousNs, of: event),
      let uptime = batch.integer(.uptimeNs, of: event)
    else { return }
    let slept = clock.sync(
      continuous: continuous, uptime: uptime, subtractsSleep: !usesUptimeClock)
    guard slept > 0 else { return }
    launch?.wasLockedOrSlept = true
    guard let last = lastSuspension, let end = last.endNanoseconds, !last.isConfirmed else {
      return
    }
    // Uptime stood still for most of it.
    if slept.plus(slept) >= end.minus(last.startNanoseconds) { confirmSuspension(&effects) }
  }

  private mutating func confirmByProcessorTime(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    guard let last = lastSuspension, let end = last.endNanoseconds, !last.isConfirmed,
      batch.bits(.thread, of: event) == nil,
      let used = batch.integer(.cpuNs, of: event), used >= 0,
      let window = batch.integer(.windowNs, of: event),
      event.timeNanoseconds.minus(window)
        <= last.startNanoseconds.plus(suspensionToleranceNanoseconds)
    else { return }
    if used <= end.minus(last.startNanoseconds) / Self.idleShare { confirmSuspension(&effects) }
  }

  private mutating func confirmSuspension(_ effects: inout LifecycleEffects) {
    lastSuspension?.isConfirmed = true
    effects.insert(.suspensionConfirmed)
  }

  // MARK: Surroundings

  mutating func applySurroundings(_ event: Event, _ batch: EventBatch) {
    switch event.kind {
    case .sysLock:
      isLocked = true
      isLockKnown = true
      launch?.wasLockedOrSlept = true
    case .sysUnlock:
      isLocked = false
      isLockKnown = true
    case .sysInterruption:
      if event.phase == .enter {
        interruptionCount = min(interruptionCount + 1, RunReasons.heldMax)
      } else if event.phase == .return {
        interruptionCount = max(0, interruptionCount - 1)
      }
    case .sysRefreshChanged: setRefresh(.status, event, batch)
    case .stateRefreshStatus: setRefresh(.value, event, batch)
    case .stateTimeRemaining:
      let isWord = batch.isText(.seconds, "unlimited", of: event)
      isTimeUnlimited = isWord || (batch.number(.seconds, of: event) ?? 0) > 1e300
    default: sample(event, batch)
    }
  }

  private mutating func setRefresh(_ name: ArgumentName, _ event: Event, _ batch: EventBatch) {
    if batch.isText(name, "available", of: event) {
      isRefreshOff = false
      isRefreshKnown = true
    } else if batch.isText(name, "denied", of: event) || batch.isText(name, "restricted", of: event)
    {
      isRefreshOff = true
      isRefreshKnown = true
    }
  }

  /// What the app read as its state fixes an unknown one.
  private mutating func sample(_ event: Event, _ batch: EventBatch) {
    guard state == .unknown, isLaunched, prewarm == nil else { return }
    if batch.isText(.value, "active", of: event) {
      setState(.active, event)
    } else if batch.isText(.value, "background", of: event) {
      setState(.background, event)
      mayHideScenes = false
    } else if batch.isText(.value, "inactive", of: event), isLockKnown, !isLocked {
      setState(.inactive, event)
    }
  }
}
