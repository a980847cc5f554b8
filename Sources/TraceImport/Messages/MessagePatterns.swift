// The table of life-cycle messages: one row per wording. Adding a wording means adding a row.
// This file must not know line formats; it sees messages only.

import TraceModel

extension MessagePattern {
  /// All patterns. Among rows with one start the first whose required parts are there wins.
  static let all: [MessagePattern] =
    backgroundTasks + activation + processStates + assertions + ends + oldEnds + memoryEnds
    + applicationPrints + circumstances + asides

  /// UIKit, subsystem com.apple.UIKit, category BackgroundTask, in the app itself.
  private static let backgroundTasks: [MessagePattern] = [
    MessagePattern(
      .logger, "Will add backgroundTask with taskName: ", .taskAnnounced,
      .name(after: "", upTo: ", expirationHandler: "), .handler(after: ", expirationHandler: ")),
    MessagePattern(
      .logger, "Created background task ", .taskBegun,
      .token(after: "taskID = ", upTo: ","),
      .name(after: "taskName = ", upTo: ", creationTime = ")),
    MessagePattern(
      .logger, "Ending background task with UIBackgroundTaskIdentifier: ", .taskEndCalled,
      .token(after: "")),
    MessagePattern(
      .logger, "Ending task with identifier ", .taskEndAccepted,
      .token(after: "", upTo: " "),
      .name(after: "taskName = ", upTo: ", creationTime = "), .handler(after: "_expireHandler: ")),
    MessagePattern(
      .logger, "Background task still not ended after expiration handlers were called",
      .taskHandlerCalled,
      .token(after: "taskID = ", upTo: ","),
      .name(after: "taskName = ", upTo: ", creationTime = ")),
    MessagePattern(
      .logger, "Background Task ", .taskOverdue,
      .token(after: "", upTo: " "), .name(after: "(\"", upTo: "\"), was created over "),
      .presence(of: "was created over ")),
    MessagePattern(
      .logger, "Can't end BackgroundTask: no background task exists with identifier ",
      .taskEndRefused, .token(after: "")),
    MessagePattern(
      .logger, "Can't endBackgroundTask: no background task exists with identifier ",
      .taskEndRefused, .token(after: "")),
  ]

  /// UIKit's mask of reasons to be inactive, in the app itself.
  private static let activation: [MessagePattern] = [
    MessagePattern(
      .logger, "Deactivation reason added: ", .deactivation,
      .reason(after: ""), .fromMask(after: "deactivation reasons: "), .toMask(after: " -> ")),
    MessagePattern(
      .logger, "Deactivation reason removed: ", .deactivation,
      .reason(after: ""), .fromMask(after: "deactivation reasons: "), .toMask(after: " -> ")),
  ]

  /// SpringBoard, FrontBoard, runningboardd and whoever monitors processes.
  private static let processStates: [MessagePattern] = [
    MessagePattern(
      .leadingTarget, " Suspending task", .suspension,
      number: SuspensionSource.runningBoard.rawValue,
      from: StateWord.suspended),
    MessagePattern(
      .leadingTarget, " Resuming task", .suspension, number: SuspensionSource.runningBoard.rawValue,
      from: StateWord.running),
    MessagePattern(
      .leadingTarget, " Setting process visibility to: ", .processState,
      .visibility(after: " Setting process visibility to: ")),
    MessagePattern(
      .leadingTarget, " Setting process task state to: ", .processState,
      .taskState(after: " Setting process task state to: ")),
    MessagePattern(
      .named, "Application process state changed for ", .exit, exit: ExitRecord(),
      .bundle(after: "", upTo: ": "), .presence(of: ": (null)")),
    MessagePattern(
      .named, "Application process state changed for ", .processState,
      .bundle(after: "", upTo: ": "), .pid(after: "pid: "),
      .taskState(after: "taskState: "), .visibility(after: "visibility: ")),
    MessagePattern(
      .named, "Calculated state for ", .exit, exit: ExitRecord(),
      .target(after: ""), .presence(of: ": none (")),
    MessagePattern(
      .named, "Calculated state for ", .suspension,
      number: SuspensionSource.calculatedState.rawValue,
      .target(after: ""), .suspension(after: ": running-")),
    MessagePattern(
      .named, "Received state update for ", .stateReport, number: SuspensionSource.monitor.rawValue,
      .pid(after: ""), .target(after: " ("), .suspension(after: ", ")),
  ]

  /// runningboardd's assertions of background tasks. Others say nothing of the app's work: half of
  /// what a device runs holds some.
  private static let assertions: [MessagePattern] = [
    MessagePattern(
      .named, "Acquiring assertion targeting ", .assertionAcquired,
      .directTarget(after: ""),
      .name(after: "<RBSAssertionDescriptor| \"", upTo: "\" ID:"), .assertion(after: "ID:"),
      .presence(of: "reason:FinishTask")),
    MessagePattern(
      .assertionHolder, "Invalidating assertion ", .assertionReleased, .assertion(after: "")),
    MessagePattern(
      .assertionHolder, "Assertion did invalidate due to timeout: ", .assertionTimedOut,
      .assertion(after: "")),
  ]

