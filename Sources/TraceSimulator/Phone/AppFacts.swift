// What the phone knows of the running app from what the app has asked for.

import TraceModel

/// A background task that is open.
struct OpenTask {
  var token: Int64
  var expiration: (() -> Void)?
}

/// What the phone knows of one process.
struct AppFacts {
  var tokenCount: Int64 = 0
  var openTasks: [OpenTask] = []
  var backgroundNanoseconds: Int64 = 0
  /// When the time for tasks ends; nil while it doesn't run.
  var taskDeadlineNanoseconds: Int64?
  var playingStreams = 0
  var recordingStreams = 0
  var isLocating = false
  var hasLocationManager = false
  var openCalls = 0
  /// Calls of the system whose completion handler hasn't been called.
  var outstandingCompletions: Set<Int64> = []
  var openAccessories = 0
  var openPeripherals = 0
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
  var wasForceQuit = false
  var refreshStatus = "available"
  /// Whether the system gives no background time now.
  var refusesTasks = false
  var fetchesInBackground = false
  var watchesRegions = false
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
  case suspension, expiration, expirationKill, wakeEnd, schedulerEnd, keepAlive
}

extension SimulatedPhone {
  /// Learns from what the app does.
  func observe(_ kind: EventKind, _ phase: Phase, _ arguments: EventArguments) {
    let op = arguments[.op]?.text
    switch kind {
    case .audioPlay: facts.playingStreams = max(0, facts.playingStreams + (op == "start" ? 1 : -1))
    case .audioRecord:
      facts.recordingStreams = max(0, facts.recordingStreams + (op == "start" ? 1 : -1))
    case .locStart, .locStop: observeLocation(kind, arguments)
    case .voipCall: facts.openCalls = max(0, facts.openCalls + (phase == .enter ? 1 : -1))
    case .voipTag: facts.hasTaggedSocket = true
    case .voipKeepaliveSet:
      facts.keepAliveSeconds = arguments[.timeoutS]?.integer
      memory.lastKeepAliveNanoseconds = nowNanoseconds
    case .voipKeepaliveClear: facts.keepAliveSeconds = nil
    case .completionCall:
      if let id = arguments[.completionId]?.integer { facts.outstandingCompletions.remove(id) }
    case .eaSession: facts.openAccessories = max(0, facts.openAccessories + (op == "open" ? 1 : -1))
    case .btSession: facts.openPeripherals = max(0, facts.openPeripherals + (op == "open" ? 1 : -1))
    case .fetchInterval: memory.fetchesInBackground = arguments[.seconds]?.integer != nil
    case .newsDownload: memory.pendingDownload = op == "start" ? arguments[.issue]?.text : nil
    case .urlTask: observeTransfer(op, arguments[.session]?.text)
    case .bgschedSubmit: observeSubmission(arguments)
    case .bgschedComplete: facts.runningIdentifier = nil
    case .procExit: processEnded()
    default: break
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
