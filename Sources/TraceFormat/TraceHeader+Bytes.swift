// The body of a header record: clock anchors, and every field as number, type, length and value.

import TraceModel

/// Writes and reads the body of a header record.
enum HeaderBody {
  /// How a value is stored; part of the format.
  private enum Tag {
    static let integer: UInt8 = 0
    static let boolean: UInt8 = 1
    static let string: UInt8 = 2
    static let strings: UInt8 = 3
    static let json: UInt8 = 4
  }

  /// Appends the body. A field for which the record has no room left is left out.
  static func append(
    _ header: TraceHeader, anchors: [ClockAnchor], to output: inout [UInt8]
  ) {
    let anchors = anchors.prefix(FormatLimits.headerAnchorsMax)
    output.appendVarint(anchors.count)
    for anchor in anchors { anchor.append(to: &output) }
    var value: [UInt8] = []
    for (field, content) in header.presentFields {
      value.removeAll(keepingCapacity: true)
      let tag = append(content, to: &value)
      guard output.count + value.count <= FormatLimits.headerBytesMax - 16 else { continue }
      output.appendVarint(field.rawValue)
      output.append(tag)
      output.appendVarint(value.count)
      output.append(contentsOf: value)
    }
    for field in header.unknownFields.prefix(FormatLimits.headerFieldsMax - 256) {
      value.removeAll(keepingCapacity: true)
      value.appendText(field.name)
      value.append(contentsOf: field.json.utf8)
      guard output.count + value.count <= FormatLimits.headerBytesMax - 16,
        field.name.utf8.count <= FormatLimits.stringBytesMax
      else { continue }
      output.appendVarint(0)
      output.append(Tag.json)
      output.appendVarint(value.count)
      output.append(contentsOf: value)
    }
  }

  private static func append(_ value: HeaderValue, to output: inout [UInt8]) -> UInt8 {
    switch value {
    case .integer(let number):
      output.appendZigzag(number)
      return Tag.integer
    case .boolean(let flag):
      output.append(flag ? 1 : 0)
      return Tag.boolean
    case .string(let text):
      output.append(contentsOf: text.utf8)
      return Tag.string
    case .strings(let texts):
      for text in texts { output.appendText(text) }
      return Tag.strings
    case .json(let text):
      output.append(contentsOf: text.utf8)
      return Tag.json
    }
  }

  static func read(
    _ body: Span<UInt8>
  ) throws(FormatDamage) -> (header: TraceHeader, anchors: [ClockAnchor]) {
    guard body.count <= FormatLimits.headerBytesMax else {
      throw FormatDamage("it has \(body.count) bytes, more than \(FormatLimits.headerBytesMax)")
    }
    var header = TraceHeader()
    var anchors: [ClockAnchor] = []
    var offset = 0
    let anchorCount = try ByteReader.count(
      body, &offset, max: FormatLimits.headerAnchorsMax, "clock anchors")
    for _ in 0..<anchorCount { anchors.append(try ClockAnchor(body, &offset)) }
    var fieldCount = 0
    while offset < body.count {
      fieldCount += 1
      guard fieldCount <= FormatLimits.headerFieldsMax else {
        throw FormatDamage("it has more than \(FormatLimits.headerFieldsMax) fields")
      }
      let number = try ByteReader.varint(body, &offset)
      let tag = try ByteReader.byte(body, &offset)
      let length = try ByteReader.count(
        body, &offset, max: FormatLimits.headerBytesMax, "bytes of a field")
      let value = body.extracting(try ByteReader.range(body, &offset, count: length))
      if number == 0 {
        try readUnknown(value, tag, into: &header)
      } else if let field = Int(exactly: number).flatMap({ HeaderField(rawValue: $0) }) {
        header[field] = try read(value, tag, as: field.type)
      } else if let json = json(try read(value, tag, as: nil)) {
        header.unknownFields.append(.init(name: "field_\(number)", json: json))
      }
    }
    return (header, anchors)
  }

  private static func readUnknown(
    _ value: Span<UInt8>, _ tag: UInt8, into header: inout TraceHeader
  ) throws(FormatDamage) {
    guard tag == Tag.json else { return }
    var offset = 0
    let length = try ByteReader.count(
      value, &offset, max: FormatLimits.stringBytesMax, "bytes of a field's name")
    let name = text(value, try ByteReader.range(value, &offset, count: length))
    header.unknownFields.append(
      .init(name: name, json: jsonText(value.extracting(offset..<value.count))))
  }

  /// The value of a field; nil if its type is one of a later version. A value of another type than
  /// the field's becomes JSON, which no rule reads.
  private static func read(
    _ value: Span<UInt8>, _ tag: UInt8, as type: HeaderType?
  ) throws(FormatDamage) -> HeaderValue? {
    var offset = 0
    let result: HeaderValue
    let found: HeaderType
    switch tag {
    case Tag.integer:
      result = .integer(try ByteReader.zigzag(value, &offset))
      found = .integer
    case Tag.boolean:
      result = .boolean(try ByteReader.byte(value, &offset) != 0)
      found = .boolean
    case Tag.string: return other(.string(text(value, 0..<value.count)), .string, than: type)
    case Tag.strings:
      var texts: [String] = []
      while offset < value.count {
        let length = try ByteReader.count(
          value, &offset, max: FormatLimits.headerBytesMax, "bytes of a text")
        texts.append(text(value, try ByteReader.range(value, &offset, count: length)))
      }
      result = .strings(texts)
      found = .strings
    case Tag.json: return .json(jsonText(value))
    default: return nil
    }
    return other(result, found, than: type)
  }

  private static func other(
    _ value: HeaderValue, _ found: HeaderType, than type: HeaderType?
  ) -> HeaderValue? {
    found == type ? value : json(value).map { .json($0) }
  }

  private static func json(_ value: HeaderValue?) -> String? {
    switch value {
    case nil: nil
    case .integer(let number): "\(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .string(let text): quoted(text)
    case .strings(let texts): "[" + texts.map { quoted($0) }.joined(separator: ",") + "]"
    case .json(let text): text
    }
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONText.quoted(Array(text.utf8).span), as: UTF8.self)
  }

  private static func jsonText(_ value: Span<UInt8>) -> String {
    if JSONText.isCompact(value) { return text(value, 0..<value.count) }
    return quoted(text(value, 0..<value.count))
  }

  private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    var copy: [UInt8] = []
    copy.append(copying: bytes.extracting(range))
    TextRepair.repair(&copy, 0..<copy.count)
    return String(decoding: copy, as: UTF8.self)
  }
}
