// What a client asked for, as far as this server wants to know.

/// The head of a request: its method, its target, and the few fields that decide the answer.
struct HTTPRequest: Sendable, Equatable {
  enum Method: Sendable, Equatable { case get, head }

  var method: Method
  /// The path with its escapes resolved; it begins with a slash and names no file.
  var path: String
  /// The query's fields in their order, with their escapes resolved.
  var query: [Field] = []
  /// The media types that the client accepts; empty if it doesn't say.
  var accept = ""
  /// Whether the client wants the connection to stay open.
  var keepsAlive: Bool

  struct Field: Sendable, Equatable {
    var name: String
    var value: String
  }

  /// The first value of a query field; nil if it isn't there.
  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The path's parts between slashes.
  var pathParts: [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }
}

/// Why a request isn't answered with what it asked for.
struct HTTPRefusal: Error, Sendable, Equatable {
  var status: HTTPStatus
  /// One sentence for the client.
  var message: String
  /// Whether the client asked for the head of the answer alone.
  var isToHead = false

  init(_ status: HTTPStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// The statuses that this server answers with.
enum HTTPStatus: Int, Sendable {
  case ok = 200
  case badRequest = 400
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case contentTooLarge = 413
  case uriTooLong = 414
  case misdirected = 421
  case fieldsTooLarge = 431
  case internalError = 500
  case unavailable = 503
  case versionNotSupported = 505

  var phrase: String {
    switch self {
    case .ok: "OK"
    case .badRequest: "Bad Request"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .contentTooLarge: "Content Too Large"
    case .uriTooLong: "URI Too Long"
    case .misdirected: "Misdirected Request"
    case .fieldsTooLarge: "Request Header Fields Too Large"
    case .internalError: "Internal Server Error"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}
