// Parts of an app that the system runs now and then: fetches, pushes, transfers, scheduled tasks.

import TraceModel

/// Fetches and pushes, which end with a completion handler.
final class CompletionPart: AppPart {
  private static let loadingThread: Int64 = 6
  private let isFetch: Bool
  private var random: SimulationRandom
  private let lapses: Set<Lapse>

  init(_ name: AppPartName, _ random: SimulationRandom, _ lapses: Set<Lapse>) {
    isFetch = name == .fetch
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.kind {
    case .delegateDidFinishLaunching where isFetch:
      system.note(.fetchInterval, [.seconds: 3_600])
    case .delegatePerformFetch where isFetch, .delegateDidReceiveRemoteNotification where !isFetch:
      guard let id = call.arguments[.completionId]?.integer else { return }
      // A push that the user sees at once is shown otherwise than one in the background.
      if !isFetch { system.readApplicationState(thread: 1) }
      load(id, system)
    default: break
    }
  }

  private func load(_ id: Int64, _ system: any AppSystem) {
    if lapses.contains(.completesNever) { return }
    let time = random.duration(fromMilliseconds: 200, to: 12_000)
    system.after(time, thread: Self.loadingThread) { [lapses] in
      for _ in 0..<(lapses.contains(.completesTwice) ? 2 : 1) {
        system.note(
          .completionCall, [.completionId: .init(id), .result: "no_data"],
          thread: Self.loadingThread)
      }
    }
  }
}

/// Transfers that the system goes on with when the app doesn't run.
final class TransfersPart: AppPart {
  private let lapses: Set<Lapse>
  private var hasSession = false
  private var task: Int64 = 0

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.touch, _):
      guard task == 0 else { return }
      open(system)
      task += 1
      system.note(
        .urlTask, [.op: "start", .task: .init(task), .session: "sync", .type: "download"])
    case (.other, .delegateHandleUrlSession):
      guard let id = call.arguments[.completionId]?.integer else { return }
      if !lapses.contains(.recreatesNoSession) { open(system) }
      system.spend(.milliseconds(20))
      system.note(
        .urlTask, [.op: "finish", .task: .init(task), .session: "sync", .type: "download"])
      task = 0
      if lapses.contains(.completesNever) { return }
      system.note(.completionCall, [.completionId: .init(id), .result: "none"])
    default: break
    }
  }

  private func open(_ system: any AppSystem) {
    guard !hasSession else { return }
    hasSession = true
    system.note(
      .urlSession,
      [
        .identifier: "sync", .kind: "background", .sendsLaunchEvents: true, .discretionary: true,
        .configHash: "c1",
      ])
  }
}

/// Tasks that the app asks the system to run at a good time.
final class SchedulerPart: AppPart {
  private static let workingThread: Int64 = 8
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var generation = 0

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch (call.moment, call.kind) {
    case (.launched, _):
      if lapses.contains(.registersLate) {
        system.after(.milliseconds(500), thread: 1) { [self] in register(system) }
      } else {
        register(system)
      }
    case (.background, _): submit(system)
    case (.other, .bgschedRun):
      guard let identifier = call.arguments[.identifier] else { return }
      run(identifier, system)
    case (.other, .bgschedExpire):
      guard let identifier = call.arguments[.identifier], !lapses.contains(.completesNoTask) else {
        return
      }
      generation += 1
      system.note(.bgschedComplete, [.identifier: identifier, .success: false])
    default: break
    }
  }

  private func register(_ system: any AppSystem) {
    for identifier in ["com.example.refresh", "com.example.cleanup"] {
      system.note(.bgschedRegister, [.identifier: .init(identifier), .result: true])
    }
  }

  private func submit(_ system: any AppSystem) {
    system.note(.bgschedSubmit, [.identifier: "com.example.refresh", .kind: "refresh"])
    if lapses.contains(.submitsTwice) {
      system.note(.bgschedSubmit, [.identifier: "com.example.cleanup", .kind: "refresh"])
    } else if random.isOne(in: 3) {
      system.note(.bgschedSubmit, [.identifier: "com.example.cleanup", .kind: "processing"])
    }
  }

  private func run(_ identifier: EventValue, _ system: any AppSystem) {
    generation += 1
    let own = generation
    if lapses.contains(.completesNoTask) { return }
    // Now and then longer than the system allows: then the expiration handler ends it.
    let isLong = random.isOne(in: 3)
    let time =
      isLong
      ? Int64.milliseconds(random.number(in: 20_000...200_000))
      : random.duration(fromMilliseconds: 300, to: 20_000)
    system.after(time, thread: Self.workingThread) { [self] in
      guard own == generation else { return }
      generation += 1
      system.note(
        .bgschedComplete, [.identifier: identifier, .success: true], thread: Self.workingThread)
    }
  }
}
