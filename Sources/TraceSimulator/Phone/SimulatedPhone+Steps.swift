// What each step of a scenario does to the phone. A step that can't happen now doesn't: nobody
// presses the Home button of a locked phone.

import TraceModel

extension SimulatedPhone {
  package func perform(_ step: ScenarioStep) {
    run(for: step.waitNanoseconds)
    if memory.isOff, step.action != .wait, step.action != .wake(.boot) { startDevice() }
    perform(step.action)
    settle()
  }

  private func perform(_ action: ScenarioAction) {
    switch action {
    case .wait: break
    case .reclaim: reclaim()
    case .open(let reason): open(reason: reason, from: Self.place(of: reason))
    case .prewarm: prewarm()
    case .home: depart(.sysHomeButton)
    case .switchApp: depart(.sysAppSwitch)
    case .touch(let count): touch(count)
    case .lock: lock()
    case .unlock: unlock()
    case .banner: showBanner()
    case .forceQuit: forceQuit()
    case .memoryWarning: warnOfMemory()
    case .shutdown: shutDown()
    case .openSwitcher: openSwitcher()
    case .switcher(let leaves): useSwitcher(leaves: leaves)
    case .interruption(let kind, let isAccepted, let nanoseconds):
      interrupt(kind, isAccepted: isAccepted, for: nanoseconds)
    case .beginInterruption(let kind): beginInterruption(kind)
    case .endInterruption(let isAccepted): endInterruption(isAccepted: isAccepted)
    case .purchase(let dialogues): purchase(dialogues)
    case .wake(let reason): wake(reason)
    case .notice(let name): notice(name)
    case .refresh(let status): changeRefresh(status)
    case .throttle(let kind): write(.sysThrottle, .instant, [.kind: .init(kind)])
    case .kill(let cause): kill(cause: cause, code: cause == "file_lock" ? 0xdead_10cc : nil)
    case .callAgainstOrder(let kind): callAgainstOrder(kind)
    case .leaveOut(let kind): leftOut.insert(kind)
    }
  }

  /// Where the user opens an app for a reason.
  private static func place(of reason: String) -> String {
    switch reason {
    case "open_url": "url"
    case "switcher": "switcher"
    case "local_notification", "remote_notification": "notification"
    default: "icon"
    }
  }

  private func depart(_ stimulus: EventKind) {
    guard isUsable, state == .active || state == .inactive else { return }
    write(stimulus)
    hideSwitcher()
    leave()
  }

  private func touch(_ count: Int64) {
    for number in 0..<max(0, count) {
      if number > 0 { run(for: ScenarioAction.touchNanoseconds) }
      if state == .active && isUsable { tell(.uiTouch) }
    }
  }

  private func showBanner() {
    guard isUsable, traits.hasBanners else { return }
    write(.sysBanner, .instant, [.shown: true])
    run(for: ScenarioAction.bannerNanoseconds)
    write(.sysBanner, .instant, [.shown: false])
  }

  private func forceQuit() {
    guard isUsable, traits.keepsApps, !facts.isPrewarmed, state != .notRunning, state != .ending
    else { return }
    if memory.cover != nil { endInterruption(isAccepted: false) }
    if !memory.isSwitcherOpen {
      write(.sysSwitcher, .enter)
      memory.isSwitcherOpen = true
    }
    resign()
    run(for: ScenarioAction.forceQuitNanoseconds)
    let name =
      switch state {
      case .suspended: "suspended"
      case .background: "background"
      default: "inactive"
      }
    write(.sysForceQuit, .instant, [.state: .init(name)])
    memory.wasForceQuit = true
    memory.sessionWithTransfers = nil
    switch state {
    case .inactive, .launching, .active: terminate()
    case .background where traits.tellsOfForceQuit: terminate()
    default: kill(cause: "user_force_quit")
    }
    hideSwitcher()
  }

  private func warnOfMemory() {
    write(.sysMemoryPressure, .instant, [.level: "1"])
    guard state != .suspended, !facts.isPrewarmed else { return }
    call(.delegateDidReceiveMemoryWarning, [.level: "1"])
  }

  /// The system needs memory: an app that is suspended isn't told, one that runs in the background
  /// is.
  private func reclaim() {
    switch state {
    case .suspended: kill(cause: "jetsam")
    case .launching where facts.isPrewarmed: kill(cause: "jetsam")
    case .background where !isInWake && facts.openTasks.isEmpty: terminate()
    default: break
    }
  }

  /// Whether the app handles something that the system woke it for.
  private var isInWake: Bool {
    facts.wakeWindowReason != nil || facts.runningIdentifier != nil
      || !facts.outstandingCompletions.isEmpty
  }

  /// Turns the device off, after what the system has woken the app for is done.
  private func shutDown() {
    write(.sysShutdown, .instant, [.cause: "user"])
    let limit = nowNanoseconds + ScenarioAction.shutdownNanoseconds
    run(for: .seconds(3))
    while isAlive, isInWake, nowNanoseconds < limit { run(for: .seconds(1)) }
    switch state {
    case .active, .inactive: terminate()
    case .background where traits.tellsOfForceQuit: terminate()
    default: kill(cause: "unknown")
    }
    memory.cover = nil
    hideSwitcher()
    memory.isOff = true
  }

  /// Turns the device on, and unlocks it for the first time.
  func startDevice() {
    write(.sysBoot)
    run(for: .seconds(1))
    write(.sysFirstUnlock)
    memory.isOff = false
    memory.isLocked = false
    memory.wasForceQuit = false
  }

  private func changeRefresh(_ status: String) {
    guard traits.hasFetch else { return }
    write(.sysRefreshChanged, .instant, [.status: .init(status)])
    memory.refreshStatus = status
  }
}
