// The pull parser and the writer of JSON, from the outside.

import Testing
import TraceNotation
import TraceTestSupport

@Suite struct JSONTests {
  /// A text without white space and with our escapes.
  static func canonical(_ text: String) throws -> String {
    let bytes = Array(text.utf8)
    var copy: [UInt8] = []
    var parser = JSONPullParser()
    try parser.copyValue(in: bytes.span, to: &copy)
    try parser.end(in: bytes.span)
    return String(decoding: copy, as: UTF8.self)
  }

  static func number(_ text: String) throws -> JSONNumber.Value {
    let bytes = Array(text.utf8)
    var parser = JSONPullParser()
    let number = try parser.number(in: bytes.span)
    try parser.end(in: bytes.span)
    return number.value
  }

  @Test func copiesInTheShortestForm() throws {
    let text =
      " { \"a\" : [ 1 , -2.50E+3 , \"\\u0041\\/\\n\\u007f\u{2028}é\" , { } , [ ] ] ,\n\"b\" : null } "
    #expect(
      try Self.canonical(text)
        == #"{"a":[1,-2.50E+3,"A/\n\u007f\u2028é",{},[]],"b":null}"#)
  }

  @Test(arguments: ["[]", "{\"b\":\"]\\\"}\"}", "\"x\"", "-1.5", "null", "[1}", "[\u{1}]"])
  func valuesArePassedOver(_ value: String) throws {
    let deep =
      String(repeating: "[{\"a\":", count: 5000) + "1" + String(repeating: "}]", count: 5000)
    let bytes = Array("{\"a\": \(value) ,\"d\":\(deep),\"z\":7}".utf8)
    var parser = JSONPullParser()
    try parser.beginObject(in: bytes.span)
    for name in ["a", "d"] {
      #expect(try parser.nextKey(in: bytes.span)?.string(in: bytes.span) == name)
      try parser.passValue(in: bytes.span)
    }
    #expect(try parser.nextKey(in: bytes.span)?.string(in: bytes.span) == "z")
    #expect(try parser.number(in: bytes.span).value == .integer(7))
    #expect(try parser.nextKey(in: bytes.span) == nil)
    try parser.end(in: bytes.span)
  }

  @Test(arguments: ["[", "{\"a", "{\"a\\", "[\"x\"", "\"x", ""])
  func cutValuesAreNotPassedOver(_ value: String) {
    let bytes = Array(value.utf8)
    var parser = JSONPullParser()
    #expect(throws: JSONError.self) { try parser.passValue(in: bytes.span) }
    #expect(parser.position <= bytes.count)
  }

  @Test func tokensComeOneByOne() throws {
    let bytes = Array(#"{"a":[true,"x"],"b":{}}"#.utf8)
    var parser = JSONPullParser()
    var names: [String] = []
    while true {
      switch try parser.next(in: bytes.span) {
      case .beginObject: names.append("{")
      case .endObject: names.append("}")
      case .beginArray: names.append("[")
      case .endArray: names.append("]")
      case .key(let key): names.append(key.string(in: bytes.span) + ":")
      case .string(let text): names.append(text.string(in: bytes.span))
      case .number(let number): names.append("\(number.value)")
      case .boolean(let value): names.append("\(value)")
      case .null: names.append("null")
      case .end:
        #expect(names == ["{", "a:", "[", "true", "x", "]", "b:", "{", "}", "}"])
        return
      }
    }
  }

  @Test func elementsAndSkippedValues() throws {
    let bytes = Array(#"[1,{"a":[2]},"x",4] "#.utf8)
    var parser = JSONPullParser()
    try parser.beginArray(in: bytes.span)
    var count = 0
    while try parser.nextElement(in: bytes.span) {
      try parser.skipValue(in: bytes.span)
      count += 1
    }
    try parser.end(in: bytes.span)
    #expect(count == 4)
  }

  @Test func numbersAreClassified() throws {
    #expect(try Self.number("0") == .integer(0))
    #expect(try Self.number("-9223372036854775808") == .integer(.min))
    #expect(try Self.number("9223372036854775807") == .integer(.max))
    #expect(try Self.number("9223372036854775808") == .unsigned(1 << 63))
    #expect(try Self.number("18446744073709551615") == .unsigned(.max))
    #expect(try Self.number("18446744073709551616") == .other)
    #expect(try Self.number("-9223372036854775809") == .other)
    #expect(try Self.number("-0") == .double(-0.0))
    #expect(try Self.number("1e2") == .double(100))
    #expect(try Self.number("1.7976931348623157e308") == .double(.greatestFiniteMagnitude))
    #expect(try Self.number("5e-324") == .double(.leastNonzeroMagnitude))
    #expect(try Self.number("1e309") == .other)
    #expect(try Self.number("1e-400") == .other)
    #expect(try Self.number("0e99999999999999999999") == .double(0))
    #expect(try Self.number("0." + String(repeating: "0", count: 200) + "1") == .other)
  }

  @Test func doublesAreWrittenShortestAndReadBack() throws {
    func text(_ value: Double) -> String {
      var bytes: [UInt8] = []
      JSONText.append(value, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(text(1) == "1.0")
    #expect(text(1e22) == "1e+22")
    #expect(text(-0.0) == "-0.0")
    #expect(text(.infinity) == "null")
    #expect(text(.nan) == "null")
    var random = SeededGenerator(seed: 11)
    for round in 0..<5_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(try Self.number(text(value)) == .double(value), "round \(round)")
    }
    for round in 0..<5_000 {
      let value = Double(random.next() % 1_000_000) / 1_000
      #expect(try Self.number(text(value)) == .double(value), "round \(round)")
    }
  }

  @Test func integersAreWritten() {
    var bytes: [UInt8] = []
    for value in [Int64.min, -1, 0, 9, 10, .max] {
      JSONText.append(value, to: &bytes)
      bytes.append(0x20)
    }
    JSONText.append(UInt64.max, to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "-9223372036854775808 -1 0 9 10 9223372036854775807 18446744073709551615")
  }

  @Test func illFormedBytesAreRepairedWhenWritten() {
    var bytes: [UInt8] = []
    let text: [UInt8] = [0x61, 0xFF, 0xE2, 0x80, 0x22, 0xC2, 0x85, 0xF0, 0x9F, 0x99, 0x82]
    JSONText.append(string: text.span, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "\"a\u{FFFD}\u{FFFD}\u{FFFD}\\\"\\u0085🙂\"")
  }

  @Test func depthIsBounded() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try Self.canonical(nested(64)) == nested(64))
    #expect(throws: JSONError.self) { try Self.canonical(nested(65)) }
    #expect(throws: JSONError.self) { try Self.canonical(nested(100_000)) }
  }

  /// Every text that is cut or has one byte changed is read or refused, and what is read is
  /// canonical after one copy.
  @Test(arguments: 0..<8 as Range<UInt64>) func nothingTraps(seed: UInt64) throws {
    let text = #"{"a":[true,false,null,-1.5e-3,"\u00e9\ud83d\ude00\"é🙂"],"b":{"c":[],"d":{}}}"#
    var random = SeededGenerator(seed: seed)
    for round in 0..<800 {
      var bytes = Array(text.utf8)
      for _ in 0...random.next() % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if round % 2 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      var copy: [UInt8] = []
      var parser = JSONPullParser()
      guard (try? parser.copyValue(in: bytes.span, to: &copy)) != nil else { continue }
      var again: [UInt8] = []
      var second = JSONPullParser()
      try second.copyValue(in: copy.span, to: &again)
      #expect(again == copy, "seed \(seed), round \(round)")
    }
  }
}
