// What the phone knows of the running app from what the app has asked for.

import TraceModel

/// A background task that is open.
struct OpenTask {
  var token: Int64
  var expiration: (() -> Void)?
}

/// What the phone knows of one process.
struct AppFacts {
  /// Whether the process was started in advance and waits for the user.
  var isPrewarmed = false
  var tokenCount: Int64 = 0
  var openTasks: [OpenTask] = []
  var backgroundNanoseconds: Int64 = 0
  /// When the time for tasks ends; nil while it doesn't run.
  var taskDeadlineNanoseconds: Int64?
  /// What was left of it when a service began, during which it stands still.
  var taskRestNanoseconds: Int64?
  var playingStreams = 0
  var recordingStreams = 0
  var isLocating = false
  var hasLocationManager = false
  var openCalls = 0
  /// How many calls the app has told the user of.
  var reportedCalls = 0
  /// Whether something else sounds, and the app was told.
  var isAudioInterrupted = false
  /// Calls of the system whose completion handler hasn't been called, each with its reason.
  var outstandingCompletions: [Int64: WakeReason] = [:]
  var openAccessories = 0
  /// The open sessions of each Bluetooth role.
  var openBluetooth: [String: Int] = [:]
  /// Locks in containers that other processes can wait for, and databases of the system.
  var heldLocks = 0
  var heldResources = 0
  /// What the app has computed since it is in the background, and in what time.
  var backgroundCPU = (busyNanoseconds: Int64(0), windowNanoseconds: Int64(0))
  var keepAliveSeconds: Int64?
  var hasTaggedSocket = false
  /// The task of the scheduler that runs.
  var runningIdentifier: String?
  var wakeWindowReason: String?
  var hasScene = false
}

/// What the system remembers of the app between its processes.
struct SystemMemory {
  var isLocked = false
  var wasInFrontWhenLocked = false
  /// Whether the device is turned off.
  var isOff = false
  /// What lies over the app: the kind of an interruption.
  var cover: String?
  var isSwitcherOpen = false
  var wasForceQuit = false
  var refreshStatus = "available"
  /// Whether the system gives no background time now.
  var refusesTasks = false
  var fetchesInBackground = false
  var watchesRegions = false
  /// Whether the app has played, so that the user can go on with it where it isn't seen.
  var hasPlayed = false
  /// Services for which the system starts the app again: calls, accessories, roles of Bluetooth.
  var services: Set<String> = []
  /// Notifications that the app has scheduled and the user hasn't seen.
  var reminders: Set<String> = []
  /// The last notification that the user has seen.
  var shownReminder: String?
  var sessionWithTransfers: String?
  var pendingDownload: String?
  /// Requests of the scheduler by identifier, each with its kind, in the order of submission.
  var submissions: [(identifier: String, kind: String)] = []
  var completionCount: Int64 = 0
  var wakeCount: Int64 = 0
  /// Notices held back while the app is suspended, each with how often it came.
  var queuedNotices: [(name: String, count: Int64)] = []
  var lastKeepAliveNanoseconds: Int64 = 0
}

/// What the phone does by itself at a certain time.
enum PhoneDeadline: CaseIterable {
  case suspension, expiration, expirationKill, wakeEnd, schedulerEnd, keepAlive, resourceKill
}

