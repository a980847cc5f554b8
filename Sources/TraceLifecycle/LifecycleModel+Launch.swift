// How launches begin and end, how a trace may begin in mid-life, and what a loss of events means.

public import TraceModel

extension LifecycleModel {
  // MARK: Start of the trace

  /// Settles, at the first event that tells, whether the trace begins in mid-life.
  mutating func settleStart(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    switch event.kind {
    case .procStart: hasSettledStart = true
    // The system wakes an app before it starts its process.
    case .privAuth, .localnoteFire, .exitImport, .wakeWindow: break
    default:
      // A kind that this version doesn't know tells nothing; `trace.start` is judged by its reason.
      if Self.kindsOfLaunches.contains(event.kind) { beginMidLife(event, &effects) }
    }
  }

  /// Kinds that tell of a launch, whatever stood before. Looked up for each event until one comes.
  private static let kindsOfLaunches: KindSet = {
    var kinds = KindSet()
    for description in Vocabulary.kinds where !["trace", "sys"].contains(description.namespace) {
      kinds.insert(description.kind)
    }
    return kinds
  }()

  /// Takes up a launch whose beginning the trace doesn't hold.
  mutating func beginMidLife(_ event: Event, _ effects: inout LifecycleEffects) {
    hasSettledStart = true
    beginLaunch(
      Launch(
        number: launchCount + 1, startNanoseconds: nil, isMidLife: true, into: nil,
        reason: .unknown, pid: nil), &effects)
    mayHideReasons = true
    // A lock that was told since anything was lost is one of the device, not of a process. Between
    // two recordings it may have been unlocked.
    if event.kind == .traceStart { isLocked = false }
    if !isLocked { isLockKnown = false }
    setState(.unknown, event)
    quality.add(.tq09)
    effects.insert(.midLife)
  }

  private mutating func beginLaunch(_ launch: Launch, _ effects: inout LifecycleEffects) {
    let windows = isLaunched ? [] : reasons.wakeWindows
    launchCount = launch.number
    self.launch = launch
    reasons = RunReasons()
    reasons.wakeWindows = windows
    scenes = SceneTable()
    if !launch.isMidLife { mayHideScenes = false }
    sceneRole = mayHideScenes ? .hidden : .open
    prewarm = nil
    origin = nil
    hasRecordedEnd = false
    forgetMainThread()
    endedTasks.removeAll(keepingCapacity: true)
    mayHideReasons = false
    graceBeforeSuspension = nil
    ignoresInferredResume = false
    effects.insert(.launchBegan)
  }

  // MARK: Process

  mutating func applyProcess(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    switch event.kind {
    case .procStart: start(event, batch, &effects)
    case .procExit, .procKill:
      if isLaunched { endLaunch(at: event.timeNanoseconds, event.ordinal, &effects) }
      hasRecordedEnd = true
    case .procMain:
      if event.phase != .return { noteMain(onThread: event.thread) }
      guard event.phase != .return, let waiting = prewarm, !waiting.isAfterGap else { return }
      prewarm?.hasMain = true
      if prewarm?.signalNanoseconds != nil {
        launchPrewarmed(event.timeNanoseconds, event, &effects)
      }
    default:
      guard let waiting = prewarm, waiting.signalNanoseconds == nil, !waiting.isAfterGap else {
        return
      }
      prewarm?.signalNanoseconds = event.timeNanoseconds
      if waiting.hasMain { launchPrewarmed(event.timeNanoseconds, event, &effects) }
    }
  }

  private mutating func start(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    if isLaunched { endLaunch(at: event.timeNanoseconds, event.ordinal, &effects) }
    if let identifier = batch.integer(.launchId, of: event) {
      if let last = lastLaunchIdentifier, identifier <= last { quality.add(.tq07) }
      lastLaunchIdentifier = identifier
    }
    let reason = batch.text(.reason, of: event).flatMap { StartReason(rawValue: $0) } ?? .unknown
    let isBackground = batch.isText(.into, "background", of: event)
    let isPrewarm = reason == .prewarm
    beginLaunch(
      Launch(
        number: launchCount + 1, startNanoseconds: isPrewarm ? nil : event.timeNanoseconds,
        isMidLife: false, into: isPrewarm ? nil : isBackground ? .background : .foreground,
        reason: reason, pid: batch.integer(.pid, of: event)), &effects)
    if isPrewarm {
      prewarm = Prewarm()
      setState(.unknown, event)
    } else {
      setState(isBackground ? .launchingBackground : .launchingForeground, event)
    }
    // A new launch is a new state even where the letters are the same.
    stateSinceNanoseconds = event.timeNanoseconds
    stateSinceOrdinal = event.ordinal
  }

