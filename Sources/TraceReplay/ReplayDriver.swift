// The driver of a replay: tells an app what the recorded system told it, at the recorded times.
// This file must not know what the app under test does, and how that is compared.

import TraceModel

/// Replays one process.
struct ReplayDriver {
  private let process: RecordedProcess
  private let delegate: any ApplicationDelegate
  private let application: ReplayedApplication
  private let toleranceNanoseconds: Int64
  private var suspendedNanoseconds: Int64?
  /// The places of the returns that the main thread is before: it is busy until it comes to them.
  private var returnsAhead: Set<Int> = []
  /// The calls of the system that haven't returned, by the places of their returns.
  private var callsAhead: [Int: RecordedEvent] = [:]
  /// What the delegate answered, by the place of the call's return.
  private var results: [Int: Bool] = [:]
  /// Whether an activity is handed over when the launch is done.
  private var handsOverActivity = false

  init(
    _ process: RecordedProcess, delegate: any ApplicationDelegate,
    application: ReplayedApplication, toleranceNanoseconds: Int64
  ) {
    self.process = process
    self.delegate = delegate
    self.application = application
    self.toleranceNanoseconds = toleranceNanoseconds
  }

  mutating func run() -> [RecordedEvent] {
    let events = process.events
    application.answers = RecordedAnswers(events, toleranceNanoseconds: toleranceNanoseconds)
    application.time.nowNanoseconds = events.first?.timeNanoseconds ?? 0
    application.time.endNanoseconds = endNanoseconds
    for place in events.indices where !application.hasExited {
      if events[place].phase == .return { end(place) } else { happen(place) }
    }
    // What was due before the recording ended is still done.
    runDue(until: application.time.endNanoseconds)
    return application.takeCalls()
  }

  /// When the process ended. An app that ended itself may do it again a tolerance later.
  private var endNanoseconds: Int64 {
    let end = process.events.first { $0.kind == .procKill || $0.kind == .procExit }
    guard let end else { return process.events.last?.timeNanoseconds ?? 0 }
    return end.isExitByApp ? end.timeNanoseconds.plus(toleranceNanoseconds) : end.timeNanoseconds
  }

  private func runDue(until limit: Int64) {
    application.runDue(until: limit, isMainBusy: !returnsAhead.isEmpty)
  }

  private mutating func happen(_ place: Int) {
    let event = process.events[place]
    guard event.timeNanoseconds <= application.time.endNanoseconds else { return }
    switch event.kind {
    case .procSuspend:
      runDue(until: event.timeNanoseconds)
      application.answers.turns += 1
      application.time.isRunning = false
      suspendedNanoseconds = event.timeNanoseconds
    case .procResume:
      application.answers.turns += 1
      guard let suspended = suspendedNanoseconds.take() else { return }
      application.time.delay(by: max(0, event.timeNanoseconds.minus(suspended)))
      application.time.isRunning = true
      reach(event)
    default:
      if event.isStimulus { stimulate(event, place) }
    }
  }

  /// Goes on to the time of an event. An app that is busy longer than recorded gets it later.
  private func reach(_ event: RecordedEvent) {
    runDue(until: event.timeNanoseconds)
    application.time.nowNanoseconds = max(application.nowNanoseconds, event.timeNanoseconds)
  }

  private mutating func stimulate(_ event: RecordedEvent, _ place: Int) {
    reach(event)
    guard !application.hasExited else { return }
    if event.isTurnOfLife { application.answers.turns += 1 }
    application.life.enter(event)
    let isLifeCall = event.isLifeCall
    application.enclosing = isLifeCall ? event.kind : event.enclosing
    application.enclosingPlace = isLifeCall ? place : event.enclosingPlace
    let result = deliver(event)
    application.enclosing = nil
    application.enclosingPlace = nil
    if event.kind == .delegateDidFinishLaunching {
      handsOverActivity = result == true && event.optionKeys.contains(Self.activityKey)
    }
    // The main thread is as busy as it was, if the app isn't busier.
    if event.isLifeCall, let returnPlace = process.returnPlaces[place] {
      callsAhead[returnPlace] = event
    }
    if event.isInsideMainThread, let returnPlace = process.returnPlaces[place] {
      returnsAhead.insert(returnPlace)
      results[returnPlace] = result
    }
    if event.phase == .instant { application.life.leave(event) }
  }

  /// A call of the system returns.
  private mutating func end(_ place: Int) {
    let event = process.events[place]
    if returnsAhead.contains(place) {
      application.pass(until: event.timeNanoseconds)
      returnsAhead.remove(place)
      if event.isResult, let result = results.removeValue(forKey: place) {
        application.enclosing = event.enclosing
        application.enclosingPlace = event.enclosingPlace
        application.perform(
          event.kind, .return, thread: event.thread, [.init("result", .boolean(result))])
        application.enclosing = nil
        application.enclosingPlace = nil
      }
    }
    if event.isLifeCall {
      application.answers.turns += 1
      // A return names no scene.
      application.life.leave(callsAhead.removeValue(forKey: place) ?? event)
    }
    if event.kind == .delegateDidFinishLaunching, handsOverActivity {
      handsOverActivity = false
      delegate.applicationContinuesUserActivity(application)
    }
  }

