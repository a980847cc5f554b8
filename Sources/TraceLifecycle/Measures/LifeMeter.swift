// Measures an app's life while somebody follows it with a LifecycleModel.
// This file must not know rules, nor what becomes of the numbers.

public import TraceModel

/// Turns what a model says after each event into measures.
///
/// Call ``note(_:in:_:_:)`` after every event that the model took. What was measured comes out of
/// ``takeMeasures()``; memory follows what is open and what wasn't taken.
public struct LifeMeter: Sendable {
  private var measures: [LifeMeasure] = []
  private var state = LifecycleState.notRunning
  private var stateSinceNanoseconds: Int64?
  private var lastNanoseconds: Int64?
  private var launch = OpenLaunch()
  /// Watchdog time at the enter of the callback that the state stands for: EB or TM.
  private var callbackStart: Int64?
  /// Run time at which the stay in the background began.
  private var runStart: Int64?
  private var tasks = OpenTasks()
  private var wasInBackground = false
  /// The end of a process that a later event may explain better.
  private var ending: LifeMeasure?
  /// The launch that what is measured is of.
  private var launchNumber = 0
  private var wasInForeground = false

  /// A launch that is measured, in watchdog time.
  private struct OpenLaunch: Sendable {
    var start: Int64?
    var finish: Int64?
    var isInterrupted = false
  }

  public init() {}

  /// What was measured since the last call.
  public mutating func takeMeasures() -> [LifeMeasure] {
    defer { measures.removeAll(keepingCapacity: true) }
    return measures
  }

  /// Takes note of an event after the model took it.
  public mutating func note(
    _ event: Event, in batch: EventBatch, _ model: LifecycleModel, _ effects: LifecycleEffects
  ) {
    // Only a reboot sets the clock back, and then what was open ended at the last event.
    let time = event.timeNanoseconds
    let isReboot = time < lastNanoseconds ?? time
    if isReboot { closeState(at: lastNanoseconds ?? time, next: .notRunning) }
    lastNanoseconds = time
    if effects.contains(.launchEnded) {
      // A start ends the launch before; whatever else ends one ends the model's.
      if event.kind != .procStart { launchNumber = model.launch?.number ?? launchNumber }
      endLaunch(event, in: batch, model, effects)
    } else if event.kind == .procKill, case .termination(let before, _, _)? = ending?.subject,
      [.exit, .exitAfterWillTerminate, .unknown].contains(before)
    {
      ending?.subject = .termination(
        Self.cause(of: event, in: batch), count: 1, words: EndingWords(event, in: batch))
    }
    if effects.contains(.launchBegan) {
      if event.kind == .procStart || !effects.contains(.launchEnded) { flushEnding() }
      if model.isLaunched { forget() }
    }
    if effects.contains(.gap) { forget() }
    if effects.contains(.launchBegan) || effects.contains(.prewarmLaunched) {
      beginLaunch(at: time, model)
    }
    noteLaunch(event, model)
    noteTask(event, in: batch, model)
    followTasks(event, model)
    noteRecorder(event, in: batch)
    follow(event, model, effects)
    launchNumber = model.launch?.number ?? launchNumber
    noteForeground(event, model)
  }

  /// Says that so many events are missing before this one, and takes the state from the model.
  public mutating func noteLoss(before event: Event, count: Int, _ model: LifecycleModel) {
    lastNanoseconds = event.timeNanoseconds
    if count > 0 { add(.lostEvents(count: count), event.timeNanoseconds) }
    forget()
    closeState(at: event.timeNanoseconds, next: model.state)
  }

  /// Ends the trace at the time of its last event.
  public mutating func finish(lastNanoseconds last: Int64) {
    closeState(at: max(last, stateSinceNanoseconds ?? last), next: .notRunning)
    flushEnding()
  }

