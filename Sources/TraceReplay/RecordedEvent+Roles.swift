// Who made an event of a recording happen: what a replay delivers, and what it compares.

import TraceModel

extension RecordedEvent {
  private var description: KindDescription? { Vocabulary.description(of: kind) }

  /// Whether code of the app made it happen, so that a replay can repeat it.
  var isCallOfApp: Bool {
    if isMadeBySystem { return false }
    switch kind {
    // How a process begins is the driver's, and a marker is a note to the reader.
    case .procMain, .traceMarker: return false
    case .procExit: return isExitByApp
    default: break
    }
    switch description?.emitter {
    case .app: return true
    case .appOrSystem: return !isDoneForApp
    default: return isResult
    }
  }

  /// Whether the app ended its process itself. Others are ended by the system's own code.
  var isExitByApp: Bool { kind == .procExit && text(.by) == "app" }

  /// Whether the user or the system did what apps do, too: a transfer came to its end, a question
  /// on the screen was answered.
  private var isDoneForApp: Bool {
    guard description?.emitter == .appOrSystem else { return false }
    switch kind {
    case .uiAlertDismiss: return text(.by) == "user" || text(.by) == "system"
    default: return text(.op) == "finish" || text(.op) == "error"
    }
  }

  /// Whether it is what the app answered as it returned from a call of the system.
  var isResult: Bool {
    guard phase == .return, boolean(.result) != nil else { return false }
    switch kind {
    case .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateOpenUrl,
      .delegateShouldSaveState:
      return true
    default: return false
    }
  }

  /// Whether the main thread is inside the call until it returns; windows lie over what it does.
  var isInsideMainThread: Bool {
    thread == 1 && phase == .enter && description?.shape == .span
  }

  /// Whether it is a call that tells the app of its life: what is done before it returns, and what
  /// after, makes a difference.
  var isLifeCall: Bool {
    guard let description, description.shape == .span else { return false }
    return description.namespace == "delegate" || description.namespace == "scene"
      || kind == .bgtaskExpire
  }

  /// Whether answers of the system from before it say nothing of the time after it.
  var isTurnOfLife: Bool {
    switch kind {
    case .procStart, .procSuspend, .procResume: phase != .return
    default: isLifeCall
    }
  }

  /// Whether it reaches the app from outside.
  var isStimulus: Bool {
    guard phase != .return else { return false }
    switch description?.emitter {
    case .system: return description?.namespace != "sys"
    case .appOrSystem: return isDoneForApp
    default: return false
    }
  }
}
