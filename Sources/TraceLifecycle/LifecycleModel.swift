// The model of an app's life cycle: takes the events that matter in time order and knows state,
// launch, suspension, derived clocks and whether the app may run.
// This file must not know any rule.

public import TraceModel

/// Follows the life cycle of an app through a trace.
///
/// Give it, in time order and before anybody judges them, the events of ``kinds``, and every event
/// while ``needsEveryEvent`` is true. No event is refused: after one that the life cycle doesn't
/// allow, the model adopts the state that the event implies.
public struct LifecycleModel: Sendable {
  /// ``graceNanoseconds`` unless somebody says otherwise.
  public static let defaultGraceNanoseconds: Int64 = 5_000_000_000

  /// How long an app may go on running after its last reason is gone, in nanoseconds of run time.
  public let graceNanoseconds: Int64
  public let profile: Profile
  public internal(set) var state = LifecycleState.notRunning
  /// The state before the last event.
  public internal(set) var stateBefore = LifecycleState.notRunning
  /// When the state began, in nanoseconds on the header's clock.
  public internal(set) var stateSinceNanoseconds: Int64 = 0
  /// The place of the event that began the state.
  public internal(set) var stateSinceOrdinal = 0
  /// Whether the device is locked; false while that isn't known.
  public internal(set) var isLocked = false
  /// Whether it is known if the device is locked: not after a start in mid-life or a gap.
  public internal(set) var isLockKnown = true
  /// How the background was reached that the app is in; nil elsewhere and where it isn't known.
  public internal(set) var origin: BackgroundOrigin?
  /// The launch under way, or the one that ended last.
  public internal(set) var launch: Launch?
  public internal(set) var launchCount = 0
  /// The suspension in force.
  public internal(set) var suspension: Suspension?
  /// The suspension that ended last.
  public internal(set) var lastSuspension: Suspension?
  /// Whether the trace so far holds a suspension or a heartbeat.
  public internal(set) var hasSuspendOrHeartbeat = false
  /// The thread that is the main one: the one that the trace names, else that of `proc.main`, or
  /// else 1.
  public internal(set) var mainThread: Int64 = 1
  /// The doubts TQ05 to TQ09.
  public internal(set) var quality = QualityTally()
  /// Whether a reason to run may be unknown, as the trace began in mid-life or lost events.
  /// ``mayRun(at:grace:)`` speaks of the known reasons only.
  public internal(set) var mayHideReasons = false
  /// Within this distance of a suspension's ends an event counts as outside it.
  public let suspensionToleranceNanoseconds: Int64

  private let roles = KindRole.table
  let hasAudioMode: Bool
  let hasLocationMode: Bool
  let usesUptimeClock: Bool
  let hasRefreshSetting: Bool
  var isRefreshOff: Bool
  var isRefreshKnown: Bool
  var clock = RunClock()
  var reasons = RunReasons()
  /// Run time at which the grace began.
  var graceStartRunNanoseconds: Int64 = 0
  var graceBeforeSuspension: GraceBeforeSuspension?
  var interruptionCount = 0
  var scenes = SceneTable()
  var sceneRole = SceneRole.open
  /// Whether events were lost that may have brought up scenes that nobody has seen. The app is at
  /// least as active as those that were.
  var mayHideScenes = false
  var mainThreadSource = MainThreadSource.assumed
  var prewarm: Prewarm?
  /// Whether it is settled that the trace begins with a launch, or in mid-life.
  public internal(set) var hasSettledStart = false
  /// Whether the end of the last launch was recorded, and nothing since can have hidden a start.
  var hasRecordedEnd = false
  /// Whether the next inferred resume is that of a suspension that was refuted.
  var ignoresInferredResume = false
  /// The thread on which the callback runs that made the state RA, EB or EF.
  var callbackThread: Int64 = 0
  var callbackKind = EventKind(rawValue: 0)
  /// What later events say of the one at hand; see ``apply(_:in:foreseen:)``.
  var isForeseen = false
  var lastLaunchIdentifier: Int64?
  /// When tasks were ended, by their tokens. Few are kept, and of a forgotten one no handler is too
  /// late: the model is copied now and then.
  var endedTasks: [UInt64: Int64] = [:]
  static let endedTasksMax = 1_024
  var isTimeUnlimited = false
  /// Whether a reason to run came and went inside the last event.
  var hadMomentaryReason = false