  private mutating func add(
    _ subject: LifeMeasure.Subject, _ time: Int64, lasting duration: Int64 = 0
  ) {
    measures.append(
      LifeMeasure(
        subject, timeNanoseconds: time, durationNanoseconds: max(0, duration),
        launch: launchNumber))
  }

  // MARK: States

  private mutating func follow(
    _ event: Event, _ model: LifecycleModel, _ effects: LifecycleEffects
  ) {
    let time = event.timeNanoseconds
    let isNewLaunch = effects.contains(.launchBegan) && model.isLaunched
    if stateSinceNanoseconds == nil {
      state = model.state
      if state != .notRunning { stateSinceNanoseconds = time }
      enter(event, model)
      return
    }
    guard model.state != state || isNewLaunch else { return }
    leave(event, model, effects)
    closeState(at: time, next: model.state)
    enter(event, model)
  }

  private mutating func closeState(at time: Int64, next: LifecycleState) {
    if let since = stateSinceNanoseconds, time > since {
      add(.state(state), time, lasting: time.minus(since))
    }
    if stateSinceNanoseconds != nil { stateSinceNanoseconds = time }
    state = next
  }

  private mutating func enter(_ event: Event, _ model: LifecycleModel) {
    switch model.state {
    case .enteringBackground, .terminating:
      callbackStart =
        event.phase == .enter ? model.watchdogTimeNanoseconds(at: event.timeNanoseconds) : nil
    case .background:
      runStart = model.runTimeNanoseconds(at: event.timeNanoseconds)
    default: break
    }
  }

  /// The state that was so far ends with this event.
  private mutating func leave(
    _ event: Event, _ model: LifecycleModel, _ effects: LifecycleEffects
  ) {
    let time = event.timeNanoseconds
    switch state {
    case .enteringBackground:
      if let start = callbackStart, model.state == .background, event.phase == .return {
        add(
          .duration(.enterBackground), time,
          lasting: model.watchdogTimeNanoseconds(at: time).minus(start))
      }
      callbackStart = nil
    case .background: leaveBackground(event, model, effects)
    default: break
    }
  }

  private mutating func leaveBackground(
    _ event: Event, _ model: LifecycleModel, _ effects: LifecycleEffects
  ) {
    guard let start = runStart else { return }
    runStart = nil
    guard model.state != .unknown, model.hasSuspendOrHeartbeat else { return }
    let run = model.runTimeNanoseconds(at: event.timeNanoseconds)
    add(.duration(.backgroundRun), event.timeNanoseconds, lasting: run.minus(start))
    if effects.contains(.suspended), let latency = model.suspendLatencyNanoseconds(at: run) {
      add(.duration(.suspendLatency), event.timeNanoseconds, lasting: latency)
    }
  }

  /// Nothing of what is open can be measured any more.
  private mutating func forget() {
    launch = OpenLaunch()
    callbackStart = nil
    runStart = nil
    forgetTasks()
  }

  private mutating func forgetTasks() {
    tasks.removeAll()
    wasInBackground = false
  }

  // MARK: Launches

  private mutating func beginLaunch(at time: Int64, _ model: LifecycleModel) {
    launch = OpenLaunch()
    if let began = model.launch {
      if began.number != launchNumber { wasInForeground = false }
      measures.append(
        LifeMeasure(
          .launched(reason: began.reason, startNanoseconds: began.startNanoseconds),
          timeNanoseconds: time, launch: began.number))
    }
    guard let began = model.launch, !began.isMidLife, model.isLaunched,
      let start = began.startNanoseconds
    else { return }
    // A prewarmed process begins its launch before the event that shows it.
    launch.start = model.watchdogTimeNanoseconds(at: time).minus(time.minus(start))
  }

