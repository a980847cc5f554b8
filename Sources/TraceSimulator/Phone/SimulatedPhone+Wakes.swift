// The events for which a system runs an app that the user doesn't see.

import TraceModel

extension SimulatedPhone {
  /// Whether the app has asked for such events, and declared what it must.
  private func isWanted(_ reason: WakeReason) -> Bool {
    guard traits.knows(reason) else { return false }
    if let mode = reason.mode, !declaration.modes.contains(mode) { return false }
    if reason.obeysRefreshSetting, memory.refreshStatus != "available" { return false }
    switch reason {
    case .location, .region: return memory.watchesRegions
    case .keepalive: return facts.keepAliveSeconds != nil || isLaunchedAgain(for: "calls")
    case .voipSocket: return facts.hasTaggedSocket || isLaunchedAgain(for: "calls")
    case .audio:
      return memory.hasPlayed && memory.cover == nil && !facts.isAudioInterrupted
        && (state == .suspended || state == .notRunning)
    case .fetch: return memory.fetchesInBackground
    case .newsstand: return memory.pendingDownload != nil
    case .urlSession: return memory.sessionWithTransfers != nil
    case .externalAccessory:
      return facts.openAccessories > 0 || isLaunchedAgain(for: "accessory")
    case .bluetoothCentral: return hasBluetooth("central") || isLaunchedAgain(for: "central")
    case .bluetoothPeripheral:
      return hasBluetooth("peripheral") || isLaunchedAgain(for: "peripheral")
    case .backgroundScheduler: return !memory.submissions.isEmpty
    case .voipExit, .boot: return state == .notRunning
    case .remoteNotification, .pushkit: return true
    }
  }

  /// Whether an app that doesn't run is launched for a service that it used when it ran last.
  private func isLaunchedAgain(for service: String) -> Bool {
    state == .notRunning && memory.services.contains(service)
      && (service == "calls" || traits.launchesForDevices)
  }

  private func hasBluetooth(_ role: String) -> Bool { facts.openBluetooth[role, default: 0] > 0 }

  /// Whether the app handles another event, which this one waits for. A push comes at once, but
  /// for the short time in which the app handles data of a device.
  private func isBusy(for reason: WakeReason) -> Bool {
    guard let window = facts.wakeWindowReason else {
      return facts.runningIdentifier != nil && !reason.isPush
    }
    return !reason.isPush || WakeReason(rawValue: window)?.isOfDevice == true
  }

  /// An event for the app arrives.
  func wake(_ reason: WakeReason) {
    guard isWanted(reason), !isBusy(for: reason), isUsable || reason != .boot else { return }
    if reason == .remoteNotification { write(.sysPushArrived, .instant, [.contentAvailable: 1]) }
    switch state {
    case .notRunning:
      guard !memory.wasForceQuit || traits.launchesAfterForceQuit(reason) else { return }
      if reason == .boot { startDevice() }
      launch(into: "background", reason: reason.rawValue)
    case .suspended:
      resume(reason: reason.rawValue)
    case .active, .inactive:
      if reason.isPush { deliverInside(reason) }
      return
    case .background:
      guard facts.wakeWindowReason == nil, facts.runningIdentifier == nil else {
        return deliverInside(reason)
      }
    case .launching, .ending: return
    }
    guard isAlive else { return }
    memory.wakeCount += 1
    facts.wakeWindowReason = reason.rawValue
    let limit = reason.isOfDevice ? 10 : SystemTraits.wakeAllowanceSeconds
    write(
      .wakeWindow, .enter,
      [.id: .init(memory.wakeCount), .reason: .init(reason.rawValue), .limitS: .init(limit)])
    deliver(reason)
    guard isAlive, facts.wakeWindowReason != nil else { return }
    extendWake(by: limit)
  }

  /// A push reaches an app that runs anyway.
  private func deliverInside(_ reason: WakeReason) {
    deliver(reason)
    if isAlive { extendWake(by: SystemTraits.wakeAllowanceSeconds) }
  }

  private func deliver(_ reason: WakeReason) {
    memory.completionCount += 1
    let completion = memory.completionCount
    switch reason {
    case .location, .region:
      // Without a location manager in this process there is nobody to tell.
      guard facts.hasLocationManager else { return }
      call(.locUpdate, [.service: reason == .region ? "region" : "significant"])
    case .keepalive:
      memory.lastKeepAliveNanoseconds = nowNanoseconds
      call(
        .voipKeepalive, [:], within: SystemTraits.keepAliveAllowanceSeconds, name: "keep-alive")
    case .fetch:
      facts.outstandingCompletions[completion] = reason
      call(.delegatePerformFetch, [.completionId: .init(completion)])
    case .remoteNotification:
      facts.outstandingCompletions[completion] = reason
      call(
        .delegateDidReceiveRemoteNotification,
        [.contentAvailable: 1, .completionId: .init(completion)])
    case .urlSession:
      facts.outstandingCompletions[completion] = reason
      call(
        .delegateHandleUrlSession,
        [.session: .init(memory.sessionWithTransfers ?? ""), .completionId: .init(completion)])
    case .externalAccessory:
      // A notice that was held back may have made the app close it.
      if facts.openAccessories > 0 { call(.eaData, [.accessory: "a1"]) }
    case .bluetoothCentral: deliverBluetooth("central")
    case .bluetoothPeripheral: deliverBluetooth("peripheral")
    case .backgroundScheduler: runSubmission()
    case .pushkit: deliverCall()
    case .voipSocket, .voipExit, .boot, .newsstand, .audio:
      app?.handle(SystemCall(.wakeWindow, [.reason: .init(reason.rawValue)]), self)
    }
  }

  private func deliverBluetooth(_ role: String) {
    guard hasBluetooth(role) else { return }
    call(.btData, [.role: .init(role), .peer: "p1", .kind: "data"])
  }

  /// A call that is pushed must be shown to the user before the app is done with the push.
  private func deliverCall() {
    let reportedCalls = facts.reportedCalls
    call(.pushkitReceive, [.type: "voip"])
    guard isAlive, facts.reportedCalls == reportedCalls else { return }
    kill(cause: "watchdog", code: 0xbaad_ca11, description: "no call was reported")
  }

  private func runSubmission() {
    guard let (identifier, kind) = memory.submissions.first else { return }
    memory.submissions.removeFirst()
    facts.runningIdentifier = identifier
    let limit = kind == "refresh" ? SystemTraits.wakeAllowanceSeconds : 180
    deadlines[.schedulerEnd] = nowNanoseconds + .seconds(limit - 3)
    call(
      .bgschedRun,
      [
        .identifier: .init(identifier), .kind: .init(kind),
        .hasExpirationHandler: .init(!leftOut.contains(.bgschedExpire)),
      ])
  }
}
