// The calls that tell an app of its life cycle, in the order of each system.

package import TraceModel

extension SimulatedPhone {
  /// What `applicationState` reads.
  var applicationState: String {
    if let announcedState { return announcedState }
    return switch state {
    case .active: "active"
    case .launching, .inactive: "inactive"
    case .notRunning, .background, .suspended, .ending: "background"
    }
  }

  private var stateArgument: EventArguments { [.applicationState: .init(applicationState)] }

  func connectScene() {
    guard isAlive, !facts.hasScene else { return }
    facts.hasScene = true
    call(.sceneWillConnect, [.scene: "main", .role: "application"])
    call(.sceneWillEnterForeground, [.scene: "main"])
    if isAlive { state = .inactive }
  }

  func becomeActive() {
    guard isAlive else { return }
    state = .active
    if traits.hasScenes {
      call(.sceneDidBecomeActive, [.scene: "main"])
    } else {
      call(.delegateDidBecomeActive, stateArgument)
    }
  }

  func resign() {
    guard state == .active else { return }
    if traits.hasScenes {
      call(.sceneWillResignActive, [.scene: "main"])
    } else {
      call(.delegateWillResignActive, stateArgument)
    }
    if isAlive { state = .inactive }
  }

  /// Tells the app that the user doesn't see it any more.
  func enterBackground() {
    guard isAlive else { return }
    let seconds = traits.entryAllowanceSeconds
    announcedState = "background"
    if traits.hasScenes {
      call(.sceneDidEnterBackground, [.scene: "main"], within: seconds, name: "scene-update")
    } else {
      call(
        .delegateDidEnterBackground, [.applicationState: "background"], within: seconds,
        name: "scene-update")
    }
    announcedState = nil
    guard isAlive else { return }
    enteredBackground()
    spend(.milliseconds(20))
    if isAlive { write(.sysSnapshot) }
  }

  /// The user leaves the app, which ends where the system keeps no apps.
  func leave() {
    guard state == .active || state == .inactive else { return }
    if traits.keepsApps {
      resign()
      enterBackground()
      return
    }
    if traits.resignsBeforeEnding { resign() }
    if traits.entersBackgroundBeforeEnding {
      announcedState = "background"
      call(
        .delegateDidEnterBackground, [.applicationState: "background"],
        within: traits.entryAllowanceSeconds, name: "scene-update")
      announcedState = nil
    }
    terminate()
  }

  /// The user comes to the app, which may have to be launched.
  func open(reason: String, from: String) {
    guard !memory.isLocked else { return }
    // Nobody opens an app behind an alert.
    if memory.cover != nil { endInterruption(isAccepted: false) }
    switch state {
    case .notRunning:
      write(.sysUserLaunch, .instant, [.from: .init(from)])
      memory.wasForceQuit = false
      launch(into: "foreground", reason: reason)
    case .launching where facts.isPrewarmed:
      write(.sysUserLaunch, .instant, [.from: .init(from)])
      memory.wasForceQuit = false
      runMain(into: "foreground", reason: reason)
    case .background, .suspended:
      write(.sysUserLaunch, .instant, [.from: .init(from)])
      comeForward(reason: reason)
    default: break
    }
  }

  /// Brings a running app to the foreground.
  func comeForward(reason: String) {
    resume(reason: reason)
    closeWakeWindow()
    guard isAlive else { return }
    if traits.hasScenes {
      if facts.hasScene {
        call(.sceneWillEnterForeground, [.scene: "main"])
        if isAlive { state = .inactive }
      } else {
        connectScene()
      }
    } else {
      announcedState = "inactive"
      call(
        .delegateWillEnterForeground, [.applicationState: "inactive"],
        within: traits.entryAllowanceSeconds, name: "resume")
      announcedState = nil
      if isAlive { state = .inactive }
      deliverOpening(reason)
    }
    interruptAudio(isBeginning: false)
    becomeActive()
  }

  /// What the user opened, which an app without scenes is told before it is active.
  func deliverOpening(_ reason: String) {
    switch reason {
    case "open_url": call(.delegateOpenUrl, [.scheme: "example"])
    case "local_notification":
      guard let id = memory.shownReminder.take() else { return }
      call(.delegateDidReceiveLocalNotification, [.id: .init(id)])
    default: break
    }
  }

  /// From now on the system gives no background time.
  package func refuseTasks() { memory.refusesTasks = true }

  /// A call that the life cycle doesn't provide for here, as a broken system would make it. The
  /// phone goes on from where the call says that the app is.
  package func callAgainstOrder(_ kind: EventKind, thread: Int64 = 1) {
    switch kind {
    case .uiTouch:
      tell(kind)
    case .delegateDidBecomeActive:
      state = .active
      call(kind, [.applicationState: "active"], thread: thread)
    case .delegateWillResignActive:
      call(kind, [.applicationState: "active"], thread: thread)
      if isAlive { state = .inactive }
    case .delegateDidEnterBackground:
      call(kind, [.applicationState: "background"], thread: thread)
      if isAlive { enteredBackground() }
    case .delegateWillEnterForeground:
      call(kind, [.applicationState: "inactive"], thread: thread)
      if isAlive { state = .inactive }
    case .sceneDidBecomeActive, .sceneWillResignActive, .sceneWillEnterForeground:
      call(kind, [.scene: "main"], thread: thread)
    case .wakeWindow:
      resume(reason: "fetch")
      write(kind, .enter, [.reason: "fetch"])
      spend(.milliseconds(1))
      write(kind, .return)
    case .procSuspend:
      // Also of systems that keep no apps.
      write(kind, .instant, [.inferred: false, .evidence: "assertion_model"])
    default:
      call(kind, [:], thread: thread)
    }
  }
}
