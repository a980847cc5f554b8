// Keeps what lets a background app run: tasks, services, wake-ups, open callbacks (MAYRUN).
// This file must not know states or profiles; it is told which reasons count.

import TraceModel

/// What a launch holds that lets it run in the background.
struct RunReasons: Sendable {
  /// Things of one sort that are held at a time. No healthy app comes near; beyond it further ones
  /// are only counted, and the app may run as long as the launch lasts.
  static let heldMax = 65_536
  /// Callbacks open at once, over all threads. Real nesting is below ten; beyond it the oldest is
  /// forgotten, while the others still let the app run.
  static let openSpansMax = 256
  /// Wake-ups and scheduled tasks in force at once; the system gives one of each at a time. Beyond
  /// it the oldest is forgotten.
  static let windowsMax = 256
  /// How long a wake-up or a refresh task lasts at most, in run time.
  static let windowNanosecondsMax: Int64 = 30_000_000_000

  /// Which reasons count for this app at this moment.
  struct Counting: Hashable, Sendable {
    var hasAudioMode: Bool
    var hasLocationMode: Bool
    var isRefreshOff: Bool
  }

  struct WakeWindow: Sendable {
    var key: ArgumentKey
    /// Whether the wake-up needs Background App Refresh.
    var needsRefresh: Bool
    var endRunNanoseconds: Int64
  }

  struct ScheduledRun: Sendable {
    var key: ArgumentKey
    /// The end in run time of a refresh task; nil for others.
    var endRunNanoseconds: Int64?
  }

  private struct OpenSpan {
    var kind: EventKind
    var thread: Int64
  }

  /// Tokens of open tasks.
  private var tasks: Set<UInt64> = []
  /// Tokens of open tasks that UIKit began for itself.
  private var uikitTasks: Set<UInt64> = []
  /// Tasks that can't be told apart: an imported log hides their tokens, or there are too many.
  private var hiddenTaskCount = 0
  private var openSpans: [OpenSpan] = []
  private var playing: Set<ArgumentKey> = []
  private var recording: Set<ArgumentKey> = []
  private var assertions: Set<ArgumentKey> = []
  private var hasTooMany = false
  var isLocating = false
  var wakeWindows: [WakeWindow] = []
  var scheduledRuns: [ScheduledRun] = []
  private var expiring: [ArgumentKey] = []
  private var completions: Set<ArgumentKey> = []
  private var callCount = 0

  init() {}

  /// Whether a reason holds that time alone doesn't end.
  func holds(_ counting: Counting) -> Bool {
    if !tasks.isEmpty || !uikitTasks.isEmpty || hiddenTaskCount > 0 || hasTooMany { return true }
    if !openSpans.isEmpty || !assertions.isEmpty || callCount > 0 { return true }
    if scheduledRuns.contains(where: { $0.endRunNanoseconds == nil }) { return true }
    if counting.isRefreshOff { return false }
    if counting.hasAudioMode && !(playing.isEmpty && recording.isEmpty) { return true }
    return (counting.hasLocationMode && isLocating) || !completions.isEmpty
  }

  /// Whether one reason holds; wake-ups and scheduled runs as of a moment of run time.
  func holds(_ reason: RunReason, _ counting: Counting, atRunNanoseconds run: Int64) -> Bool {
    switch reason {
    case .task: return !tasks.isEmpty || hiddenTaskCount > 0
    case .uikitTask: return !uikitTasks.isEmpty
    case .audio:
      return counting.hasAudioMode && !counting.isRefreshOff
        && !(playing.isEmpty && recording.isEmpty)
    case .location: return counting.hasLocationMode && !counting.isRefreshOff && isLocating
    case .wake:
      return wakeWindows.contains {
        !($0.needsRefresh && counting.isRefreshOff) && $0.endRunNanoseconds >= run
      }
    case .callback: return !openSpans.isEmpty
    case .completion: return !completions.isEmpty && !counting.isRefreshOff
    case .scheduledRun:
      return scheduledRuns.contains { $0.endRunNanoseconds.map { $0 >= run } ?? true }
    case .call: return callCount > 0
    case .assertion: return !assertions.isEmpty
    }
  }

  /// When the last reason ends that time ends, in run time; nil if there is none.
  func timedEnd(_ counting: Counting) -> Int64? {
    var end: Int64?
    for window in wakeWindows where !(window.needsRefresh && counting.isRefreshOff) {
      end = max(end ?? .min, window.endRunNanoseconds)
    }
    for run in scheduledRuns {
      if let runEnd = run.endRunNanoseconds { end = max(end ?? .min, runEnd) }
    }
    return end
  }

  /// Drops what time has ended.
  mutating func expire(atRunNanoseconds run: Int64) {
    if wakeWindows.isEmpty && scheduledRuns.isEmpty { return }
    wakeWindows.removeAll { $0.endRunNanoseconds < run }
    scheduledRuns.removeAll { $0.endRunNanoseconds.map { $0 < run } ?? false }
  }

