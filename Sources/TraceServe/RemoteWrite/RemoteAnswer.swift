// The answer of a receiver, read from bytes that may be anything: within fixed limits, and never
// twice. This file must not know sockets.

import TraceExport
import TraceModel

/// What a receiver answered.
struct RemoteAnswer: Equatable {
  var status: Int
  /// The words after the status.
  var phrase = ""
  /// The Retry-After field, if it is a number of seconds.
  var retryAfterSeconds: Int64?
  /// The Location field; empty if there is none.
  var location = ""
  /// The first bytes of the body.
  var body: [UInt8] = []
  /// Whether another request may follow on the connection.
  var keepsAlive = true

  /// Characters of a receiver's words that are shown.
  static let scalarsMax = 200

  /// The status and the first words of the body, harmless to look at.
  ///
  /// - Parameter secrets: Texts that people must not see; a receiver may repeat what it was told.
  func words(hiding secrets: [String] = []) -> String {
    func shown(_ text: String) -> String {
      Self.printable(SecretMask.hiding(secrets, in: text))
    }
    let known = phrase.isEmpty ? "\(status)" : "\(status) \(shown(phrase))"
    if (300..<400).contains(status), !location.isEmpty {
      return known + ", and it names \(shown(location))"
    }
    let text = shown(String(decoding: body, as: UTF8.self))
    return text.isEmpty ? known : "\(known): \(text)"
  }

  /// Blanks and line breaks become one blank each: a list of several lines would hide the next
  /// message.
  private static func printable(_ text: String) -> String {
    let parts = text.unicodeScalars.split { $0 == " " || $0 == "\n" || $0 == "\r" || $0 == "\t" }
    let line = parts.map { String($0) }.joined(separator: " ")
    return PrintableText.printable(line, scalarsMax: scalarsMax)
  }
}

/// Reads one answer from the pieces in which it arrives.
struct RemoteAnswerReader {
  /// Bytes of the head of an answer, all interim ones before it included.
  static let headBytesMax = 16 << 10
  /// Bytes of a body that are read; a longer one costs the connection.
  static let bodyBytesMax = 64 << 10
  /// Bytes of a body that are kept for people.
  private static let keptBytesMax = 4 << 10
  /// Bytes of a line between two chunks.
  private static let chunkLineBytesMax = 256

  /// Why an answer can't be understood; one sentence without a final dot.
  struct Failure: Error, Equatable {
    var text: String
  }

  private enum Phase {
    case head
    /// So many bytes are to come; nil until the connection ends.
    case body(Int?)
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailer
    case done
  }

  private var phase = Phase.head
  private var line: [UInt8] = []
  private var headByteCount = 0
  private var bodyByteCount = 0
  private var head: RemoteAnswer?
  private var fields = AnswerFields()

  /// The answer as far as it is known: from the end of its head on.
  var answer: RemoteAnswer? { if case .head = phase { nil } else { head } }

  /// Whether nothing of the answer is missing.
  var isComplete: Bool { if case .done = phase { true } else { false } }

