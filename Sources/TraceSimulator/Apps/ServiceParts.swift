// Parts of an app that serve the user who isn't looking: music, places, calls, accessories.

import TraceModel

/// Music that goes on in the background.
final class PlayerPart: AppPart {
  private static let audioThread: Int64 = 7
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isPlaying = false
  /// Whether the music stopped because something else sounds.
  private var isInterrupted = false
  private var generation = 0

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.launched, _) where !lapses.contains(.configuresNoAudio):
      system.note(.audioSession, [.op: "configure", .category: "playback"])
    case (.touch, _) where !isPlaying && random.isOne(in: 3): play(system)
    case (.ending, _) where isPlaying: stop(system)
    case (.other, .audioInterruption): changeOver(system)
    case (.other, .wakeWindow) where !isPlaying && call.arguments[.reason]?.text == "audio":
      play(system)
    default: break
    }
  }

  /// Something else begins to sound, or ends.
  private func changeOver(_ system: any AppSystem) {
    if isPlaying {
      stop(system)
      isInterrupted = true
    } else if isInterrupted {
      play(system)
    }
  }

  private func play(_ system: any AppSystem) {
    isPlaying = true
    isInterrupted = false
    generation += 1
    let own = generation
    if !lapses.contains(.configuresNoAudio) { system.note(.audioSession, [.op: "activate"]) }
    system.note(
      .audioPlay,
      [.op: "start", .stream: 1, .audible: .init(!lapses.contains(.playsSilence))])
    fill(system, own)
    let time = random.duration(fromMilliseconds: 5_000, to: 900_000)
    system.after(time, thread: 1) { [self] in if own == generation { stop(system) } }
  }

  private func stop(_ system: any AppSystem) {
    isPlaying = false
    generation += 1
    system.note(.audioPlay, [.op: "stop", .stream: 1])
    if !lapses.contains(.configuresNoAudio) { system.note(.audioSession, [.op: "deactivate"]) }
  }

  private func fill(_ system: any AppSystem, _ own: Int) {
    system.after(.seconds(8), thread: Self.audioThread) { [self] in
      guard isPlaying, own == generation else { return }
      system.work(
        .audioCallback, .milliseconds(3), thread: Self.audioThread, [.stream: 1]
      ) { [self] in fill(system, own) }
    }
  }
}

/// A way that is followed, on the screen and off it.
final class NavigatorPart: AppPart {
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isGuiding = false
  private var generation = 0

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .launched where !lapses.contains(.restartsNoLocation):
      system.note(.locStart, [.service: "significant"])
    case .touch where !isGuiding && random.isOne(in: 3): guide(system)
    default: break
    }
  }

  private func guide(_ system: any AppSystem) {
    isGuiding = true
    generation += 1
    let own = generation
    system.note(.locStart, [.service: "standard", .accuracy: "best"])
    update(system, own)
    let time = random.duration(fromMilliseconds: 5_000, to: 500_000)
    system.after(time, thread: 1) { [self] in
      guard own == generation else { return }
      isGuiding = false
      system.note(.locStop, [.service: "standard"])
    }
  }

  private func update(_ system: any AppSystem, _ own: Int) {
    system.after(.seconds(4), thread: 1) { [self] in
      guard isGuiding, own == generation else { return }
      system.work(.locUpdate, .milliseconds(4), [.service: "standard"])
      update(system, own)
    }
  }
}

/// Calls over the network, for which the app keeps a connection or is pushed.
final class CallsPart: AppPart {
  private static let callThread: Int64 = 10
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isCalling = false
  private var callCount: Int64 = 0

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.launched, _):
      system.note(.audioSession, [.op: "configure", .category: "play_and_record"])
      if system.traits.hasKeepAlive { connect(system) }
    case (.other, .pushkitReceive):
      system.note(.callkitReport, [.uuid: .init("call-\(callCount + 1)")])
      talk(system)
    case (.other, .voipKeepalive):
      system.spend(lapses.contains(.handlesKeepAliveSlowly) ? .seconds(31) : .milliseconds(300))
      system.note(.netIo, [.socket: 1, .bytes: 64])
    case (.other, .wakeWindow) where call.arguments[.reason]?.text == "voip_socket":
      system.note(.netIo, [.socket: 1, .bytes: 512])
      if random.isOne(in: 2) { talk(system) }
    default: break
    }
  }

  /// A call that comes in. Another one meanwhile gets no answer.
  private func talk(_ system: any AppSystem) {
    guard !isCalling else { return }
    isCalling = true
    callCount += 1
    let time = random.duration(fromMilliseconds: 2_000, to: 120_000)
    system.note(.audioSession, [.op: "activate"], thread: Self.callThread)
    system.work(
      .voipCall, time, thread: Self.callThread, [.id: .init(callCount), .incoming: true]
    ) { [self] in
      isCalling = false
      system.note(.audioSession, [.op: "deactivate"], thread: Self.callThread)
    }
  }

  private func connect(_ system: any AppSystem) {
    if lapses.contains(.recreatesNoConnection) { return setKeepAlive(system) }
    system.note(.netConnect, [.op: "open", .socket: 1, .peer: "calls.example.com"])
    if !lapses.contains(.tagsNoSocket) {
      system.note(.voipTag, [.socket: 1, .interface: "NSStream"])
    }
    setKeepAlive(system)
  }

  private func setKeepAlive(_ system: any AppSystem) {
    if lapses.contains(.setsNoKeepAlive) { return }
    system.note(.voipKeepaliveSet, [.timeoutS: 900, .accepted: true])
  }
}

/// Accessories and Bluetooth devices, whose data the app handles when it comes.
final class DevicesPart: AppPart {
  private let isAccessory: Bool
  private let role: EventValue
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isOpen = false

  init(_ name: AppPartName, _ random: SimulationRandom, _ lapses: Set<Lapse>) {
    isAccessory = name == .accessory
    role = name == .peripheral ? "peripheral" : "central"
    (self.random, self.lapses) = (random, lapses)
  }

  private var disconnection: String { "EAAccessoryDidDisconnectNotification" }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.launched, _):
      if isAccessory { system.note(.noteObserve, [.name: .init(disconnection)]) }
      open(system)
    case (.active, _): open(system)
    case (.other, .eaData) where isAccessory, (.other, .btData) where !isAccessory:
      system.spend(random.duration(fromMilliseconds: 5, to: 600))
    case (.other, .noteDeliver) where isAccessory && isOpen && isDisconnection(call):
      if lapses.contains(.closesNoAccessory) { return }
      isOpen = false
      system.note(.eaSession, [.op: "close", .accessory: "a1"])
    default: break
    }
  }

  /// At the launch, too: it may be one for data that waits.
  private func open(_ system: any AppSystem) {
    guard !isOpen, !lapses.contains(.opensNoSession) else { return }
    isOpen = true
    if isAccessory {
      system.note(.eaSession, [.op: "open", .accessory: "a1"])
    } else {
      system.note(.btSession, [.op: "open", .role: role, .peer: "p1"])
    }
  }

  private func isDisconnection(_ call: SystemCall) -> Bool {
    call.arguments[.name]?.text == disconnection
  }
}

/// Issues of a magazine, which the system loads.
final class NewsstandPart: AppPart {
  private var issue: Int64 = 0

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.touch, _):
      issue += 1
      system.note(.newsDownload, [.op: "start", .issue: .init("issue-\(issue)")])
    case (.other, .wakeWindow) where call.arguments[.reason]?.text == "newsstand":
      system.note(.newsDownload, [.op: "finish", .issue: .init("issue-\(issue)")])
    default: break
    }
  }
}