  /// How processes end.
  private static let ends: [MessagePattern] = [
    MessagePattern(
      .leadingTarget, " Process exited: ", .exit, exit: ExitRecord(),
      .termination(after: " Process exited: ")),
    MessagePattern(
      .leadingTarget, " termination reported by launchd (", .exit, exit: ExitRecord(),
      .launchdStatus(after: " termination reported by launchd (")),
    MessagePattern(
      .leadingTarget, " was suspended with locked system files", .exit,
      exit: ExitRecord(endOf: "file-lock"),
      .explanation(after: " ")),
    MessagePattern(
      .named, "Received termination request from ", .exit, exit: ExitRecord(),
      .target(after: " on "), .termination(after: "<RBSTerminateContext|")),
    MessagePattern(
      .named, "Forcing crash report of ", .exit,
      exit: ExitRecord(endOf: "watchdog"),
      .explanation(after: "description: "), .pid(after: "pid: ", optional: true),
      .bundle(after: "description: ", upTo: " failed to launch after "),
      .allowance(after: " failed to launch after ")),
    MessagePattern(
      .named, "Forcing crash report of ", .exit,
      exit: ExitRecord(endOf: "file-lock"),
      .explanation(after: "description: "), .pid(after: "pid: ", optional: true),
      .bundle(after: "description: ", upTo: " was suspended with locked system files")),
    MessagePattern(
      .named, "Application '", .exit, exit: ExitRecord(),
      .bundle(after: "", upTo: "' exited abnormally via signal"),
      .presence(of: "' exited abnormally via signal")),
    MessagePattern(
      .named, "Application '", .exit, exit: ExitRecord(isKill: false),
      .bundle(after: "", upTo: "' exited voluntarily"), .presence(of: "' exited voluntarily")),
    MessagePattern(
      .logger, "Message from debugger: Terminated due to memory issue", .exit,
      exit: ExitRecord(cause: "jetsam", explanation: "Terminated due to memory issue")),
    // Foundation's words for an exception that nobody caught, and those of the library for C++.
    MessagePattern(
      .logger, "*** Terminating app due to uncaught exception ", .exit,
      exit: ExitRecord(cause: "crash"), .explanation(after: "")),
    // Without a prefix the asterisks are taken for marks of publishing. Who writes of an exception
    // quotes it without its reason.
    MessagePattern(
      .logger, "Terminating app due to uncaught exception ", .exit,
      exit: ExitRecord(cause: "crash"), .explanation(after: ""), .presence(of: ", reason: ")),
    uncaught("libc++abi: terminating "), uncaught("libc++abi.dylib: terminating "),
    // NativeScript's own words, before and after its stack traces.
    MessagePattern(
      .logger, "***** Fatal JavaScript exception", .exit,
      exit: ExitRecord(cause: "crash", explanation: "Fatal JavaScript exception"),
      .presence(of: "application has been terminated")),
    MessagePattern(
      .logger, "NativeScript caught signal ", .exit,
      exit: ExitRecord(cause: "crash", explanation: "NativeScript caught signal"),
      .printedSignal(after: "")),
  ]

  /// How processes end as told by assertiond (iOS 9 to 12), backboardd (iOS 6 and 7) and launchd.
  private static let oldEnds: [MessagePattern] = [
    MessagePattern(
      .leadingTarget, " Port death watcher fired", .exit, exit: ExitRecord()),
    MessagePattern(
      .named, "Forcing crash report with description: ", .exit,
      exit: ExitRecord(cause: "bgtask_expired"), .explanation(after: ""),
      .pid(after: ":"), .presence(of: " has active assertions beyond permitted time"),
      .allowance(after: "(finishTask:")),
    MessagePattern(
      .named, "Forcing crash report with description: ", .exit,
      exit: ExitRecord(cause: "bgtask_expired"), .explanation(after: ""),
      .pid(after: ":"), .presence(of: " has active assertions beyond permitted time"),
      .allowance(after: "permittedBackgroundDuration: "), .presence(of: "reason: finishTask")),
    MessagePattern(
      .leadingTarget, " Forcing crash report with description: ", .exit,
      exit: ExitRecord(cause: "bgtask_expired"), .explanation(after: "with description: "),
      .presence(of: " has active assertions beyond permitted time"),
      .allowance(after: "(finishTask:")),
    // Another kind of work than a background task was not ended in time.
    MessagePattern(
      .named, "Forcing crash report with description: ", .exit, exit: ExitRecord(),
      .pid(after: ":"), .presence(of: " has active assertions beyond permitted time")),
    MessagePattern(
      .named, "(UIKitApplication:", .exit, exit: ExitRecord(),
      .bundle(after: "", upTo: "["), .pid(after: "][", optional: true),
      .launchdSignal(after: "Service exited due to signal: ")),
    MessagePattern(
      .named, "BUG IN ", .exit,
      exit: ExitRecord(endOf: "file-lock"),
      .explanation(after: ": "), .directTarget(after: ": RunningBoard terminated "),
      .presence(of: "suspended while holding a shared file lock")),
  ]

