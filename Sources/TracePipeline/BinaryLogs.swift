// Finds the binary logs of the system among files, which only Apple's tool reads.
// This file must not know what is in them.

public import TraceExport
import TraceIO

/// Archives of the unified log in a folder, as in a sysdiagnose.
enum BinaryLogs {
  private static let archiveExtension = ".logarchive"

  /// Whether a file is a part of the unified log.
  static func isBinary(_ path: String) -> Bool { FileExtension.of(path) == "tracev3" }

  /// The archive, or the folder, in which a binary file lies.
  static func archive(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let place = parts.lastIndex { $0.hasSuffix(archiveExtension) }
    return parts[...(place ?? max(0, parts.count - 2))].joined(separator: "/")
  }

  /// What to do with a binary file that was named itself.
  static func advice(file path: String) -> String {
    advice(archive: path.contains(archiveExtension + "/") ? archive(of: path) : "FILE.logarchive")
  }

  /// How an archive becomes a text that can be read.
  static func advice(archive: String) -> String {
    // A shell takes no apostrophe between apostrophes.
    let quoted = archive.replacing("'", with: "'\\''")
    return "convert it on a Mac: log show '\(quoted)' --info --style ndjson > log.ndjson"
  }

  static func failure(_ archive: String) -> CaptureFailure {
    CaptureFailure(
      "it holds binary logs, which only the log tool of macOS reads",
      advice: advice(archive: archive), .foreign)
  }
}

extension CaptureInputs {
  /// Archives of binary logs in the directories, each named once with the command that converts it.
  ///
  /// One that was named itself is told of when its turn comes.
  public var binaryLogs: [JudgedCapture] {
    archives.filter { archive in !directories.contains { Self.isPart($0, of: archive) } }
      .map { JudgedCapture(path: $0, failure: BinaryLogs.failure($0)) }
  }

  /// Why there is nothing to read in a directory.
  public func failure(ofEmpty directory: String) -> CaptureFailure {
    let archive = archives.first { Self.isPart(directory, of: $0) }
    return archive.map { BinaryLogs.failure($0) } ?? .noCaptures
  }

  /// Whether a directory, as it was named, is an archive or lies in it.
  private static func isPart(_ directory: String, of archive: String) -> Bool {
    var name = directory[...]
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    return name == archive || name.hasPrefix(archive + "/")
  }
}
