// A phone with one app, in virtual time: what state the app is in, and what happens when.
// This file must not know what the user does; `SimulatedPhone+Steps.swift` does.

package import TraceModel

/// The state of the app, as the phone has it.
package enum PhoneState: Sendable {
  case notRunning, launching, active, inactive, background, suspended, ending
}

/// A simulated phone.
///
/// A class, because work that waits for its time calls back into the phone.
package final class SimulatedPhone {
  package let traits: SystemTraits
  let declaration: AppDeclaration
  let journal: EventJournal
  private let makeApp: () -> any AppModel
  var app: (any AppModel)?
  var random: SimulationRandom

  package internal(set) var nowNanoseconds: Int64 = 0
  package internal(set) var state = PhoneState.notRunning
  var queue = WorkQueue()
  var facts = AppFacts()
  var memory = SystemMemory()
  /// When the phone does something by itself.
  var deadlines: [PhoneDeadline: Int64] = [:]
  /// When the call that the app is in must have returned, and what it is to the watchdog.
  var watchdog: (timeNanoseconds: Int64, name: String)?
  /// Calls that the phone leaves out once, against its own life cycle.
  var leftOut: Set<EventKind> = []
  /// What `applicationState` reads inside a call that announces another state.
  var announcedState: String?
  private var launchCount: Int64 = 0
  private var suspendedNanoseconds: Int64 = 0

  /// The wall clock at the beginning of every simulation: 2021-01-01, since there is no other.
  static let wallStartNanoseconds: Int64 = 1_609_459_200_000_000_000

  package init(
    profile: SystemProfile, declaration: AppDeclaration, random: SimulationRandom,
    makeApp: @escaping () -> any AppModel
  ) {
    traits = SystemTraits(profile: profile)
    self.declaration = declaration
    self.random = random
    journal = EventJournal()
    self.makeApp = makeApp
  }

  var isAlive: Bool { state != .notRunning }
  var isForeground: Bool { state == .active || state == .inactive || state == .launching }

  // MARK: Journal

  func write(
    _ kind: EventKind, _ phase: Phase = .instant, thread: Int64 = 1, _ arguments: EventArguments
  ) {
    journal.append(kind, phase, thread: thread, at: nowNanoseconds, arguments)
  }

  func write(_ kind: EventKind, _ phase: Phase = .instant) { write(kind, phase, [:]) }

  private var clocks: EventArguments {
    [
      .continuousNs: .init(nowNanoseconds), .uptimeNs: .init(nowNanoseconds),
      .wallNs: .init(Self.wallStartNanoseconds + nowNanoseconds),
    ]
  }

  func beginTrace() {
    write(
      .traceStart, .instant,
      [
        .reason: "launch", .continuousNs: .init(nowNanoseconds), .uptimeNs: .init(nowNanoseconds),
        .wallNs: .init(Self.wallStartNanoseconds + nowNanoseconds),
      ])
  }

  // MARK: Calls into the app

  /// Calls the app on its main thread. Nothing is called once the process has ended.
  func call(_ kind: EventKind, _ arguments: EventArguments = [:], thread: Int64 = 1) {
    guard isAlive else { return }
    if leftOut.remove(kind) != nil { return }
    write(kind, .enter, thread: thread, arguments)
    app?.handle(SystemCall(kind, arguments), self)
    // No call takes no time.
    spend(.milliseconds(1))
    guard isAlive else { return }
    write(kind, .return, thread: thread, [:])
  }

  /// Calls the app, and kills it if it takes longer than it may.
  func call(
    _ kind: EventKind, _ arguments: EventArguments, within seconds: Int64, name: String
  ) {
    watchdog = (nowNanoseconds + .seconds(seconds), name)
    call(kind, arguments)
    watchdog = nil
  }

  /// An input event or a notice without length, and the app's answer.
  func tell(_ kind: EventKind, _ arguments: EventArguments = [:]) {
    guard isAlive else { return }
    write(kind, .instant, arguments)
    app?.handle(SystemCall(kind, arguments), self)
  }

  // MARK: Beginning and end of the process

  func launch(into: String, reason: String) {
    startProcess()
    write(
      .procStart, .instant,
      [
        .pid: .init(400 + launchCount), .launchId: .init(launchCount), .into: .init(into),
        .reason: .init(reason),
      ])
    runMain(into: into, reason: reason)
  }

  private func startProcess() {
    launchCount += 1
    facts = AppFacts()
    memory.queuedNotices.removeAll()
    state = .launching
  }

  /// Starts the process in advance. None of its code runs before the user opens the app, which
  /// decides where the launch leads.
  func prewarm() {
    guard traits.prewarmsApps, state == .notRunning else { return }
    startProcess()
    facts.isPrewarmed = true
    write(
      .procStart, .instant,
      [
        .pid: .init(400 + launchCount), .launchId: .init(launchCount), .reason: "prewarm",
      ])
  }

  /// Runs the app from its first line.
  func runMain(into: String, reason: String) {
    facts.isPrewarmed = false
    app = makeApp()
    watchdog = (nowNanoseconds + .seconds(traits.launchAllowanceSeconds), "scene-create")
    spend(.milliseconds(random.number(in: 40...300)))
    write(.procMain, .instant, [.argc: 1])
    let value = into == "foreground" && !traits.hasScenes ? "inactive" : "background"
    announcedState = value
    call(.delegateWillFinishLaunching, [.applicationState: .init(value)])
    call(.delegateDidFinishLaunching, [.applicationState: .init(value)])
    announcedState = nil
    guard isAlive else { return }
    if into == "background" {
      watchdog = nil
      enteredBackground()
      return
    }
    if traits.hasScenes { connectScene() } else { deliverOpening(reason) }
    becomeActive()
    watchdog = nil
  }

  /// Ends the process without asking it.
  func kill(cause: String, code: Int64? = nil, description: String = "") {
    guard isAlive else { return }
    if let code {
      write(
        .procKill, .instant,
        [
          .signal: 9, .cause: .init(cause), .code: .init(code), .namespace: "SPRINGBOARD",
          .description: .init(description),
        ])
    } else {
      write(.procKill, .instant, [.signal: 9, .cause: .init(cause)])
    }
    processEnded()
  }

  /// Lets the app end, and tells it.
  func terminate() {
    guard isAlive else { return }
    let value = applicationState
    state = .ending
    announcedState = value
    call(
      .delegateWillTerminate, [.applicationState: .init(value)],
      within: SystemTraits.endAllowanceSeconds, name: "process-exit")
    announcedState = nil
    guard isAlive else { return }
    write(.procExit, .instant, [.code: 0, .by: "uikit_after_will_terminate"])
    processEnded()
  }

  func processEnded() {
    state = .notRunning
    app = nil
    queue.removeApp()
    deadlines.removeAll()
    facts = AppFacts()
    watchdog = nil
    announcedState = nil
  }

  // MARK: Suspension

  func suspend() {
    guard state == .background else { return }
    closeWakeWindow()
    write(.procSuspend, .instant, [.inferred: false, .evidence: "assertion_model"])
    state = .suspended
    suspendedNanoseconds = nowNanoseconds
    deadlines.removeAll()
    if facts.heldLocks + facts.heldResources > 0 {
      deadlines[.resourceKill] = nowNanoseconds + .milliseconds(200)
    }
  }

  func resume(reason: String) {
    guard state == .suspended else { return }
    let gap = nowNanoseconds - suspendedNanoseconds
    deadlines[.resourceKill] = nil
    queue.delayApp(by: gap)
    write(
      .procResume, .instant,
      [.inferred: false, .reason: .init(reason), .gapNs: .init(gap)])
    write(.traceClockSync, .instant, clocks)
    state = .background
    enteredBackground()
    deliverQueuedNotices()
  }

  /// The app may run in the background from here on, for as long as it has a reason.
  func enteredBackground() {
    state = .background
    facts.backgroundNanoseconds = nowNanoseconds
    facts.backgroundCPU = (0, 0)
    settleTasks()
  }

  // MARK: Time

  private var running: RunningThreads { state == .suspended ? .systemOnly : .all }

  /// Lets time pass and everything happen that is due.
  func run(until limit: Int64) {
    while true {
      settle()
      let due = PhoneDeadline.allCases.compactMap { name in deadlines[name].map { (name, $0) } }
        .min { $0.1 < $1.1 }
      let next = queue.nextTime(of: running)
      if let due, due.1 <= limit, next.map({ due.1 < $0 }) ?? true {
        nowNanoseconds = max(nowNanoseconds, due.1)
        deadlines[due.0] = nil
        passed(due.0)
      } else if let work = queue.take(until: limit, of: running) {
        nowNanoseconds = max(nowNanoseconds, work.timeNanoseconds)
        work.action()
      } else {
        break
      }
    }
    nowNanoseconds = max(nowNanoseconds, limit)
  }

  func run(for nanoseconds: Int64) { run(until: nowNanoseconds + nanoseconds) }
}