  /// Closes the open callbacks of a thread, or of all: their returns were lost.
  mutating func closeSpans(ofThread thread: Int64?) {
    openSpans.removeAll { thread == nil || $0.thread == thread }
  }

  // MARK: Tasks

  mutating func beginTask(_ token: ArgumentKey, ofUIKit: Bool) {
    switch token {
    case .bits(let bits) where ofUIKit && uikitTasks.count < Self.heldMax:
      uikitTasks.insert(bits)
    case .bits(let bits) where tasks.count < Self.heldMax: tasks.insert(bits)
    default: hiddenTaskCount = min(hiddenTaskCount + 1, Self.heldMax)
    }
  }

  mutating func endTask(_ token: UInt64) {
    if tasks.remove(token) == nil { uikitTasks.remove(token) }
  }

  // MARK: Callbacks

  mutating func enterSpan(_ kind: EventKind, thread: Int64) {
    if openSpans.count >= Self.openSpansMax { openSpans.removeFirst() }
    openSpans.append(OpenSpan(kind: kind, thread: thread))
  }

  /// Whether a callback of a thread was entered and has not returned.
  func hasOpenSpan(ofThread thread: Int64) -> Bool {
    openSpans.contains { $0.thread == thread }
  }

  /// The callback of a thread that was entered last and has not returned.
  func innermostSpan(ofThread thread: Int64) -> EventKind? {
    openSpans.last { $0.thread == thread }?.kind
  }

  mutating func leaveSpan(_ kind: EventKind, thread: Int64) {
    if let place = openSpans.lastIndex(where: { $0.kind == kind && $0.thread == thread }) {
      openSpans.remove(at: place)
    }
  }

  // MARK: Services

  mutating func hold(_ key: ArgumentKey, in set: WritableKeyPath<Self, Set<ArgumentKey>>) {
    if self[keyPath: set].count < Self.heldMax {
      self[keyPath: set].insert(key)
    } else {
      hasTooMany = true
    }
  }

  mutating func play(_ stream: ArgumentKey, starts: Bool) {
    if starts { hold(stream, in: \.playing) } else { Self.stop(stream, in: &playing) }
  }

  mutating func record(_ stream: ArgumentKey, starts: Bool) {
    if starts { hold(stream, in: \.recording) } else { Self.stop(stream, in: &recording) }
  }

  /// A stop that doesn't say what it stops, stops all.
  private static func stop(_ stream: ArgumentKey, in set: inout Set<ArgumentKey>) {
    if stream == .absent { set.removeAll() } else { set.remove(stream) }
  }

  mutating func acquireAssertion(_ key: ArgumentKey) { hold(key, in: \.assertions) }
  mutating func releaseAssertion(_ key: ArgumentKey) { assertions.remove(key) }

  mutating func awaitCompletion(_ key: ArgumentKey) {
    if key != .absent { hold(key, in: \.completions) }
  }

  mutating func complete(_ key: ArgumentKey) { completions.remove(key) }

  mutating func enterCall() { callCount = min(callCount + 1, Self.heldMax) }
  mutating func leaveCall() { callCount = max(0, callCount - 1) }

  // MARK: Wake-ups and scheduled tasks

  mutating func openWindow(_ key: ArgumentKey, needsRefresh: Bool, run: Int64) {
    if wakeWindows.count >= Self.windowsMax { wakeWindows.removeFirst() }
    wakeWindows.append(
      WakeWindow(
        key: key, needsRefresh: needsRefresh,
        endRunNanoseconds: run.plus(Self.windowNanosecondsMax)))
  }

  mutating func closeWindow(_ key: ArgumentKey) {
    let named = key == .absent ? nil : wakeWindows.lastIndex { $0.key == key }
    if let place = named ?? wakeWindows.indices.last { wakeWindows.remove(at: place) }
  }

  mutating func startRun(_ key: ArgumentKey, isRefresh: Bool, run: Int64) {
    if scheduledRuns.count >= Self.windowsMax { scheduledRuns.removeFirst() }
    scheduledRuns.append(
      ScheduledRun(
        key: key, endRunNanoseconds: isRefresh ? run.plus(Self.windowNanosecondsMax) : nil))
  }

  /// Ends a scheduled task; one without an identifier ends the only one there is.
  mutating func endRun(_ key: ArgumentKey) {
    if let place = scheduledRuns.firstIndex(where: { $0.key == key }) {
      scheduledRuns.remove(at: place)
    } else if key == .absent && scheduledRuns.count == 1 {
      scheduledRuns.removeAll()
    }
  }

  mutating func enterExpiration(_ key: ArgumentKey) {
    if expiring.count >= Self.windowsMax { expiring.removeFirst() }
    expiring.append(key)
  }

  /// The identifier may stand at the enter only.
  mutating func leaveExpiration(_ key: ArgumentKey) {
    let entered = expiring.popLast() ?? .absent
    endRun(key == .absent ? entered : key)
  }
}
