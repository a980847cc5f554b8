// An answer, and its bytes.

import Foundation

/// What tells copies of one body, which share its memory, from equal bodies.
///
/// A class, because its identity is all that it is.
final class SharedBody: Sendable {}

/// A response with a body that is in memory.
struct HTTPResponse: Sendable {
  var status: HTTPStatus
  var mediaType: String
  /// Shared among the clients that get the same answer.
  let body: Data
  let shared = SharedBody()
  /// How a browser may use the body; the strictest unless a page needs more.
  var contentPolicy = Self.closedPolicy

  /// Loads nothing and runs nothing.
  static let closedPolicy = "default-src 'none'; frame-ancestors 'none'"
  /// A page with its own style.
  static let styledPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    + "frame-ancestors 'none'"
  /// A page with its own style and its own program, which can load nothing.
  static let programPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    + "img-src data: blob:; base-uri 'none'; frame-ancestors 'none'"

  init(_ status: HTTPStatus = .ok, mediaType: String, body: Data) {
    self.status = status
    self.mediaType = mediaType
    self.body = body
  }

  init(_ status: HTTPStatus, text: String) {
    self.init(status, mediaType: "text/plain; charset=utf-8", body: Data(text.utf8))
  }

  init(_ refusal: HTTPRefusal) {
    self.init(refusal.status, text: refusal.message + "\n")
  }

  /// The head of the response.
  ///
  /// - Parameter keepsAlive: Whether another request may follow on the connection.
  func head(keepsAlive: Bool) -> Data {
    var text = "HTTP/1.1 \(status.rawValue) \(status.phrase)\r\n"
    text += "Content-Type: \(mediaType)\r\nContent-Length: \(body.count)\r\n"
    if status == .methodNotAllowed { text += "Allow: GET, HEAD\r\n" }
    if status == .unavailable { text += "Retry-After: 2\r\n" }
    text += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
    text += "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    text += "Content-Security-Policy: \(contentPolicy)\r\n"
    text += "Vary: Accept\r\nConnection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
    return Data(text.utf8)
  }
}
