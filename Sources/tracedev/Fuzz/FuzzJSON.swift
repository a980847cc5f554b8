// Whether bytes are JSON, by the grammar of RFC 8259 alone: numbers may be larger than a machine's.
// Written beside the product's own reader, as that one may be wrong in the same way as its writer.

/// Checks the grammar of JSON.
struct FuzzJSON {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// As deep as readers of others go.
  private static let depthMax = 512

  private struct Mistake: Error {
    var place: Int
    var text: String
  }

  /// What is wrong with a document; nil if nothing is.
  static func mistake(in bytes: [UInt8]) -> String? {
    guard String(validating: bytes, as: UTF8.self) != nil else { return "this isn't UTF-8" }
    var json = FuzzJSON(bytes: bytes)
    do throws(Mistake) {
      try json.value()
      json.skipSpace()
      guard json.place == bytes.count else { throw json.mistake("something follows") }
      return nil
    } catch {
      let around = bytes[max(0, error.place - 20)..<min(bytes.count, error.place + 20)]
      let text = String(decoding: around, as: UTF8.self)
      return "byte \(error.place): \(error.text), at “\(text)”"
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func mistake(_ text: String) -> Mistake { Mistake(place: place, text: text) }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, [32, 9, 10, 13].contains(byte) { place += 1 }
  }

  private mutating func takes(_ text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    guard bytes[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  private mutating func value() throws(Mistake) {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): try members(isObject: true)
    case UInt8(ascii: "["): try members(isObject: false)
    case UInt8(ascii: "\""): try string()
    default:
      if takes("true") || takes("false") || takes("null") { return }
      try number()
    }
  }

  private mutating func members(isObject: Bool) throws(Mistake) {
    depth += 1
    guard depth <= Self.depthMax else { throw mistake("too deep") }
    defer { depth -= 1 }
    place += 1
    skipSpace()
    if isObject ? takes("}") : takes("]") { return }
    while true {
      if isObject {
        skipSpace()
        try string()
        skipSpace()
        guard takes(":") else { throw mistake("no colon") }
      }
      try value()
      skipSpace()
      if takes(",") { continue }
      guard isObject ? takes("}") : takes("]") else { throw mistake("no end") }
      return
    }
  }

  private mutating func string() throws(Mistake) {
    guard takes("\"") else { throw mistake("no text") }
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): try escape()
      case 0..<32: throw mistake("a control character")
      default: break
      }
    }
    throw mistake("a text without end")
  }

  private mutating func escape() throws(Mistake) {
    guard let byte = next else { throw mistake("an escape without end") }
    place += 1
    guard byte == UInt8(ascii: "u") else {
      if !Array("\"\\/bfnrt".utf8).contains(byte) { throw mistake("an unknown escape") }
      return
    }
    let unit = try unit()
    // Half of a pair means nothing, and readers refuse it.
    if (0xdc00...0xdfff).contains(unit) { throw mistake("the second half of a pair alone") }
    guard (0xd800...0xdbff).contains(unit) else { return }
    guard takes("\\u"), (0xdc00...0xdfff).contains(try self.unit()) else {
      throw mistake("the first half of a pair alone")
    }
  }

  private mutating func unit() throws(Mistake) -> UInt32 {
    let digits = bytes[place..<min(bytes.count, place + 4)]
    let isHexadecimal = digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    guard digits.count == 4, isHexadecimal,
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw mistake("no four digits") }
    place += 4
    return unit
  }

  private mutating func number() throws(Mistake) {
    _ = takes("-")
    if !takes("0") { try digits() }
    if takes(".") { try digits() }
    guard takes("e") || takes("E") else { return }
    if !takes("+") { _ = takes("-") }
    try digits()
  }

  private mutating func digits() throws(Mistake) {
    let start = place
    while let byte = next, (48...57).contains(byte) { place += 1 }
    guard place > start else { throw mistake("no value") }
  }
}
