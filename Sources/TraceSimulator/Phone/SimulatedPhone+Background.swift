// The phone's side of the background: who may run, for how long, and what happens then.

import TraceModel

extension SimulatedPhone {
  /// Before the time for tasks is over, by so much, the app is told.
  private static let noticeNanoseconds = Int64.seconds(5)

  private func isInService(_ mode: String) -> Bool {
    guard declaration.modes.contains(mode) else { return false }
    return mode == "audio"
      ? facts.playingStreams + facts.recordingStreams > 0 : facts.isLocating
  }

  /// Whether a service goes on for which the app may run in the background.
  var isServing: Bool {
    memory.refreshStatus == "available" && (isInService("audio") || isInService("location"))
  }

  /// Whether the app has a reason to run in the background.
  var mayRun: Bool {
    !facts.openTasks.isEmpty || isServing || !facts.outstandingCompletions.isEmpty
      || facts.wakeWindowReason != nil || facts.runningIdentifier != nil || facts.openCalls > 0
  }

  /// Sets what the phone will do by itself, after anything has happened.
  func settle() {
    endFinishedWake()
    guard state == .background, traits.keepsApps else {
      deadlines[.suspension] = nil
      deadlines[.expiration] = nil
      deadlines[.expirationKill] = nil
      facts.taskDeadlineNanoseconds = nil
      facts.taskRestNanoseconds = nil
      settleKeepAlive()
      return
    }
    if mayRun {
      deadlines[.suspension] = nil
    } else if deadlines[.suspension] == nil {
      deadlines[.suspension] = nowNanoseconds + .milliseconds(random.number(in: 400...3_000))
    }
    settleTasks()
    settleKeepAlive()
  }

  /// The time for tasks runs while one is open, and stands still while a service goes on.
  func settleTasks() {
    guard !facts.openTasks.isEmpty else {
      deadlines[.expiration] = nil
      deadlines[.expirationKill] = nil
      facts.taskDeadlineNanoseconds = nil
      facts.taskRestNanoseconds = nil
      return
    }
    guard !isServing else {
      deadlines[.expiration] = nil
      if let deadline = facts.taskDeadlineNanoseconds.take() {
        facts.taskRestNanoseconds = max(0, deadline - nowNanoseconds)
      }
      return
    }
    guard facts.taskDeadlineNanoseconds == nil else { return }
    let deadline =
      nowNanoseconds + (facts.taskRestNanoseconds ?? Int64.seconds(traits.taskSeconds))
    facts.taskDeadlineNanoseconds = deadline
    deadlines[.expiration] = deadline - Self.noticeNanoseconds
  }

  /// The system calls keep-alive handlers of suspended apps a little before their time.
  private func settleKeepAlive() {
    guard state == .suspended, let seconds = facts.keepAliveSeconds, traits.hasKeepAlive,
      declaration.modes.contains("voip")
    else {
      deadlines[.keepAlive] = nil
      return
    }
    deadlines[.keepAlive] =
      max(nowNanoseconds, memory.lastKeepAliveNanoseconds + .seconds(max(10, seconds - 20)))
  }

  /// A time has come.
  func passed(_ deadline: PhoneDeadline) {
    switch deadline {
    case .suspension:
      if leftOut.remove(.procSuspend) == nil {
        suspend()
      } else {
        deadlines[.suspension] = nowNanoseconds + .seconds(60)
      }
    case .expiration: expireTasks()
    case .expirationKill: kill(cause: "bgtask_expired", code: 0x8bad_f00d, description: overtime)
    case .wakeEnd: endOverdueWake()
    case .schedulerEnd: expireSchedulerTask()
    case .keepAlive: wake(.keepalive)
    case .resourceKill: killHolder()
    }
  }

  /// A suspended app must not hold what others wait for.
  private func killHolder() {
    guard state == .suspended else { return }
    if facts.heldLocks > 0 {
      kill(cause: "file_lock", code: 0xdead_10cc, description: "locked files at suspension")
    } else if facts.heldResources > 0 {
      kill(cause: "shared_resource")
    }
  }

  private var overtime: String { "has active assertions beyond permitted time" }

  private func expireTasks() {
    if leftOut.remove(.bgtaskExpire) != nil { return }
    let limit = facts.taskDeadlineNanoseconds ?? nowNanoseconds
    for task in facts.openTasks {
      guard isAlive, facts.openTasks.contains(where: { $0.token == task.token }) else { continue }
      write(.bgtaskExpire, .enter, [.token: .init(task.token)])
      task.expiration?()
      spend(.milliseconds(1))
      guard isAlive else { return }
      write(.bgtaskExpire, .return, [.token: .init(task.token)])
    }
    if !facts.openTasks.isEmpty { deadlines[.expirationKill] = max(nowNanoseconds, limit) }
  }

  // MARK: Wakes

  /// What the app still owes can't keep it running any more, and some of it is asked for.
  private func endOverdueWake() {
    let overdue = Set(facts.outstandingCompletions.values)
    facts.outstandingCompletions.removeAll()
    if overdue.contains(.fetch) {
      kill(cause: "watchdog", code: 0x2182_bad4, description: "background fetch")
    } else if overdue.contains(.urlSession) {
      kill(cause: "watchdog", code: 0x2182_bad3, description: "background URL session")
    } else {
      closeWakeWindow()
    }
  }

  /// The wake that goes on lasts so long at least; what is owed for an earlier one isn't cut off.
  func extendWake(by seconds: Int64) {
    let end = nowNanoseconds + .seconds(seconds)
    let isOwing = !facts.outstandingCompletions.isEmpty
    deadlines[.wakeEnd] = isOwing ? max(end, deadlines[.wakeEnd] ?? end) : end
  }

  func closeWakeWindow() {
    guard facts.wakeWindowReason != nil else { return }
    facts.wakeWindowReason = nil
    if isAlive { write(.wakeWindow, .return) }
  }

  private func endFinishedWake() {
    if facts.runningIdentifier == nil { deadlines[.schedulerEnd] = nil }
    guard facts.wakeWindowReason != nil, facts.outstandingCompletions.isEmpty,
      facts.runningIdentifier == nil, deadlines[.wakeEnd] != nil
    else { return }
    deadlines[.wakeEnd] = nil
    closeWakeWindow()
  }

  private func expireSchedulerTask() {
    guard let identifier = facts.runningIdentifier else { return }
    call(.bgschedExpire, [.identifier: .init(identifier)])
    facts.runningIdentifier = nil
  }

  // MARK: Notices

  /// A notice of the notification centre, which waits while the app is suspended.
  func notice(_ name: String) {
    switch state {
    case .notRunning, .ending, .launching: return
    case .suspended:
      guard Self.isQueued(name) else { return }
      if let place = memory.queuedNotices.firstIndex(where: { $0.name == name }) {
        memory.queuedNotices[place].count += 1
      } else {
        memory.queuedNotices.append((name, 1))
      }
    default: call(.noteDeliver, [.name: .init(name), .queued: false])
    }
  }

  /// Whether a notice waits for a suspended app; others are lost.
  private static func isQueued(_ name: String) -> Bool {
    Vocabulary.notificationNames.contains { $0.text == name && $0.isQueued }
  }

  func deliverQueuedNotices() {
    let notices = memory.queuedNotices
    memory.queuedNotices.removeAll()
    for (name, count) in notices {
      call(
        .noteDeliver, [.name: .init(name), .queued: true, .coalescedCount: .init(count)])
    }
  }
}
