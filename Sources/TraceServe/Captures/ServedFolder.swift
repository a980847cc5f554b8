// The directory that is served: which names its files have, and which files belong to it.

import TraceIO

struct ServedFolder: Sendable {
  /// Without slashes at its end, but for the root of the file system.
  let path: String
  private let prefix: String

  /// - Parameter path: As the user wrote it.
  init(_ path: String) {
    let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
    let trimmed = end.map { String(path[...$0]) } ?? ""
    self.path = trimmed.isEmpty && !path.isEmpty ? "/" : trimmed
    prefix = trimmed + "/"
  }

  /// The path of a file by its name in the directory.
  func path(of name: String) -> String { prefix + name }

  /// The name of a file by its path. It is cut between bytes: a mark at its beginning would make
  /// one character with the slash.
  func name(of path: String) -> String {
    String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// Whether a file lies in the directory when all links are followed.
  func holds(_ name: String) -> Bool {
    DirectoryListing.isInside(path(of: name), directory: path)
  }
}