extension SimulatedPhone: AppSystem {
  package func spend(_ nanoseconds: Int64) {
    guard isAlive else { return }
    let target = nowNanoseconds + nanoseconds
    let limit = min(target, watchdog?.timeNanoseconds ?? .max)
    while let work = queue.take(until: limit, of: .othersThanMain) {
      nowNanoseconds = max(nowNanoseconds, work.timeNanoseconds)
      work.action()
      if !isAlive { return }
    }
    nowNanoseconds = max(nowNanoseconds, limit)
    if let watchdog, target > limit {
      kill(
        cause: "watchdog", code: 0x8bad_f00d,
        description: "\(watchdog.name) watchdog transgression")
    }
  }

  package func after(_ nanoseconds: Int64, thread: Int64, _ action: @escaping () -> Void) {
    guard isAlive else { return }
    queue.add(at: nowNanoseconds + nanoseconds, thread: max(1, thread), action)
  }

  package func record(
    _ kind: EventKind, _ phase: Phase, thread: Int64, _ arguments: EventArguments
  ) {
    guard isAlive else { return }
    write(kind, phase, thread: thread, arguments)
    observe(kind, phase, arguments)
  }

  package func beginTask(
    _ name: String, thread: Int64, expiration: (() -> Void)?
  ) -> Int64? {
    guard isAlive else { return nil }
    let isRefused = traits.taskSeconds == 0 || state == .ending || memory.refusesTasks
    if !isRefused { facts.tokenCount += 1 }
    let token = isRefused ? 0 : facts.tokenCount
    write(
      .bgtaskBegin, .instant, thread: thread,
      [
        .token: .init(token), .isInvalid: .init(isRefused), .name: .init(name),
        .hasExpirationHandler: .init(expiration != nil),
      ])
    if isRefused { return nil }
    facts.openTasks.append(OpenTask(token: token, expiration: expiration))
    return token
  }

  package func endTask(_ token: Int64, thread: Int64) {
    guard isAlive else { return }
    write(.bgtaskEnd, .instant, thread: thread, [.token: .init(token), .isInvalid: false])
    facts.openTasks.removeAll { $0.token == token }
  }

  package func readTimeRemaining(thread: Int64) -> Int64? {
    guard isAlive, state == .background, let deadline = facts.taskDeadlineNanoseconds else {
      return nil
    }
    let seconds = max(0, deadline - nowNanoseconds) / .seconds(1)
    write(.stateTimeRemaining, .instant, thread: thread, [.seconds: .init(seconds)])
    return seconds
  }

  package func readApplicationState(thread: Int64) -> String {
    let value = applicationState
    if isAlive { write(.stateApplication, .instant, thread: thread, [.value: .init(value)]) }
    return value
  }
}
