// Base64, so that columns of numbers can stand in a page without meaning anything to its parser.

enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends bytes in base64 with padding.
  static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index + 3 <= bytes.count {
      let bits =
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
        | UInt32(bytes[index + 2])
      append(bits, letterCount: 4, to: &output)
      index += 3
    }
    let rest = bytes.count - index
    if rest == 0 { return }
    var bits = UInt32(bytes[index]) << 16
    if rest == 2 { bits |= UInt32(bytes[index + 1]) << 8 }
    append(bits, letterCount: rest + 1, to: &output)
    for _ in rest..<3 { output.append(UInt8(ascii: "=")) }
  }

  private static func append(_ bits: UInt32, letterCount: Int, to output: inout [UInt8]) {
    for place in 0..<letterCount {
      output.append(letters[Int(bits >> UInt32(18 - 6 * place) & 63)])
    }
  }
}
