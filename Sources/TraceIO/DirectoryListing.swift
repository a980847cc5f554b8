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
  /// Files of one listing: bounds the memory for names.
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
  }

  /// All regular files below a directory. Names that begin with a dot are skipped; links are
  /// followed, and no directory is visited twice.
  public static func files(below path: String) -> Listing {
    var listing = Listing()
    var visited: Set<Identity> = []
    visit(path, depth: 0, &visited, &listing)
    return listing
  }

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

  private struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private static func visit(
    _ path: String, depth: Int, _ visited: inout Set<Identity>, _ listing: inout Listing
  ) {
    var names: [String] = []
    do throws(SystemError) {
      let status = try SystemCalls.status(of: path)
      let identity = Identity(device: status.device, inode: status.inode)
      guard visited.insert(identity).inserted else { return }
      names = try SystemCalls.names(in: path, limit: filesMax)
    } catch {
      listing.errors.append(FileError(error, path, "can't list the directory"))
      return
    }
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for name in names where !name.hasPrefix(".") {
      if listing.files.count >= filesMax {
        listing.errors.append(
          FileError(
            .other, path, "the directory holds more than \(filesMax) files",
            advice: "check it in parts"))
        return
      }
      let child = path.hasSuffix("/") ? path + name : path + "/" + name
      switch kind(of: child) {
      case .file:
        listing.files.append(child)
      case .directory where depth + 1 >= depthMax:
        listing.errors.append(
          FileError(.other, child, "directories are nested more than \(depthMax) deep"))
      case .directory:
        visit(child, depth: depth + 1, &visited, &listing)
      case .missing:
        // The name was listed a moment ago: it doesn't open under the text that it became.
        let isText = !child.unicodeScalars.contains("\u{FFFD}")
        listing.errors.append(
          isText
            ? FileError(.missing, child, "it is a link to nothing", advice: "remove the link")
            : FileError(
              .other, child, "its name isn't UTF-8, so it can't be opened", advice: "rename it"))
      case .other:
        break
      }
    }
  }
}
