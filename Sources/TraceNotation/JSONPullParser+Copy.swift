// Passing over values, and copying them in their shortest form.

extension JSONPullParser {
  /// Passes over the next value, whatever it is.
  public mutating func skipValue(in text: Span<UInt8>) throws(JSONError) {
    let outer = depth
    repeat {
      _ = try next(in: text)
    } while depth > outer
  }

  /// Copies the next value without white space and with our escapes. Numbers keep their digits.
  public mutating func copyValue(
    in text: Span<UInt8>, to bytes: inout [UInt8]
  ) throws(JSONError) {
    let outer = depth
    var needsComma = false
    repeat {
      let token = try next(in: text)
      switch token {
      case .endObject, .endArray, .end: break
      default: if needsComma { bytes.append(UInt8(ascii: ",")) }
      }
      needsComma = true
      switch token {
      case .beginObject:
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
      case .beginArray:
        bytes.append(UInt8(ascii: "["))
        needsComma = false
      case .endObject: bytes.append(UInt8(ascii: "}"))
      case .endArray: bytes.append(UInt8(ascii: "]"))
      case .key(let key):
        Self.copy(key, in: text, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
      case .string(let string): Self.copy(string, in: text, to: &bytes)
      case .number(let number):
        for index in number.range { bytes.append(text[index]) }
      case .boolean(let value): JSONText.append(value, to: &bytes)
      case .null: bytes.append(contentsOf: "null".utf8)
      case .end: return
      }
    } while depth > outer
  }

  private static func copy(_ string: JSONString, in text: Span<UInt8>, to bytes: inout [UInt8]) {
    if string.hasEscapes {
      var decoded: [UInt8] = []
      string.append(to: &decoded, in: text)
      JSONText.append(string: decoded.span, to: &bytes)
    } else {
      JSONText.append(string: text.extracting(string.range), to: &bytes)
    }
  }
}
