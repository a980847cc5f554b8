// Finds the files of a directory, recursively, in an order that doesn't depend on the file system.

/// What a path names.
public enum PathKind: Sendable, Equatable {
  case file, directory, other
  case missing
}

/// Lists directories.
public enum DirectoryListing {
  /// Directories inside directories: deeper trees are loops or accidents.
  public static let depthMax = 64
  /// Files of one listing, and names in one directory: bounds the memory for names.
  public static let filesMax = 1_000_000

  /// What a path names, links followed.
  public static func kind(of path: String) -> PathKind {
    do throws(SystemError) {
      switch try SystemCalls.status(of: path).kind {
      case .file: return .file
      case .directory: return .directory
      case .other: return .other
      }
    } catch {
      return .missing
    }
  }

  /// Whether a path names a link, wherever that leads.
  public static func isLink(_ path: String) -> Bool { SystemCalls.isLink(path) }

  /// A listing, and what couldn't be listed.
  public struct Listing: Sendable {
    /// Paths of regular files that begin with the directory's own path, sorted by their bytes
    /// within each directory.
    public var files: [String] = []
    /// Directories that couldn't be read, or limits that were reached.
    public var errors: [FileError] = []
    /// Paths that couldn't be looked at, with an error too where that lasts: what is there, and
    /// below it, isn't known, and may be all that was there before.
    public var unseen: [String] = []
  }

  /// Which links are followed.
  public enum Links: Sendable {
    case all
    /// Those that lead to something below the directory itself.
    case inside
  }

  /// All regular files below a directory. Names that begin with a dot are skipped, and no directory
  /// is visited twice.
  public static func files(below path: String, links: Links = .all) -> Listing {
    var visit = Visit(inside: links == .inside ? path : nil)
    visit.visit(path, depth: 0)
    return visit.listing
  }

  /// Whether a path leads to something below a directory when all links are followed.
  public static func isInside(_ path: String, directory: String) -> Bool {
    guard let real = realPath(directory), let path = realPath(path) else { return false }
    return path.utf8.starts(with: (real == "/" ? real : real + "/").utf8)
  }

  /// The absolute path without links in it; nil if it leads nowhere.
  public static func realPath(_ path: String) -> String? { try? SystemCalls.realPath(path) }

  /// A directory and the directories below it, at most so many. Names that begin with a dot are
  /// skipped, and links aren't followed.
  static func folders(below path: String, limit: Int) -> [String] {
    var folders = [path]
    var next = 0
    while next < folders.count, folders.count < limit {
      let folder = folders[next]
      next += 1
      guard let names = try? SystemCalls.names(in: folder, limit: filesMax) else { continue }
      for name in names.sorted() where !name.hasPrefix(".") && folders.count < limit {
        let child = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        if kind(of: child) == .directory, !isLink(child) { folders.append(child) }
      }
    }
    return folders
  }
}
