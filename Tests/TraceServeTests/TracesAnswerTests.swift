// The answers of `/api/traces`.

import Foundation
import Testing
import TraceIO

@testable import TraceServe

struct TracesAnswerTests {
  @Test func nothingInAnAnswerMisleadsATerminal() throws {
    let path = "a\u{9B}31m\u{202E}\u{7F}\u{2028}\u{1B}##[error]b"
    let version = try #require(FileVersion(path: #filePath))
    let record = CaptureRecord(
      path: path, version: version, format: "ndjson", failure: path, traces: [])
    let body = CaptureAPI.captures([record]).body
    let text = String(decoding: body, as: UTF8.self)
    #expect(text.dropLast().unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    #expect(!text.contains("##["))
    struct Answer: Decodable {
      struct Capture: Decodable {
        var path: String
        var failure: String
      }
      var captures: [Capture]
    }
    let capture = try #require(try JSONDecoder().decode(Answer.self, from: body).captures.first)
    #expect(capture.path == path && capture.failure == path)
  }
}
