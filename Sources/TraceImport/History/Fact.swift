// What one line of a log says of an app's life, in the words of the assembler.
// This file must not know how any system words its lines.

import TraceModel

/// What a line says.
enum FactKind: UInt8, Sendable {
  /// A background task is about to be begun: its name, and whether it has a handler.
  case taskAnnounced
  case taskBegun
  /// The app called for the end of a task.
  case taskEndCalled
  /// The system carried the end out; the second line of the same call.
  case taskEndAccepted
  /// The system knew no such task.
  case taskEndRefused
  /// A handler was run and the task is still there.
  case taskHandlerCalled
  /// The system warns of a task that is open for long.
  case taskOverdue
  /// The mask of reasons to be inactive changed.
  case deactivation
  /// A print of an application callback.
  case callback
  /// Flutter's word for the application's state.
  case flutterState
  /// The process was suspended or resumed.
  case suspension
  /// SpringBoard's view of the process: task state and visibility.
  case processState
  /// The process is gone; why is in an ``ExitRecord``.
  case exit
  /// An assertion of a background task was acquired, let go of, or ended by the system.
  case assertionAcquired
  case assertionReleased
  case assertionTimedOut
  /// Metal refused work because the app is in the background.
  case metalRefused
  /// A monitor's line that names a process id and its bundle, and whether it is suspended.
  case stateReport
  /// UIKit warns that the app doesn't use scenes.
  case sceneWarning
  /// The process runs under a debugger.
  case debugger
  /// The process runs in a simulator.
  case simulator
  /// A line of the app's own, by a pattern of the user.
  case mapped
  /// The system is asked to open an app, opens it, or tidies up behind it.
  case launchTold
  /// The system says what an app may do, or for how long.
  case rightsTold

  /// Whether lines of the kind are about apps and tell nothing of what one did.
  var isOnlyTold: Bool { self == .launchTold || self == .rightsTold }
}

/// How sure a line is about a suspension; the surest kind of line of a process is believed alone.
enum SuspensionSource: UInt64, Sendable {
  /// The daemon that suspends says that it does.
  case runningBoard = 4
  case springBoard = 3
  case calculatedState = 2
  case monitor = 1
}

/// A number that a log may hide.
enum LogToken: Hashable, Sendable {
  case none
  case number(UInt64)
  /// The log shows `<private>` in its place.
  case hidden
}

/// What is known of a yes or no.
enum Knowledge: UInt8, Sendable {
  case unknown, no, yes

  init(_ value: Bool) { self = value ? .yes : .no }
}

/// One fact of a process.
struct Fact: Sendable {
  var kind: FactKind
  var hasHandler = Knowledge.unknown
  var line: UInt32 = 0
  /// The place of the process in the directory.
  var process: UInt16 = 0
  /// The name of a task.
  var name: String?
  /// The identifier of an assertion.
  var assertion: String?
  /// How the process ended: one record or none. An array, as facts are many and ends are few.
  var exit: [ExitRecord] = []
  /// Whether only the process itself tells of its end, in a line that names the process by number.
  var isPrinted = false
  /// The arguments of a mapped line's event, in the order of its pattern.
  var values: [ArgumentValue] = []
  var timeNanoseconds: Int64 = 0
  var thread: Int64 = 1
  /// How often the clock had been set.
  var clockStepCount: UInt32 = 0
  /// By how much the line showed less than the time above.
  var setBackNanoseconds: Int64 = 0
  var token = LogToken.none
  /// By kind: reason, callback, Flutter's word, suspension source, error code, what tells a mapped
  /// line from others.
  var number: UInt64 = 0
  /// By kind: mask or state before; whether suspended; task state; the pattern of a mapped line.
  var from: UInt64 = 0
  /// By kind: mask or state after; visibility; the place among the patterns of one line.
  var to: UInt64 = 0
}

extension Fact {
  /// How sure the fact is of a suspension or a resumption; 0 if it speaks of neither.
  var suspensionSource: UInt64 {
    switch kind {
    case .suspension: number
    case .processState where from != 0: SuspensionSource.springBoard.rawValue
    default: 0
    }
  }

  var isSuspension: Bool { from == StateWord.suspended }
}

/// SpringBoard's words as numbers for ``Fact/from`` and ``Fact/to``; 0 is anything else.
enum StateWord {
  static let running: UInt64 = 1
  static let suspended: UInt64 = 2
  static let foreground: UInt64 = 1
  static let background: UInt64 = 2
}

/// How a process ended, as far as a log tells.
struct ExitRecord: Hashable, Sendable {
  /// Whether the system ended it; otherwise it left by itself.
  var isKill = true
  var signal: Int64?
  var cause = "unknown"
  var code: Int64?
  var namespace: String?
  var explanation: String?
  var allowanceSeconds: Double?
  /// How long what was judged took, by the clock on the wall.
  var elapsedSeconds: Double?
  var appCpuSeconds: Double?
  /// Processor time of all processes meanwhile.
  var totalCpuSeconds: Double?
  /// The same as a share of what the device had.
  var totalCpuPercent: Double?
  var thermalState: String?
  var thermalLevel: Int64?
  var visibility: String?
  var role: String?
  /// What the watchdog waited for, for example `scene-update`.
  var watchdogEvent: String?
  var exitCode: Int64?
  /// Whether the app died of an exception that says that its Metal work was refused.
  var isMetalRefusal = false
  /// What the lines before speak against the cause that the code stands for; nil if nothing.
  var contradiction: String?

  mutating func setSignal(_ number: Int64) {
    signal = number
    namespace = "SIGNAL"
    if TerminationSignal.crashes.contains(number) { cause = "crash" }
  }

  /// Whether it doesn't say why.
  var isUnexplained: Bool { isKill && cause == "unknown" && code == nil }

  /// How much the record explains: of several lines about one end the richest is believed.
  var rank: Int {
    if cause != "unknown" { return code != nil ? 4 : 3 }
    if code != nil || signal != nil || exitCode != nil { return 2 }
    return isKill ? 0 : 1
  }
}
