// Measures time for a pattern: on one of the three clocks, perhaps in some states only.

import TraceLifecycle
import TraceModel

/// Reads a clock, and says when it will show a value.
struct ClockReading {
  let clock: Clock
  /// The states in which the clock goes; all bits: always.
  private let states: UInt32
  private var counted: Int64 = 0
  private var isCounting = false
  private var countedSince: Int64 = 0

  init(_ time: Time) {
    clock = time.clock
    states = time.states.map { CompiledCondition.mask($0) } ?? .max
  }

  /// Whether time counts in some states only, so that ``follow(_:_:)`` must be called.
  var dependsOnState: Bool { states != .max }

  private func raw(_ time: Int64, _ judge: Judge) -> Int64 {
    switch clock {
    case .run: judge.runTimeNanoseconds(at: time)
    case .watchdog: judge.watchdogTimeNanoseconds(at: time)
    case .continuous: time
    }
  }

  /// What the clock shows at a time not before the last event.
  func value(at time: Int64, _ judge: Judge) -> Int64 {
    guard dependsOnState else { return raw(time, judge) }
    return isCounting ? sum(counted, difference(raw(time, judge), countedSince)) : counted
  }

  /// Goes on with the state that the life cycle has from this time on.
  mutating func follow(_ time: Int64, _ judge: Judge) {
    guard dependsOnState else { return }
    counted = value(at: time, judge)
    countedSince = raw(time, judge)
    isCounting = states & 1 << UInt32(judge.model.state.rawValue) != 0
  }

  /// When the clock will show a value if nothing more happens; `.max` if it stands still.
  func time(of value: Int64, now: Int64, _ judge: Judge) -> Int64 {
    if clock != .continuous && judge.model.state == .suspended { return .max }
    if dependsOnState && !isCounting { return .max }
    return sum(now, difference(value, self.value(at: now, judge)))
  }
}
