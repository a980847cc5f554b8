// Reads the head of a request from strangers' bytes: strictly, once, and within fixed limits. Where
// two readers of HTTP might disagree on where a request ends, it is refused.

/// Parses request heads (RFC 9112).
struct HTTPHeadParser: Sendable {
  /// Bytes of a head with its final empty line: what browsers and Prometheus send is under 2 KiB.
  static let headBytesMax = 8_192
  /// Fields of a head.
  static let fieldsMax = 64
  /// Fields of a query.
  static let queryFieldsMax = 32

  /// The names under which this server may be addressed, which keeps pages of other sites from
  /// reaching it through a name of theirs that leads here.
  var hosts: AllowedHosts

  /// What a buffer holds.
  enum Outcome: Sendable, Equatable {
    /// More bytes are needed.
    case incomplete
    /// A request whose head takes so many bytes.
    case request(HTTPRequest, byteCount: Int)
    /// Nothing that follows on this connection can be trusted.
    case refused(HTTPRefusal)
  }

  /// Looks for a head at the beginning of a buffer.
  func parse(_ bytes: [UInt8]) -> Outcome {
    // A client may end its last request with one line too many.
    var start = 0
    if bytes.count >= 2, bytes[0] == Self.carriageReturn, bytes[1] == Self.lineFeed { start = 2 }
    guard let end = endOfHead(bytes, from: start) else {
      return bytes.count - start >= Self.headBytesMax
        ? .refused(HTTPRefusal(.fieldsTooLarge, "the head is longer than 8 KiB")) : .incomplete
    }
    do throws(HTTPRefusal) {
      guard end - start <= Self.headBytesMax else {
        throw HTTPRefusal(.fieldsTooLarge, "the head is longer than 8 KiB")
      }
      return .request(try request(bytes[start..<end - 4]), byteCount: end)
    } catch {
      var refusal = error
      refusal.isToHead = bytes[start..<end].starts(with: "HEAD ".utf8)
      return .refused(refusal)
    }
  }

  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")

  /// The place after the empty line; nil if there is none yet.
  private func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    let limit = min(bytes.count, start + Self.headBytesMax)
    var index = start + 3
    while index < limit {
      if bytes[index] == Self.lineFeed, bytes[index - 1] == Self.carriageReturn,
        bytes[index - 2] == Self.lineFeed, bytes[index - 3] == Self.carriageReturn
      {
        return index + 1
      }
      index += 1
    }
    return nil
  }

  private func request(_ head: ArraySlice<UInt8>) throws(HTTPRefusal) -> HTTPRequest {
    let lines = try lines(head)
    guard let first = lines.first else { throw HTTPRefusal(.badRequest, "the request is empty") }
    let (method, target, version) = try requestLine(first)
    var fields = Fields()
    guard lines.count - 1 <= Self.fieldsMax else {
      throw HTTPRefusal(.fieldsTooLarge, "there are more than \(Self.fieldsMax) fields")
    }
    for line in lines.dropFirst() { try fields.take(line) }
    try check(fields, version: version)
    let (host, path) = try HTTPTarget.splitOrigin(target)
    if let host, !hosts.allows(host) { throw Self.misdirected }
    var request = HTTPRequest(
      method: method, path: "", accept: fields.accept,
      keepsAlive: version == 1 ? !fields.saysClose : fields.saysKeepAlive)
    (request.path, request.query) = try HTTPTarget.parse(path)
    return request
  }

  /// The lines of a head. A line feed or a carriage return of its own is refused.
  private func lines(_ head: ArraySlice<UInt8>) throws(HTTPRefusal) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = head.startIndex
    var index = start
    while index < head.endIndex {
      switch head[index] {
      case Self.carriageReturn:
        guard index + 1 < head.endIndex, head[index + 1] == Self.lineFeed else {
          throw HTTPRefusal(.badRequest, "a carriage return stands alone")
        }
        lines.append(head[start..<index])
        index += 2
        start = index
      case Self.lineFeed:
        throw HTTPRefusal(.badRequest, "a line feed stands alone")
      case 0:
        throw HTTPRefusal(.badRequest, "the head holds a zero byte")
      default:
        index += 1
      }
    }
    lines.append(head[start..<head.endIndex])
    return lines
  }

  private func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(HTTPRefusal) -> (HTTPRequest.Method, ArraySlice<UInt8>, version: Int) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[1].isEmpty else {
      throw HTTPRefusal(.badRequest, "the request line isn't \u{201C}METHOD TARGET VERSION\u{201D}")
    }
    let version: Int
    if parts[2].elementsEqual("HTTP/1.1".utf8) {
      version = 1
    } else if parts[2].elementsEqual("HTTP/1.0".utf8) {
      version = 0
    } else {
      throw HTTPRefusal(.versionNotSupported, "only HTTP/1.0 and HTTP/1.1 are spoken here")
    }
    if parts[0].elementsEqual("GET".utf8) { return (.get, parts[1], version) }
    if parts[0].elementsEqual("HEAD".utf8) { return (.head, parts[1], version) }
    guard !parts[0].isEmpty, parts[0].allSatisfy(Fields.isTokenByte) else {
      throw HTTPRefusal(.badRequest, "the method is no token")
    }
    throw HTTPRefusal(.methodNotAllowed, "only GET and HEAD are answered")
  }

  private func check(_ fields: Fields, version: Int) throws(HTTPRefusal) {
    if fields.hasBody {
      throw HTTPRefusal(.contentTooLarge, "requests with a body aren't taken")
    }
    guard let host = fields.host else {
      if version == 0 { return }
      throw HTTPRefusal(.badRequest, "the Host field is missing")
    }
    guard hosts.allows(host) else { throw Self.misdirected }
  }

  private static let misdirected = HTTPRefusal(
    .misdirected,
    "this server isn't known under that name; start it with --allow-host NAME to allow it")
}

/// The fields of a head that matter here.
private struct Fields {
  var host: String?
  var accept = ""
  var saysClose = false
  var saysKeepAlive = false
  var hasBody = false

  /// Takes one field line.
  mutating func take(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      throw HTTPRefusal(.badRequest, "a field isn't \u{201C}name: value\u{201D}")
    }
    // This also refuses folded lines and blanks before the colon.
    guard line[..<colon].allSatisfy(Self.isTokenByte) else {
      throw HTTPRefusal(.badRequest, "the name of a field is no token")
    }
    let value = Self.trimmed(line[(colon + 1)...])
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw HTTPRefusal(.badRequest, "the value of a field holds control characters")
    }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
    case "host":
      if host != nil { throw HTTPRefusal(.badRequest, "the Host field comes twice") }
      host = text
    case "accept":
      accept += accept.isEmpty ? text : ", " + text
    case "connection":
      for word in text.lowercased().split(separator: ",") {
        switch word.filter({ $0 != " " && $0 != "\t" }) {
        case "close": saysClose = true
        case "keep-alive": saysKeepAlive = true
        default: break
        }
      }
    case "content-length":
      // Anything but one plain zero may mean a body to somebody.
      if text != "0" { hasBody = true }
    case "transfer-encoding", "expect":
      // An offer to upgrade may be passed over (RFC 9110, section 7.8), but not a body.
      hasBody = true
    default: break
    }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let rest = bytes.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return [] }
    return rest[...last]
  }

  /// Whether a byte may be part of a name (RFC 9110, section 5.6.2).
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
