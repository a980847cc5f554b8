// Answers of receivers, honest and hostile, in every cut.

import Testing

@testable import TraceServe

struct RemoteAnswerTests {
  private func read(
    _ text: String, atOnce: Int = 4_096, ends: Bool = true
  ) throws(RemoteAnswerReader.Failure) -> RemoteAnswer? {
    var reader = RemoteAnswerReader()
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count, !reader.isComplete {
      let end = min(bytes.count, start + atOnce)
      try reader.take(Array(bytes[start..<end]))
      start = end
    }
    if ends, !reader.isComplete { try reader.end() }
    return reader.isComplete ? reader.answer : nil
  }

  private static let honest: [(text: String, status: Int, body: String, keepsAlive: Bool)] = [
    ("HTTP/1.1 204 No Content\r\n\r\n", 204, "", true),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", true),
    ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true),
    ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, "ok", true),
    ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", false),
    ("HTTP/1.1 400 No\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbad\n", 400, "bad\n", false),
    ("HTTP/1.1 500 X\r\n\r\nuntil the end", 500, "until the end", false),
    (
      "HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
      500,
      "abcde", true
    ),
    (
      "HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nT: x\r\n\r\n", 500, "a",
      true
    ),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", true),
  ]

  @Test(arguments: [1, 2, 3, 7, 4_096])
  func honestOnesAreRead(atOnce: Int) throws {
    for (text, status, body, keepsAlive) in Self.honest {
      let answer = try read(text, atOnce: atOnce)
      #expect(answer?.status == status, "\(text)")
      #expect(answer?.body == Array(body.utf8), "\(text)")
      #expect(answer?.keepsAlive == keepsAlive, "\(text)")
    }
  }

  /// The status is known, and what follows it is in doubt: the connection isn't used again.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore",
  ])
  func doubtfulOnesCostTheConnection(text: String) throws {
    for atOnce in [1, 4_096] {
      let answer = try read(text, atOnce: atOnce)
      #expect(answer?.status == 200)
      // What comes after the end is seen only if it came with it.
      if !text.hasSuffix("more") || atOnce > 1 { #expect(answer?.keepsAlive == false, "\(text)") }
    }
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "HTTP/2 200\r\n\r\n",
    "SSH-2.0-x\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
    "HTTP/1.1 999 x\r\n\r\n",
    "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
    "\r\n\r\n", "\u{0}\u{0}\u{0}\n",
  ])
  func whatIsNoAnswerIsRefused(text: String) {
    for atOnce in [1, 4_096] {
      #expect(throws: RemoteAnswerReader.Failure.self, "\(text)") { try read(text, atOnce: atOnce) }
    }
  }

  @Test func aHeadIsBounded() throws {
    let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: "
    let room = RemoteAnswerReader.headBytesMax - start.utf8.count - 4
    func text(_ count: Int) -> String { start + String(repeating: "x", count: count) + "\r\n\r\n" }
    #expect(try read(text(room - 1))?.status == 200)
    #expect(try read(text(room))?.status == 200)
    #expect(throws: RemoteAnswerReader.Failure.self) { try read(text(room + 1)) }
    let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1_000)
    #expect(throws: RemoteAnswerReader.Failure.self) { try read(interim, ends: false) }
  }

  @Test func aBodyIsBounded() throws {
    for head in ["", "Content-Length: 999999999\r\n", "Transfer-Encoding: chunked\r\n"] {
      let chunk = head.contains("chunked") ? "ffffff\r\n" : ""
      let body = String(repeating: "y", count: RemoteAnswerReader.bodyBytesMax + 1)
      let answer = try read("HTTP/1.1 500 X\r\n\(head)\r\n\(chunk)\(body)", ends: false)
      #expect(answer?.status == 500)
      #expect(answer?.keepsAlive == false)
      #expect((answer?.body.count ?? .max) <= 4_096)
    }
    // Chunks of nothing but framing.
    let trailer = "0\r\n" + String(repeating: "T: x\r\n", count: 20_000)
    let answer = try read(
      "HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\n" + trailer, ends: false)
    #expect(answer?.keepsAlive == false)
  }

  @Test func whatItSaysIsShortAndHarmless() throws {
    let answer = try read(
      "HTTP/1.1 400 Bad\u{1B}[31m\r\n\r\nout of\n\n  bounds\u{7}"
        + String(repeating: "x", count: 500))
    let words = try #require(answer).words()
    #expect(words.hasPrefix("400 Bad\\u{1B}[31m: out of bounds\\u{7}xxx"))
    #expect(words.hasSuffix("…"))
    #expect(words.unicodeScalars.count < 300)
    let moved = try read("HTTP/1.1 301 Moved\r\nLocation: http://b/\r\nContent-Length: 0\r\n\r\n")
    #expect(moved?.words() == "301 Moved, and it names http://b/")
  }

  @Test(arguments: [
    ("5", 5), ("0", 0), ("soon", nil), ("-1", nil), ("99999999999", nil),
    ("Wed, 21 Oct 2015 07:28:00 GMT", nil),
  ])
  func patienceIsAskedForInSeconds(text: String, seconds: Int?) throws {
    let answer = try read("HTTP/1.1 429 X\r\nRetry-After: \(text)\r\nContent-Length: 0\r\n\r\n")
    #expect(answer?.retryAfterSeconds == seconds.map { Int64($0) })
  }
}

