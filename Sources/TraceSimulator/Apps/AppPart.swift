// The parts that a simulated app is made of: their names, what each declares, and how one fails.

import TraceModel

/// One thing that an app does, well or badly.
protocol AppPart: AnyObject {
  func handle(_ call: SystemCall, _ system: any AppSystem)
}

/// The parts that an app may have.
package enum AppPartName: String, CaseIterable, Sendable {
  case documents, timers, drawing, game, player, navigator, downloads, fetch, push, transfers
  case calls, accessory, bluetooth, newsstand, privacy, memory, resources, sockets, files
  case settings, reminders, scheduler, metal, peripheral

  /// Whether a part has something to work with on a system.
  package func isUsable(on traits: SystemTraits) -> Bool {
    switch self {
    case .documents, .timers, .game, .files, .settings: true
    case .drawing, .player, .navigator, .downloads, .privacy, .memory, .resources, .sockets,
      .reminders:
      traits.keepsApps
    case .fetch, .push: traits.hasFetch
    case .transfers: traits.hasBackgroundSessions
    case .calls: traits.hasKeepAlive || traits.hasPushKit
    case .peripheral: traits.hasPeripheralMode
    case .accessory, .bluetooth: traits.hasAccessoryModes
    case .newsstand: traits.hasNewsstand
    case .scheduler, .metal: traits.hasTaskScheduler
    }
  }

  /// Says in the app's declaration what the part needs.
  package func declare(in declaration: inout AppDeclaration) {
    switch self {
    case .game: declaration.kind = "game"
    case .player: declaration.declare(mode: "audio")
    case .navigator:
      declaration.declare(mode: "location")
      declaration.otherFields[.hasCellularRadio] = .boolean(true)
    case .fetch: declaration.declare(mode: "fetch")
    case .push: declaration.declare(mode: "remote-notification")
    case .calls:
      declaration.declare(mode: "voip")
      declaration.declare(mode: "audio")
    case .accessory: declaration.declare(mode: "external-accessory")
    case .bluetooth: declaration.declare(mode: "bluetooth-central")
    case .peripheral: declaration.declare(mode: "bluetooth-peripheral")
    case .newsstand: declaration.declare(mode: "newsstand-content")
    case .files: declaration.otherFields[.passcodeEnabled] = .boolean(true)
    case .settings: declaration.otherFields[.hasSettingsBundle] = .boolean(true)
    case .scheduler:
      declaration.taskIdentifiers = ["com.example.refresh", "com.example.cleanup"]
      declaration.declare(mode: "fetch")
      declaration.declare(mode: "processing")
    default: break
    }
  }

  func make(_ random: SimulationRandom, _ lapses: Set<Lapse>) -> any AppPart {
    switch self {
    case .documents: DocumentsPart(random, lapses)
    case .timers: TimersPart(lapses)
    case .drawing: DrawingPart(lapses)
    case .game: GamePart(lapses)
    case .player: PlayerPart(random, lapses)
    case .navigator: NavigatorPart(random, lapses)
    case .downloads: DownloadsPart(random, lapses)
    case .fetch, .push: CompletionPart(self, random, lapses)
    case .transfers: TransfersPart(lapses)
    case .calls: CallsPart(random, lapses)
    case .accessory, .bluetooth, .peripheral: DevicesPart(self, random, lapses)
    case .newsstand: NewsstandPart()
    case .privacy: PrivacyPart(random, lapses)
    case .memory: MemoryPart(lapses)
    case .resources: ResourcesPart(random, lapses)
    case .sockets: SocketsPart(lapses)
    case .files: FilesPart(lapses)
    case .settings: SettingsPart(lapses)
    case .reminders: RemindersPart(lapses)
    case .scheduler: SchedulerPart(random, lapses)
    case .metal: MetalPart(lapses)
    }
  }
}

/// What a part leaves undone, or does too late.
package enum Lapse: String, CaseIterable, Sendable {
  case dropsEnds, ignoresExpiration, savesLate, savesNever, savesOnlyAtEnd
  case keepsTimers, keepsDrawing, keepsFrameRate, keepsGameRunning, resumesGame
  case playsSilence, configuresNoAudio, completesNever, completesTwice, recreatesNoSession
  case tagsNoSocket, setsNoKeepAlive, handlesKeepAliveSlowly, recreatesNoConnection
  case closesNoAccessory, opensNoSession, showsSecrets, keepsAlerts, keepsCaches
  case keepsResource, keepsLock, keepsService, keepsListening, keepsDeadSocket, keepsFiles
  case observesNoSettings, schedulesTooMany, registersLate, submitsTwice, completesNoTask
  case commitsInBackground, leavesCommits, restartsNoLocation
}

/// An app of several parts. Each gets every call, in the order of their names.
package final class ComposedApp: AppModel {
  private let parts: [any AppPart]

  /// - Parameters:
  ///   - parts: The parts, whose order doesn't matter.
  ///   - seed: Decides what the parts do when.
  ///   - lapses: What they do badly; none for a well-behaved app.
  package init(parts: [AppPartName], seed: UInt64, lapses: Set<Lapse> = []) {
    var random = SimulationRandom(seed: seed)
    var made: [any AppPart] = []
    for name in AppPartName.allCases {
      // Drawn for absent parts, too: a part does the same with others and without.
      let own = random.split()
      if parts.contains(name) { made.append(name.make(own, lapses)) }
    }
    self.parts = made
  }

  package func handle(_ call: SystemCall, _ system: any AppSystem) {
    if call.moment == .launched, system.traits.taskSeconds > 0 || system.traits.profile == .nomt {
      system.note(
        .stateMultitasking,
        [.guarded: true, .value: .init(system.traits.profile != .nomt)])
    }
    // What an app does at its launch depends on whether the user sees it.
    if call.moment == .launched { system.readApplicationState(thread: 1) }
    for part in parts { part.handle(call, system) }
  }
}
