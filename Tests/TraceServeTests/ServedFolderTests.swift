// Names and paths in the directory that is served.

import Testing

@testable import TraceServe

struct ServedFolderTests {
  @Test(arguments: [
    ("a", "a", "a/x"), ("a/", "a", "a/x"), ("a//", "a", "a/x"), ("/", "/", "/x"),
    ("//", "/", "/x"), ("/a/b", "/a/b", "/a/b/x"),
  ])
  func slashes(written: String, path: String, file: String) {
    let folder = ServedFolder(written)
    #expect(folder.path == path)
    #expect(folder.path(of: "x") == file)
    for name in ["x", "\u{301}x", "sub/y"] {
      #expect(folder.name(of: folder.path(of: name)).utf8.elementsEqual(name.utf8))
    }
  }
}
