// Values of header fields as JSON, in both directions. Both text forms use it.

import TraceModel

enum HeaderText {
  /// Fields outside the vocabulary that a header may have: it describes a trace, and is no table.
  static let unknownFieldsMax = 1_024

  /// Containers inside each other in a value: an NDJSON line holds it inside two others.
  static let valueDepthMax = JSONPullParser.depthMax - 2

  /// The value of a field from its JSON text; of another type than the field's, it is kept as JSON.
  static func value(_ json: Span<UInt8>, as type: HeaderType) -> HeaderValue {
    if let value = typed(json, as: type) { return value }
    var bytes: [UInt8] = []
    for index in json.indices { bytes.append(json[index]) }
    return .json(String(decoding: bytes, as: UTF8.self))
  }

  private static func typed(_ json: Span<UInt8>, as type: HeaderType) -> HeaderValue? {
    var parser = JSONPullParser()
    guard let token = try? parser.next(in: json) else { return nil }
    switch (type, token) {
    case (.string, .string(let text)): return .string(text.string(in: json))
    case (.boolean, .boolean(let value)): return .boolean(value)
    case (.integer, .number(let number)):
      if case .integer(let value) = number.value { return .integer(value) }
      return nil
    case (.strings, .beginArray):
      var strings: [String] = []
      while let element = try? parser.next(in: json), case .string(let text) = element {
        strings.append(text.string(in: json))
      }
      // The array ended where the strings did if nothing is left.
      guard (try? parser.end(in: json)) != nil else { return nil }
      return .strings(strings)
    default: return nil
    }
  }

  /// Appends the JSON text of a value. A JSON value that isn't well-formed becomes a string.
  static func append(_ value: HeaderValue, to bytes: inout [UInt8]) {
    switch value {
    case .integer(let value): JSONText.append(value, to: &bytes)
    case .boolean(let value): JSONText.append(value, to: &bytes)
    case .string(let text): JSONText.append(text, to: &bytes)
    case .strings(let texts):
      bytes.append(UInt8(ascii: "["))
      for (index, text) in texts.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(text, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .json(let text): append(json: Array(text.utf8).span, to: &bytes)
    }
  }

  /// Appends a JSON text in its shortest form; as a string if it isn't well-formed.
  static func append(json text: Span<UInt8>, to bytes: inout [UInt8]) {
    let start = bytes.count
    var parser = JSONPullParser(depthMax: valueDepthMax)
    do throws(JSONError) {
      try parser.copyValue(in: text, to: &bytes)
      try parser.end(in: text)
    } catch {
      bytes.removeSubrange(start...)
      JSONText.append(string: text, to: &bytes)
    }
  }
}