  private mutating func noteLaunch(_ event: Event, _ model: LifecycleModel) {
    guard let start = launch.start else { return }
    let now = model.watchdogTimeNanoseconds(at: event.timeNanoseconds)
    if event.kind == .sysInterruption || event.kind == .sysLock { launch.isInterrupted = true }
    let isFinish = event.kind == .delegateDidFinishLaunching && event.phase == .return
    if isFinish, launch.finish == nil { launch.finish = now }
    switch model.state {
    case .launchingForeground, .launchingBackground: return
    case .unknown: break
    case .active where !launch.isInterrupted || launch.finish == nil:
      add(.duration(.launch), event.timeNanoseconds, lasting: now.minus(start))
    default:
      if let finish = launch.finish {
        add(.duration(.launch), event.timeNanoseconds, lasting: finish.minus(start))
      }
    }
    launch.start = nil
  }

  private mutating func noteForeground(_ event: Event, _ model: LifecycleModel) {
    guard !wasInForeground else { return }
    switch model.state {
    case .active, .inactive, .resigning, .enteringForeground: break
    default: return
    }
    wasInForeground = true
    add(.foreground, event.timeNanoseconds)
  }

  private mutating func endLaunch(
    _ event: Event, in batch: EventBatch, _ model: LifecycleModel, _ effects: LifecycleEffects
  ) {
    let time = event.timeNanoseconds
    flushEnding()
    switch event.kind {
    case .procKill:
      let cause = Self.cause(of: event, in: batch)
      end(as: cause, event, in: batch)
      if !effects.contains(.launchBegan) { measureOpen(at: time, cause, model) }
    case .procExit:
      let isUIKit = batch.isText(.by, "uikit_after_will_terminate", of: event)
      end(as: isUIKit ? .exitAfterWillTerminate : .exit, event, in: batch)
    default: end(as: .unrecorded, event, in: batch)
    }
    launch = OpenLaunch()
    callbackStart = nil
    forgetTasks()
  }

  /// What the system ended for taking too long took at least this long.
  private mutating func measureOpen(
    at time: Int64, _ cause: TerminationCause, _ model: LifecycleModel
  ) {
    if cause == .watchdog {
      let now = model.watchdogTimeNanoseconds(at: time)
      if let start = launch.start, state == .launchingForeground || state == .launchingBackground {
        add(.duration(.launch), time, lasting: now.minus(start))
      }
      if let start = callbackStart {
        let duration = state == .terminating ? LifeDuration.terminate : .enterBackground
        add(.duration(duration), time, lasting: now.minus(start))
      }
    } else if cause == .bgtaskExpired {
      measureOpenTasks(at: time, model)
    }
  }

  private mutating func flushEnding() {
    if let ended = ending.take() { measures.append(ended) }
  }

  private mutating func end(as cause: TerminationCause, _ event: Event, in batch: EventBatch) {
    ending = LifeMeasure(
      .termination(cause, count: 1, words: EndingWords(event, in: batch)),
      timeNanoseconds: event.timeNanoseconds, launch: launchNumber)
  }

  private static func cause(of event: Event, in batch: EventBatch) -> TerminationCause {
    let told = batch.text(.cause, of: event)
    let cause = told.flatMap { TerminationCause(rawValue: $0) } ?? .unknown
    guard cause == .unknown else { return cause }
    let meaning = Terminations.meaning(
      cause: told, code: batch.integer(.code, of: event),
      namespace: batch.text(.namespace, of: event),
      description: batch.text(.description, of: event),
      visibility: batch.text(.visibility, of: event))
    return meaning?.cause.flatMap { TerminationCause(rawValue: $0) } ?? .unknown
  }

  // MARK: Tasks and the rest

