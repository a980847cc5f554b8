// The names under which the server answers. A page of another site can make a browser connect to
// this address under a name of that site's own; the Host field gives it away.

/// Names that the Host field of a request may hold.
struct AllowedHosts: Sendable, Equatable {
  private var names: Set<String>
  /// Whether any name is fine.
  private var allowsAll = false

  /// - Parameters:
  ///   - listenHost: The address that the server listens on.
  ///   - others: More names; `*` allows every name.
  init(listenHost: String, others: [String] = []) {
    names = ["localhost", "127.0.0.1", "::1", Self.normal(listenHost)]
    for name in others {
      if name == "*" { allowsAll = true } else { names.insert(Self.normal(name)) }
    }
  }

  /// Whether a Host field, with or without a port, names this server.
  func allows(_ host: String) -> Bool {
    guard let name = Self.name(host) else { return false }
    return allowsAll || names.contains(name)
  }

  /// The name in a Host field; nil if it isn't one.
  private static func name(_ host: String) -> String? {
    var name = host[...]
    if name.first == "[" {
      guard let end = name.firstIndex(of: "]") else { return nil }
      let rest = name[name.index(after: end)...]
      guard rest.isEmpty || isPort(rest) else { return nil }
      name = name[name.index(after: name.startIndex)..<end]
      guard name.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
    } else {
      if let colon = name.firstIndex(of: ":") {
        guard isPort(name[colon...]) else { return nil }
        name = name[..<colon]
      }
      guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) })
      else { return nil }
    }
    return name.isEmpty ? nil : normal(String(name))
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard text.first == ":", text.count <= 6 else { return false }
    return text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static func normal(_ name: String) -> String {
    var name = name.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    if name.hasSuffix(".") { name.removeLast() }
    return name
  }
}
