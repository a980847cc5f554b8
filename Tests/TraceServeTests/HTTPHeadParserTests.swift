// Request heads: what browsers and Prometheus send, and what is made to be read in two ways.

import Testing

@testable import TraceServe

struct HTTPHeadParserTests {
  private static let parser = HTTPHeadParser(
    hosts: AllowedHosts(listenHost: "127.0.0.1", others: ["box.local"]))

  private static func parse(_ text: String) -> HTTPHeadParser.Outcome {
    parser.parse(Array(text.utf8))
  }

  private static func status(_ text: String) -> Int? {
    if case .refused(let refusal) = parse(text) { refusal.status.rawValue } else { nil }
  }

  @Test func aPlainRequest() {
    let text =
      "GET /timeline/a%20b?q=x+y&severity=error HTTP/1.1\r\nHost: localhost:9477\r\n"
      + "Accept: text/html\r\nAccept: */*;q=0.1\r\n\r\n"
    guard case .request(let request, let byteCount) = Self.parse(text + "GET") else {
      Issue.record("\(Self.parse(text))")
      return
    }
    #expect(byteCount == text.utf8.count)
    #expect(request.method == .get)
    #expect(request.path == "/timeline/a b")
    #expect(request.value("q") == "x y")
    #expect(request.value("severity") == "error")
    #expect(request.accept == "text/html, */*;q=0.1")
    #expect(request.keepsAlive)
  }

  @Test func everyPrefixIsIncomplete() {
    let text = "HEAD / HTTP/1.1\r\nHost: box.local\r\nConnection: close\r\n\r\n"
    for count in 0..<text.utf8.count {
      #expect(Self.parser.parse(Array(text.utf8.prefix(count))) == .incomplete, "\(count)")
    }
    guard case .request(let request, _) = Self.parse(text) else {
      Issue.record("not taken")
      return
    }
    #expect(request.method == .head)
    #expect(!request.keepsAlive)
  }

  /// Heads that two servers might end at different places, or that try to be something else.
  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0, 0\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +0\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n X: folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: local\u{0}host\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nX: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
    ("GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", 421),
    ("GET / HTTP/1.1\r\nHost: localhost:80:80\r\n\r\n", 421),
    ("GET / HTTP/1.1\r\nHost: localhost@evil\r\n\r\n", 421),
    ("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1 \r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
    ("GET / http/1.1\r\nHost: localhost\r\n\r\n", 505),
    ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
    ("GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
    ("GET http://localhost@evil/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
    ("GET http:///x HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
    ("GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET https://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GE\u{7F}T / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /a/./b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /%2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /%ff HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /a#b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /é HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nnocolon\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n: empty\r\n\r\n", 400),
    ("\r\n\r\n\r\n", 400),
  ])
  func heads(text: String, status: Int) {
    #expect(Self.status(text) == status, "\(Self.parse(text))")
  }

  @Test(arguments: [
    "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    "GET http://localhost:9477/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET HTTP://box.local/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ])
  func whatProxiesAndClientsOfNewerVersionsSend(text: String) {
    guard case .request(let request, _) = Self.parse(text) else {
      Issue.record("\(Self.parse(text))")
      return
    }
    #expect(request.path == "/a")
  }

  @Test func aRefusalOfAHeadHasNoBody() {
    for (method, isToHead) in [("HEAD", true), ("GET", false)] {
      for rest in ["/ HTTP/1.1\r\nHost: evil\r\n\r\n", "/%z HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
        guard case .refused(let refusal) = Self.parse(method + " " + rest) else {
          Issue.record("\(method)")
          continue
        }
        #expect(refusal.isToHead == isToHead)
      }
    }
  }

  @Test func limits() {
    let head = "GET / HTTP/1.1\r\nHost: localhost\r\n"
    let room = HTTPHeadParser.headBytesMax - head.utf8.count - "X: \r\n\r\n".utf8.count
    for (extra, isTaken) in [(-1, true), (0, true), (1, false)] {
      let text = head + "X: " + String(repeating: "a", count: room + extra) + "\r\n\r\n"
      #expect((Self.status(text) == nil) == isTaken, "\(extra)")
    }
    // A head that never ends is refused once it is too long, not before.
    let endless = head + "X: " + String(repeating: "a", count: HTTPHeadParser.headBytesMax)
    let bytes = Array(endless.utf8)
    let limit = HTTPHeadParser.headBytesMax
    #expect(Self.parser.parse(Array(bytes.prefix(limit - 1))) == .incomplete)
    #expect(Self.status(String(decoding: bytes.prefix(limit), as: UTF8.self)) == 431)
    for (count, isTaken) in [
      (HTTPHeadParser.fieldsMax - 2, true), (HTTPHeadParser.fieldsMax - 1, true),
      (HTTPHeadParser.fieldsMax, false),
    ] {
      let text = head + String(repeating: "X: y\r\n", count: count) + "\r\n"
      #expect((Self.status(text) == nil) == isTaken, "\(count)")
    }
    for (count, isTaken) in [
      (HTTPHeadParser.queryFieldsMax, true), (HTTPHeadParser.queryFieldsMax + 1, false),
    ] {
      let query = [String](repeating: "a=b", count: count).joined(separator: "&")
      let text = "GET /?\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n"
      #expect((Self.status(text) == nil) == isTaken, "\(count)")
    }
  }

  @Test func namesOfTheServer() {
    let hosts = AllowedHosts(listenHost: "::1", others: ["Box.Local."])
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1:80", "[::1]", "[::1]:9477", "box.local:1"] {
      #expect(hosts.allows(host), "\(host)")
    }
    for host in [
      "", ":80", "[::1", "[::1]x", "box.local:", "box.local:123456", "a b", "box.local:8a",
    ] {
      #expect(host == "box.local:" || !hosts.allows(host), "\(host)")
    }
    #expect(AllowedHosts(listenHost: "0.0.0.0", others: ["*"]).allows("anything.example"))
  }
}
