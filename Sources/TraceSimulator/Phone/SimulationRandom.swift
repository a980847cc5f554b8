// The only source of chance in a simulation: the same seed gives the same life on every machine.

/// SplitMix64, with the draws that a simulation needs.
package struct SimulationRandom: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of a range, both ends included. Slightly uneven for ranges near 2^64, which no
  /// simulation draws from.
  package mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int64(next() % width)
  }

  /// True once in so many draws on average.
  package mutating func isOne(in count: Int64) -> Bool { number(in: 1...count) == 1 }

  /// A duration whose order of magnitude is drawn first, so that short and long ones both occur.
  package mutating func duration(fromMilliseconds low: Int64, to high: Int64) -> Int64 {
    var top = low
    while top * 2 < high && !isOne(in: 5) { top *= 2 }
    return .milliseconds(number(in: low...min(high, top * 2)))
  }

  package mutating func choice<Element>(of elements: [Element]) -> Element? {
    guard !elements.isEmpty else { return nil }
    return elements[Int(number(in: 0...Int64(elements.count - 1)))]
  }

  /// A source of its own, so that one part of a simulation doesn't change the draws of another.
  package mutating func split() -> SimulationRandom { SimulationRandom(seed: next()) }
}
