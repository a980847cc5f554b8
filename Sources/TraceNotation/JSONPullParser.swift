// The one reader of JSON: a pull parser over bytes in memory that allocates nothing by itself.
// This file must not know what any text means.

import TraceModel

/// A piece of a JSON text.
public enum JSONToken: Sendable {
  case beginObject, endObject, beginArray, endArray
  /// The key of the value that follows.
  case key(JSONString)
  case string(JSONString)
  case number(JSONNumber)
  case boolean(Bool)
  case null
  /// The value is complete and nothing follows it.
  case end
}

/// Reads one JSON value piece by piece.
///
/// The parser holds a position and the kinds of the open containers, no text: every call is given
/// the text again, which must not change in between. After an error the parser is of no use.
/// Repeated keys are handed out as they come.
///
///     var parser = JSONPullParser()
///     try parser.beginObject(in: text)
///     while let key = try parser.nextKey(in: text) {
///       if key.equals("name", in: text) { … } else { try parser.skipValue(in: text) }
///     }
///     try parser.end(in: text)
public struct JSONPullParser: Sendable {
  /// Containers inside each other: no capture format needs ten, and one bit each fits a word.
  public static let depthMax = 64

  /// The next byte to be read.
  public internal(set) var position: Int
  /// The number of open containers.
  public private(set) var depth = 0
  /// The longest string taken, in bytes without escapes.
  public let stringBytesMax: Int
  /// The greatest number of open containers.
  public let depthMax: Int

  /// One bit for each open container, the innermost lowest: 1 for an object.
  private var containers: UInt64 = 0
  private var state = State.value

  private enum State: UInt8 {
    case value, firstElement, firstKey, afterValue
  }

  /// A parser of the value that begins at a position. No more than ``depthMax`` containers are
  /// taken, whatever is asked for.
  public init(
    at position: Int = 0, stringBytesMax: Int = 1 << 20, depthMax: Int = JSONPullParser.depthMax
  ) {
    self.position = position
    self.stringBytesMax = stringBytesMax
    self.depthMax = min(depthMax, Self.depthMax)
  }

  /// The next piece of the text.
  public mutating func next(in text: Span<UInt8>) throws(JSONError) -> JSONToken {
    skipSpace(in: text)
    switch state {
    case .value: return try value(in: text, expecting: .value)
    case .firstElement:
      if byte(in: text) == UInt8(ascii: "]") { return close(.endArray) }
      return try value(in: text, expecting: .valueOrBracket)
    case .firstKey:
      if byte(in: text) == UInt8(ascii: "}") { return close(.endObject) }
      return .key(try key(in: text, expecting: .keyOrBrace))
    case .afterValue: return try afterValue(in: text)
    }
  }

  /// Reads the `{` of an object.
  @inline(__always)
  public mutating func beginObject(in text: Span<UInt8>) throws(JSONError) {
    try beginContainer(UInt8(ascii: "{"), .object, in: text)
  }

  /// Reads the `[` of an array.
  public mutating func beginArray(in text: Span<UInt8>) throws(JSONError) {
    try beginContainer(UInt8(ascii: "["), .array, in: text)
  }

  /// The next key of the object that is open; nil once its `}` has been read.
  @inline(__always)
  public mutating func nextKey(in text: Span<UInt8>) throws(JSONError) -> JSONString? {
    skipSpace(in: text)
    if state == .firstKey {
      if byte(in: text) == UInt8(ascii: "}") {
        _ = close(.endObject)
        return nil
      }
      return try key(in: text, expecting: .keyOrBrace)
    }
    guard state == .afterValue, depth > 0, containers & 1 == 1 else {
      throw JSONError(.unexpected(.object), at: position, in: text)
    }
    switch byte(in: text) {
    case UInt8(ascii: ","):
      position += 1
      skipSpace(in: text)
      return try key(in: text, expecting: .key)
    case UInt8(ascii: "}"):
      _ = close(.endObject)
      return nil
    default: throw JSONError(.unexpected(.commaOrBrace), at: position, in: text)
    }
  }

  /// Whether the array that is open has another element; if not, its `]` has been read.
  public mutating func nextElement(in text: Span<UInt8>) throws(JSONError) -> Bool {
    skipSpace(in: text)
    if state == .firstElement {
      if byte(in: text) == UInt8(ascii: "]") {
        _ = close(.endArray)
        return false
      }
      state = .value
      return true
    }
    guard state == .afterValue, depth > 0, containers & 1 == 0 else {
      throw JSONError(.unexpected(.array), at: position, in: text)
    }
    switch byte(in: text) {
    case UInt8(ascii: ","):
      position += 1
      state = .value
      return true
    case UInt8(ascii: "]"):
      _ = close(.endArray)
      return false
    default: throw JSONError(.unexpected(.commaOrBracket), at: position, in: text)
    }
  }

  /// Reads a value that must be a string.
  @inline(__always)
  public mutating func string(in text: Span<UInt8>) throws(JSONError) -> JSONString {
    skipSpace(in: text)
    guard state == .value, byte(in: text) == UInt8(ascii: "\"") else {
      throw JSONError(.unexpected(.string), at: position, in: text)
    }
    state = .afterValue
    return try scanString(in: text)
  }

  /// Reads a value that must be a number.
  @inline(__always)
  public mutating func number(in text: Span<UInt8>) throws(JSONError) -> JSONNumber {
    skipSpace(in: text)
    guard state == .value, let first = byte(in: text),
      first == UInt8(ascii: "-") || (first >= 0x30 && first <= 0x39)
    else { throw JSONError(.unexpected(.number), at: position, in: text) }
    state = .afterValue
    return try scanNumber(in: text)
  }

