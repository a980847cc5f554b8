// What counts as a file's extension.

import Testing

@testable import TraceIO

struct FileExtensionTests {
  @Test(arguments: [
    ("o.txt", "txt"), ("o.TXT", "txt"), ("a.b/both.HTML", "html"), ("2026-11-23.diff", "diff"),
    (".hid.svg", "svg"), ("a.tar.gz", "gz"),
  ])
  func itIsWhatStandsBehindTheLastDot(_ path: String, _ text: String) {
    #expect(FileExtension.of(path) == text)
  }

  @Test(arguments: ["", "/", "o", "o.", ".hid", "a.b/o", "..", "a.b/..html"])
  func otherNamesHaveNone(_ path: String) {
    #expect(FileExtension.of(path) == nil)
    #expect(!FileExtension.of(path, isAmong: ["", "o", "hid", "html"]))
  }

  @Test func theCaseSaysNothing() {
    #expect(FileExtension.of("b/u.LcTrace", isAmong: ["ndjson", "lctrace"]))
    #expect(!FileExtension.of("b/u.lctrace.old", isAmong: ["ndjson", "lctrace"]))
    #expect(!FileExtension.of("b.lctrace/u", isAmong: ["ndjson", "lctrace"]))
  }
}
