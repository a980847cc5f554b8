// Checks that a text from a file is JSON without white space, so that upper layers may print it
// as it stands. This is no parser: nothing is built.

import TraceModel

/// JSON texts as the model holds them.
enum JSONText {
  /// Whether the bytes are one JSON value (RFC 8259) without white space outside strings, nested
  /// at most ``FormatLimits/jsonDepthMax`` deep. O(n), without recursion.
  static func isCompact(_ text: Span<UInt8>) -> Bool {
    var offset = 0
    var scopes = Scopes()
    while true {
      // A value is expected here.
      guard offset < text.count else { return false }
      var isComplete = true
      switch text[offset] {
      case UInt8(ascii: "{"):
        guard scopes.open(isObject: true) else { return false }
        offset += 1
        if offset < text.count, text[offset] == UInt8(ascii: "}") {
          scopes.close()
          offset += 1
        } else {
          guard key(text, &offset) else { return false }
          isComplete = false
        }
      case UInt8(ascii: "["):
        guard scopes.open(isObject: false) else { return false }
        offset += 1
        if offset < text.count, text[offset] == UInt8(ascii: "]") {
          scopes.close()
          offset += 1
        } else {
          isComplete = false
        }
      case UInt8(ascii: "\""):
        guard string(text, &offset) else { return false }
      case UInt8(ascii: "t"):
        guard word("true", text, &offset) else { return false }
      case UInt8(ascii: "f"):
        guard word("false", text, &offset) else { return false }
      case UInt8(ascii: "n"):
        guard word("null", text, &offset) else { return false }
      default:
        guard number(text, &offset) else { return false }
      }
      if !isComplete { continue }
      // A value has ended: leave every scope that ends with it.
      while scopes.depth > 0, offset < text.count, text[offset] != UInt8(ascii: ",") {
        guard text[offset] == (scopes.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          return false
        }
        scopes.close()
        offset += 1
      }
      if scopes.depth == 0 { return offset == text.count }
      guard offset < text.count else { return false }
      offset += 1
      if scopes.isObject {
        guard key(text, &offset) else { return false }
      }
    }
  }

  /// The text as a JSON string, cut to its first 10,000 bytes: six bytes for each still fit the
  /// bound of a text.
  static func quoted(_ text: Span<UInt8>) -> [UInt8] {
    let hexadecimal = Array("0123456789abcdef".utf8)
    var result = [UInt8(ascii: "\"")]
    for place in 0..<TextRepair.cut(text, bytesMax: 10_000) {
      let byte = text[place]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        result.append(UInt8(ascii: "\\"))
        result.append(byte)
      case 0..<0x20:
        result.append(contentsOf: "\\u00".utf8)
        result.append(hexadecimal[Int(byte >> 4)])
        result.append(hexadecimal[Int(byte & 15)])
      default: result.append(byte)
      }
    }
    result.append(UInt8(ascii: "\""))
    return result
  }

  /// Open arrays and objects, one bit each.
  private struct Scopes {
    private(set) var depth = 0
    private var bits: [UInt64] = []

    var isObject: Bool {
      depth > 0 && bits[(depth - 1) / 64] >> UInt64((depth - 1) % 64) & 1 != 0
    }

    mutating func open(isObject: Bool) -> Bool {
      guard depth < FormatLimits.jsonDepthMax else { return false }
      if depth / 64 == bits.count { bits.append(0) }
      let mask: UInt64 = 1 << UInt64(depth % 64)
      if isObject { bits[depth / 64] |= mask } else { bits[depth / 64] &= ~mask }
      depth += 1
      return true
    }

    mutating func close() { depth -= 1 }
  }

  private static func key(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    guard string(text, &offset), offset < text.count, text[offset] == UInt8(ascii: ":") else {
      return false
    }
    offset += 1
    return true
  }

  private static func string(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: "\"") else { return false }
    offset += 1
    while offset < text.count {
      let byte = text[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case 0..<0x20: return false
      case UInt8(ascii: "\\"):
        guard escape(text, &offset) else { return false }
      default: break
      }
    }
    return false
  }

  private static func escape(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    guard offset < text.count else { return false }
    let byte = text[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      guard text.count - offset >= 4 else { return false }
      for place in 0..<4 {
        switch text[offset + place] {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: break
        default: return false
        }
      }
      offset += 4
      return true
    default: return false
    }
  }

  private static func word(_ word: String, _ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    for byte in word.utf8 {
      guard offset < text.count, text[offset] == byte else { return false }
      offset += 1
    }
    return true
  }

  private static func number(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    if offset < text.count, text[offset] == UInt8(ascii: "-") { offset += 1 }
    let first = offset
    let whole = digits(text, &offset)
    guard whole > 0, whole == 1 || text[first] != UInt8(ascii: "0") else { return false }
    if offset < text.count, text[offset] == UInt8(ascii: ".") {
      offset += 1
      guard digits(text, &offset) > 0 else { return false }
    }
    if offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < text.count,
        text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-")
      {
        offset += 1
      }
      guard digits(text, &offset) > 0 else { return false }
    }
    return true
  }

  private static func digits(_ text: Span<UInt8>, _ offset: inout Int) -> Int {
    let start = offset
    while offset < text.count, (0x30...0x39).contains(text[offset]) { offset += 1 }
    return offset - start
  }
}
