// The draws behind the reference workload: a phone app of eight threads, about 150 kinds of events.
// Same seed, same events, so that figures of different days can be compared.

import Foundation

/// One drawn event, before it is named.
struct ReferenceEvent {
  var time: UInt64
  var kind: Int
  var thread: Int
  var phase: ReferencePhase
  var arguments: (UInt32, UInt32, UInt32)
}

enum ReferencePhase {
  case instant, enter, end
}

/// Draws the events of the reference workload, session after session.
struct ReferenceDraws {
  private(set) var events: [ReferenceEvent] = []
  private var state: UInt64
  private var pending: [ReferenceEvent] = []
  private var freeAt = [UInt64](repeating: 0, count: 8)
  private var token: UInt32 = 1_000
  private var frame: UInt32 = 1
  private let textWeights = Self.weights(200, shift: 2)
  private let kindWeights = Self.weights(50, shift: 1)

  init(seed: UInt64) { state = seed }

  private static func weights(_ count: Int, shift: Double) -> [Double] {
    let raw = (0..<count).map { 1 / (Double($0) + shift) }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }

  // Single draws.

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  private mutating func uniform() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

  private mutating func normal() -> Double {
    let a = uniform()
    let b = uniform()
    return (-2 * log(a)).squareRoot() * cos(6.283185307179586 * b)
  }

