// The target of a request: a path and a query, both escaped by percent signs.

enum HTTPTarget {
  /// Takes the scheme and the host off a target, which proxies are sent with both.
  ///
  /// - Returns: The host with its port, nil if the target has none, and the rest.
  static func splitOrigin(
    _ target: ArraySlice<UInt8>
  ) throws(HTTPRefusal) -> (host: String?, rest: ArraySlice<UInt8>) {
    let scheme = "http://"
    let start = String(decoding: target.prefix(scheme.utf8.count), as: UTF8.self)
    guard start.lowercased() == scheme else { return (nil, target) }
    let rest = target.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let host = String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
    guard let end, rest[end] == UInt8(ascii: "/") else {
      throw HTTPRefusal(.badRequest, "the target has no path")
    }
    return (host, rest[end...])
  }

  /// Takes a target apart.
  ///
  /// - Returns: The path and the query's fields with their escapes resolved.
  /// - Throws: ``HTTPRefusal`` if it isn't a plain absolute path with an optional query.
  static func parse(
    _ target: ArraySlice<UInt8>
  ) throws(HTTPRefusal) -> (path: String, query: [HTTPRequest.Field]) {
    guard target.first == UInt8(ascii: "/") else {
      throw HTTPRefusal(.badRequest, "the target isn't an absolute path")
    }
    guard target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw HTTPRefusal(.badRequest, "the target holds characters that must be escaped")
    }
    let parts = target.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    // No path names a file here, but who sends one that goes upwards hopes so. Escaped dots are a
    // part of a trace's id.
    let segments = parts[0].split(separator: UInt8(ascii: "/"))
    if segments.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
      throw HTTPRefusal(.badRequest, "the path goes upwards")
    }
    let path = try unescape(parts[0], plusIsBlank: false)
    var query: [HTTPRequest.Field] = []
    if parts.count == 2 {
      for field in parts[1].split(separator: UInt8(ascii: "&")) {
        guard query.count < HTTPHeadParser.queryFieldsMax else {
          throw HTTPRefusal(
            .uriTooLong, "the query has more than \(HTTPHeadParser.queryFieldsMax) fields")
        }
        let pair = field.split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        query.append(
          HTTPRequest.Field(
            name: try unescape(pair[0], plusIsBlank: true),
            value: pair.count == 2 ? try unescape(pair[1], plusIsBlank: true) : ""))
      }
    }
    return (path, query)
  }

  private static func unescape(
    _ bytes: ArraySlice<UInt8>, plusIsBlank: Bool
  ) throws(HTTPRefusal) -> String {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
          let low = digit(bytes[index + 2])
        else { throw HTTPRefusal(.badRequest, "a percent sign isn't followed by two digits") }
        plain.append(high << 4 | low)
        index += 3
      case UInt8(ascii: "+") where plusIsBlank:
        plain.append(UInt8(ascii: " "))
        index += 1
      case let byte:
        plain.append(byte)
        index += 1
      }
    }
    guard let text = String(validating: plain, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw HTTPRefusal(.badRequest, "the target isn't plain text") }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
