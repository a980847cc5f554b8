// How the ticks of a block become nanoseconds.

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
