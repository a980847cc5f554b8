// Parts of an app that hold what others want too, or what a locked phone takes away.

import TraceModel

/// Locks, shared databases and services on the network, all given back on leaving.
final class ResourcesPart: AppPart {
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isHolding = false

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .touch where !isHolding && random.isOne(in: 2):
      isHolding = true
      hold(system)
    case .background where isHolding, .ending where isHolding:
      isHolding = false
      release(system)
    default: break
    }
  }

  private func hold(_ system: any AppSystem) {
    system.note(.resUse, [.op: "acquire", .resource: "address_book"])
    system.note(
      .fileLock, [.lock: "db", .op: "acquire", .kind: "sqlite", .container: "app_group"])
    system.note(.bonjourService, [.op: "start", .service: "s1", .kind: "publish"])
    system.note(.netListen, [.op: "open", .socket: 20])
  }

  private func release(_ system: any AppSystem) {
    if !lapses.contains(.keepsResource) {
      system.note(.resUse, [.op: "release", .resource: "address_book"])
    }
    if !lapses.contains(.keepsLock) {
      system.note(
        .fileLock, [.lock: "db", .op: "release", .kind: "sqlite", .container: "app_group"])
    }
    if !lapses.contains(.keepsService) {
      system.note(.bonjourService, [.op: "stop", .service: "s1", .kind: "publish"])
    }
    if !lapses.contains(.keepsListening) {
      system.note(.netListen, [.op: "close", .socket: 20])
    }
  }
}

/// A connection that doesn't survive a suspension, and is made again.
final class SocketsPart: AppPart {
  private let lapses: Set<Lapse>
  private var socket: Int64 = 0
  private var isBroken = false

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .active:
      if isBroken {
        isBroken = false
        system.note(.netError, [.socket: .init(socket), .errno: 57])
        if lapses.contains(.keepsDeadSocket) { return }
        open(system)
      } else if socket == 0 {
        open(system)
      }
    case .touch: system.note(.netIo, [.socket: .init(socket), .bytes: 200])
    case .background: isBroken = true
    default: break
    }
  }

  private func open(_ system: any AppSystem) {
    socket = max(30, socket + 1)
    system.note(
      .netConnect, [.op: "open", .socket: .init(socket), .peer: "sync.example.com"])
  }
}

/// A protected file, closed before a locked phone makes it unreadable.
final class FilesPart: AppPart {
  private let lapses: Set<Lapse>
  private var handle: Int64 = 0
  private var isOpen = false

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .active where !isOpen:
      isOpen = true
      handle += 1
      system.note(
        .fileOpen,
        [
          .handle: .init(handle), .path: "diary", .protection: "complete",
          .container: "private",
        ])
    case .touch: system.note(.fileAccess, [.handle: .init(handle), .op: "write", .errno: 0])
    case .resigning where isOpen && !lapses.contains(.keepsFiles):
      isOpen = false
      system.note(.fileClose, [.handle: .init(handle)])
    default: break
    }
  }
}

/// Settings that the user changes outside of the app.
final class SettingsPart: AppPart {
  private let lapses: Set<Lapse>

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  private var change: String { "NSUserDefaultsDidChangeNotification" }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.launched, _) where !lapses.contains(.observesNoSettings):
      system.note(.noteObserve, [.name: .init(change)])
    case (.other, .noteDeliver) where call.arguments[.name]?.text == change:
      system.note(.appReact, [.subject: "settings"])
    default: break
    }
  }
}

/// Reminders for the user who has left.
final class RemindersPart: AppPart {
  private let lapses: Set<Lapse>
  private var count: Int64 = 0

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .active where count > 0: system.note(.localnoteCancelAll)
    case .background:
      for number in 0..<(lapses.contains(.schedulesTooMany) ? 129 : 2) {
        count += 1
        let delay = Int64.seconds(number == 1 ? 90 : 86_400)
        system.note(
          .localnoteSchedule,
          [
            .id: .init("reminder-\(count)"),
            .fireWallNs: .init(
              SimulatedPhone.wallStartNanoseconds + system.nowNanoseconds + delay),
            .soundName: "default",
          ])
      }
    default: break
    }
  }
}
