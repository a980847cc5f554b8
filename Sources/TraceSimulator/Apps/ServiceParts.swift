// Parts of an app that serve the user who isn't looking: music, places, calls, accessories.

import TraceModel

/// Music that goes on in the background.
final class PlayerPart: AppPart {
  private static let audioThread: Int64 = 7
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isPlaying = false
  private var generation = 0

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .launched where !lapses.contains(.configuresNoAudio):
      system.note(.audioSession, [.op: "configure", .category: "playback"])
    case .touch where !isPlaying && random.isOne(in: 3): play(system)
    case .ending where isPlaying: stop(system)
    default: break
    }
  }

  private func play(_ system: any AppSystem) {
    isPlaying = true
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

/// Calls over the network, for which the app keeps a connection.
final class CallsPart: AppPart {
  private let lapses: Set<Lapse>
  private var isConnected = false

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.launched, _):
      system.note(.audioSession, [.op: "configure", .category: "play_and_record"])
      connect(system)
    case (.other, .voipKeepalive):
      system.spend(lapses.contains(.handlesKeepAliveSlowly) ? .seconds(31) : .milliseconds(300))
      system.note(.netIo, [.socket: 1, .bytes: 64])
    case (.other, .wakeWindow) where call.arguments[.reason]?.text == "voip_socket":
      system.note(.netIo, [.socket: 1, .bytes: 512])
    default: break
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
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isOpen = false

  init(_ name: AppPartName, _ random: SimulationRandom, _ lapses: Set<Lapse>) {
    isAccessory = name == .accessory
    (self.random, self.lapses) = (random, lapses)
  }

  private var disconnection: String { "EAAccessoryDidDisconnectNotification" }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.launched, _):
      if isAccessory { system.note(.noteObserve, [.name: .init(disconnection)]) }
    case (.active, _) where !isOpen && !lapses.contains(.opensNoSession):
      isOpen = true
      if isAccessory {
        system.note(.eaSession, [.op: "open", .accessory: "a1"])
      } else {
        system.note(.btSession, [.op: "open", .role: "central", .peer: "p1"])
      }
    case (.other, .eaData) where isAccessory, (.other, .btData) where !isAccessory:
      system.spend(random.duration(fromMilliseconds: 5, to: 600))
    case (.other, .noteDeliver) where isAccessory && isOpen && isDisconnection(call):
      if lapses.contains(.closesNoAccessory) { return }
      isOpen = false
      system.note(.eaSession, [.op: "close", .accessory: "a1"])
    default: break
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
