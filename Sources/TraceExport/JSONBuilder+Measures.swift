// The JSON of what was measured of one trace: its launches, durations, ends and states.
// Names and order of the keys are a contract with scripts: a key is only ever added at an end.

import TraceLifecycle
import TraceModel
import TraceRules

extension JSONBuilder {
  /// - Parameter contentHash: A hash of the trace's events; nil if nobody asked.
  mutating func measures(
    _ measures: TraceMeasures, of trace: Judgement, contentHash: String?, _ context: ReportContext
  ) {
    let clock = try? WallClock(
      measures.wallReadings, latestNanoseconds: .max, lateText: "no reading is too late")
    beginObject()
    key("content")
    stringOrNull(contentHash)
    key("wall_ns")
    integerOrNull(
      trace.eventCount > 0 ? clock?.wall(at: trace.firstNanoseconds) : nil)
    key("launches")
    beginArray()
    for launch in LaunchSketch.launches(measures.timed) { self.launch(launch, clock) }
    endArray()
    key("durations")
    beginArray()
    for measure in measures.timed {
      if case .duration(let duration) = measure.subject { self.duration(duration, measure) }
    }
    endArray()
    key("terminations")
    // What explains an end is looked for in its own launch: a trace may hold many of both.
    let findings = Dictionary(grouping: trace.findings, by: \.launch)
    var counted: [String: String?] = [:]
    beginArray()
    for measure in measures.timed {
      guard case .termination(let cause, let count, let words) = measure.subject else { continue }
      let rule: String?
      if measure.launch > 0 {
        var launch = trace
        launch.findings = findings[measure.launch] ?? []
        rule = context.ruleExplaining(measure, launch)
      } else {
        let category = words?.texts["category"] ?? ""
        rule = counted[category] ?? context.ruleExplaining(measure, trace)
        counted[category] = .some(rule)
      }
      termination(cause, count: count, measure, rule: rule)
    }
    endArray()
    key("states")
    beginObject()
    for state in LifecycleState.allCases where state != .notRunning {
      guard let length = measures.stateNanoseconds[state] else { continue }
      key(state.word)
      literal(MetricText.seconds(length))
    }
    endObject()
    key("incomplete")
    boolean(measures.isMissingTimes)
    endObject()
  }

  private mutating func launch(_ launch: LaunchSketch, _ clock: WallClock?) {
    beginObject()
    key("launch")
    integer(launch.number)
    key("start_ns")
    integerOrNull(launch.startNanoseconds)
    key("wall_ns")
    integerOrNull(clock?.wall(at: launch.startNanoseconds ?? launch.noticedNanoseconds))
    key("reason")
    string(launch.reason.rawValue)
    key("duration_ns")
    integerOrNull(launch.durationNanoseconds)
    key("first_foreground_ns")
    integerOrNull(launch.foregroundNanoseconds)
    key("end")
    stringOrNull(launch.end?.rawValue)
    endObject()
  }

  /// The duration's own clock may have stood still: then it began earlier than said here.
  private mutating func duration(_ duration: LifeDuration, _ measure: LifeMeasure) {
    beginObject()
    key("name")
    string(duration.word)
    key("launch")
    integer(measure.launch)
    key("start_ns")
    integer(measure.timeNanoseconds.minus(measure.durationNanoseconds))
    key("duration_ns")
    integer(measure.durationNanoseconds)
    key("end_ns")
    integer(measure.timeNanoseconds)
    endObject()
  }

  private mutating func termination(
    _ cause: TerminationCause, count: Int, _ measure: LifeMeasure, rule: String?
  ) {
    beginObject()
    key("launch")
    integer(measure.launch)
    key("time_ns")
    integer(measure.timeNanoseconds)
    key("cause")
    string(cause.rawValue)
    key("count")
    integer(count)
    key("rule")
    stringOrNull(rule)
    endObject()
  }

  private mutating func integerOrNull(_ value: Int64?) {
    if let value { integer(value) } else { null() }
  }
}

/// A launch as its measures tell it.
private struct LaunchSketch {
  let number: Int
  /// When the trace began to tell of it.
  let noticedNanoseconds: Int64
  var startNanoseconds: Int64?
  var reason: StartReason
  var durationNanoseconds: Int64?
  var foregroundNanoseconds: Int64?
  var end: TerminationCause?

  /// The launches in their order.
  static func launches(_ measures: [LifeMeasure]) -> [LaunchSketch] {
    var launches: [LaunchSketch] = []
    var places: [Int: Int] = [:]
    for measure in measures {
      if case .launched(let reason, let start) = measure.subject {
        if let place = places[measure.launch] {
          launches[place].startNanoseconds = start
          launches[place].reason = reason
        } else {
          places[measure.launch] = launches.count
          launches.append(
            LaunchSketch(
              number: measure.launch, noticedNanoseconds: measure.timeNanoseconds,
              startNanoseconds: start, reason: reason))
        }
      }
    }
    for measure in measures {
      guard let place = places[measure.launch] else { continue }
      switch measure.subject {
      case .duration(.launch): launches[place].durationNanoseconds = measure.durationNanoseconds
      case .foreground: launches[place].foregroundNanoseconds = measure.timeNanoseconds
      case .termination(let cause, _, _): launches[place].end = cause
      default: break
      }
    }
    return launches
  }
}
