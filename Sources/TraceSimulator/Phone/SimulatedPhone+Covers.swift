// What lies over the app for a while: alerts, calls, and the list of running apps. They begin and
// end at different times, so that anything may happen in between.

import TraceModel

extension SimulatedPhone {
  var isUsable: Bool { !memory.isLocked }

  // MARK: Interruptions

  func beginInterruption(_ kind: String) {
    guard isUsable, memory.cover == nil else { return }
    let isBehind = state == .inactive && memory.isSwitcherOpen
    // A call silences an app that plays, also one that the user doesn't see.
    let isHeard = state == .background && kind == "phone_call" && facts.playingStreams > 0
    guard state == .active || isBehind || isHeard else { return }
    memory.cover = kind
    write(.sysInterruption, .enter, [.kind: .init(kind)])
    resign()
    if kind == "phone_call" { interruptAudio(isBeginning: true) }
  }

  /// The user dismisses what lies over the app, or accepts it and leaves.
  func endInterruption(isAccepted: Bool) {
    guard memory.cover.take() != nil else { return }
    write(.sysInterruption, .return, [.outcome: isAccepted ? "accepted" : "dismissed"])
    if isAccepted {
      memory.wasInFrontWhenLocked = false
      hideSwitcher()
      if state == .inactive { leave() }
      return
    }
    interruptAudio(isBeginning: false)
    if state == .inactive, isUsable, !memory.isSwitcherOpen { becomeActive() }
  }

  func interrupt(_ kind: String, isAccepted: Bool, for nanoseconds: Int64) {
    guard state == .active, memory.cover == nil else { return }
    beginInterruption(kind)
    run(for: nanoseconds)
    endInterruption(isAccepted: isAccepted)
  }

  func purchase(_ dialogues: Int64) {
    guard traits.hasPurchaseDialogues else { return }
    for _ in 0..<max(0, dialogues) {
      interrupt("iap_prompt", isAccepted: false, for: ScenarioAction.dialogueNanoseconds)
      run(for: ScenarioAction.dialoguePauseNanoseconds)
    }
  }

  /// Tells an app that plays that something else sounds, and later that it is over. An app that is
  /// suspended meanwhile is told when the user comes back.
  func interruptAudio(isBeginning: Bool) {
    guard isAlive, state != .suspended, facts.isAudioInterrupted != isBeginning else { return }
    if isBeginning, facts.playingStreams == 0 { return }
    facts.isAudioInterrupted = isBeginning
    call(
      .audioInterruption,
      [.kind: "interruption", .phase: isBeginning ? "began" : "ended"])
  }

  // MARK: The list of running apps

  func openSwitcher() {
    guard isUsable, state == .active, traits.keepsApps else { return }
    memory.isSwitcherOpen = true
    write(.sysSwitcher, .enter)
    resign()
  }

  func closeSwitcher(leaves: Bool) {
    guard memory.isSwitcherOpen else { return }
    hideSwitcher()
    guard state == .inactive, memory.cover == nil else { return }
    if leaves { enterBackground() } else { becomeActive() }
  }

  func useSwitcher(leaves: Bool) {
    if !memory.isSwitcherOpen {
      openSwitcher()
      run(for: ScenarioAction.switcherNanoseconds)
    }
    closeSwitcher(leaves: leaves)
  }

  /// The list goes away by itself.
  func hideSwitcher() {
    guard memory.isSwitcherOpen else { return }
    memory.isSwitcherOpen = false
    write(.sysSwitcher, .return)
  }

  // MARK: Lock

  func lock() {
    guard !memory.isLocked else { return }
    let hasPasscode = declaration.otherFields[.passcodeEnabled] == .boolean(true)
    write(.sysLock, .instant, [.cause: "button", .passcodeSet: .init(hasPasscode)])
    memory.isLocked = true
    memory.wasInFrontWhenLocked = state == .active || state == .inactive
    hideSwitcher()
    guard memory.wasInFrontWhenLocked else { return }
    resign()
    if traits.lockEntersBackground { enterBackground() }
  }

  func unlock() {
    guard memory.isLocked else { return }
    write(.sysUnlock)
    memory.isLocked = false
    // What came up over the locked screen is gone with it.
    if memory.cover != nil { endInterruption(isAccepted: false) }
    guard memory.wasInFrontWhenLocked else { return }
    switch state {
    case .inactive: becomeActive()
    case .background, .suspended: comeForward(reason: "user_icon")
    default: break
    }
  }
}
