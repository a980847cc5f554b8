// Arithmetic that ends at the ends of the range, against the same with twice the bits.

import Testing
import TraceModel
import TraceTestSupport

struct SaturatingArithmeticTests {
  private static let extremes: [Int64] = [
    .min, .min + 1, -4_294_967_296, -3, -2, -1, 0, 1, 2, 3, 4_294_967_295, .max - 1, .max,
  ]
  private static let positives: [UInt64] = [
    0, 1, 2, 3, 1 << 32, 1 << 63 - 1, 1 << 63, 1 << 63 + 1, .max - 1, .max,
  ]

  /// The nearest number to one of 128 bits.
  @available(macOS 15, iOS 18, *)
  private func nearest<Number: FixedWidthInteger>(_ value: Int128) -> Number {
    Number(clamping: value)
  }

  @available(macOS 15, iOS 18, *)
  @Test func numbersWithASign() {
    for a in Self.extremes {
      #expect(-a == nearest(-Int128(a)))
      #expect(abs(a) == Int64(clamping: a.magnitude))
      for b in Self.extremes {
        #expect(a + b == nearest(Int128(a) + Int128(b)), "\(a) + \(b)")
        #expect(a - b == nearest(Int128(a) - Int128(b)), "\(a) - \(b)")
        #expect(a * b == nearest(Int128(a) * Int128(b)), "\(a) * \(b)")
        var sum = a
        sum += b
        #expect(sum == a + b)
        sum = a
        sum -= b
        #expect(sum == a - b)
        sum = a
        sum *= b
        #expect(sum == a * b)
        guard b != 0 else { continue }
        #expect(a / b == nearest(Int128(a) / Int128(b)), "\(a) / \(b)")
        #expect(a % b == nearest(Int128(a) % Int128(b)), "\(a) % \(b)")
      }
      #expect(a / 0 == (a < 0 ? .min : a == 0 ? 0 : .max))
      #expect(a % 0 == 0)
    }
    #expect([Int64.max, 1].reduce(0, +) == .max)
    #expect(zip([Int64.min], [1 as Int64]).map(-) == [.min])
  }

  @available(macOS 15, iOS 18, *)
  @Test func numbersWithoutASign() {
    for a in Self.positives {
      for b in Self.positives {
        #expect(a + b == nearest(Int128(a) + Int128(b)), "\(a) + \(b)")
        #expect(a - b == nearest(Int128(a) - Int128(b)), "\(a) - \(b)")
        let (high, low) = a.multipliedFullWidth(by: b)
        #expect(a * b == (high == 0 ? low : .max), "\(a) * \(b)")
        var sum = a
        sum -= b
        #expect(sum == a - b)
        guard b != 0 else { continue }
        #expect(a / b == nearest(Int128(a) / Int128(b)))
        #expect(a % b == nearest(Int128(a) % Int128(b)))
      }
      #expect(a / 0 == (a == 0 ? 0 : .max))
    }
  }

  @Test func conversionsOfIntegers() {
    for number in Self.extremes {
      #expect(UInt64(number) == UInt64(clamping: number))
      #expect(UInt32(number) == UInt32(clamping: number))
      #expect(Int32(number) == Int32(clamping: number))
      #expect(UInt16(number) == UInt16(clamping: number))
      #expect(UInt8(number) == UInt8(clamping: number))
      #expect(Int(number) == number)
    }
    for number in Self.positives {
      #expect(Int64(number) == Int64(clamping: number))
      #expect(Int(number) == Int(clamping: number))
      #expect(UInt32(number) == UInt32(clamping: number))
    }
  }

  @Test func conversionsOfFloatingPoint() {
    let numbers: [Double] = [
      0, -0.0, 0.9, -0.9, 1.5, -1.5, 254.9, 255, 255.1, 256, 4_294_967_295, 4_294_967_296, 0x1p53,
      0x1p62, 0x1p63, -0x1p63, 0x1.fffffffffffffp62, 0x1p64, 1e308, -1e308, .infinity, -.infinity,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    func check<Number: FixedWidthInteger>(_ told: Number, _ number: Double) {
      let whole = number.rounded(.towardZero)
      let expected = Number(exactly: whole) ?? (number < 0 ? .min : .max)
      #expect(told == expected, "\(Number.self)(\(number))")
    }
    for number in numbers {
      check(Int64(number), number)
      check(UInt64(number), number)
      check(Int(number), number)
      check(UInt(number), number)
      check(Int32(number), number)
      check(UInt32(number), number)
      check(UInt16(number), number)
      check(UInt8(number), number)
    }
    #expect(Int64(Double.nan) == 0 && Int(Double.signalingNaN) == 0 && UInt8(-Double.nan) == 0)
    #expect(Int64(Float.infinity) == .max && Int(-Float.infinity) == .min)
  }
}