  /// Processes that were ended for memory, as told by the kernel and ReportSystemMemory.
  private static let memoryEnds: [MessagePattern] = [
    MessagePattern(
      .known, "memorystatus: killing_specific_process pid ", .exit,
      exit: ExitRecord(cause: "jetsam"), .pid(after: ""), .process(after: " [", upTo: "]"),
      .explanation(after: "] (", upTo: ")")),
    MessagePattern(
      .known, "memorystatus: killing_idle_process pid ", .exit,
      exit: ExitRecord(cause: "jetsam"), .pid(after: ""), .process(after: " [", upTo: "]"),
      .explanation(after: "] (", upTo: ")")),
    MessagePattern(
      .known, "memorystatus: ", .exit, exit: ExitRecord(cause: "jetsam"),
      .process(after: "", upTo: " ["), .pid(after: " ["), .explanation(after: "] "),
      .presence(of: "exceeded mem limit: "), .presence(of: "(fatal)")),
    MessagePattern(
      .known, "Process ", .exit, exit: ExitRecord(cause: "jetsam"),
      .process(after: "", upTo: " ["), .pid(after: " ["),
      .explanation(after: "] killed by jetsam reason "),
      .presence(of: "] killed by jetsam reason ")),
  ]

  /// What Unity and Flutter print of the application's callbacks.
  private static let applicationPrints: [MessagePattern] =
    [
      unity("DidFinishLaunching", .delegateDidFinishLaunching),
      unity("DidReceiveMemoryWarning", .delegateDidReceiveMemoryWarning),
      unity("WillResignActive", .delegateWillResignActive),
      unity("DidBecomeActive", .delegateDidBecomeActive),
      unity("DidEnterBackground", .delegateDidEnterBackground),
      unity("WillEnterForeground", .delegateWillEnterForeground),
      unity("WillTerminate", .delegateWillTerminate),
      flutter("inactive", .inactive),
      flutter("hidden", .hidden),
      flutter("paused", .paused),
      flutter("resumed", .resumed),
    ] + reactNative

  /// Metal's refusal, UIKit's warning, and signs of a debugger or a simulator.
  private static let circumstances: [MessagePattern] = [
    MessagePattern(
      .logger, "Execution of the command buffer was aborted due to an error during execution.",
      .metalRefused, .presence(of: MetalRefusal.text)),
    MessagePattern(.logger, "`UIScene` lifecycle will soon be required", .sceneWarning),
    // Without a prefix the first mark is taken for one of publishing.
    MessagePattern(.logger, "UIScene` lifecycle will soon be required", .sceneWarning),
    MessagePattern(.logger, "Message from debugger: ", .debugger),
    MessagePattern(.logger, "App is being debugged", .debugger),
    MessagePattern(
      .logger, "Hang detected: ", .debugger, .presence(of: "(debugger attached")),
    MessagePattern(.logger, "Simulator user has requested ", .simulator),
    MessagePattern(.logger, "objc[", .simulator, .presence(of: "/CoreSimulator/")),
  ]

  private static func uncaught(_ start: String) -> MessagePattern {
    MessagePattern(
      .logger, start, .exit, exit: ExitRecord(cause: "crash"), .explanation(after: ""),
      .presence(of: "uncaught exception"))
  }

  private static func unity(_ callback: String, _ kind: EventKind) -> MessagePattern {
    MessagePattern(.logger, "-> application\(callback)()", .callback, number: UInt64(kind.rawValue))
  }

  private static func flutter(_ word: String, _ state: FlutterState) -> MessagePattern {
    MessagePattern(
      .logger, "flutter: AppLifecycleState.\(word)", .flutterState, number: state.rawValue)
  }
}

extension MessagePattern {
  /// What apps made with React Native print of `AppState`, after the example of its documentation:
  /// as one text or as a list of texts in quotes, also behind the level that Metro prints.
  private static let reactNative: [MessagePattern] = {
    let names = ["AppState", "'AppState", "appState", "'appState", "App state", "'App state"]
    return ["", "LOG  "].flatMap { level in
      names.map { MessagePattern(.logger, level + $0, .flutterState, .reactState()) }
    }
  }()
}

/// The words of Flutter's `AppLifecycleState` that say something of the application's state.
enum FlutterState: UInt64, Sendable {
  case inactive, hidden, paused, resumed
}
