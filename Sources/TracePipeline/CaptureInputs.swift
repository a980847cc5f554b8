// Which inputs a call names: files, directories and standard input become a list of captures.
// This file must not know what is in them.

public import TraceExport
import TraceIO
import TraceModel

/// The inputs of a call.
public struct CaptureInputs: Sendable {
  /// One input that may be a capture.
  struct Entry: Sendable {
    var path: String
    /// The place in ``directories`` of the directory that it was found in; nil if it was named.
    var directory: Int?
    /// Whether it is no regular file: it may still be written, and can be read only once.
    var isLive = false
  }

  /// What standard input is called.
  public static let standardInput = "-"

  private(set) var entries: [Entry] = []
  /// Which of the traces are checked; nil for all.
  let shard: Shard?
  /// The directories among the inputs.
  public private(set) var directories: [String] = []
  /// Archives of binary logs in the directories.
  private(set) var archives: [String] = []
  /// Directories that couldn't be listed in full.
  public private(set) var failures: [JudgedCapture] = []
  /// Paths at and below which there may be captures that weren't listed.
  public private(set) var unlisted: [String] = []

  /// The inputs, and whether each was found in a directory and not named.
  public var files: [(path: String, isFromDirectory: Bool)] {
    entries.map { ($0.path, $0.directory != nil) }
  }

  /// For each of ``files`` the place in ``directories`` of the one that it was found in; nil for
  /// those that were named.
  public var directoriesOfFiles: [Int?] { entries.map(\.directory) }

  /// Whether standard input is one of them.
  public var hasStandardInput: Bool { entries.contains { $0.path == Self.standardInput } }

  /// Whether an input may still be written while it is read.
  public var hasLiveEntries: Bool { entries.contains { $0.isLive } }

  /// Files that no report may replace: those that were named, and in directories those that are
  /// called like captures. A report of an earlier call that lies there may be replaced.
  public var pathsNotToOverwrite: [String] {
    entries.filter { $0.directory == nil || CaptureFormats.isOwnExtension(of: $0.path) }
      .flatMap { Recording.files(of: $0.path) }
  }

  /// Lists the inputs of a call, in the order given.
  public init(paths: [String], shard: Shard? = nil) {
    self.shard = shard
    for path in paths {
      let kind = path == Self.standardInput ? .other : DirectoryListing.kind(of: path)
      guard kind == .directory else {
        entries.append(Entry(path: path, isLive: kind == .other))
        continue
      }
      let listing = DirectoryListing.files(below: path)
      unlisted += listing.unseen
      for error in listing.errors {
        if DirectoryListing.kind(of: error.path) == .directory { unlisted.append(error.path) }
        failures.append(
          JudgedCapture(path: error.path, failure: CaptureFailure(error)))
      }
      for file in listing.files {
        if BinaryLogs.isBinary(file) {
          let archive = BinaryLogs.archive(of: file)
          if archives.last != archive, !archives.contains(archive) { archives.append(archive) }
          continue
        }
        entries.append(Entry(path: file, directory: directories.count))
      }
      directories.append(path)
    }
    joinRecordings()
  }

  /// Leaves out traces that are read with the journals beside them: a killed recording is one
  /// capture of two files.
  private mutating func joinRecordings() {
    let joined = Set(
      entries.compactMap { entry in
        Recording.trace(besideJournal: entry.path).flatMap {
          Recording.areOne(journal: entry.path, trace: $0) ? FileVersion(path: $0)?.number : nil
        }
      })
    if joined.isEmpty { return }
    // However its path is written.
    entries.removeAll { entry in
      Recording.isNamedTrace(entry.path)
        && FileVersion(path: entry.path).map { joined.contains($0.number) } == true
    }
  }

  /// Takes note of a list of names that named nothing. It is reported as a directory without
  /// captures is.
  public mutating func addEmptyList(_ path: String) {
    failures.append(JudgedCapture(path: path, failure: .emptyList))
  }

  /// One of several calls that share the traces.
  public struct Shard: Sendable {
    var index: Int
    var count: Int

    /// - Parameter text: `I/N` with 1 ≤ I ≤ N ≤ 10,000.
    public init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
        (1...10_000).contains(count), (1...count).contains(index)
      else { return nil }
      self.index = index
      self.count = count
    }

    /// Whether a trace belongs to this call.
    ///
    /// - Parameter name: What the trace is known by, so that its copies are in the same share.
    func contains(_ name: String) -> Bool {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash ^= hash >> 32
      return hash % UInt64(count) == UInt64(index - 1)
    }
  }

  /// Reads a list of names.
  ///
  /// - Parameters:
  ///   - path: The file with the list, or `-` for standard input.
  ///   - isNulSeparated: Names end with a zero byte instead of a line feed.
  /// - Throws: ``CaptureFailure`` if the list can't be read or is too long.
  public static func names(
    listedIn path: String, isNulSeparated: Bool
  ) throws(CaptureFailure) -> [String] {
    var bytes: [UInt8] = []
    do throws(FileError) {
      var file = try InputFile(path: path)
      reading: while bytes.count <= listBytesMax {
        switch try file.read(into: &bytes, limit: 65_536) {
        case .end: break reading
        case .bytes, .timeout, .interrupted: continue
        }
      }
    } catch {
      throw CaptureFailure(error)
    }
    if bytes.count > listBytesMax {
      throw CaptureFailure(
        "the list of files is longer than \(listBytesMax >> 20) MiB", advice: "split it")
    }
    let separator: UInt8 = isNulSeparated ? 0 : UInt8(ascii: "\n")
    return bytes.split(separator: separator).map { name in
      let isWindowsLine = !isNulSeparated && name.last == UInt8(ascii: "\r")
      return String(decoding: isWindowsLine ? name.dropLast() : name, as: UTF8.self)
    }.filter { !$0.isEmpty }
  }

  /// Bytes of a list of names: two hundred thousand names of usual length, and each takes several
  /// times its bytes while it is checked.
  private static let listBytesMax = 16 << 20
}

extension CaptureFailure {
  init(_ error: FileError) {
    if error.reason == .interrupted {
      self = .interrupted
    } else {
      self.init(error.message, advice: error.advice)
    }
  }
}