  /// Who moves the app in this launch: delegate callbacks, or those of scenes. Hidden: the callback
  /// that would tell may have been lost.
  enum SceneRole: Sendable {
    case open, scenes, delegate, hidden
  }

  /// What is known of a prewarmed process before it is launched.
  struct Prewarm: Sendable {
    var hasMain = false
    var signalNanoseconds: Int64?
    /// Since when run time stands still by an inferred suspension.
    var stoppedNanoseconds: Int64?
    /// Events were lost, so that it may have been launched since.
    var isAfterGap = false
  }

  /// What an inferred suspension ended, in case it is refuted.
  struct GraceBeforeSuspension: Sendable {
    var startRunNanoseconds: Int64
    var wakeWindows: [RunReasons.WakeWindow]
    var scheduledRuns: [RunReasons.ScheduledRun]
    var origin: BackgroundOrigin?
    var mayHideScenes: Bool
    var mayHideReasons: Bool
    /// The grace that the resume began, as long as nothing began a later one.
    var atResumeRunNanoseconds: Int64?
  }

  /// Whether reasons to run may have been hidden until the suspension in force: it tells of none
  /// that it ended.
  public var hidReasonsBeforeSuspension: Bool {
    suspension != nil && graceBeforeSuspension?.mayHideReasons == true
  }

  /// A model at the beginning of a trace. A negative grace counts as none.
  public init(
    header: TraceHeader, profile: Profile,
    graceNanoseconds: Int64 = LifecycleModel.defaultGraceNanoseconds
  ) {
    self.profile = profile
    self.graceNanoseconds = max(0, graceNanoseconds)
    // A header without modes leaves open which there are: all count.
    let modes = header.strings(.backgroundModes)
    hasAudioMode = modes?.contains("audio") ?? true
    hasLocationMode = modes?.contains("location") ?? true
    usesUptimeClock = header.string(.clockKind) == "uptime"
    hasRefreshSetting = profile.parameters.hasBackgroundAppRefresh
    isRefreshOff = ["denied", "restricted"].contains(header.string(.refreshStatus) ?? "")
    isRefreshKnown = header.string(.refreshStatus) != nil
    let resolution = max(0, header.integer(.timestampResolutionNanoseconds) ?? 1)
    suspensionToleranceNanoseconds = max(50_000_000, resolution.plus(resolution))
  }

  /// The kinds that ``apply(_:in:)`` must be called for, in any state.
  public static let kinds = KindSet(
    Vocabulary.kinds.map(\.kind).filter { KindRole.of($0, in: KindRole.table).isHeard })

  /// The kinds among ``kinds`` that can change the state.
  public static let stateKinds = KindSet(
    Vocabulary.kinds.map(\.kind).filter { KindRole.of($0, in: KindRole.table).part != .none })

  /// The kinds among ``stateKinds`` that change something only by what they prove, which most of
  /// them don't: who follows the life cycle needs but those with which it changed.
  public static let signKinds = KindSet([.uiTouch])

  /// Whether ``apply(_:in:)`` must be called for every event, whatever its kind: before it is
  /// settled how the trace begins, in the background of a trace with heartbeats, where silence is
  /// evidence, and in an inferred suspension, which may be refuted, also before a prewarmed app is
  /// launched.
  public var needsEveryEvent: Bool {
    !hasSettledStart || (state == .background && clock.hasHeartbeat)
      || suspension?.isInferred == true || prewarm?.stoppedNanoseconds != nil
  }