  /// The first byte of the value that comes next, which tells its type; nil at the end.
  public mutating func peek(in text: Span<UInt8>) -> UInt8? {
    skipSpace(in: text)
    return byte(in: text)
  }

  /// Checks that the value is complete and that nothing but white space follows it.
  @inline(__always)
  public mutating func end(in text: Span<UInt8>) throws(JSONError) {
    skipSpace(in: text)
    guard depth == 0, state == .afterValue, position == text.count else {
      throw JSONError(.unexpected(depth == 0 ? .end : .commaOrBrace), at: position, in: text)
    }
  }

  /// Passes over the next value however deep it is, and checks of it only that its brackets are
  /// as many as they must be: for trees that a reader has no use for.
  public mutating func passValue(in text: Span<UInt8>) throws(JSONError) {
    skipSpace(in: text)
    guard state == .value, let first = byte(in: text),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return try skipValue(in: text) }
    var open = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      case UInt8(ascii: "\""): try passString(in: text)
      default: break
      }
      if open == 0 {
        state = .afterValue
        return
      }
    }
    throw JSONError(.unexpected(.value), at: position, in: text)
  }

  /// Moves behind the string whose opening quote was read.
  private mutating func passString(in text: Span<UInt8>) throws(JSONError) {
    while position < text.count {
      let byte = text[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    position = text.count
    throw JSONError(.unexpected(.closingQuote), at: position, in: text)
  }

  @inline(__always)
  mutating func skipSpace(in text: Span<UInt8>) {
    while position < text.count {
      let byte = text[position]
      if byte > 0x20 { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  @inline(__always)
  func byte(in text: Span<UInt8>) -> UInt8? {
    position < text.count ? text[position] : nil
  }

  private mutating func afterValue(in text: Span<UInt8>) throws(JSONError) -> JSONToken {
    guard depth > 0 else {
      if position == text.count { return .end }
      throw JSONError(.unexpected(.end), at: position, in: text)
    }
    let isObject = containers & 1 == 1
    switch byte(in: text) {
    case UInt8(ascii: ","):
      position += 1
      skipSpace(in: text)
      if isObject { return .key(try key(in: text, expecting: .key)) }
      return try value(in: text, expecting: .value)
    case UInt8(ascii: "}") where isObject: return close(.endObject)
    case UInt8(ascii: "]") where !isObject: return close(.endArray)
    default:
      throw JSONError(
        .unexpected(isObject ? .commaOrBrace : .commaOrBracket), at: position, in: text)
    }
  }

  @inline(__always)
  private mutating func key(
    in text: Span<UInt8>, expecting expectation: JSONError.Expectation
  ) throws(JSONError) -> JSONString {
    guard byte(in: text) == UInt8(ascii: "\"") else {
      throw JSONError(.unexpected(expectation), at: position, in: text)
    }
    let key = try scanString(in: text)
    skipSpace(in: text)
    guard byte(in: text) == UInt8(ascii: ":") else {
      throw JSONError(.unexpected(.colon), at: position, in: text)
    }
    position += 1
    state = .value
    return key
  }

  private mutating func value(
    in text: Span<UInt8>, expecting expectation: JSONError.Expectation
  ) throws(JSONError) -> JSONToken {
    guard let first = byte(in: text) else {
      throw JSONError(.unexpected(expectation), at: position, in: text)
    }
    state = .afterValue
    switch first {
    case UInt8(ascii: "\""): return .string(try scanString(in: text))
    case UInt8(ascii: "-"), 0x30...0x39: return .number(try scanNumber(in: text))
    case UInt8(ascii: "{"):
      try open(isObject: true, in: text)
      return .beginObject
    case UInt8(ascii: "["):
      try open(isObject: false, in: text)
      return .beginArray
    case UInt8(ascii: "t"):
      try literal("true", in: text)
      return .boolean(true)
    case UInt8(ascii: "f"):
      try literal("false", in: text)
      return .boolean(false)
    case UInt8(ascii: "n"):
      try literal("null", in: text)
      return .null
    default: throw JSONError(.unexpected(expectation), at: position, in: text)
    }
  }

  private mutating func literal(_ word: String, in text: Span<UInt8>) throws(JSONError) {
    for expected in word.utf8 {
      guard byte(in: text) == expected else {
        throw JSONError(.unexpected(.literal), at: position, in: text)
      }
      position += 1
    }
  }

  @inline(__always)
  private mutating func beginContainer(
    _ bracket: UInt8, _ expectation: JSONError.Expectation, in text: Span<UInt8>
  ) throws(JSONError) {
    skipSpace(in: text)
    guard state == .value, byte(in: text) == bracket else {
      throw JSONError(.unexpected(expectation), at: position, in: text)
    }
    try open(isObject: expectation == .object, in: text)
  }

  @inline(__always)
  private mutating func open(isObject: Bool, in text: Span<UInt8>) throws(JSONError) {
    guard depth < depthMax else {
      throw JSONError(.tooDeep(depthMax: depthMax), at: position, in: text)
    }
    containers = containers << 1 | (isObject ? 1 : 0)
    depth += 1
    position += 1
    state = isObject ? .firstKey : .firstElement
  }

  @inline(__always)
  private mutating func close(_ token: JSONToken) -> JSONToken {
    containers >>= 1
    depth -= 1
    position += 1
    state = .afterValue
    return token
  }
}