  private mutating func below(_ count: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: next() % UInt64(count))
  }

  private mutating func chance(_ probability: Double) -> Bool { uniform() < probability }

  private mutating func logNormal(_ median: Double, _ sigma: Double) -> UInt64 {
    UInt64(median * exp(sigma * normal())) + 1
  }

  private mutating func exponential(_ mean: Double) -> UInt64 { UInt64(-mean * log(uniform())) + 1 }

  private mutating func gaussian(_ deviation: Double) -> Int64 {
    Int64((normal() * deviation).rounded(.toNearestOrAwayFromZero))
  }

  private mutating func pick(_ weights: [Double]) -> UInt32 {
    var rest = uniform()
    var place = 0
    while place < weights.count - 1, rest >= weights[place] {
      rest -= weights[place]
      place += 1
    }
    return UInt32(place)
  }

  private mutating func text() -> UInt32 { pick(textWeights) }
  private mutating func status() -> UInt32 { pick([0.90, 0.05, 0.03, 0.02]) }

  // Events and what they come in.

  private mutating func put(
    _ time: UInt64, _ kind: Int, _ thread: Int, _ phase: ReferencePhase,
    _ a: UInt32 = 0, _ b: UInt32 = 0, _ c: UInt32 = 0
  ) {
    pending.append(
      ReferenceEvent(time: time, kind: kind, thread: thread, phase: phase, arguments: (a, b, c)))
  }

  private func beginning(_ time: UInt64, _ thread: Int) -> UInt64 { max(time, freeAt[thread]) }

  private mutating func span(
    _ time: inout UInt64, _ kind: Int, _ thread: Int, _ median: Double,
    _ a: UInt32 = 0, _ b: UInt32 = 0
  ) {
    put(time, kind, thread, .enter, a, b)
    time += logNormal(median, 0.5)
    put(time, kind, thread, .end)
  }

  private mutating func notification(_ time: inout UInt64, _ thread: Int) {
    let kind = 100 + Int(pick(kindWeights))
    time += logNormal(2_500, 0.4)
    span(&time, kind, thread, 6_000, UInt32(7 + kind * 37 % 90))
  }

  private mutating func drawFrame(_ start: UInt64) {
    var time = beginning(start, 0)
    let number = frame
    frame += 1
    put(time, 20, 0, .enter, number)
    time += logNormal(4_000, 0.4)
    put(time, 21, 0, .instant, 3)
    time += logNormal(1_500, 0.35)
    put(time, 22, 0, .instant, 5 + (number & 1))
    time += logNormal(3.1e6, 0.35)
    put(time, 23, 0, .enter, number)
    time += logNormal(180_000, 0.5)
    put(time, 23, 0, .end, 0)
    if chance(0.02) {
      time += logNormal(900, 0.3)
      put(time, 25, 0, .instant, 1_280 + below(3))
    }
    time += logNormal(2_500, 0.4)
    put(time, 20, 0, .end, number)
    if chance(0.5) {
      time += logNormal(9_000, 0.5)
      put(time, 24, 0, .enter)
      time += logNormal(420_000, 0.6)
      put(time, 24, 0, .end)
    }
    freeAt[0] = time + logNormal(1_200, 0.3)
  }

  private mutating func lifecycle(_ time: inout UInt64, _ kind: Int, _ state: UInt32) {
    put(time, kind, 0, .enter, state)
    for _ in 0..<1 + below(3) { notification(&time, 0) }
    if chance(0.3) {
      time += logNormal(5_000, 0.4)
      let number = token
      token += 1
      put(time, 60, 0, .instant, number, below(4))
      block(time + logNormal(30_000, 0.7), number)
    }
    time += logNormal(15_000, 0.5)
    put(time, kind, 0, .end)
    time += logNormal(8_000, 0.5)
  }

  private mutating func block(_ start: UInt64, _ number: UInt32) {
    let thread = 4 + Int(below(3))
    var time = beginning(start, thread)
    put(time, 61, thread, .enter, number)
    if chance(0.55) {
      time += logNormal(1_500, 0.3)
      put(time, 62, thread, .instant, text())
    }
    if chance(0.3) { notification(&time, thread) }
    time += logNormal(80_000, 0.9)
    put(time, 61, thread, .end)
    freeAt[thread] = time + logNormal(2_000, 0.3)
  }

  private mutating func view(_ start: UInt64) {
    var time = beginning(start, 0)
    let label = text()
    for kind in [70, 71, 75, 76, 72] {
      span(&time, kind, 0, kind == 70 ? 900_000 : 60_000, label)
      time += logNormal(4_000, 0.4)
    }
    freeAt[0] = time
  }

  private mutating func request(_ start: UInt64) {
    var time = beginning(start, 0)
    let number = token
    token += 1
    put(time, 40, 0, .instant, number, text())
    freeAt[0] = time + logNormal(3_000, 0.3)
    time += logNormal(9e7, 0.7)
    let thread = 2 + Int(below(2))
    var other = beginning(time, thread)
    put(other, 41, thread, .instant, number, status() != 0 ? 404 : 200)
    let count = 1 + below(6)
    for part in 0..<count {
      other += logNormal(2.5e6, 0.9)
      put(other, 42, thread, .instant, number, part == count - 1 ? below(16_384) : 16_384)
    }
    other += logNormal(120_000, 0.6)
    put(other, 43, thread, .enter, number, status())
    other += logNormal(60_000, 0.6)
    if chance(0.4) { notification(&other, thread) }
    put(other, 43, thread, .end)
    freeAt[thread] = other + logNormal(2_000, 0.3)
  }

  private mutating func timer(_ start: UInt64, _ number: UInt32) {
    var time = beginning(start, 0)
    put(time, 30, 0, .enter, number)
    if chance(0.2) {
      time += logNormal(3_000, 0.4)
      let kind = 77 + Int(below(23))
      let argument = number + below(8)
      span(&time, kind, 0, 20_000, argument, below(4))
    }
    time += logNormal(25_000, 0.7)
    put(time, 30, 0, .end, number)
    freeAt[0] = time + logNormal(1_500, 0.3)
  }

  private mutating func touch(_ start: UInt64) {
    var time = start
    let number = token
    token += 1
    var x = Int64(below(390))
    var y = Int64(below(844))
    var other = beginning(time, 0)
    put(other, 50, 0, .enter, number, UInt32(x), UInt32(y))
    other += logNormal(30_000, 0.5)
    put(other, 50, 0, .end)
    freeAt[0] = other
    for _ in 0..<below(60) {
      time = UInt64(Int64(time) + 8_333_333 + gaussian(60_000))
      x = max(0, x + Int64(below(9)) - 4)
      y = max(0, y + Int64(below(17)) - 8)
      other = beginning(time, 0)
      put(other, 51, 0, .enter, number, UInt32(x), UInt32(y))
      other += logNormal(18_000, 0.5)
      put(other, 51, 0, .end)
      freeAt[0] = other
    }
    time = UInt64(Int64(time) + 8_333_333 + gaussian(60_000))
    other = beginning(time, 0)
    put(other, 52, 0, .enter, number, UInt32(x), UInt32(y))
    other += logNormal(26_000, 0.5)
    put(other, 52, 0, .end)
    if chance(0.5) {
      other += logNormal(5_000, 0.4)
      span(&other, 53, 0, 90_000, below(5), number)
    }
    freeAt[0] = other + logNormal(1_000, 0.3)
  }

  private mutating func task(_ time: inout UInt64, median: Double) {
    let number = token
    token += 1
    put(time, 10, 7, .instant, number, text())
    time += logNormal(median, 0.8)
    put(time, 11, 7, .instant, number)
  }
}

