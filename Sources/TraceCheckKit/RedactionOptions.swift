// The key under which names and texts are hashed, from a file or made up.

import ArgumentParser
import Foundation
import TraceExport
import TraceIO
import TracePipeline

/// How names and texts are hashed.
struct RedactionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the key of the hashes: 32 hexadecimal digits, as 'openssl rand -hex 16' prints"
        + " them. Without it the key is random and kept nowhere, so that the hashes of two calls"
        + " differ.",
      valueName: "file"))
  var keyFile: String?

  /// More than a key and the end of a line.
  private static let keyFileBytesMax = 256

  /// What is done to a trace.
  func redaction() throws -> TraceRedaction {
    guard let keyFile else { return Self.redaction(.random()) }
    if keyFile.isEmpty { throw UsageError("--key-file names no file") }
    let bytes = try RuleFileLoader.bytes(of: keyFile, max: Self.keyFileBytesMax)
    guard let key = Self.key(bytes), let hash = KeyedHash(key: key) else {
      throw UsageError(
        "\(PrintableText.printable(keyFile)) holds no key; a key is 32 hexadecimal digits and"
          + " nothing else, as 'openssl rand -hex 16' prints them")
    }
    return Self.redaction(hash)
  }

  private static func redaction(_ hash: KeyedHash) -> TraceRedaction {
    TraceRedaction(hash: hash) { $0.precomposedStringWithCanonicalMapping }
  }

  /// The bytes behind digits; nil if there is anything but digits and white space around them.
  static func key(_ text: [UInt8]) -> [UInt8]? {
    let isBlank = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
    let digits = text.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    guard digits.count == 2 * KeyedHash.keyBytes else { return nil }
    let values = digits.compactMap { byte in Character(UnicodeScalar(byte)).hexDigitValue }
    guard values.count == digits.count else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { place in
      UInt8(values[place] << 4 | values[place + 1])
    }
  }
}