  /// Whether scenes move the app in this launch, and the delegate's calls are but echoes.
  public var isMovedByScenes: Bool { sceneRole == .scenes }

  /// Whether it isn't known who moves the app in this launch: delegate callbacks, or scenes.
  public var isMoverHidden: Bool { sceneRole == .hidden }

  /// Whether a process that the system started ahead waits to be launched.
  public var isPrewarmed: Bool { prewarm != nil }

  public var isInterrupted: Bool { interruptionCount > 0 }

  /// Whether a launch is under way.
  public var isLaunched: Bool { launch.map { !$0.hasEnded } ?? false }

  /// Whether this event ends the launch under way without saying so: another process is started,
  /// or the device was restarted. Ask before ``apply(_:in:)``.
  public func endsLaunch(_ event: Event, in batch: EventBatch) -> Bool {
    guard isLaunched else { return false }
    return event.kind == .procStart || (event.kind == .traceStart && isReboot(event))
  }

  func isReboot(_ event: Event) -> Bool {
    guard let last = clock.lastNanoseconds else { return false }
    return (event.kind == .procStart || event.kind == .traceStart) && event.timeNanoseconds < last
  }

  /// Takes an event that comes not before the last one, unless the device was restarted.
  ///
  /// - Parameter foreseen: Whether later events are known to hold what ``awaits(_:in:)`` asks for.
  /// - Returns: What the event did. After it ``stateBefore`` is the state before the event.
  @discardableResult
  public mutating func apply(
    _ event: Event, in batch: EventBatch, foreseen: Bool = false
  ) -> LifecycleEffects {
    var effects: LifecycleEffects = []
    isForeseen = foreseen
    stateBefore = state
    var event = event
    if isReboot(event) {
      hasRecordedEnd = false
      if isLaunched { endLaunch(at: clock.lastNanoseconds ?? 0, event.ordinal, &effects) }
      clock.restart()
      graceStartRunNanoseconds = .min
    }
    event.timeNanoseconds = max(event.timeNanoseconds, clock.lastNanoseconds ?? .min)
    clock.advance(to: event.timeNanoseconds, isBackground: state == .background)
    if !hasSettledStart { settleStart(event, batch, &effects) }
    let role = KindRole.of(event.kind, in: roles)
    guard role.isHeard else { return finish(effects) }

    let before = reasonsBefore()
    hadMomentaryReason = false
    applyReason(role.reason, event, batch)
    switch role.part {
    case .none: break
    case .recorder: applyRecorder(event, batch, &effects)
    case .process: applyProcess(event, batch, &effects)
    case .suspension: applySuspension(event, batch, &effects)
    case .surroundings: applySurroundings(event, batch)
    case .callback: applyCallback(event, batch, &effects)
    }
    followGrace(before)
    return finish(effects)
  }

  private func finish(_ effects: LifecycleEffects) -> LifecycleEffects {
    guard state != stateBefore else { return effects }
    var effects = effects
    effects.insert(.stateChanged)
    if state == .background && stateBefore != .suspended { effects.insert(.backgroundEntered) }
    if stateBefore.isBackgroundOrSuspended && !state.isBackgroundOrSuspended {
      effects.insert(.leftBackground)
    }
    return effects
  }

  /// Ends the trace. What is open stays open.
  public mutating func endTrace(lastNanoseconds: Int64) {
    clock.advance(to: lastNanoseconds, isBackground: state == .background)
    if usesUptimeClock && !clock.hasSync { quality.add(.tq05) }
  }

  /// Takes another state at an event. The background's origin is the caller's business.
  mutating func setState(_ new: LifecycleState, _ event: Event) {
    guard new != state else { return }
    if new == .background {
      startGrace(at: event.timeNanoseconds)
      if state != .suspended { launch?.wasLockedOrSlept = isLocked }
    } else if new != .suspended {
      origin = nil
    }
    isTimeUnlimited = false
    state = new
    stateSinceNanoseconds = event.timeNanoseconds
    stateSinceOrdinal = event.ordinal
  }
}