struct RemoteBackoffTests {
  @Test func waitsDoubleUpToALimit() {
    for chance in [0.0, 0.5, 1.0] {
      var backoff = RemoteBackoff()
      let waits = (0..<9).map { _ in backoff.wait(chance: chance) }
      let whole: [Int64] = [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]
      let expected = whole.map { $0 * 500_000 + Int64(Double($0 * 500_000) * chance) }
      #expect(waits == expected)
      backoff.reset()
      #expect(backoff.wait(chance: chance) == expected[0])
    }
  }

  @Test func whatAReceiverAsksForIsBounded() {
    #expect(RemoteBackoff.nanoseconds(retryAfterSeconds: 0) == 0)
    #expect(RemoteBackoff.nanoseconds(retryAfterSeconds: 60) == 60_000_000_000)
    #expect(RemoteBackoff.nanoseconds(retryAfterSeconds: 61) == 60_000_000_000)
    #expect(RemoteBackoff.nanoseconds(retryAfterSeconds: .max) == 60_000_000_000)
    #expect(RemoteBackoff.nanoseconds(retryAfterSeconds: .min) == 0)
  }
}

struct RemoteTargetTests {
  @Test func addressesAreRead() throws {
    let plain = try RemoteTarget("http://prometheus.example:9090/api/v1/write")
    #expect(plain.host == "prometheus.example")
    #expect(plain.port == 9_090)
    #expect(plain.path == "/api/v1/write")
    #expect(plain.hostField == "prometheus.example:9090")
    #expect(plain.authorization == nil)
    #expect(plain.shown == "http://prometheus.example:9090/api/v1/write")
    let six = try RemoteTarget("HTTP://[::1]?a=b")
    #expect(six.host == "::1")
    #expect(six.port == 80)
    #expect(six.path == "/?a=b")
    #expect(six.hostField == "[::1]")
    #expect(six.shown == "http://[::1]/?***")
    #expect(try RemoteTarget("http://a").path == "/")
  }

