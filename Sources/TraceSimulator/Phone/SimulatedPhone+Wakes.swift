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
    case .keepalive: return facts.keepAliveSeconds != nil
    case .voipSocket: return facts.hasTaggedSocket
    case .fetch: return memory.fetchesInBackground
    case .newsstand: return memory.pendingDownload != nil
    case .urlSession: return memory.sessionWithTransfers != nil
    case .externalAccessory: return facts.openAccessories > 0
    case .bluetoothCentral: return facts.openPeripherals > 0
    case .backgroundScheduler: return !memory.submissions.isEmpty
    case .voipExit, .boot: return state == .notRunning
    case .remoteNotification, .pushkit: return true
    }
  }

  /// Whether the event belongs to something that ends with the process.
  private static func needsProcess(_ reason: WakeReason) -> Bool {
    [.externalAccessory, .bluetoothCentral, .keepalive, .voipSocket].contains(reason)
  }

  /// An event for the app arrives.
  func wake(_ reason: WakeReason) {
    guard isWanted(reason), facts.wakeWindowReason == nil, facts.runningIdentifier == nil,
      memory.isLocked == false || reason != .boot
    else { return }
    if reason == .remoteNotification { write(.sysPushArrived, .instant, [.contentAvailable: 1]) }
    switch state {
    case .notRunning:
      guard !memory.wasForceQuit || traits.launchesAfterForceQuit(reason) else { return }
      guard !Self.needsProcess(reason) else { return }
      if reason == .boot {
        write(.sysBoot)
        nowNanoseconds += .seconds(1)
        write(.sysFirstUnlock)
      }
      launch(into: "background", reason: reason.rawValue)
    case .suspended:
      resume(reason: reason.rawValue)
    case .active:
      guard reason == .remoteNotification || reason == .pushkit else { return }
      deliver(reason)
      deadlines[.wakeEnd] = nowNanoseconds + .seconds(SystemTraits.wakeAllowanceSeconds)
      return
    case .background: break
    case .launching, .inactive, .ending: return
    }
    guard isAlive else { return }
    memory.wakeCount += 1
    facts.wakeWindowReason = reason.rawValue
    let isShort = reason == .externalAccessory || reason == .bluetoothCentral
    let limit = isShort ? 10 : SystemTraits.wakeAllowanceSeconds
    write(
      .wakeWindow, .enter,
      [.id: .init(memory.wakeCount), .reason: .init(reason.rawValue), .limitS: .init(limit)])
    deliver(reason)
    guard isAlive, facts.wakeWindowReason != nil else { return }
    deadlines[.wakeEnd] = nowNanoseconds + .seconds(limit)
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
      facts.outstandingCompletions.insert(completion)
      call(.delegatePerformFetch, [.completionId: .init(completion)])
    case .remoteNotification:
      facts.outstandingCompletions.insert(completion)
      call(
        .delegateDidReceiveRemoteNotification,
        [.contentAvailable: 1, .completionId: .init(completion)])
    case .urlSession:
      facts.outstandingCompletions.insert(completion)
      call(
        .delegateHandleUrlSession,
        [.session: .init(memory.sessionWithTransfers ?? ""), .completionId: .init(completion)])
    case .externalAccessory:
      // A notice that was held back may have made the app close it.
      if facts.openAccessories > 0 { call(.eaData, [.accessory: "a1"]) }
    case .bluetoothCentral: call(.btData, [.role: "central", .peer: "p1", .kind: "data"])
    case .backgroundScheduler: runSubmission()
    case .pushkit: call(.pushkitReceive, [.type: "voip"])
    case .voipSocket, .voipExit, .boot, .newsstand:
      app?.handle(SystemCall(.wakeWindow, [.reason: .init(reason.rawValue)]), self)
    }
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
