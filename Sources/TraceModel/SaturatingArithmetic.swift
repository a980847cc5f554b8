// Arithmetic that doesn't trap: in this package sums, differences, products and quotients of 64-bit
// numbers, and conversions to integers, end at the nearest number that the type has.
//
// Times, counts and arguments come from files and may be anything, and so may whatever is
// calculated from them. The standard library's operators end the program where a result doesn't
// fit. These take their place by type in every file that imports this module, so that nobody has
// to think of it where a time is added; `TidyTests` sees to it that every file on the way of input
// imports it. Where a result that doesn't fit must be noticed, `addingReportingOverflow` and
// `init(exactly:)` tell; where it wraps around, `&+` says so. Places and counts in memory are of
// the type `Int`, whose arithmetic is the standard library's: a place beyond its array must trap.

extension Int64 {
  @inlinable
  package static func + (a: Int64, b: Int64) -> Int64 {
    let (result, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .min : .max) : result
  }

  @inlinable
  package static func - (a: Int64, b: Int64) -> Int64 {
    let (result, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (b < 0 ? .max : .min) : result
  }

  @inlinable
  package static func * (a: Int64, b: Int64) -> Int64 {
    let (result, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? .max : .min) : result
  }

  /// Division by zero ends at the end of the range, and 0 / 0 is 0.
  @inlinable
  package static func / (a: Int64, b: Int64) -> Int64 {
    let (result, overflow) = a.dividedReportingOverflow(by: b)
    if !overflow { return result }
    return b == 0 ? (a < 0 ? .min : a == 0 ? 0 : .max) : .max
  }

  /// The rest of a division by zero is 0.
  @inlinable
  package static func % (a: Int64, b: Int64) -> Int64 {
    let (result, overflow) = a.remainderReportingOverflow(dividingBy: b)
    return overflow ? 0 : result
  }

  @inlinable package static func += (a: inout Int64, b: Int64) { a = a + b }
  @inlinable package static func -= (a: inout Int64, b: Int64) { a = a - b }
  @inlinable package static func *= (a: inout Int64, b: Int64) { a = a * b }

  @inlinable package static prefix func - (a: Int64) -> Int64 { a == .min ? .max : 0 &- a }
}

extension UInt64 {
  @inlinable
  package static func + (a: UInt64, b: UInt64) -> UInt64 {
    let (result, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : result
  }

  @inlinable
  package static func - (a: UInt64, b: UInt64) -> UInt64 {
    let (result, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? .min : result
  }

  @inlinable
  package static func * (a: UInt64, b: UInt64) -> UInt64 {
    let (result, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? .max : result
  }

  /// Division by zero ends at the end of the range, and 0 / 0 is 0.
  @inlinable
  package static func / (a: UInt64, b: UInt64) -> UInt64 {
    let (result, overflow) = a.dividedReportingOverflow(by: b)
    if !overflow { return result }
    return b == 0 ? (a == 0 ? 0 : .max) : .max
  }

  /// The rest of a division by zero is 0.
  @inlinable
  package static func % (a: UInt64, b: UInt64) -> UInt64 {
    let (result, overflow) = a.remainderReportingOverflow(dividingBy: b)
    return overflow ? 0 : result
  }

  @inlinable package static func += (a: inout UInt64, b: UInt64) { a = a + b }
  @inlinable package static func -= (a: inout UInt64, b: UInt64) { a = a - b }
  @inlinable package static func *= (a: inout UInt64, b: UInt64) { a = a * b }
}

/// The distance from 0; that of the least number is the greatest.
@inlinable
package func abs(_ number: Int64) -> Int64 { number < 0 ? -number : number }

// MARK: Conversions

extension Int64 {
  @inlinable package init(_ number: Double) { self = truncated(number) }
  @inlinable package init(_ number: Float) { self = truncated(Double(number)) }
  @inlinable package init(_ number: UInt64) { self.init(clamping: number) }
}

extension UInt64 {
  @inlinable package init(_ number: Double) { self = truncated(number) }
  @inlinable package init(_ number: Float) { self = truncated(Double(number)) }
  @inlinable package init(_ number: Int64) { self.init(clamping: number) }
}

extension Int {
  @inlinable package init(_ number: Double) { self = truncated(number) }
  @inlinable package init(_ number: Float) { self = truncated(Double(number)) }
  @inlinable package init(_ number: UInt64) { self.init(clamping: number) }
}

extension UInt {
  @inlinable package init(_ number: Double) { self = truncated(number) }
}

extension Int32 {
  @inlinable package init(_ number: Double) { self = truncated(number) }
  @inlinable package init(_ number: Int64) { self.init(clamping: number) }
  @inlinable package init(_ number: UInt64) { self.init(clamping: number) }
}

extension UInt32 {
  @inlinable package init(_ number: Double) { self = truncated(number) }
  @inlinable package init(_ number: Int64) { self.init(clamping: number) }
  @inlinable package init(_ number: UInt64) { self.init(clamping: number) }
}

extension UInt16 {
  @inlinable package init(_ number: Double) { self = truncated(number) }
  @inlinable package init(_ number: Int64) { self.init(clamping: number) }
}

extension UInt8 {
  @inlinable package init(_ number: Double) { self = truncated(number) }
  @inlinable package init(_ number: Int64) { self.init(clamping: number) }
}

/// The number without its fraction, or the nearest end of the range; 0 for NaN.
@inlinable
package func truncated<Number: FixedWidthInteger>(_ number: Double) -> Number {
  if number.isNaN { return 0 }
  // Rounded up, these are beyond the range themselves.
  if number >= Double(Number.max) { return .max }
  if number <= Double(Number.min) { return .min }
  return Number(number)
}
