// The driver of a replay: makes a recorded life happen again to an implementation under test.
// This file must not know how what happened is compared.

import TraceModel

/// Replays a recording.
///
///     let report = Replay(recording).run { NotesDelegate() }
///     #expect(report.divergences.isEmpty, "\(report)")
public struct Replay: Sendable {
  private let recording: Recording
  /// How much later or earlier than recorded a call may be, in nanoseconds.
  public var toleranceNanoseconds: Int64 = 100_000_000

  public init(_ recording: Recording) { self.recording = recording }

  /// Makes the life happen again.
  ///
  /// - Parameter makeDelegate: Makes the implementation under test, once for each process.
  /// - Returns: What differs. Costs time in proportion to the recording; what the app does while
  ///   it waits isn't bounded by the driver.
  public func run(_ makeDelegate: () -> any ApplicationDelegate) -> ReplayReport {
    var report = ReplayReport()
    for (number, launch) in launches.enumerated() {
      let events = Self.enclosed(launch)
      var driver = Driver(
        events: events[...], delegate: makeDelegate(), application: ReplayedApplication())
      let calls = driver.run()
      report.add(
        CallComparison.compare(
          recorded: events.filter(\.isCallOfApp), replayed: calls.filter(\.isCallOfApp),
          stimuli: events.filter(\.isStimulus), launch: number + 1,
          toleranceNanoseconds: toleranceNanoseconds))
    }
    return report
  }

  /// The events, each with the call of the system that it lies in.
  private static func enclosed(_ events: ArraySlice<RecordedEvent>) -> [RecordedEvent] {
    var open: [EventKind] = []
    return events.map { event in
      var event = event
      guard event.thread == 1 else { return event }
      if event.isLifeCall, event.phase == .return, open.last == event.kind { open.removeLast() }
      event.enclosing = open.last
      if event.isLifeCall, event.phase == .enter { open.append(event.kind) }
      return event
    }
  }

  /// The processes of the recording. What comes before the first start is part of it.
  private var launches: [ArraySlice<RecordedEvent>] {
    let starts = recording.events.indices.filter { recording.events[$0].kind == .procStart }
    var bounds = [recording.events.startIndex] + starts.dropFirst()
    bounds.append(recording.events.endIndex)
    return zip(bounds, bounds.dropFirst()).map { recording.events[$0..<$1] }
  }
}

extension RecordedEvent {
  /// Whether code of the app made it happen, so that a replay can repeat it.
  var isCallOfApp: Bool {
    switch kind {
    // What a process is and how it ends is the driver's, and a marker is a note to the reader.
    case .procMain, .procExit, .traceMarker: return false
    default: break
    }
    switch Vocabulary.description(of: kind)?.emitter {
    case .app, .appOrSystem: return true
    default: return false
    }
  }

  /// Whether the main thread is inside the call until it returns; windows lie over what it does.
  var isInsideMainThread: Bool {
    thread == 1 && phase == .enter && Vocabulary.description(of: kind)?.shape == .span
  }

  /// Whether it is a call that tells the app of its life: what is done before it returns, and what
  /// after, makes a difference.
  var isLifeCall: Bool {
    guard let description = Vocabulary.description(of: kind) else { return false }
    return description.shape == .span
      && (["delegate", "scene"].contains(description.namespace) || kind == .bgtaskExpire)
  }

  /// Whether it reaches the app from outside.
  var isStimulus: Bool {
    guard phase != .return else { return false }
    switch Vocabulary.description(of: kind)?.emitter {
    case .system: return Vocabulary.description(of: kind)?.namespace != "sys"
    default: return false
    }
  }
}

/// Replays one process.
private struct Driver {
  let events: ArraySlice<RecordedEvent>
  let delegate: any ApplicationDelegate
  let application: ReplayedApplication
  private var suspendedNanoseconds: Int64?
  /// When each call returned, by its place.
  private let returnTimes: [Int: Int64]

  init(
    events: ArraySlice<RecordedEvent>, delegate: any ApplicationDelegate,
    application: ReplayedApplication
  ) {
    self.events = events
    self.delegate = delegate
    self.application = application
    returnTimes = Self.returnTimes(events)
  }

