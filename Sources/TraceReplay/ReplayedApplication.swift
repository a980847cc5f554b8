// The application object of a replay: what an app under test asks, and what it is answered.

public import TraceModel

/// Stands for `UIApplication` while a recording is replayed.
///
/// Answers are those of the recording: the same tokens, the same remaining time, the same state.
/// Time is virtual: it passes when the app says ``wait(_:)`` or has work for later, and otherwise
/// as the recording has it. Use it in the calls of the delegate only.
///
/// A class, because the app keeps it and everybody must see the same clock.
public final class ReplayedApplication {
  var time = VirtualTime()
  /// What the app did in this process, in the order in which it did it.
  private(set) var calls: [RecordedEvent] = []
  var answers = RecordedAnswers()
  var life: ReplayedLife
  /// The call of the system that the app is in, and its place among the events.
  var enclosing: EventKind?
  var enclosingPlace: Int?
  /// Whether the app has ended its process.
  private(set) var hasExited = false
  private var expirations: [Int64: () -> Void] = [:]

  /// The thread that runs at the moment; 1 is the main thread.
  public private(set) var currentThread: Int64 = 1

  /// Nanoseconds on the clock of the recording.
  public var nowNanoseconds: Int64 { time.nowNanoseconds }

  init(hasScenes: Bool) { life = ReplayedLife(hasScenes: hasScenes) }

  // MARK: State

  /// The state, as `applicationState` would read: active, inactive or background. It is what the
  /// recorded app read at this point of its life, and what follows from the calls of the system
  /// where it read nothing.
  public var applicationState: String {
    answers.applicationState(at: nowNanoseconds) ?? life.applicationState
  }

  /// The time that is left in the background, as `backgroundTimeRemaining` would read: seconds,
  /// counted on from what the recorded app read at this point of its life; infinity if there was no
  /// limit, or if it read nothing.
  public var backgroundTimeRemaining: Double {
    answers.timeRemaining(at: nowNanoseconds) ?? .infinity
  }

  /// The state of a scene, as `activationState` would read.
  public func activationState(ofScene scene: String) -> SceneActivationState {
    life.scenes[scene] ?? .unattached
  }

  // MARK: Time

  /// Lets time pass on the main thread, as work does that takes it. Other threads go on meanwhile.
  ///
  /// - Parameter nanoseconds: How long; negative values count as 0.
  public func wait(_ nanoseconds: Int64) {
    let (target, isOver) = nowNanoseconds.addingReportingOverflow(max(0, nanoseconds))
    pass(until: isOver ? .max : target)
  }

  func pass(until limit: Int64) {
    let limit = min(limit, time.endNanoseconds)
    runDue(until: limit, isMainBusy: true)
    time.nowNanoseconds = max(nowNanoseconds, limit)
  }

  /// Lets the app do what is due.
  func runDue(until limit: Int64, isMainBusy: Bool) {
    while let work = time.takeDue(until: limit, isMainBusy: isMainBusy) {
      on(work.thread, work.action)
    }
  }

  /// Runs something as a thread.
  func on<Result>(_ thread: Int64, _ action: () -> Result) -> Result {
    let outer = currentThread
    currentThread = thread
    defer { currentThread = outer }
    return action()
  }

  /// Runs something later, in virtual time.
  ///
  /// - Parameters:
  ///   - nanoseconds: How much later. A suspension of the app doesn't count.
  ///   - thread: 1 for the main thread; others run while the main thread is busy, too.
  public func after(_ nanoseconds: Int64, thread: Int64 = 1, _ action: @escaping () -> Void) {
    time.add(nanoseconds, thread: thread, action)
  }

  // MARK: What is compared

  /// Says that the app makes a call.
  ///
  /// - Parameters:
  ///   - kind: What it does; kinds that the system emits are not compared.
  ///   - phase: Whether a span begins or ends.
  ///   - thread: 1 for the main thread; nil for the one that runs.
  ///   - arguments: By the vocabulary's names.
  public func perform(
    _ kind: EventKind, _ phase: Phase = .instant, thread: Int64? = nil,
    _ arguments: [RecordedEvent.Argument] = []
  ) {
    guard !hasExited, nowNanoseconds <= time.endNanoseconds else { return }
    let thread = thread ?? currentThread
    var call = RecordedEvent(
      kind, phase, thread: thread, timeNanoseconds: nowNanoseconds, arguments)
    if thread == 1 { (call.enclosing, call.enclosingPlace) = (enclosing, enclosingPlace) }
    calls.append(call)
    if call.isExitByApp {
      hasExited = true
      time.removeAll()
    }
  }

  /// Says that the app makes a call of a moment on the thread that runs.
  public func perform(_ kind: EventKind, _ arguments: [RecordedEvent.Argument]) {
    perform(kind, .instant, thread: nil, arguments)
  }

  /// Ends the process, as `exit` does. Nothing that the app does after it counts.
  public func exit(_ code: Int64) {
    perform(.procExit, [.init("code", .integer(code)), .init("by", .string("app"))])
  }

  func takeCalls() -> [RecordedEvent] {
    defer { calls = [] }
    return calls
  }

  /// Asks for time in the background.
  ///
  /// - Returns: The token that the recording gave to the task of this name at this time, or in this
  ///   call of the system; a new one if there is none; nil where the recording refused it.
  public func beginBackgroundTask(
    withName name: String, thread: Int64? = nil, expirationHandler: (() -> Void)? = nil
  ) -> Int64? {
    let isOnMain = (thread ?? currentThread) == 1
    let answer = answers.task(
      named: name, at: nowNanoseconds, enclosingPlace: isOnMain ? enclosingPlace : nil)
    perform(
      .bgtaskBegin, thread: thread,
      [
        .init("token", .integer(answer.token)), .init("is_invalid", .boolean(answer.isRefused)),
        .init("name", .string(name)),
        .init("has_expiration_handler", .boolean(expirationHandler != nil)),
      ])
    if answer.isRefused { return nil }
    expirations[answer.token] = expirationHandler
    return answer.token
  }

  public func endBackgroundTask(_ token: Int64, thread: Int64? = nil) {
    expirations[token] = nil
    perform(
      .bgtaskEnd, thread: thread,
      [.init("token", .integer(token)), .init("is_invalid", .boolean(false))])
  }

  /// The handler of a task that is open.
  func expirationHandler(of token: Int64) -> (() -> Void)? { expirations[token] }

  /// Reads ``backgroundTimeRemaining``, and says so.
  public func readBackgroundTimeRemaining(thread: Int64? = nil) -> Double {
    let seconds = backgroundTimeRemaining
    let value = seconds.isFinite ? seconds : .greatestFiniteMagnitude
    perform(.stateTimeRemaining, thread: thread, [.init("seconds", .number(value))])
    return seconds
  }

  /// Reads ``applicationState``, and says so.
  public func readApplicationState(thread: Int64? = nil) -> String {
    let state = applicationState
    perform(.stateApplication, thread: thread, [.init("value", .string(state))])
    return state
  }
}
