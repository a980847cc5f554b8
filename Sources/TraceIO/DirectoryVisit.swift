// One walk through a directory and the directories in it.

extension DirectoryListing {
  /// A walk that goes on.
  struct Visit {
    private(set) var listing = Listing()
    /// The directory that links must not lead out of; nil if they may lead anywhere.
    private let inside: String?
    private var visited: Set<Identity> = []

    private struct Identity: Hashable {
      var device: UInt64
      var inode: UInt64
    }

    init(inside: String?) { self.inside = inside }

    mutating func visit(_ path: String, depth: Int) {
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
      for name in names where name.utf8.first != UInt8(ascii: ".") {
        if listing.files.count >= filesMax {
          listing.errors.append(
            FileError(
              .other, path, "the directory holds more than \(filesMax) files",
              advice: "check it in parts"))
          return
        }
        take(path.utf8.last == UInt8(ascii: "/") ? path + name : path + "/" + name, depth: depth)
      }
    }

    private mutating func take(_ child: String, depth: Int) {
      let kind = kind(of: child)
      if let inside, kind == .file || kind == .directory, isLink(child),
        !isInside(child, directory: inside)
      {
        listing.errors.append(
          FileError(
            .other, child, "it is a link that leads out of the directory, and isn't followed",
            advice: "put the file itself there"))
        return
      }
      switch kind {
      case .file:
        listing.files.append(child)
      case .directory where depth + 1 >= depthMax:
        listing.errors.append(
          FileError(.other, child, "directories are nested more than \(depthMax) deep"))
      case .directory:
        visit(child, depth: depth + 1)
      case .missing:
        if let error = Self.missing(child) { listing.errors.append(error) }
      case .other:
        break
      }
    }

    /// What is wrong with a name that was listed a moment ago and leads nowhere; nil if it has just
    /// gone.
    private static func missing(_ child: String) -> FileError? {
      if isLink(child) {
        return FileError(.missing, child, "it is a link to nothing", advice: "remove the link")
      }
      // It doesn't open under the text that it became.
      guard child.unicodeScalars.contains("\u{FFFD}") else { return nil }
      return FileError(
        .other, child, "its name isn't UTF-8, so it can't be opened", advice: "rename it")
    }
  }
}
