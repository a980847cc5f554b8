// What each step of a scenario does to the phone. A step that can't happen now doesn't: nobody
// presses the Home button of a locked phone.

import TraceModel

extension SimulatedPhone {
  package func perform(_ step: ScenarioStep) {
    run(for: step.waitNanoseconds)
    perform(step.action)
    settle()
  }

  private var isUsable: Bool { !memory.isLocked }

  private func perform(_ action: ScenarioAction) {
    switch action {
    case .wait: break
    case .reclaim: if state == .suspended { kill(cause: "jetsam") }
    case .open(let reason): open(reason: reason, from: reason == "open_url" ? "url" : "icon")
    case .home: depart(.sysHomeButton)
    case .switchApp: depart(.sysAppSwitch)
    case .touch(let count): touch(count)
    case .lock: lock()
    case .unlock: unlock()
    case .banner: showBanner()
    case .forceQuit: forceQuit()
    case .memoryWarning: warnOfMemory()
    case .shutdown: shutDown()
    case .switcher(let leaves): useSwitcher(leaves: leaves)
    case .interruption(let kind, let isAccepted, let nanoseconds):
      interrupt(kind, isAccepted: isAccepted, for: nanoseconds)
    case .purchase(let dialogues): purchase(dialogues)
    case .wake(let reason): wake(reason)
    case .notice(let name): notice(name)
    case .refresh(let status): changeRefresh(status)
    case .kill(let cause): kill(cause: cause, code: cause == "file_lock" ? 0xdead_10cc : nil)
    case .callAgainstOrder(let kind): callAgainstOrder(kind)
    case .leaveOut(let kind): leftOut.insert(kind)
    }
  }

  private func depart(_ stimulus: EventKind) {
    guard isUsable, state == .active || state == .inactive else { return }
    write(stimulus)
    leave()
  }

  private func touch(_ count: Int64) {
    for number in 0..<max(0, count) {
      if number > 0 { run(for: .milliseconds(200)) }
      if state == .active && isUsable { tell(.uiTouch) }
    }
  }

  private func lock() {
    guard !memory.isLocked else { return }
    let hasPasscode = declaration.otherFields[.passcodeEnabled] == .boolean(true)
    write(.sysLock, .instant, [.cause: "button", .passcodeSet: .init(hasPasscode)])
    memory.isLocked = true
    memory.wasInFrontWhenLocked = state == .active || state == .inactive
    guard state == .active else { return }
    resign()
    if traits.lockEntersBackground { enterBackground() }
  }

  private func unlock() {
    guard memory.isLocked else { return }
    write(.sysUnlock)
    memory.isLocked = false
    guard memory.wasInFrontWhenLocked else { return }
    switch state {
    case .inactive: becomeActive()
    case .background, .suspended: comeForward(reason: "user_icon")
    default: break
    }
  }

  private func showBanner() {
    guard isUsable, traits.hasBanners else { return }
    write(.sysBanner, .instant, [.shown: true])
    run(for: .seconds(3))
    write(.sysBanner, .instant, [.shown: false])
  }

  private func useSwitcher(leaves: Bool) {
    guard isUsable, state == .active, traits.keepsApps else { return }
    write(.sysSwitcher, .enter)
    resign()
    run(for: .seconds(2))
    write(.sysSwitcher, .return)
    if state == .inactive {
      if leaves { enterBackground() } else { becomeActive() }
    }
  }

  private func interrupt(_ kind: String, isAccepted: Bool, for nanoseconds: Int64) {
    guard isUsable, state == .active else { return }
    write(.sysInterruption, .enter, [.kind: .init(kind)])
    resign()
    run(for: nanoseconds)
    write(.sysInterruption, .return, [.outcome: isAccepted ? "accepted" : "dismissed"])
    guard state == .inactive else { return }
    if isAccepted { leave() } else { becomeActive() }
  }

  private func purchase(_ dialogues: Int64) {
    guard traits.hasPurchaseDialogues else { return }
    for _ in 0..<max(0, dialogues) {
      interrupt("iap_prompt", isAccepted: false, for: .seconds(3))
      run(for: .milliseconds(1_200))
    }
  }

  private func forceQuit() {
    guard isUsable, traits.keepsApps, state != .notRunning, state != .ending else { return }
    write(.sysSwitcher, .enter)
    resign()
    run(for: .seconds(4))
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
    write(.sysSwitcher, .return)
  }

  private func warnOfMemory() {
    write(.sysMemoryPressure, .instant, [.level: "1"])
    guard state != .suspended else { return }
    call(.delegateDidReceiveMemoryWarning, [.level: "1"])
  }

  private func shutDown() {
    write(.sysShutdown, .instant, [.cause: "user"])
    switch state {
    case .active, .inactive: terminate()
    case .background where traits.tellsOfForceQuit: terminate()
    default: kill(cause: "unknown")
    }
  }

  private func changeRefresh(_ status: String) {
    guard traits.hasFetch else { return }
    write(.sysRefreshChanged, .instant, [.status: .init(status)])
    memory.refreshStatus = status
  }
}
