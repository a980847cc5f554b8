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
  /// The call of the system that the app is in.
  var enclosing: EventKind?
  private var expirations: [Int64: () -> Void] = [:]

  /// The state, as `applicationState` would read: active, inactive or background.
  public internal(set) var applicationState = "inactive"

  /// Nanoseconds on the clock of the recording.
  public var nowNanoseconds: Int64 { time.nowNanoseconds }

  init() {}

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
    while let action = time.takeDue(until: limit, isMainBusy: true) { action() }
    time.nowNanoseconds = max(nowNanoseconds, limit)
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
  ///   - arguments: By the vocabulary's names.
  public func perform(
    _ kind: EventKind, _ phase: Phase = .instant, thread: Int64 = 1,
    _ arguments: [RecordedEvent.Argument] = []
  ) {
    guard nowNanoseconds <= time.endNanoseconds else { return }
    var call = RecordedEvent(
      kind, phase, thread: thread, timeNanoseconds: nowNanoseconds, arguments)
    if thread == 1 { call.enclosing = enclosing }
    calls.append(call)
  }

  /// Says that the app makes a call of a moment on its main thread.
  public func perform(_ kind: EventKind, _ arguments: [RecordedEvent.Argument]) {
    perform(kind, .instant, thread: 1, arguments)
  }

  func takeCalls() -> [RecordedEvent] {
    defer { calls = [] }
    return calls
  }

  /// Asks for time in the background.
  ///
  /// - Returns: The token that the recording gave to the task of this name; a new one if there is
  ///   none; nil where the recording refused it.
  public func beginBackgroundTask(
    withName name: String, thread: Int64 = 1, expirationHandler: (() -> Void)? = nil
  ) -> Int64? {
    let answer = answers.token(forTask: name)
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

  public func endBackgroundTask(_ token: Int64, thread: Int64 = 1) {
    expirations[token] = nil
    perform(
      .bgtaskEnd, thread: thread,
      [.init("token", .integer(token)), .init("is_invalid", .boolean(false))])
  }

  /// The handler of a task that is open.
  func expirationHandler(of token: Int64) -> (() -> Void)? { expirations[token] }

  /// Reads the time that is left in the background.
  ///
  /// - Returns: Seconds, as the recording read them; infinity where it read none any more.
  public func readBackgroundTimeRemaining(thread: Int64 = 1) -> Double {
    guard let answer = answers.takeTimeRemaining() else { return .infinity }
    perform(.stateTimeRemaining, thread: thread, [.init("seconds", answer)])
    switch answer {
    case .integer(let seconds): return Double(seconds)
    case .number(let seconds): return seconds
    default: return .infinity
    }
  }

  /// Reads the state, and says so.
  public func readApplicationState(thread: Int64 = 1) -> String {
    perform(.stateApplication, thread: thread, [.init("value", .string(applicationState))])
    return applicationState
  }
}

/// What the recorded system answered in one process.
struct RecordedAnswers {
  private var tokens: [String: [(token: Int64, isRefused: Bool)]] = [:]
  private var timesRemaining: [ArgumentValue] = []
  /// Tokens that no recording has: far above those that systems give.
  private var nextNewToken: Int64 = 1_000_000_001

  init() {}

  init(_ events: ArraySlice<RecordedEvent>) {
    for event in events {
      switch event.kind {
      case .bgtaskBegin:
        let answer = (
          event.integer(.token) ?? 0, event.value(.isInvalid) == .boolean(true)
        )
        tokens[event.text(.name) ?? "", default: []].append(answer)
      case .stateTimeRemaining:
        if let seconds = event.value(.seconds) { timesRemaining.append(seconds) }
      default: break
      }
    }
    for name in tokens.keys { tokens[name]?.reverse() }
    timesRemaining.reverse()
  }

  mutating func token(forTask name: String) -> (token: Int64, isRefused: Bool) {
    if let answer = tokens[name]?.popLast() { return answer }
    nextNewToken += 1
    return (nextNewToken, false)
  }

  mutating func takeTimeRemaining() -> ArgumentValue? { timesRemaining.popLast() }
}
