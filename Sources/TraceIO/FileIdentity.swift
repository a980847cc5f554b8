// Tells whether two paths name the same file, also where it isn't there yet.

import TraceModel

/// What makes a file the same under every name: its device and number; for a file that isn't there
/// yet, those of its folder and its name.
public struct FileIdentity: Hashable, Sendable {
  private var device: UInt64
  private var inode: UInt64
  private var name: String

  /// The identity of what a path names; nil for devices, pipes, standard streams and what can't
  /// be anywhere.
  public init?(path: String) {
    if path == "-" || path.isEmpty { return nil }
    do throws(SystemError) {
      let status = try SystemCalls.status(of: path)
      guard status.kind == .file else { return nil }
      self.init(status, "")
      return
    } catch {
      if !error.isMissing { return nil }
    }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    do throws(SystemError) {
      self.init(try SystemCalls.status(of: folder), name)
    } catch {
      return nil
    }
  }

  /// The identity of a folder; nil if the path names none.
  public init?(folder path: String) {
    do throws(SystemError) {
      let status = try SystemCalls.status(of: path)
      guard status.kind == .directory else { return nil }
      self.init(status, "")
    } catch {
      return nil
    }
  }

  private init(_ status: FileStatus, _ name: String) {
    device = status.device
    inode = status.inode
    self.name = name
  }
}