extension SimulatedPhone {
  /// Learns from what the app does.
  func observe(_ kind: EventKind, _ phase: Phase, _ arguments: EventArguments) {
    let op = arguments[.op]?.text
    switch kind {
    case .audioPlay:
      facts.playingStreams = max(0, facts.playingStreams + (op == "start" ? 1 : -1))
      memory.hasPlayed = true
    case .audioRecord:
      facts.recordingStreams = max(0, facts.recordingStreams + (op == "start" ? 1 : -1))
    case .locStart, .locStop: observeLocation(kind, arguments)
    case .voipCall: facts.openCalls = max(0, facts.openCalls + (phase == .enter ? 1 : -1))
    case .callkitReport: facts.reportedCalls += 1
    case .voipTag:
      facts.hasTaggedSocket = true
      memory.services.insert("calls")
    case .voipKeepaliveSet:
      facts.keepAliveSeconds = arguments[.timeoutS]?.integer
      memory.lastKeepAliveNanoseconds = nowNanoseconds
    case .voipKeepaliveClear: facts.keepAliveSeconds = nil
    case .completionCall:
      if let id = arguments[.completionId]?.integer { facts.outstandingCompletions[id] = nil }
    case .eaSession, .btSession: observeDevice(kind, op, arguments[.role]?.text)
    case .fetchInterval: memory.fetchesInBackground = arguments[.seconds]?.integer != nil
    case .newsDownload: memory.pendingDownload = op == "start" ? arguments[.issue]?.text : nil
    case .urlTask: observeTransfer(op, arguments[.session]?.text)
    case .bgschedSubmit: observeSubmission(arguments)
    case .bgschedComplete: facts.runningIdentifier = nil
    case .procExit: processEnded()
    default: observeRestrained(kind, op, arguments)
    }
  }

  /// Learns from what the system allows only at times, or kills for.
  private func observeRestrained(_ kind: EventKind, _ op: String?, _ arguments: EventArguments) {
    let change = op == "acquire" ? 1 : -1
    switch kind {
    case .localnoteSchedule, .localnoteCancel, .localnoteCancelAll:
      observeReminder(kind, arguments)
    case .resUse: facts.heldResources = max(0, facts.heldResources + change)
    case .fileLock where arguments[.container]?.text == "app_group":
      facts.heldLocks = max(0, facts.heldLocks + change)
    case .glCall, .glContextCreate:
      if state == .background { kill(cause: "gpu_in_background") }
    case .procCpu: observeProcessor(arguments)
    default: break
    }
  }

  private func observeDevice(_ kind: EventKind, _ op: String?, _ role: String?) {
    let change = op == "open" ? 1 : -1
    let service = kind == .eaSession ? "accessory" : role ?? "central"
    if kind == .eaSession {
      facts.openAccessories = max(0, facts.openAccessories + change)
    } else {
      facts.openBluetooth[service] = max(0, facts.openBluetooth[service, default: 0] + change)
    }
    if op == "open" { memory.services.insert(service) } else { memory.services.remove(service) }
  }

  /// The system ends an app that computes for too long where nobody sees it.
  private func observeProcessor(_ arguments: EventArguments) {
    guard state == .background else { return }
    facts.backgroundCPU.busyNanoseconds += arguments[.cpuNs]?.integer ?? 0
    facts.backgroundCPU.windowNanoseconds += arguments[.windowNs]?.integer ?? 0
    let (busy, window) = facts.backgroundCPU
    if window >= SystemTraits.busyNanosecondsMax, busy > window / 5 * 4 {
      kill(cause: "cpu_limit")
    }
  }

  private func observeLocation(_ kind: EventKind, _ arguments: EventArguments) {
    let service = arguments[.service]?.text ?? "standard"
    if kind == .locStart { facts.hasLocationManager = true }
    if service == "standard" {
      facts.isLocating = kind == .locStart
    } else {
      memory.watchesRegions = kind == .locStart
    }
  }

  private func observeTransfer(_ op: String?, _ session: String?) {
    guard let session else { return }
    if op == "start" {
      memory.sessionWithTransfers = session
    } else if memory.sessionWithTransfers == session {
      memory.sessionWithTransfers = nil
    }
  }

  private func observeSubmission(_ arguments: EventArguments) {
    guard let identifier = arguments[.identifier]?.text, let kind = arguments[.kind]?.text,
      arguments[.errorCode] == nil
    else { return }
    // A request replaces the one with the same identifier.
    memory.submissions.removeAll { $0.identifier == identifier }
    memory.submissions.append((identifier, kind))
  }
}
