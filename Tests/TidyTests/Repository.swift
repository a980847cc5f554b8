// The repository as the tidy tests see it: its folders and its source files.

import Foundation

enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  struct SourceFile: CustomStringConvertible {
    /// From the root, for example `Sources/TraceModel/Event.swift`.
    var path: String
    var lines: [Substring]

    var description: String { path }
    var target: String { String(path.split(separator: "/")[1]) }
    /// The modules the file imports.
    var imports: [String] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, words.count > place + 1
        else { return nil }
        let isImport = words[..<place].allSatisfy {
          ["public", "package", "internal", "private"].contains($0) || $0.hasPrefix("@")
        }
        guard isImport else { return nil }
        let name = words[place + 1]
        return ["struct", "func", "enum", "class", "let", "protocol"].contains(name)
          ? words.last.map { String($0.prefix { $0 != "." }) } : String(name)
      }
    }
  }

  /// All Swift files below a folder of the root.
  static func swiftFiles(below folder: String) -> [SourceFile] {
    let start = root.appendingPathComponent(folder)
    guard let walker = FileManager.default.enumerator(atPath: start.path) else { return [] }
    return walker.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
      .compactMap { name in
        let url = start.appendingPathComponent(name)
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        return SourceFile(
          path: "\(folder)/\(name)",
          lines: text.split(separator: "\n", omittingEmptySubsequences: false))
      }
  }
}
