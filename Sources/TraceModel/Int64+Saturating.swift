// Sums and differences of times that can't overflow. This file must not know what times are for.

extension Int64 {
  /// Times come from files: a difference of two may not fit, and is then the largest there is.
  package func minus(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < other ? .min : .max) : difference
  }

  package func plus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
