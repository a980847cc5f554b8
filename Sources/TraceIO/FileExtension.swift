// The extension of a file's name, by which commands choose what they write, and tell files that are
// called like captures.

/// What stands behind the last dot of a name.
public enum FileExtension {
  /// The extension in lower case; nil if there is none.
  ///
  /// Dots at the beginning of a name hide the file, and behind one at the end there is nothing.
  ///
  /// - Parameter path: A path, of which the last name counts.
  public static func of(_ path: String) -> String? {
    guard let name = path.split(separator: "/").last else { return nil }
    let visible = name.drop { $0 == "." }
    guard let dot = visible.lastIndex(of: ".") else { return nil }
    let text = visible[visible.index(after: dot)...]
    return text.isEmpty ? nil : text.lowercased()
  }

  /// Whether a path has one of some extensions, in whatever case.
  ///
  /// - Parameters:
  ///   - path: A path, of which the last name counts.
  ///   - extensions: In lower case, without dots.
  public static func of(_ path: String, isAmong extensions: [String]) -> Bool {
    guard let found = of(path) else { return false }
    return extensions.contains(found)
  }
}
