// Says what a file that is no capture seems to be, so that its owner sees the mistake at once.

import TraceExport

enum ForeignContent {
  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
    ([0x47, 0x49, 0x46, 0x38], "a GIF image"), ([0x25, 0x50, 0x44, 0x46], "a PDF document"),
    (Array("SQLite format 3".utf8), "a database"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program"), ([0xCF, 0xFA, 0xED, 0xFE], "a program"),
    ([0xCA, 0xFE, 0xBA, 0xBE], "a program"), (Array("bplist".utf8), "a property list"),
    (Array("<?xml".utf8), "an XML document"), (Array("<!DOCTYPE".utf8), "a web page"),
  ]

  /// Archives, which may hold captures, and how to unpack each.
  private static let archives: [(bytes: [UInt8], name: String, advice: String)] = [
    (
      [0x50, 0x4B, 0x03, 0x04], "a ZIP archive, as feedback of TestFlight is",
      "unpack it with 'unzip FILE' and name what comes out"
    ),
    (
      [0x42, 0x5A, 0x68], "a bzip2 archive",
      "unpack it with 'bunzip2 -k FILE' and name what comes out"
    ),
    (
      [0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz archive",
      "unpack it with 'unxz -k FILE' and name what comes out"
    ),
  ]

  /// Where a tar archive says that it is one.
  private static let tarPlace = 257
  private static let tarMark = Array("ustar".utf8)
  /// The header chunk that files of the unified log begin with.
  private static let binaryLogMark: [UInt8] = [0, 0x10, 0, 0, 0x11, 0, 0, 0]

  /// The failure for content that no format recognises.
  static func failure(for head: Span<UInt8>, path: String) -> CaptureFailure {
    if head.count > tarPlace, begins(head.extracting(tarPlace..<head.count), with: tarMark) {
      return CaptureFailure(
        "it is a tar archive, as a sysdiagnose is",
        advice: "unpack it with 'tar -xzf FILE' and name the folder that comes out", .foreign)
    }
    if begins(head, with: binaryLogMark) {
      return CaptureFailure(
        "it is a binary file of the unified log",
        advice: BinaryLogs.advice(file: path), .foreign)
    }
    for archive in archives where begins(head, with: archive.bytes) {
      return CaptureFailure("it is \(archive.name)", advice: archive.advice, .foreign)
    }
    for signature in signatures where begins(head, with: signature.bytes) {
      return CaptureFailure(
        "it is no capture but seems to be \(signature.name)", advice: "give a capture instead",
        .foreign)
    }
    if begins(head, with: [0xFF, 0xFE]) || begins(head, with: [0xFE, 0xFF]) || hasWideLetters(head)
    {
      return CaptureFailure(
        "it is a UTF-16 text", advice: "convert it to UTF-8, for example with iconv", .foreign)
    }
    if isText(head) {
      return CaptureFailure(
        "it is a text without life-cycle lines that any format would recognise",
        advice: "name its format with --from if it is a capture all the same", .foreign)
    }
    return CaptureFailure(
      "it is no capture that any format recognises",
      advice: "name its format with --from if it is one all the same", .foreign)
  }

  private static func begins(_ head: Span<UInt8>, with signature: [UInt8]) -> Bool {
    guard head.count >= signature.count else { return false }
    for index in signature.indices where head[index] != signature[index] { return false }
    return true
  }

  /// Whether every other of the first bytes is zero and the rest are letters, as in UTF-16 without
  /// a mark at its beginning.
  private static func hasWideLetters(_ head: Span<UInt8>) -> Bool {
    guard head.count >= 16 else { return false }
    let zeroPlace = head[0] == 0 ? 0 : 1
    for index in 0..<16 {
      let isLetter = head[index] >= 9 && head[index] < 0x7F
      if index % 2 == zeroPlace ? head[index] != 0 : !isLetter { return false }
    }
    return true
  }

  private static func isText(_ head: Span<UInt8>) -> Bool {
    for index in head.indices where head[index] < 9 { return false }
    return true
  }
}
