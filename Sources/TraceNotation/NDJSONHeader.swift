// The header line of the NDJSON form.

import TraceModel

/// What is known of a header line while it is read.
struct NDJSONHeader {
  /// A trace begins with this line, even if part of it can't be read.
  var isBegun = false
  /// The line is of a format or version that can't be read.
  var isRefused = false

  /// Reads the object after the key `header`.
  mutating func read(
    _ parser: inout JSONPullParser, in line: Span<UInt8>, into header: inout TraceHeader
  ) throws(NotationError) {
    header = TraceHeader()
    var hasFormat = false
    var hasVersion = false
    let start = parser.position
    do throws(JSONError) {
      try parser.beginObject(in: line)
    } catch { throw NotationError(error) }
    while let key = try next(&parser, in: line) {
      var json: [UInt8] = []
      do throws(JSONError) {
        try parser.copyValue(in: line, to: &json)
      } catch { throw NotationError(error) }
      let name = key.string(in: line)
      let offset = key.range.lowerBound - 1
      switch name {
      case "format" where !hasFormat:
        hasFormat = true
        try check(json, is: "\"\(NDJSONGrammar.formatWord)\"", "format", at: offset)
      case "version" where !hasVersion:
        hasVersion = true
        try check(json, is: "\(NDJSONGrammar.version)", "version", at: offset)
      case "format", "version": throw repeated(name, at: offset)
      default: try header.set(name, json: json.span, at: offset)
      }
    }
    guard hasFormat, hasVersion else {
      throw NotationError(
        at: start,
        "found a header without \(hasFormat ? "\"version\"" : "\"format\""), expected "
          + "\"format\":\"\(NDJSONGrammar.formatWord)\",\"version\":\(NDJSONGrammar.version)")
    }
  }

  private func next(
    _ parser: inout JSONPullParser, in line: Span<UInt8>
  ) throws(NotationError) -> JSONString? {
    do throws(JSONError) {
      return try parser.nextKey(in: line)
    } catch { throw NotationError(error) }
  }

  private mutating func check(
    _ json: [UInt8], is expected: String, _ what: String, at offset: Int
  ) throws(NotationError) {
    let found = String(decoding: json.prefix(64), as: UTF8.self)
    if found != expected {
      isRefused = true
      throw NotationError(
        at: offset, "found \(what) \(found) of the NDJSON form, expected \(what) \(expected)")
    }
  }

  private func repeated(_ name: String, at offset: Int) -> NotationError {
    NotationError(
      at: offset, "found the field \(NotationError.quote(name)) again, expected it once")
  }
}

extension TraceHeader {
  /// Sets a field from its JSON text, which has no white space.
  mutating func set(
    _ name: String, json: Span<UInt8>, at offset: Int
  ) throws(NotationError) {
    if let field = HeaderField.named(name) {
      let value = HeaderText.value(json, as: field.type)
      if case .json = value { try checkLength(of: json, at: offset) }
      try setOnce(field, value, at: offset)
      return
    }
    try checkLength(of: json, at: offset)
    guard !unknownFields.contains(where: { $0.name == name }) else {
      throw NotationError(
        at: offset, "found the field \(NotationError.quote(name)) again, expected it once")
    }
    guard unknownFields.count < HeaderText.unknownFieldsMax else {
      throw NotationError(
        at: offset,
        "found one more unknown field, expected at most \(HeaderText.unknownFieldsMax)")
    }
    guard name.utf8.count <= BatchLimits.nameBytesMax else {
      throw NotationError(
        at: offset,
        "found a name of more than \(BatchLimits.nameBytesMax) bytes, expected a shorter field")
    }
    var bytes: [UInt8] = []
    for index in json.indices { bytes.append(json[index]) }
    unknownFields.append(UnknownField(name: name, json: String(decoding: bytes, as: UTF8.self)))
  }

  private func checkLength(of json: Span<UInt8>, at offset: Int) throws(NotationError) {
    guard json.count <= BatchLimits.stringBytesMax else {
      throw NotationError(
        at: offset,
        "found a value of more than \(BatchLimits.stringBytesMax) bytes, expected a shorter one")
    }
  }

  /// Sets a field that must not be there yet.
  mutating func setOnce(
    _ field: HeaderField, _ value: HeaderValue, at offset: Int
  ) throws(NotationError) {
    guard self[field] == nil else {
      throw NotationError(at: offset, "found the field \(field.name) again, expected it once")
    }
    self[field] = value
  }
}