  private mutating func noteTask(_ event: Event, in batch: EventBatch, _ model: LifecycleModel) {
    let time = event.timeNanoseconds
    switch event.kind {
    case .bgtaskBegin:
      guard batch.boolean(.isInvalid, of: event) != true, !batch.isText(.by, "uikit", of: event),
        !batch.isText(.token, "<private>", of: event)
      else { return }
      let key = batch.key(.token, of: event)
      if key != .absent { tasks.begin(key, atRunNanoseconds: model.runTimeNanoseconds(at: time)) }
    case .bgtaskEnd:
      guard batch.boolean(.isInvalid, of: event) != true,
        batch.boolean(.refused, of: event) != true,
        let duration = tasks.end(
          batch.key(.token, of: event), atRunNanoseconds: model.runTimeNanoseconds(at: time))
      else { return }
      add(.duration(.backgroundTask), time, lasting: duration)
    case .delegateWillTerminate where event.phase == .return:
      guard model.state == .terminating, let start = callbackStart.take() else { return }
      add(
        .duration(.terminate), time,
        lasting: model.watchdogTimeNanoseconds(at: time).minus(start))
    default: break
    }
  }

  private mutating func followTasks(_ event: Event, _ model: LifecycleModel) {
    let isInBackground = model.state.isBackgroundOrSuspended
    guard isInBackground || wasInBackground else { return }
    let changes: Bool =
      switch event.kind {
      case .audioPlay, .audioRecord, .locStart, .locStop: true
      default: isInBackground != wasInBackground
      }
    guard changes else { return }
    // Where suspensions aren't recorded, nobody knows for how long the app ran.
    if !isInBackground, model.state != .unknown, model.hasSuspendOrHeartbeat {
      measureOpenTasks(at: event.timeNanoseconds, model)
    }
    wasInBackground = isInBackground
    tasks.follow(
      isInBackground: isInBackground, isServing: model.isServing,
      atRunNanoseconds: model.runTimeNanoseconds(at: event.timeNanoseconds))
  }

  private mutating func measureOpenTasks(at time: Int64, _ model: LifecycleModel) {
    let run = model.runTimeNanoseconds(at: time)
    for duration in tasks.durationsNanoseconds(atRunNanoseconds: run) {
      add(.duration(.backgroundTask), time, lasting: duration)
    }
  }

  private mutating func noteRecorder(_ event: Event, in batch: EventBatch) {
    switch event.kind {
    case .traceStart, .traceClockSync:
      if let wall = batch.integer(.wallNs, of: event) {
        add(.wallClock(nanoseconds: wall), event.timeNanoseconds)
      }
    case .traceClockStep:
      if let wall = batch.integer(.newWallNs, of: event) {
        add(.wallClock(nanoseconds: wall), event.timeNanoseconds)
      }
    case .traceLost:
      let count = batch.integer(.count, of: event) ?? 1
      guard count != 0 else { return }
      add(.lostEvents(count: Int(clamping: max(1, count))), event.timeNanoseconds)
    default: break
    }
  }
}

extension LifecycleModel {
  /// Whether audio or location is in service under a declared mode: the system's count of the
  /// remaining time stands still.
  fileprivate var isServing: Bool {
    var counting = counting
    // Background App Refresh decides whether the app is woken, not whether a count stands still.
    counting.isRefreshOff = false
    return reasons.holds(.audio, counting, atRunNanoseconds: 0)
      || reasons.holds(.location, counting, atRunNanoseconds: 0)
  }

  /// How long before a suspension that has just begun the last known reason to run was gone, in run
  /// time; nil if one holds, or may have been hidden.
  ///
  /// - Parameter run: The run time of the suspension.
  fileprivate func suspendLatencyNanoseconds(at run: Int64) -> Int64? {
    guard let before = graceBeforeSuspension, !before.mayHideReasons, !reasons.holds(counting)
    else { return nil }
    var start = before.startRunNanoseconds
    for window in before.wakeWindows where !(window.needsRefresh && counting.isRefreshOff) {
      start = max(start, window.endRunNanoseconds)
    }
    for scheduled in before.scheduledRuns {
      guard let end = scheduled.endRunNanoseconds else { return nil }
      start = max(start, end)
    }
    let latency = run.minus(start)
    return latency >= 0 ? latency : nil
  }
}
