// Where metrics are sent: an address of the web, read strictly, and shown without its secrets.

import Foundation

/// The receiver of remote write.
public struct RemoteTarget: Hashable, Sendable {
  /// The bytes of an address.
  static let bytesMax = 2_048

  /// A name, or an address in numbers without brackets.
  public let host: String
  public let port: UInt16
  /// The path with the query, as a request names it.
  let path: String
  /// What the Host field says.
  let hostField: String
  /// The value of the Authorization field; nil if nobody logs in.
  let authorization: String?
  /// The address for people: without user information and without the query's values.
  public let shown: String
  /// Parts of the address that no message may repeat, the longest first: the query, its values, and
  /// what logs in.
  let secrets: [String]

  /// Why an address can't be used; one sentence without a final dot.
  public struct Refusal: Error, Hashable, Sendable {
    public var text: String
  }

  /// Reads an address such as `http://127.0.0.1:9090/api/v1/write`.
  ///
  /// - Parameter credentials: What logs in; nil if it is a user in the address, or nobody. Who logs
  ///   in does so on this machine: anywhere else everybody on the way could read it.
  public init(_ text: String, credentials: RemoteCredentials? = nil) throws(Refusal) {
    let example = "for example http://127.0.0.1:9090/api/v1/write"
    guard text.utf8.count <= Self.bytesMax else {
      throw Refusal(text: "the address is longer than \(Self.bytesMax) bytes")
    }
    // This also keeps line breaks out of requests.
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw Refusal(text: "the address holds characters that must be escaped by percent signs")
    }
    guard let mark = text.range(of: "://") else {
      throw Refusal(text: "the address doesn't begin with http://; \(example)")
    }
    switch text[..<mark.lowerBound].lowercased() {
    case "http": break
    case "https":
      throw Refusal(
        text: """
          https isn't spoken here; put an agent or a proxy on this machine before the receiver, \
          and name that with http://
          """)
    default: throw Refusal(text: "the address doesn't begin with http://; \(example)")
    }
    let rest = text[mark.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    var place = rest[..<end]
    var secrets: [String] = []
    var credentials = credentials
    let at = place.lastIndex(of: "@")
    if let at {
      guard credentials == nil else {
        throw Refusal(
          text: "the address has a user before the @, and a file logs in; leave one of them away")
      }
      let user = place[..<at]
      credentials = try RemoteCredentials(escaped: user)
      let password = user.split(separator: ":", maxSplits: 1).dropFirst()
      secrets += [String(user)] + password.map(String.init)
      place = place[place.index(after: at)...]
    }
    authorization = credentials?.authorization
    secrets += credentials?.secrets ?? []
    let (host, port) = try Self.hostAndPort(place)
    if authorization != nil, !Self.isThisMachine(host) {
      throw Refusal(
        text: """
          what logs in would cross the network readable for everybody; put an agent or a proxy on \
          this machine before the receiver, and name that with http://127.0.0.1
          """)
    }
    self.host = host
    self.port = port
    let bracketed = host.contains(":") ? "[\(host)]" : host
    hostField = port == 80 ? bracketed : "\(bracketed):\(port)"
    let target = rest[end...]
    path = target.hasPrefix("/") ? String(target) : "/\(target)"
    let visible = path.prefix { $0 != "?" }
    let query = path.dropFirst(visible.count + 1)
    secrets += [String(query)]
    for field in query.split(separator: "&") {
      secrets += field.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
    }
    secrets += secrets.compactMap(\.removingPercentEncoding)
    // A shorter one would take words of the receiver apart.
    self.secrets = Set(secrets).filter { $0.count >= 4 }.sorted { ($1.count, $0) < ($0.count, $1) }
    shown =
      "http://\(at == nil ? "" : "***@")\(hostField)\(visible)"
      + (visible.count == path.count ? "" : "?***")
  }

  /// Whether what is sent to a host stays on this machine.
  private static func isThisMachine(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.lowercased() == "localhost" || host == "::1"
      || (parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil })
  }

  private static func hostAndPort(_ text: Substring) throws(Refusal) -> (String, UInt16) {
    var host = text
    var rest = text[text.endIndex...]
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else {
        throw Refusal(text: "the address has a [ without a ]")
      }
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
        throw Refusal(text: "between [ and ] stands an address of IPv6 in numbers")
      }
    } else {
      if let colon = text.firstIndex(of: ":") {
        host = text[..<colon]
        rest = text[colon...]
      }
      guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else {
        throw Refusal(text: "the host of the address has letters, digits, dots and - only")
      }
    }
    guard !host.isEmpty, host.utf8.count <= 253 else {
      throw Refusal(text: "the address has no host, or one of over 253 bytes")
    }
    if rest.isEmpty { return (String(host), 80) }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.count <= 5, digits.allSatisfy(\.isNumber),
      let port = UInt16(digits), port > 0
    else {
      throw Refusal(text: "the port of the address is a number from 1 to 65535")
    }
    return (String(host), port)
  }
}
