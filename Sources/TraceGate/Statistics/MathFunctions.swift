// The one function that the statistics take from the C library.

import TraceModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum MathFunctions {
  /// The chance that a standard normal number is greater than this one.
  static func upperTail(_ z: Double) -> Double { 0.5 * erfc(z / 2.0.squareRoot()) }
}