  @Test func credentialsOfAFileLogIn() throws {
    let login = try RemoteCredentials(file: Array(" fleet:s@cret: 1\n".utf8))
    let target = try RemoteTarget("http://127.0.0.1/x?b=hidden", credentials: login)
    #expect(target.authorization == "Basic ZmxlZXQ6c0BjcmV0OiAx")
    #expect(target.shown == "http://127.0.0.1/x?***")
    #expect(target.secrets.contains("s@cret: 1"))
    #expect(target.secrets.contains("ZmxlZXQ6c0BjcmV0OiAx"))
    let token = try RemoteCredentials(file: Array("abc.d-e\r\n".utf8))
    #expect(try RemoteTarget("http://[::1]", credentials: token).authorization == "Bearer abc.d-e")
    #expect(throws: RemoteTarget.Refusal.self) {
      try RemoteTarget("http://me:too@localhost", credentials: token)
    }
  }

  @Test(arguments: [
    "prometheus.example", "10.0.0.7", "127.0.0.1.example.com", "127.evil", "[fe80::1]",
    "localhost.example",
  ])
  func nobodyLogsInOverTheNetwork(host: String) throws {
    let token = try RemoteCredentials(file: Array("abc.d-e".utf8))
    #expect(try RemoteTarget("http://\(host)/x").authorization == nil)
    for (user, login) in [("", token), ("me:secret@", nil)] {
      do throws(RemoteTarget.Refusal) {
        _ = try RemoteTarget("http://\(user)\(host)/x", credentials: login)
        Issue.record("\(host) gets what logs in")
      } catch {
        #expect(error.text.contains("http://127.0.0.1"))
        #expect(!error.text.contains("secret"))
      }
    }
  }

  @Test func secretsThatAreEscapedAreNotShown() {
    let secrets = ["S3CR3T-tok", "100%25"]
    for (body, words) in [
      ("no page for S3CR3T%2Dtok", "no page for ***"), ("%533CR3T-%74ok%", "***%"),
      ("S3CR3T%2dtok and S3CR3T-tok", "*** and ***"), ("100%25, 100%2525", "***, ***"),
      ("50%2B, %zz, %", "50%2B, %zz, %"), ("cut: S3CR3T%2", "cut: ***"),
      ("cut: %533CR%", "cut: ***"), ("100%", "***"), ("10%", "10%"),
    ] {
      let answer = RemoteAnswer(status: 400, body: Array(body.utf8))
      #expect(answer.words(hiding: secrets) == "400: \(words)")
    }
  }

  @Test func credentialsAreBounded() throws {
    let longest = RemoteCredentials.bytesMax
    let fitting = try RemoteCredentials(file: [UInt8](repeating: 0x61, count: longest))
    #expect(fitting.secrets.map(\.count) == [longest])
    let wrong: [[UInt8]] = [
      [UInt8](repeating: 0x61, count: longest + 1), [], [0x20, 0x0A], Array("a b".utf8),
      Array("a:b\nc".utf8), Array("a:\u{7F}".utf8), [0x61, 0x3A, 0xFF],
    ]
    for bytes in wrong {
      #expect(throws: RemoteTarget.Refusal.self) { try RemoteCredentials(file: bytes) }
    }
  }

  @Test func aSecretThatIsCutThroughIsNotShown() {
    let secrets = ["top:s\u{E9}cret", "s\u{E9}cret"]
    let whole = Array(secrets[0].utf8)
    for length in 1...whole.count {
      let body = Array("no: ".utf8) + whole.prefix(length)
      let words = RemoteAnswer(status: 400, body: body).words(hiding: secrets)
      #expect(words == "400: no: \(length < 4 ? String("top".prefix(length)) : "***")")
    }
  }

  @Test func secretsAreNotShown() throws {
    let target = try RemoteTarget("http://fleet:se%40cret@127.0.0.1:8428/api/v1/write?token=hidden")
    #expect(target.authorization == "Basic ZmxlZXQ6c2VAY3JldA==")
    #expect(target.shown == "http://***@127.0.0.1:8428/api/v1/write?***")
    #expect(target.path == "/api/v1/write?token=hidden")
  }

  @Test(arguments: [
    ("https://a/x", "https isn't spoken"), ("HTTPS://a/x", "https isn't spoken"),
    ("ftp://a/x", "http://"), ("a:9090/x", "http://"), ("", "http://"), ("http://", "no host"),
    ("http://:80/", "no host"), ("http://a:0/", "port"), ("http://a:65536/", "port"),
    ("http://a:/", "port"), ("http://a:8 0/", "percent"), ("http://a/\r\nX: y", "percent"),
    ("http://a/\u{E9}", "percent"), ("http://a/#x", "percent"), ("http://[::1/", "]"),
    ("http://[::g]/", "IPv6"), ("http://a_b!/", "letters"), ("http://user@a/", "NAME:PASSWORD"),
    ("http://u%00:p@a/", "NAME:PASSWORD"), ("http://a:1:2/", "port"),
    ("http://a/" + String(repeating: "x", count: 2_048), "longer"),
  ])
  func wrongOnesAreRefused(text: String, said: String) {
    do throws(RemoteTarget.Refusal) {
      _ = try RemoteTarget(text)
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.text.contains(said), "\(text): \(error.text)")
      #expect(!error.text.contains("%00"))
    }
  }
}
