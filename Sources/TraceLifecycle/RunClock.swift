// The derived clocks: the run time of the app and the clock of the watchdogs.
// This file must not know what a state is for; it is told what was suspended and what was silent.

import TraceModel

/// Turns times of the header's clock into run time and watchdog time. Both are only good for
/// differences.
struct RunClock: Sendable {
  /// A heartbeat thread beats every quarter of a second unless two beats say otherwise.
  private static let heartbeatPeriodNanosecondsMin: Int64 = 250_000_000
  /// The longest time without an event that is no silence, at that period.
  static let silenceNanosecondsMin = 4 * heartbeatPeriodNanosecondsMin

  /// The time of the last event; nil before the first.
  private(set) var lastNanoseconds: Int64?
  private var suspendedSinceNanoseconds: Int64?
  /// Suspensions that ended, together.
  private var suspendedNanoseconds: Int64 = 0
  /// Silent stretches of the background that count as suspended for run time only.
  private var silentNanoseconds: Int64 = 0
  /// Sleep of the device outside suspensions.
  private var sleptNanoseconds: Int64 = 0
  private var lastBeatNanoseconds: Int64?
  private var beatPeriodNanoseconds: Int64?
  /// Whether heartbeats are known to follow the first one.
  private var goesOnBeating = false

  private var lastSync: (continuous: Int64, uptime: Int64)?
  /// ``pausedNanoseconds`` at the last sync.
  private var pausedAtSync: Int64 = 0
  private(set) var hasSync = false

  /// Whether it isn't known yet how often the heart beats.
  var awaitsPeriod: Bool { beatPeriodNanoseconds == nil && !goesOnBeating }

  var hasHeartbeat: Bool { lastBeatNanoseconds != nil }

  /// All time up to the last event that the app is taken not to have run, but for sleep.
  private var pausedNanoseconds: Int64 {
    var sum = suspendedNanoseconds.plus(silentNanoseconds)
    if let since = suspendedSinceNanoseconds, let last = lastNanoseconds {
      sum = sum.plus(max(0, last.minus(since)))
    }
    return sum
  }

  /// Goes on to the time of an event. `isBackground` tells the state since the last one.
  mutating func advance(to time: Int64, isBackground: Bool) {
    if isBackground { silentNanoseconds = silentNanoseconds.plus(silence(before: time)) }
    lastNanoseconds = max(time, lastNanoseconds ?? time)
  }

  /// How much of the stretch between the last event and a time counts as silent.
  ///
  /// Before the second heartbeat tells the period, it is the shortest if others follow.
  private func silence(before time: Int64) -> Int64 {
    guard suspendedSinceNanoseconds == nil, let last = lastNanoseconds,
      let period = beatPeriodNanoseconds
        ?? (goesOnBeating ? Self.heartbeatPeriodNanosecondsMin : nil)
    else { return 0 }
    let stretch = time.minus(last)
    let (limit, overflow) = period.multipliedReportingOverflow(by: 4)
    return !overflow && stretch > limit ? stretch : 0
  }

  /// Run time at a time that is not before the last event.
  func runTime(at time: Int64, isBackground: Bool) -> Int64 {
    var away = suspendedNanoseconds.plus(silentNanoseconds).plus(sleptNanoseconds)
    if let since = suspendedSinceNanoseconds {
      away = away.plus(max(0, time.minus(since)))
    } else if isBackground {
      away = away.plus(silence(before: time))
    }
    return time.minus(away)
  }

  /// Watchdog time at a time that is not before the last event: sleep and silence count.
  func watchdogTime(at time: Int64) -> Int64 {
    var away = suspendedNanoseconds
    if let since = suspendedSinceNanoseconds { away = away.plus(max(0, time.minus(since))) }
    return time.minus(away)
  }

  /// Stands still from a time on; if it does already, nothing changes.
  mutating func suspend(at time: Int64) {
    if suspendedSinceNanoseconds == nil { suspendedSinceNanoseconds = time }
  }

  mutating func resume(at time: Int64) {
    guard let since = suspendedSinceNanoseconds else { return }
    suspendedNanoseconds = suspendedNanoseconds.plus(max(0, time.minus(since)))
    suspendedSinceNanoseconds = nil
  }

  /// Forgets the suspension in force: the app ran all the time.
  mutating func cancelSuspension() { suspendedSinceNanoseconds = nil }

  /// Counts a suspension that ended already as run time after all.
  mutating func restore(_ nanoseconds: Int64) {
    suspendedNanoseconds = suspendedNanoseconds.minus(nanoseconds)
  }

  /// Takes a heartbeat. `goesOn` says of the first one whether others are known to follow.
  mutating func beat(at time: Int64, goesOn: Bool) {
    if goesOn { goesOnBeating = true }
    if let lastBeatNanoseconds {
      let distance = max(time.minus(lastBeatNanoseconds), Self.heartbeatPeriodNanosecondsMin)
      beatPeriodNanoseconds = min(distance, beatPeriodNanoseconds ?? distance)
    }
    lastBeatNanoseconds = time
  }

  /// Takes one sample of both clocks and returns how long the device slept since the one before.
  ///
  /// Sleep that fits into suspensions since then is taken to lie there; the rest is no run time.
  mutating func sync(continuous: Int64, uptime: Int64, subtractsSleep: Bool) -> Int64 {
    hasSync = true
    let paused = pausedNanoseconds
    defer {
      lastSync = (continuous, uptime)
      pausedAtSync = paused
    }
    guard let lastSync else { return 0 }
    let slept = continuous.minus(lastSync.continuous).minus(uptime.minus(lastSync.uptime))
    guard slept > 0 else { return 0 }
    let outside = slept.minus(max(0, paused.minus(pausedAtSync)))
    if subtractsSleep && outside > 0 { sleptNanoseconds = sleptNanoseconds.plus(outside) }
    return slept
  }

  /// Starts anew after a reboot, which sets all clocks of the device back.
  mutating func restart() {
    let hadSync = hasSync
    let period = beatPeriodNanoseconds
    self = RunClock()
    hasSync = hadSync
    beatPeriodNanoseconds = period
  }
}
