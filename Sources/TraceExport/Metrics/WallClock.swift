// Puts times of a trace on the calendar, if the trace says how.

import TraceModel

/// The wall clock of one trace: what its recorder read, and the header's clock between.
struct WallClock {
  /// Before the first iPhone there was no trace; a smaller number is one in another unit.
  static let earliestNanoseconds: Int64 = 1_168_000_000_000_000_000

  private let readings: [TraceMeasures.WallReading]

  /// Why a trace can't be put on the calendar; one sentence without a final dot.
  struct Refusal: Error, Hashable {
    var text: String
  }

  /// - Parameters:
  ///   - latestNanoseconds: Nothing of the trace may be later, in nanoseconds since 1970.
  ///   - lateText: Why a trace is refused whose clock reads a later time.
  init(
    _ readings: [TraceMeasures.WallReading], latestNanoseconds: Int64, lateText: String
  ) throws(Refusal) {
    if readings.isEmpty {
      throw Refusal(
        text: "it has no wall-clock anchor (wall_ns of trace.start or trace.clock_sync)")
    }
    if readings.contains(where: { $0.wallNanoseconds < Self.earliestNanoseconds }) {
      throw Refusal(text: "its wall clock reads a time before 2007: wall_ns is in nanoseconds")
    }
    if readings.contains(where: { $0.wallNanoseconds > latestNanoseconds }) {
      throw Refusal(text: lateText)
    }
    for (before, reading) in zip(readings, readings.dropFirst())
    where reading.timeNanoseconds < before.timeNanoseconds {
      throw Refusal(text: "its clock began anew in it, as after a restart; cut it into parts there")
    }
    self.readings = readings
  }

  /// Nanoseconds since 1970 at a time of the trace: from the last reading before it, or the first.
  func wall(at time: Int64) -> Int64 {
    var low = 0
    var high = readings.count
    while low < high {
      let middle = (low + high) / 2
      if readings[middle].timeNanoseconds <= time { low = middle + 1 } else { high = middle }
    }
    let reading = readings[max(0, low - 1)]
    return reading.wallNanoseconds.plus(time.minus(reading.timeNanoseconds))
  }
}