  private static func returnTimes(_ events: ArraySlice<RecordedEvent>) -> [Int: Int64] {
    var open: [EventKind: [Int]] = [:]
    var times: [Int: Int64] = [:]
    for place in events.indices where events[place].thread == 1 {
      switch events[place].phase {
      case .enter: open[events[place].kind, default: []].append(place)
      case .return:
        if let entered = open[events[place].kind]?.popLast() {
          times[entered] = events[place].timeNanoseconds
        }
      case .instant: break
      }
    }
    return times
  }

  mutating func run() -> [RecordedEvent] {
    application.answers = RecordedAnswers(events)
    application.time.nowNanoseconds = events.first?.timeNanoseconds ?? 0
    application.time.endNanoseconds =
      events.first { $0.kind == .procKill || $0.kind == .procExit }?.timeNanoseconds
      ?? events.last?.timeNanoseconds ?? 0
    for place in events.indices { happen(place) }
    // What was due before the recording ended is still done.
    runDue(until: application.time.endNanoseconds)
    return application.takeCalls()
  }

  /// Lets the app do what is due, with a main thread that is free.
  private func runDue(until limit: Int64) {
    while let action = application.time.takeDue(until: limit, isMainBusy: false) { action() }
  }

  private mutating func happen(_ place: Int) {
    let event = events[place]
    guard event.timeNanoseconds <= application.time.endNanoseconds else { return }
    switch event.kind {
    case .procSuspend where event.phase == .instant:
      runDue(until: event.timeNanoseconds)
      application.time.isRunning = false
      suspendedNanoseconds = event.timeNanoseconds
    case .procResume:
      guard let suspended = suspendedNanoseconds.take() else { return }
      application.time.delay(by: max(0, event.timeNanoseconds - suspended))
      application.time.isRunning = true
      reach(event)
    default:
      guard event.isStimulus else { return }
      reach(event)
      application.enclosing = event.isLifeCall ? event.kind : event.enclosing
      deliver(event)
      application.enclosing = nil
      // The main thread is as busy as it was, if the app isn't busier.
      if event.isInsideMainThread, let end = returnTimes[place] {
        application.pass(until: end)
      }
      if event.kind == .delegateWillResignActive { application.applicationState = "inactive" }
    }
  }

  /// Goes on to the time of an event. An app that is busy longer than recorded gets it later.
  private func reach(_ event: RecordedEvent) {
    runDue(until: event.timeNanoseconds)
    application.time.nowNanoseconds = max(application.nowNanoseconds, event.timeNanoseconds)
  }

  private func deliver(_ event: RecordedEvent) {
    if let state = event.text(.applicationState) { application.applicationState = state }
    let completion = event.integer(.completionId) ?? 0
    let keys = (event.text(.optionKeys) ?? "").split(separator: ",").map(String.init)
    switch event.kind {
    case .delegateWillFinishLaunching:
      delegate.application(application, willFinishLaunchingWithOptions: keys)
    case .delegateDidFinishLaunching:
      delegate.application(application, didFinishLaunchingWithOptions: keys)
    case .delegateDidBecomeActive: delegate.applicationDidBecomeActive(application)
    case .delegateWillResignActive: delegate.applicationWillResignActive(application)
    case .delegateDidEnterBackground: delegate.applicationDidEnterBackground(application)
    case .delegateWillEnterForeground: delegate.applicationWillEnterForeground(application)
    case .delegateWillTerminate: delegate.applicationWillTerminate(application)
    case .delegateDidReceiveMemoryWarning:
      delegate.applicationDidReceiveMemoryWarning(application)
    case .delegatePerformFetch:
      delegate.application(application, performFetchWithCompletionHandler: fetched(completion))
    case .delegateDidReceiveRemoteNotification:
      delegate.application(
        application, didReceiveRemoteNotificationWithCompletionHandler: fetched(completion))
    case .delegateHandleUrlSession:
      delegate.application(
        application, handleEventsForBackgroundURLSession: event.text(.session) ?? "",
        completionHandler: { [application] in complete(completion, "none", application) })
    case .bgtaskExpire:
      if let token = event.integer(.token) { application.expirationHandler(of: token)?() }
    default:
      delegate.application(application, received: event)
    }
  }

  private func fetched(_ id: Int64) -> (FetchResult) -> Void {
    { [application] result in complete(id, result.rawValue, application) }
  }
}

/// The app calls a completion handler.
private func complete(_ id: Int64, _ result: String, _ application: ReplayedApplication) {
  application.perform(
    .completionCall, thread: 1,
    [.init("completion_id", .integer(id)), .init("result", .string(result))])
}
