// One walk through a directory and the directories in it.

import TraceModel

extension DirectoryListing {
  /// A walk that goes on.
  struct Visit {
    private(set) var listing = Listing()
    /// The directory that links must not lead out of; nil if they may lead anywhere.
    private let inside: String?
    /// Files of the listing, and names in one directory.
    private let limit: Int
    /// Whether a file was left out, because there were too many.
    private var isFull = false
    private var visited: Set<Identity> = []

    private struct Identity: Hashable {
      var device: UInt64
      var inode: UInt64
    }

    init(inside: String?, limit: Int = DirectoryListing.filesMax) {
      self.inside = inside
      self.limit = limit
    }

    mutating func visit(_ path: String, depth: Int) {
      var names: [String] = []
      do throws(SystemError) {
        let status = try SystemCalls.status(of: path)
        let identity = Identity(device: status.device, inode: status.inode)
        guard visited.insert(identity).inserted else { return }
        // One name more than there may be shows that there are too many.
        names = try SystemCalls.names(in: path, limit: limit + 1)
      } catch {
        listing.errors.append(FileError(error, path, "can't list the directory"))
        if !error.isMissing { listing.unseen.append(path) }
        return
      }
      let hasTooMany = names.count > limit
      names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      for name in names where name.utf8.first != UInt8(ascii: ".") {
        let child = path.utf8.last == UInt8(ascii: "/") ? path + name : path + "/" + name
        take(child, in: path, depth: depth)
        if isFull { return }
      }
      if hasTooMany { refuseMore("names", in: path) }
    }

    private mutating func refuseMore(_ what: String, in path: String) {
      listing.errors.append(
        FileError(
          .other, path, "the directory holds more than \(limit) \(what)",
          advice: "check it in parts"))
    }

    private mutating func take(_ child: String, in folder: String, depth: Int) {
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
      case .file where listing.files.count >= limit:
        isFull = true
        refuseMore("files", in: folder)
      case .file:
        listing.files.append(child)
      case .directory where depth + 1 >= depthMax:
        listing.errors.append(
          FileError(.other, child, "directories are nested more than \(depthMax) deep"))
      case .directory:
        visit(child, depth: depth + 1)
      case .missing:
        miss(child)
      case .other:
        break
      }
    }

    /// Tells what is wrong with a name that was listed a moment ago and that nothing is known of;
    /// it may have just gone.
    private mutating func miss(_ child: String) {
      do throws(SystemError) {
        _ = try SystemCalls.status(of: child)
        // It can be looked at again: what it is, the next listing says.
        listing.unseen.append(child)
      } catch {
        if error.isDenied || !error.isMissing && !isLink(child) {
          listing.errors.append(FileError(error, child, "can't look at it"))
          listing.unseen.append(child)
        } else if isLink(child) {
          listing.errors.append(
            FileError(.missing, child, "it is a link to nothing", advice: "remove the link"))
        } else if child.unicodeScalars.contains("\u{FFFD}") {
          // It doesn't open under the text that it became.
          listing.errors.append(
            FileError(
              .other, child, "its name isn't UTF-8, so it can't be opened", advice: "rename it"))
        } else {
          // It may be there under another name that came too late for this listing.
          listing.unseen.append(child)
        }
      }
    }
  }
}
