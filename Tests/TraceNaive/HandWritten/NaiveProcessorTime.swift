// LC207, the plain way: at each sample all those that the window holds are added up anew.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// A sample of processor time, on the clock of run time since the entry.
  private struct Sample {
    var start: Int64
    var end: Int64
    var used: Int64
    var isOfThread: Bool

    /// The part from a time on, if the load was even.
    func used(from time: Int64) -> Int64 {
      if start >= time { return used }
      let inside = end - max(start, time)
      return inside <= 0 ? 0 : Int64(Int128(used) * Int128(inside) / Int128(end - start))
    }
  }

  /// Stays in the background with a window of too much processor time.
  func sustainedProcessorTime() -> [NaiveHit] {
    launches.flatMap { launch in stays(launch).flatMap { joined(busyWindows($0)) } }
  }

  private func busyWindows(_ stay: Range<Int>) -> [NaiveHit] {
    let entry = events[stay.lowerBound].runTime
    let window = parameter("window")
    var hits: [NaiveHit] = []
    var samples: [Sample] = []
    // A window begins at the entry at the earliest, or where the last report ended.
    var earliest: Int64 = 0
    for place in stay {
      guard let sample = sample(place, since: entry), sample.start >= earliest else { continue }
      samples.append(sample)
      let start = sample.end - window
      // Samples of the process and of its threads tell of the same time.
      let used = samples.filter { $0.isOfThread == sample.isOfThread }.reduce(Int64(0)) {
        $0.plus($1.used(from: start))
      }
      guard start >= earliest, Int128(used) * 100 > Int128(parameter("share")) * Int128(window)
      else { continue }
      hits.append(
        NaiveHit(offender: stay.lowerBound, time: events[place].time, moment: place))
      earliest = sample.end
      samples = []
    }
    return hits
  }

  private func sample(_ place: Int, since entry: Int64) -> Sample? {
    let event = events[place]
    guard event.kind == .procCpu, event.stateAfter == .background,
      let used = event.arguments["cpu_ns"]?.int64, used >= 0,
      let length = event.arguments["window_ns"]?.int64, length > 0
    else { return nil }
    let end = event.runTime.minus(entry)
    let isOfThread = event.arguments["thread"] != nil
    return Sample(
      start: end.minus(length), end: end, used: isOfThread ? min(used, length) : used,
      isOfThread: isOfThread)
  }

  /// Launches that the system throttles in the background.
  func throttling() -> [NaiveHit] {
    launches.flatMap { launch in
      let throttled = launch.places.filter { events[$0].kind == .sysThrottle }
      if throttled.contains(where: { events[$0].stateAfter == .unknown }) { isUnknown = true }
      return joined(
        throttled.filter { events[$0].stateAfter == .background }.map {
          NaiveHit(offender: $0, time: events[$0].time, moment: $0)
        })
    }
  }
}
