// How the ticks of a block become nanoseconds.

import TraceModel

/// Nanoseconds of one tick, as a fraction: 1/1 for nanoseconds, 125/3 for a 24 MHz clock.
public struct TickRate: Hashable, Sendable {
  /// From 1 to ``FormatLimits/tickRateMax``.
  public let numerator: UInt64
  /// From 1 to ``FormatLimits/tickRateMax``.
  public let denominator: UInt64

  public static let nanoseconds = TickRate(1, 1)

  private init(_ numerator: UInt64, _ denominator: UInt64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Nil if a part is zero or too large.
  public init?(numerator: UInt64, denominator: UInt64) {
    let allowed = 1...FormatLimits.tickRateMax
    guard allowed.contains(numerator), allowed.contains(denominator) else { return nil }
    self.init(numerator, denominator)
  }

  /// The time of a tick, rounded down, with a 128-bit product in between. Times beyond the range
  /// of 64 bits become its ends, so that order is kept.
  public func nanoseconds(_ ticks: Int64) -> Int64 {
    if numerator == denominator { return ticks }
    let product = ticks.magnitude.multipliedFullWidth(by: numerator)
    guard product.high < denominator else { return ticks < 0 ? .min : .max }
    let (quotient, remainder) = denominator.dividingFullWidth(product)
    if ticks >= 0 { return Int64(exactly: quotient) ?? .max }
    let (magnitude, overflow) = quotient.addingReportingOverflow(remainder == 0 ? 0 : 1)
    if overflow || magnitude > Int64.min.magnitude { return .min }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }
}

extension TickRate {
  /// Rates that clocks and logs have, the coarsest first: milliseconds, microseconds, and the
  /// 24 MHz of the clock of phones.
  private static let usual = [
    TickRate(1_000_000, 1), TickRate(1_000, 1), TickRate(125, 3),
  ]

  /// The coarsest usual rate that gives every one of these times back exactly, and the times in
  /// its ticks.
  static func best(for nanoseconds: Span<Int64>, into ticks: inout [Int64]) -> TickRate {
    for rate in usual where rate.convert(nanoseconds, into: &ticks) { return rate }
    ticks.removeAll(keepingCapacity: true)
    for index in nanoseconds.indices { ticks.append(nanoseconds[index]) }
    return .nanoseconds
  }

  /// Whether all times are exact in ticks; stops at the first that isn't.
  private func convert(_ nanoseconds: Span<Int64>, into ticks: inout [Int64]) -> Bool {
    ticks.removeAll(keepingCapacity: true)
    let numerator = Int64(self.numerator)
    let denominator = Int64(self.denominator)
    for index in nanoseconds.indices {
      let time = nanoseconds[index]
      let (product, overflow) = time.multipliedReportingOverflow(by: denominator)
      if overflow { return false }
      // The tick at or after the time: of those that round down to it, if there is one.
      var tick = product / numerator
      if product > tick * numerator { tick += 1 }
      guard self.nanoseconds(tick) == time else { return false }
      ticks.append(tick)
    }
    return true
  }
}