  /// Takes bytes as they arrive.
  mutating func take(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch phase {
      case .head:
        headByteCount += 1
        guard headByteCount <= Self.headBytesMax else {
          throw Failure(text: "the head of its answer is longer than 16 KiB")
        }
        let byte = rest.removeFirst()
        if byte == Self.lineFeed { try endHeadLine() } else { line.append(byte) }
      case .body(let count):
        let part = rest.prefix(count ?? rest.count)
        keep(part)
        rest.removeFirst(part.count)
        if case .done = phase { return }
        if let count { phase = part.count == count ? .done : .body(count - part.count) }
      case .chunkSize, .chunkEnd, .trailer:
        takeFraming(rest.removeFirst())
      case .chunk(let count):
        let part = rest.prefix(count)
        keep(part)
        rest.removeFirst(part.count)
        if case .done = phase { return }
        phase = part.count == count ? .chunkEnd : .chunk(count - part.count)
      case .done:
        // Nothing was asked for that this could answer.
        head?.keepsAlive = false
        return
      }
    }
  }

  /// Notes that no more bytes come.
  mutating func end() throws(Failure) {
    if case .head = phase {
      throw Failure(
        text: headByteCount == 0
          ? "it ended the connection without an answer"
          : "it ended the connection within the head of its answer")
    }
    giveUp()
  }

  /// Takes the answer as it is: its status is known, and what is missing are words.
  mutating func giveUp() {
    if !isComplete { head?.keepsAlive = false }
    phase = .done
  }

  private static let lineFeed = UInt8(ascii: "\n")

  // MARK: Head

  private mutating func endHeadLine() throws(Failure) {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    guard head != nil else {
      head = try Self.statusLine(line)
      return
    }
    if line.isEmpty { return endHead() }
    try fields.take(line)
  }

  /// An interim answer has no body, and another one follows it.
  private mutating func endHead() {
    guard var answer = head else { return }
    if (100..<200).contains(answer.status) {
      head = nil
      fields = AnswerFields()
      return
    }
    answer.retryAfterSeconds = fields.retryAfterSeconds
    answer.location = fields.location
    answer.keepsAlive = answer.keepsAlive && !fields.saysClose
    if answer.status == 204 || answer.status == 304 {
      phase = .done
    } else if fields.isChunked {
      if fields.hasLength { answer.keepsAlive = false }
      phase = .chunkSize
    } else if fields.hasEncoding || fields.isContradictory {
      answer.keepsAlive = false
      phase = .body(nil)
    } else if let length = fields.length {
      phase = length == 0 ? .done : .body(length)
    } else {
      answer.keepsAlive = false
      phase = .body(nil)
    }
    head = answer
  }

  private static func statusLine(_ line: [UInt8]) throws(Failure) -> RemoteAnswer {
    let text = String(decoding: line.prefix(512), as: UTF8.self)
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0",
      parts[1].utf8.count == 3, let status = Int(parts[1]), (100..<600).contains(status)
    else {
      throw Failure(text: "its answer isn't HTTP/1.1")
    }
    return RemoteAnswer(
      status: status, phrase: parts.count == 3 ? String(parts[2]) : "",
      keepsAlive: parts[0] == "HTTP/1.1")
  }

  // MARK: Body

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    bodyByteCount += bytes.count
    let room = Self.keptBytesMax - (head?.body.count ?? 0)
    if room > 0 { head?.body.append(contentsOf: bytes.prefix(room)) }
    if bodyByteCount > Self.bodyBytesMax { giveUp() }
  }

  /// Takes a byte between chunks. What is wrong there ends the answer, but doesn't change it.
  private mutating func takeFraming(_ byte: UInt8) {
    guard byte == Self.lineFeed else {
      line.append(byte)
      bodyByteCount += 1
      if line.count > Self.chunkLineBytesMax || bodyByteCount > Self.bodyBytesMax { giveUp() }
      return
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    switch phase {
    case .chunkEnd: if line.isEmpty { phase = .chunkSize } else { giveUp() }
    case .trailer: if line.isEmpty { phase = .done }
    default:
      let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
      // More digits than a body may have bytes.
      guard !digits.isEmpty, digits.count <= 8,
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0
      else { return giveUp() }
      phase = size == 0 ? .trailer : .chunk(size)
    }
  }
}

/// The fields of a head that matter to a sender.
private struct AnswerFields {
  /// Longer lengths are more than is read anyway.
  private static let lengthDigitsMax = 15

  private(set) var length: Int?
  private(set) var hasLength = false
  /// Whether lengths differ or are none.
  private(set) var isContradictory = false
  private(set) var isChunked = false
  private(set) var hasEncoding = false
  private(set) var saysClose = false
  private(set) var retryAfterSeconds: Int64?
  private(set) var location = ""

  mutating func take(_ line: [UInt8]) throws(RemoteAnswerReader.Failure) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
      throw RemoteAnswerReader.Failure(
        text: "a field of its answer isn't \u{201C}name: value\u{201D}")
    }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    var value = line[(colon + 1)...].drop { Self.isBlank($0) }
    while let last = value.last, Self.isBlank(last) { value.removeLast() }
    let text = String(decoding: value, as: UTF8.self)
    switch name {
    case "content-length":
      let number = Self.number(text, digitsMax: Self.lengthDigitsMax)
      if number == nil || hasLength && number != length { isContradictory = true }
      hasLength = true
      length = number
    case "transfer-encoding":
      isChunked = !hasEncoding && text.lowercased() == "chunked"
      hasEncoding = true
    case "connection":
      let words = text.lowercased().split { $0 == "," || $0 == " " }
      if words.contains("close") { saysClose = true }
    case "retry-after":
      if let seconds = Self.number(text, digitsMax: 9) { retryAfterSeconds = Int64(seconds) }
    case "location":
      location = text
    default: break
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func number(_ text: String, digitsMax: Int) -> Int? {
    guard !text.isEmpty, text.utf8.count <= digitsMax,
      text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
    else { return nil }
    return Int(text)
  }
}
