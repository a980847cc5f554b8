// The extension of a file's name, by which commands choose what they write.

/// What stands behind the last dot of a name.
enum FileExtension {
  /// The extension in lower case; nil if there is none. Dots at the beginning of a name hide the
  /// file, and behind one at the end there is nothing.
  static func of(_ path: String) -> String? {
    guard let name = path.split(separator: "/").last else { return nil }
    let visible = name.drop { $0 == "." }
    guard let dot = visible.lastIndex(of: ".") else { return nil }
    let text = visible[visible.index(after: dot)...]
    return text.isEmpty ? nil : text.lowercased()
  }
}