  mutating func endLaunch(at time: Int64, _ ordinal: Int, _ effects: inout LifecycleEffects) {
    if suspension != nil { endSuspension(at: time, ordinal) }
    clock.resume(at: time)
    launch?.hasEnded = true
    reasons = RunReasons()
    prewarm = nil
    state = .notRunning
    origin = nil
    stateSinceNanoseconds = time
    stateSinceOrdinal = ordinal
    effects.insert(.launchEnded)
  }

  // MARK: Prewarming

  /// The user asks for the app that the system has started ahead; the launch begins here.
  mutating func launchPrewarmed(
    _ start: Int64, _ event: Event, _ effects: inout LifecycleEffects
  ) {
    prewarm = nil
    launch?.startNanoseconds = start
    launch?.into = .foreground
    clock.resume(at: event.timeNanoseconds)
    if state == .unknown { setState(.launchingForeground, event) }
    effects.insert(.prewarmLaunched)
  }

  /// A callback came to a prewarmed process: its main has run, and some callbacks say that the
  /// user wants to see the app.
  mutating func noteCallbackOfPrewarmed(_ event: Event, _ effects: inout LifecycleEffects) {
    guard let waiting = prewarm, event.phase != .return else { return }
    let isSignal = event.kind == .delegateOpenUrl || event.kind == .sceneWillEnterForeground
    let moves =
      LifecycleMove(delegate: event.kind) != nil || LifecycleMove(scene: event.kind) != nil
    if waiting.isAfterGap {
      guard isSignal || moves else { return }
      // It was launched, then or before, and when isn't known.
      prewarm = nil
      clock.resume(at: event.timeNanoseconds)
    } else if let start = waiting.signalNanoseconds ?? (isSignal ? event.timeNanoseconds : nil) {
      launchPrewarmed(start, event, &effects)
    } else if moves {
      // In front without anybody having recorded the wish: when the launch began isn't known.
      prewarm = nil
      clock.resume(at: event.timeNanoseconds)
      if event.kind != .delegateWillTerminate { launch?.into = .foreground }
      effects.insert(.prewarmLaunched)
    }
  }

  // MARK: Recorder

  mutating func applyRecorder(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    switch event.kind {
    case .traceStart:
      sync(event, batch, &effects)
      guard
        batch.isText(.reason, "attach", of: event)
          || batch.isText(.reason, "resume_of_recording", of: event)
      else { return }
      if isLaunched {
        loseTrack(event)
        quality.add(.tq09)
        effects.formUnion([.gap, .midLife])
      } else {
        beginMidLife(event, &effects)
      }
    case .traceLost:
      // Where none is missing nobody knows how much time passed, and no more than after a loss.
      if batch.integer(.count, of: event) != 0 { quality.add(.tq08) }
      loseTrack(event, ofThread: batch.lostThread(event))
      effects.insert(.gap)
    case .traceThread:
      if batch.boolean(.isMain, of: event) == true {
        mainThread = batch.integer(.thread, of: event) ?? event.thread
        mainThreadSource = .named
      }
    case .traceClockSync: sync(event, batch, &effects)
    default: break
    }
  }

  /// Says that events were lost before this one, for example because sequence numbers are missing.
  /// Call it before ``apply(_:in:)`` for the first event after the gap.
  public mutating func noteLoss(before event: Event) -> LifecycleEffects {
    stateBefore = state
    quality.add(.tq08)
    loseTrack(event)
    return state == stateBefore ? .gap : [.gap, .stateChanged]
  }

  private mutating func loseTrack(_ event: Event, ofThread thread: Int64? = nil) {
    if suspension != nil { endSuspension(at: event.timeNanoseconds, event.ordinal) }
    clock.resume(at: event.timeNanoseconds)
    launch?.hasGap = true
    hasRecordedEnd = false
    ignoresInferredResume = false
    mayHideReasons = true
    isLockKnown = false
    isLocked = false
    interruptionCount = 0
    reasons.closeSpans(ofThread: thread)
    scenes = SceneTable()
    if profile == .scene || profile == .ios13 {
      mayHideScenes = true
      if sceneRole == .open || !isLaunched { sceneRole = .hidden }
    }
    // It may still wait.
    if prewarm != nil { prewarm = Prewarm(isAfterGap: true) }
    origin = nil
    setState(.unknown, event)
  }
}
