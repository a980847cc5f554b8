// The last time of each thread, and the sequence numbers of threads.
// This file must not know what order is made of them.

import TraceModel

/// The last time of every thread.
struct ThreadClocks: Sendable {
  /// Threads remembered over the whole trace. Far more than live at once; beyond it all are
  /// forgotten, which at worst lets a clock step pass for lateness.
  static let threadsMax = 65_536

  private var places: [Int64: Int] = [:]
  private var times: [Int64] = []

  init() {}

  /// Finds the place of each thread of a batch. The places are good until the next call.
  mutating func resolve(_ threads: [ThreadEntry], into found: inout [Int]) {
    if times.count > Self.threadsMax {
      places.removeAll()
      times.removeAll()
    }
    found.removeAll(keepingCapacity: true)
    for thread in threads {
      if let place = places[thread.id] {
        found.append(place)
      } else {
        places[thread.id] = times.count
        found.append(times.count)
        times.append(.min)
      }
    }
  }

  func last(_ place: Int) -> Int64? { times[place] == .min ? nil : times[place] }

  mutating func set(_ place: Int, _ time: Int64) { times[place] = time }

  mutating func forgetTimes() {
    for place in times.indices { times[place] = .min }
  }
}
