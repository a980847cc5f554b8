// What can be measured of an app's life, as small values that come one after another.
// This file must not know who adds them up.

import TraceModel

/// Something that was measured: what, how long, and when it was over.
public struct LifeMeasure: Hashable, Sendable {
  public var subject: Subject
  /// When it was over, in nanoseconds on the header's clock.
  public var timeNanoseconds: Int64
  /// How long it took, in nanoseconds, never negative; 0 for what has no length.
  public var durationNanoseconds: Int64
  /// The number of the launch it is of, from 1; 0 for what is of none.
  public var launch: Int

  public init(
    _ subject: Subject, timeNanoseconds: Int64, durationNanoseconds: Int64 = 0, launch: Int = 0
  ) {
    self.subject = subject
    self.timeNanoseconds = timeNanoseconds
    self.durationNanoseconds = durationNanoseconds
    self.launch = launch
  }

  public enum Subject: Hashable, Sendable {
    case duration(LifeDuration)
    /// The app was in a state, in continuous time.
    case state(LifecycleState)
    /// A process ended, so many times; the words are nil if no event tells of it.
    indirect case termination(TerminationCause, count: Int, words: EndingWords? = nil)
    /// Events are missing before this moment.
    case lostEvents(count: Int)
    /// The clock of the wall, in nanoseconds since 1970-01-01T00:00:00 UTC, at this moment.
    case wallClock(nanoseconds: Int64)
    /// A launch began, or was noticed in its middle; told again when it turns out that a process
    /// which was started ahead is launched. The start is nil if the trace doesn't hold it, or as
    /// long as nobody asked for the app.
    case launched(reason: StartReason, startNanoseconds: Int64?)
    /// The app was in the foreground, and no longer launching, for the first time in a launch.
    case foreground
  }
}

/// The durations of a life that have a limit somewhere in the rules.
///
/// A span in which the watchdog killed the process counts with the time until the kill: without it
/// the slowest ones would be missing. Nothing is measured across a gap, or in a launch of which the
/// trace doesn't hold the beginning of what is measured.
public enum LifeDuration: String, CaseIterable, Hashable, Sendable {
  /// From the start of the process to the enter of the first callback that makes the app active; if
  /// an interruption comes before, or for a launch into the background, to the return of
  /// did_finish_launching. On the watchdog clock.
  case launch
  /// From the enter of did_enter_background, or of the last scene's, to its return, on the watchdog
  /// clock.
  case enterBackground
  /// How long a background task was open in one stay in the background: from its begin or the
  /// entry, whichever is later, to the end of its token or the return to the foreground, in run
  /// time without that in which audio or location was in service (a service that only pauses
  /// is taken to be over meanwhile). What is begun and ended in the foreground, UIKit's own tasks
  /// and tokens that a log hides don't count. One that ran out and whose process was killed for it
  /// counts with the time until the kill.
  case backgroundTask
  /// From the moment at which the background was reached, or the app resumed, until it was
  /// suspended, left the background or ended, in run time. Only in traces that show
  /// suspensions or heartbeats: in others a suspended app can't be told from one that runs.
  case backgroundRun
  /// From the moment at which the last known reason to run was gone, where the grace begins, to the
  /// suspension, in run time.
  case suspendLatency
  /// From the enter of will_terminate to its return, on the watchdog clock.
  case terminate

  /// The duration's name in options and tables, for example `enter_background`.
  public var word: String {
    switch self {
    case .launch: "launch"
    case .enterBackground: "enter_background"
    case .backgroundTask: "background_task"
    case .backgroundRun: "background_run"
    case .suspendLatency: "suspend_latency"
    case .terminate: "terminate"
    }
  }
}

/// Why a process ended.
public enum TerminationCause: String, CaseIterable, Hashable, Sendable {
  case watchdog, jetsam
  case userForceQuit = "user_force_quit"
  case gpuInBackground = "gpu_in_background"
  case bgtaskExpired = "bgtask_expired"
  case keepaliveTimeout = "keepalive_timeout"
  case sharedResource = "shared_resource"
  case fileLock = "file_lock"
  case cpuLimit = "cpu_limit"
  case thermal
  case diskSpace = "disk_space"
  case crash
  /// The app ended itself.
  case exit
  /// UIKit ended the process after will_terminate, as it does without multitasking.
  case exitAfterWillTerminate = "exit_after_will_terminate"
  /// A new process was started, and nothing was recorded of how the one before ended.
  case unrecorded
  /// It was killed, and nobody says why.
  case unknown

  /// The cause behind a name under which MetricKit counts ends; nil for a name that isn't known.
  public init?(metricKit name: String) {
    guard let cause = Terminations.counted(name)?.meaning.cause else { return nil }
    self.init(rawValue: cause)
  }
}

extension LifecycleState {
  /// The state's name in metrics and other data, for example `entering_background`.
  public var word: String {
    switch self {
    case .notRunning: "not_running"
    case .launchingForeground: "launching_foreground"
    case .launchingBackground: "launching_background"
    case .active: "active"
    case .resigning: "resigning"
    case .inactive: "inactive"
    case .enteringBackground: "entering_background"
    case .background: "background"
    case .suspended: "suspended"
    case .enteringForeground: "entering_foreground"
    case .terminating: "terminating"
    case .unknown: "unknown"
    }
  }
}
