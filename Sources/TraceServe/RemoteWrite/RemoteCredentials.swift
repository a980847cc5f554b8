// What a sender logs in with: a name and a password, or a token. This file must not know where
// they come from, and no message of it repeats them.

import Foundation

/// What logs in at a receiver of remote write.
public struct RemoteCredentials: Hashable, Sendable {
  /// The bytes of a file with credentials: the longest tokens in use have about half.
  public static let bytesMax = 4_096

  /// The value of the Authorization field.
  let authorization: String
  /// The texts that no message may repeat.
  let secrets: [String]

  /// Reads the content of a file: one line, either `NAME:PASSWORD` or a token, which has no colon.
  ///
  /// A password is sent as Basic, a token as Bearer. White space around the line doesn't count.
  public init(file bytes: [UInt8]) throws(RemoteTarget.Refusal) {
    guard bytes.count <= Self.bytesMax else {
      throw Self.refusal("it is longer than \(Self.bytesMax) bytes")
    }
    let isBlank = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
    let line = Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    guard !line.isEmpty else { throw Self.refusal("it is empty") }
    let text = String(decoding: line, as: UTF8.self)
    guard text.utf8.elementsEqual(line) else { throw Self.refusal("it isn't UTF-8") }
    guard Self.isOneLine(text) else {
      throw Self.refusal("it has several lines, or control characters")
    }
    if line.contains(UInt8(ascii: ":")) {
      self.init(user: text)
    } else {
      // This also keeps a name and a password without the colon from being sent as a token.
      guard line.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw Self.refusal("a token has neither blanks nor letters beyond ASCII")
      }
      self.init(authorization: "Bearer " + text, secrets: [text])
    }
  }

  /// Reads what stands before the `@` of an address.
  init(escaped: Substring) throws(RemoteTarget.Refusal) {
    guard let plain = String(escaped).removingPercentEncoding, plain.contains(":"),
      Self.isOneLine(plain)
    else {
      throw RemoteTarget.Refusal(
        text: "the user before the @ is written NAME:PASSWORD, escaped by percent signs")
    }
    self.init(user: plain)
  }

  /// - Parameter user: A name, a colon and a password.
  private init(user: String) {
    let encoded = Data(user.utf8).base64EncodedString()
    let password = user.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    self.init(
      authorization: "Basic " + encoded, secrets: [user, encoded, String(Substring(password))])
  }

  private init(authorization: String, secrets: [String]) {
    self.authorization = authorization
    self.secrets = secrets
  }

  private static func isOneLine(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  private static func refusal(_ reason: String) -> RemoteTarget.Refusal {
    RemoteTarget.Refusal(
      text: "\(reason); it holds one line, NAME:PASSWORD or a token, and nothing else")
  }
}