extension ReferenceDraws {
  /// Something that begins at a time of its own.
  private struct Item {
    var time: UInt64
    var what: Int
    var number: UInt32 = 0
  }

  /// Draws at least so many events, and keeps as many.
  mutating func run(count: Int) {
    var time: UInt64 = 5_000_000_000
    var isCold = true
    while events.count < count {
      time = session(time, isCold: isCold)
      isCold = chance(0.2)
    }
    events.removeLast(events.count - count)
  }

  private mutating func items(_ start: UInt64, _ end: UInt64) -> [Item] {
    var items: [Item] = []
    var isAnimated = true
    var time = start
    while time < end {
      let length = logNormal(4e9, 0.7)
      if isAnimated {
        for frame in stride(from: time, to: min(end, time + length), by: 16_666_667) {
          items.append(Item(time: frame, what: 0))
        }
      }
      time += length
      isAnimated = chance(0.55)
    }
    let periods: [UInt64] = [
      1_000_000_000, 500_000_000, 250_000_000, 100_000_000, 5_000_000_000, 333_000_000,
    ]
    for (number, period) in periods.enumerated() {
      for fire in stride(from: start + period, to: end, by: UInt64.Stride(period)) {
        items.append(Item(time: fire, what: 1, number: UInt32(40 + number)))
      }
    }
    // Requests, touches, blocks, views, tasks.
    for (what, mean) in [(2, 4e8), (3, 1.6e9), (4, 4e7), (5, 3e9), (6, 9e9)] {
      var time = start + exponential(mean)
      while time < end {
        items.append(Item(time: time, what: what))
        time += exponential(mean)
      }
    }
    // Stable: equal times keep their order.
    return items.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  private mutating func session(_ start: UInt64, isCold: Bool) -> UInt64 {
    for thread in freeAt.indices { freeAt[thread] = start }
    var time = start
    if isCold {
      lifecycle(&time, 0, 0)
      lifecycle(&time, 8, 1)
      lifecycle(&time, 1, 0)
    } else {
      lifecycle(&time, 5, 1)
    }
    lifecycle(&time, 3, 2)
    freeAt[0] = time
    let end = time + min(logNormal(60e9, 0.8), 400_000_000_000)
    for item in items(time, end) { begin(item) }
    var last = max(end, freeAt[0])
    lifecycle(&last, 2, 2)
    last += logNormal(5e8, 0.3)
    lifecycle(&last, 4, 3)
    for _ in 0..<below(3) { task(&last, median: 2e9) }
    for free in freeAt { last = max(last, free) }
    let sorted = pending.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    for event in sorted {
      last = max(last, event.element.time)
      events.append(event.element)
    }
    pending.removeAll(keepingCapacity: true)
    return last + logNormal(3e11, 1.5)
  }

  private mutating func begin(_ item: Item) {
    switch item.what {
    case 0: drawFrame(item.time + UInt64(abs(gaussian(150_000))))
    case 1: timer(item.time + logNormal(60_000, 0.6), item.number)
    case 2: request(item.time)
    case 3: touch(item.time)
    case 4:
      let time = beginning(item.time, 0)
      let number = token
      token += 1
      put(time, 60, 0, .instant, number, below(4))
      freeAt[0] = time + logNormal(1_500, 0.3)
      block(time + logNormal(25_000, 0.6), number)
    case 5: view(item.time)
    default:
      var time = beginning(item.time, 7)
      task(&time, median: 7e8)
      freeAt[7] = time
    }
  }
}