  /// What a launch has among its options if an activity of the user is handed over: the system then
  /// calls the delegate for it when the launch is done.
  private static let activityKey = "UIApplicationLaunchOptionsUserActivityDictionaryKey"

  // MARK: Delivery

  /// Calls the delegate.
  ///
  /// - Returns: Its answer, if it has to give one.
  private func deliver(_ event: RecordedEvent) -> Bool? {
    application.on(event.thread) {
      switch event.kind {
      case .sceneWillConnect, .sceneDidBecomeActive, .sceneWillResignActive,
        .sceneDidEnterBackground, .sceneWillEnterForeground, .sceneDidDisconnect:
        let name = event.text(.scene) ?? ""
        tellScene(event, ReplayedScene(identifier: name, application: application))
        return nil
      default: return tell(event)
      }
    }
  }

  private func tell(_ event: RecordedEvent) -> Bool? {
    switch event.kind {
    case .delegateWillFinishLaunching:
      return delegate.application(
        application, willFinishLaunchingWithOptions: event.optionKeys)
    case .delegateDidFinishLaunching:
      return delegate.application(application, didFinishLaunchingWithOptions: event.optionKeys)
    case .delegateDidBecomeActive: delegate.applicationDidBecomeActive(application)
    case .delegateWillResignActive: delegate.applicationWillResignActive(application)
    case .delegateDidEnterBackground: delegate.applicationDidEnterBackground(application)
    case .delegateWillEnterForeground: delegate.applicationWillEnterForeground(application)
    case .delegateWillTerminate: delegate.applicationWillTerminate(application)
    case .delegateDidReceiveMemoryWarning:
      delegate.applicationDidReceiveMemoryWarning(application)
    case .delegateShouldSaveState:
      return delegate.applicationShouldSaveApplicationState(application)
    case .bgtaskExpire:
      if let token = event.integer(.token) { application.expirationHandler(of: token)?() }
    default: return handOver(event)
    }
    return nil
  }

  private func tellScene(_ event: RecordedEvent, _ scene: ReplayedScene) {
    switch event.kind {
    case .sceneWillConnect:
      delegate.scene(scene, willConnectToSessionInRole: event.text(.role) ?? "")
    case .sceneDidBecomeActive: delegate.sceneDidBecomeActive(scene)
    case .sceneWillResignActive: delegate.sceneWillResignActive(scene)
    case .sceneDidEnterBackground: delegate.sceneDidEnterBackground(scene)
    case .sceneWillEnterForeground: delegate.sceneWillEnterForeground(scene)
    default: delegate.sceneDidDisconnect(scene)
    }
  }

  /// Hands something to the app.
  private func handOver(_ event: RecordedEvent) -> Bool? {
    switch event.kind {
    case .delegateOpenUrl:
      let url = OpenedURL(
        scheme: event.text(.scheme) ?? "", sourceApplication: event.text(.sourceApp))
      return delegate.application(application, open: url)
    case .delegateDidReceiveLocalNotification:
      delegate.application(
        application, didReceiveLocalNotification: event.text(.id) ?? "")
    case .delegateDidReceiveRemoteNotification:
      delegate.application(
        application,
        didReceiveRemoteNotification: RemoteNotification(
          contentAvailable: event.integer(.contentAvailable)),
        fetchCompletionHandler: fetched(event))
    case .delegatePerformFetch:
      delegate.application(
        application, performFetchWithCompletionHandler: fetched(event))
    case .delegateHandleUrlSession:
      delegate.application(
        application, handleEventsForBackgroundURLSession: event.text(.session) ?? "",
        completionHandler: { [application] in application.complete(event, with: "none") })
    default:
      delegate.application(application, received: event)
    }
    return nil
  }

  private func fetched(_ event: RecordedEvent) -> (FetchResult) -> Void {
    { [application] result in application.complete(event, with: result.rawValue) }
  }
}

extension ReplayedApplication {
  /// The app calls the completion handler that it got with a call, on whichever thread it is.
  fileprivate func complete(_ event: RecordedEvent, with result: String) {
    perform(
      .completionCall,
      [
        .init("completion_id", .integer(event.integer(.completionId) ?? 0)),
        .init("result", .string(result)),
      ])
  }
}

extension RecordedEvent {
  /// The keys of the options of a launch.
  fileprivate var optionKeys: [String] {
    (text(.optionKeys) ?? "").split(separator: ",").map(String.init)
  }
}
