// Parts of an app that work with data: documents, downloads, timers, and the memory they need.

import TraceModel

/// Documents that the user changes, and that are saved when the user leaves.
final class DocumentsPart: AppPart {
  private static let savingThread: Int64 = 4
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var isDirty = false

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .touch:
      guard !isDirty, random.isOne(in: 2) else { return }
      isDirty = true
      system.note(.dataDirty, [.store: "notes", .kind: "user_data"])
    case .background where isDirty:
      if lapses.contains(.savesNever) || lapses.contains(.savesOnlyAtEnd) { return }
      if system.traits.taskSeconds == 0 || random.isOne(in: 2) {
        saveNow(system)
      } else {
        saveLater(system)
      }
    case .ending where isDirty && !lapses.contains(.savesNever):
      save(system)
    default: break
    }
  }

  private func saveNow(_ system: any AppSystem) {
    guard lapses.contains(.savesLate) else { return save(system) }
    system.after(.milliseconds(50), thread: 1) { [self] in save(system) }
  }

  private func save(_ system: any AppSystem) {
    let time = random.duration(fromMilliseconds: 5, to: 400)
    system.work(.dataSave, time, [.store: "notes", .kind: "user_data", .ok: true])
    isDirty = false
  }

  private func saveLater(_ system: any AppSystem) {
    var open: Int64?
    let token = system.beginTask("save notes", thread: 1) { [lapses] in
      guard !lapses.contains(.ignoresExpiration), let token = open else { return }
      open = nil
      system.endTask(token, thread: 1)
    }
    open = token
    let time = random.duration(fromMilliseconds: 20, to: 2_000)
    system.after(.milliseconds(5), thread: Self.savingThread) { [self] in
      system.work(
        .dataSave, time, thread: Self.savingThread,
        [.store: "notes", .kind: "user_data", .ok: true]
      ) { [self] in
        isDirty = false
        guard !lapses.contains(.dropsEnds), let token = open else { return }
        open = nil
        system.endTask(token, thread: Self.savingThread)
      }
    }
  }
}

/// Downloads that go on for a while after the user has left.
final class DownloadsPart: AppPart {
  private static let loadingThread: Int64 = 5
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var count: Int64 = 0
  private var isLoading = false
  /// Whether the work of the download has begun and not ended.
  private var isWorking = false
  private var open: Int64?

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    guard call.moment == .touch, !isLoading, random.isOne(in: 3) else { return }
    isLoading = true
    count += 1
    let own = count
    open = system.beginTask("download", thread: 1) { [self] in expire(own, system) }
    guard let token = open else { return }
    let time = loadingTime(system)
    let span: EventArguments = [
      .id: .init(own), .class: "download", .protectsToken: .init(token),
    ]
    system.after(.milliseconds(2), thread: Self.loadingThread) { [self] in
      guard own == count, isLoading else { return }
      isWorking = true
      system.record(.workSpan, .enter, thread: Self.loadingThread, span)
      system.after(time, thread: Self.loadingThread) { [self] in finish(own, system) }
    }
  }

  /// Now and then longer than any time that the system gives: then the expiration handler ends it.
  private func loadingTime(_ system: any AppSystem) -> Int64 {
    guard random.isOne(in: 3) else {
      return random.duration(fromMilliseconds: 300, to: 20_000)
    }
    let longest = system.traits.taskSeconds * 1_000 + 60_000
    return .milliseconds(random.number(in: 20_000...longest))
  }

  private func finish(_ own: Int64, _ system: any AppSystem) {
    guard own == count, isLoading else { return }
    stop(system)
    guard !lapses.contains(.dropsEnds), let token = open.take() else { return }
    system.endTask(token, thread: Self.loadingThread)
  }

  private func expire(_ own: Int64, _ system: any AppSystem) {
    guard own == count, !lapses.contains(.ignoresExpiration), let token = open.take() else {
      return
    }
    _ = system.readTimeRemaining(thread: 1)
    stop(system)
    system.endTask(token, thread: 1)
  }

  private func stop(_ system: any AppSystem) {
    isLoading = false
    guard isWorking else { return }
    isWorking = false
    system.record(.workSpan, .return, thread: Self.loadingThread, [:])
  }
}

/// A clock on the screen, which stands while nobody uses the app.
final class TimersPart: AppPart {
  private let lapses: Set<Lapse>
  private var isRunning = false

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .active where !isRunning:
      isRunning = true
      system.note(.workTimerStart, [.timer: "clock", .intervalS: 10, .repeats: true])
      scheduleFire(system)
    case .resigning where isRunning && !lapses.contains(.keepsTimers):
      isRunning = false
      system.note(.workTimerStop, [.timer: "clock"])
    default: break
    }
  }

  private var generation = 0

  private func scheduleFire(_ system: any AppSystem) {
    generation += 1
    let own = generation
    system.after(.seconds(10), thread: 1) { [self] in
      guard isRunning, own == generation else { return }
      system.work(.workTimerFire, .milliseconds(2), [.timer: "clock"])
      scheduleFire(system)
    }
  }
}

/// Pictures that are held while the app is on the screen.
final class MemoryPart: AppPart {
  private let lapses: Set<Lapse>
  private var isHolding = false

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .touch where !isHolding:
      isHolding = true
      system.note(
        .memCache, [.op: "hold", .cache: "pictures", .bytes: 67_108_864, .class: "image"])
    case .background: drop(system)
    case .other where call.kind == .delegateDidReceiveMemoryWarning: drop(system)
    default: break
    }
  }

  private func drop(_ system: any AppSystem) {
    guard isHolding, !lapses.contains(.keepsCaches) else { return }
    isHolding = false
    system.note(
      .memCache, [.op: "drop", .cache: "pictures", .bytes: 67_108_864, .class: "image"])
  }
}

/// Private text and questions on the screen, which are not for the picture of the app.
final class PrivacyPart: AppPart {
  private var random: SimulationRandom
  private let lapses: Set<Lapse>
  private var showsSecret = false
  private var alert: Int64?
  private var alertCount: Int64 = 0

  init(_ random: SimulationRandom, _ lapses: Set<Lapse>) {
    (self.random, self.lapses) = (random, lapses)
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .touch:
      if let shown = alert.take() {
        system.note(.uiAlertDismiss, [.id: .init(shown), .by: "user"])
      } else if random.isOne(in: 3) {
        alertCount += 1
        alert = alertCount
        system.note(.uiAlertShow, [.id: .init(alertCount), .type: "alert"])
      }
      if !showsSecret {
        showsSecret = true
        system.note(.uiSensitiveShow, [.id: 1])
      }
    case .background:
      if showsSecret, !lapses.contains(.showsSecrets) {
        showsSecret = false
        system.note(.uiSensitiveHide, [.id: 1])
      }
      if !lapses.contains(.keepsAlerts), let shown = alert.take() {
        system.note(.uiAlertDismiss, [.id: .init(shown), .by: "app"])
      }
    default: break
    }
  }
}
