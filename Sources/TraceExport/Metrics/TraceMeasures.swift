// What was measured of one trace, added up while it is read.
// This file must not know labels or metrics of several traces.

public import TraceLifecycle
import TraceModel

/// The measures of one trace. Memory doesn't grow with the trace unless times are kept.
public struct TraceMeasures: Sendable {
  /// Measures and readings of the wall clock kept with their times, of all traces of a capture: a
  /// week of an app's life has some ten thousand.
  public static let timedMax = 262_144

  /// A measure's place on the wall clock.
  struct WallReading: Sendable {
    var timeNanoseconds: Int64
    var wallNanoseconds: Int64
  }

  private(set) var durations: [LifeDuration: MetricValue] = [:]
  private(set) var stateNanoseconds: [LifecycleState: UInt64] = [:]
  private(set) var terminations: [TerminationCause: UInt64] = [:]
  private(set) var lostEventCount: UInt64 = 0
  /// Measures with their times, if they are kept.
  private(set) var timed: [LifeMeasure] = []
  /// Whether there were more measures or readings of the clock than are kept.
  private(set) var isIncomplete = false
  private(set) var wallReadings: [WallReading] = []
  private let keepsTimes: Bool
  /// How much may be kept with its time. A capture that holds several traces at once shares what
  /// there is among them as they need it.
  package var room: Int

  /// How much is kept with its time.
  public var timedCount: Int { keepsTimes ? timed.count + wallReadings.count : 0 }

  /// - Parameters:
  ///   - keepsTimes: Whether the measures are to be shown at the times they had.
  ///   - room: How much may be kept with its time.
  public init(keepsTimes: Bool = false, room: Int = timedMax) {
    self.keepsTimes = keepsTimes
    self.room = room
  }

  /// Adds what was measured since the last call.
  public mutating func add(_ measures: [LifeMeasure]) {
    for measure in measures { add(measure) }
  }

  public mutating func add(_ measure: LifeMeasure) {
    let length = UInt64(clamping: measure.durationNanoseconds)
    switch measure.subject {
    case .duration(let duration):
      let exemplar = MetricExemplar(traceID: "", value: length, wallNanoseconds: .min)
      durations[duration, default: .emptyHistogram].observe(length, exemplar: exemplar)
    case .state(let state):
      stateNanoseconds[state] = (stateNanoseconds[state] ?? 0).saturatingSum(length)
    case .termination(let cause, let count, _):
      terminations[cause] = (terminations[cause] ?? 0).saturatingSum(UInt64(clamping: count))
    case .lostEvents(let count):
      lostEventCount = lostEventCount.saturatingSum(UInt64(clamping: count))
    case .wallClock(let wall):
      let reading = WallReading(
        timeNanoseconds: measure.timeNanoseconds, wallNanoseconds: wall)
      if keepsTimes, timedCount < room {
        wallReadings.append(reading)
      } else {
        // The last one tells how old the trace is.
        isIncomplete = isIncomplete || keepsTimes
        wallReadings = [reading]
      }
      return
    case .launched, .foreground: break
    }
    guard keepsTimes else { return }
    if timedCount < room { timed.append(measure) } else { isIncomplete = true }
  }

  /// Whether there was more than is kept with its time.
  public var isMissingTimes: Bool { isIncomplete }

  /// Hands out every duration that was kept with its time, in the order of their ends.
  ///
  /// - Parameter body: Takes the duration and its nanoseconds, which are never negative.
  public func forEachTimedDuration(_ body: (LifeDuration, _ nanoseconds: Int64) -> Void) {
    for measure in timed {
      if case .duration(let duration) = measure.subject {
        body(duration, measure.durationNanoseconds)
      }
    }
  }

  /// When the trace was recorded; nil if it doesn't say.
  var wallNanoseconds: Int64? { wallReadings.last?.wallNanoseconds }
}
