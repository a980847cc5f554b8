// Keeps records, counts and former ids over restarts: one file each, put in its place whole, so
// that a server that is killed at any moment finds what it had published.

import Foundation
import TraceExport
import TraceIO
import TraceModel

/// A directory with one file per capture, one per trace that was counted, one per trace whose
/// capture was gone under another id than the first one, and one of the captures that went last.
struct StateStore: Sendable {
  /// The layout of the directory. Another one is left alone.
  private static let layout = "2"
  /// Bytes of a file that is read back: two hundred findings take far less.
  private static let fileBytesMax: Int64 = 16 << 20
  private static let suffix = ".state"

  private let captures: String
  private let counts: String
  private let ids: String
  private let checksFile: String
  private let vanishedFile: String
  /// Keeps other servers out as long as this value is there.
  private let owner: OwnerFile
  private let warn: @Sendable (String) -> Void

  /// Opens or makes the directory.
  ///
  /// - Parameters:
  ///   - served: The directory whose captures are counted in it.
  ///   - warn: Called with a sentence for each file that is damaged, and for what can't be listed.
  /// - Throws: ``FileError`` if it can't be made, listed or written to, or if it is another
  ///   server's. A full disk is told only: it may have room again.
  init(
    path: String, served: String, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FileError) {
    let folder = path + "/state-" + Self.layout
    captures = folder + "/captures"
    counts = folder + "/counts"
    ids = folder + "/ids"
    checksFile = folder + "/checks" + Self.suffix
    vanishedFile = folder + "/vanished" + Self.suffix
    self.warn = warn
    for folder in [path, folder, captures, counts, ids] { try Folder.create(folder) }
    let name = DirectoryListing.realPath(served) ?? served
    owner = try OwnerFile(
      path: folder + "/owner", owner: PrintableText.printable(name, scalarsMax: .max))
    // What is found out now is a clear message, and not a loss later.
    for folder in [captures, counts, ids] { _ = try Folder.names(in: folder) }
    do throws(FileError) {
      try Self.write([], to: folder + "/.probe")
      Folder.remove(folder + "/.probe")
    } catch {
      guard error.reason == .full else { throw error }
      warn("\(error); until then counts go on in memory")
    }
  }

  // MARK: Captures

  /// All records that can be read back, sorted by path. What can't is checked again, and so is a
  /// capture whose counts are lost: it has no terms.
  ///
  /// - Parameter counted: What ``forEachMetrics(_:)`` returned.
  func load(counted: Set<String>) -> [CaptureRecord] {
    var records: [CaptureRecord] = []
    let decoder = JSONDecoder()
    for file in files(in: captures) {
      guard let bytes = read(file) else { continue }
      guard var record = try? decoder.decode(CaptureRecord.self, from: Data(bytes)),
        file == Self.file(of: record.path, in: captures)
      else {
        moveAside(file)
        continue
      }
      // It still says under which names the traces are counted, also where their file has grown.
      if !record.keys.allSatisfy({ counted.contains(Self.name(of: $0)) }) { record.terms = "" }
      records.append(record)
    }
    return records.sorted { $0.path < $1.path }
  }

  /// Keeps a record in the place of an older one.
  func save(_ record: CaptureRecord) throws(FileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Every property is a string, a number or a list of such: encoding can't fail.
    guard let data = try? encoder.encode(record) else { return }
    try Self.write(Array(data), to: Self.file(of: record.path, in: captures))
  }

  /// Forgets a capture whose file is gone. What it counted for stays.
  func remove(_ path: String) { Folder.remove(Self.file(of: path, in: captures)) }

  // MARK: Captures that are gone

  /// By what the last captures are known again that are gone. A state of an earlier version may
  /// have none.
  func vanished() -> [CaptureTrack] {
    guard let bytes = read(vanishedFile) else { return [] }
    guard let tracks = try? JSONDecoder().decode([CaptureTrack].self, from: Data(bytes)) else {
      moveAside(vanishedFile)
      return []
    }
    return tracks
  }

  /// Keeps by what captures are known again that are gone, in the place of what was kept of others.
  func saveVanished(_ tracks: [CaptureTrack]) throws(FileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and numbers can always be encoded.
    guard let data = try? encoder.encode(tracks) else { return }
    try Self.write(Array(data), to: vanishedFile)
  }

  // MARK: Counts

  /// Reads all counts back, and returns the names of the keys that have some.
  func forEachMetrics(_ body: (MetricSet) -> Void) -> Set<String> {
    var names: Set<String> = []
    for file in files(in: counts) {
      guard let set = metrics(in: file) else { continue }
      body(set)
      names.insert(String(file.dropFirst(counts.count + 1).dropLast(Self.suffix.count)))
    }
    return names
  }

  func metrics(_ key: String) -> MetricSet? { metrics(in: Self.file(of: key, in: counts)) }

  /// - Parameter encoded: A set of metrics as bytes.
  func save(_ encoded: [UInt8], as key: String) throws(FileError) {
    try Self.write(encoded, to: Self.file(of: key, in: counts))
  }

  func checks() -> MetricSet? { metrics(in: checksFile) }

  func saveChecks(_ set: MetricSet) throws(FileError) {
    try Self.write(set.encoded, to: checksFile)
  }

  private func metrics(in file: String) -> MetricSet? {
    guard let bytes = read(file) else { return nil }
    guard let set = MetricSet(encoded: bytes) else {
      moveAside(file)
      return nil
    }
    return set
  }

  // MARK: Former ids

  /// What is kept of a trace whose capture is gone.
  private struct FormerTrace: Codable {
    var key: String
    var ids: [String]
  }

  /// By which ids traces went whose captures are gone, by key. A state of an earlier version may
  /// have none.
  func formerIDs() -> [String: [String]] {
    var idsByKey: [String: [String]] = [:]
    let decoder = JSONDecoder()
    for file in files(in: ids) {
      guard let bytes = read(file) else { continue }
      guard let trace = try? decoder.decode(FormerTrace.self, from: Data(bytes)),
        file == Self.file(of: trace.key, in: ids)
      else {
        moveAside(file)
        continue
      }
      idsByKey[trace.key] = trace.ids
    }
    return idsByKey
  }

  /// Keeps the former ids of a trace in the place of older ones.
  func save(_ formerIDs: [String], of key: String) throws(FileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings can always be encoded.
    guard let data = try? encoder.encode(FormerTrace(key: key, ids: formerIDs)) else { return }
    try Self.write(Array(data), to: Self.file(of: key, in: ids))
  }

  // MARK: Files

  private func files(in folder: String) -> [String] {
    let listing = DirectoryListing.files(below: folder)
    for error in listing.errors {
      warn("\(error.path): \(error.message); what it holds isn't counted")
    }
    return listing.files.filter { $0.hasSuffix(Self.suffix) }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var output = try OutputFile(path: path, privacy: .ownerOnly)
    try output.write(Array((StateDigest.text(of: bytes) + "\n").utf8))
    try output.write(bytes)
    try output.commit()
  }

  /// What was written to a file; nil if it isn't there, or isn't what was written.
  private func read(_ path: String) -> [UInt8]? {
    guard let version = FileVersion(path: path) else { return nil }
    guard version.byteCount <= Self.fileBytesMax,
      let data = FileManager.default.contents(atPath: path)
    else {
      warn("\(path): it can't be read; what it holds isn't counted")
      return nil
    }
    let digest = data.prefix(StateDigest.digitCount)
    let bytes = Array(data.dropFirst(StateDigest.digitCount + 1))
    guard digest.elementsEqual(StateDigest.text(of: bytes).utf8) else {
      moveAside(path)
      return nil
    }
    return bytes
  }

  /// Leaves a damaged file for whoever wants to look at it.
  private func moveAside(_ path: String) {
    let place = path + ".damaged"
    Folder.remove(place)
    let isMoved = (try? FileManager.default.moveItem(atPath: path, toPath: place)) != nil
    let loss =
      path.hasPrefix(ids + "/") || path == vanishedFile
      ? "a trace that comes back may be counted again"
      : "its counts are lost, and counters may be lower than they were"
    warn("\(path): it is damaged\(isMoved ? " and was moved to \(place)" : ""); \(loss)")
  }

  /// What a key is called: names can be longer than those of files.
  static func name(of key: String) -> String { StateDigest.text(of: key.utf8) }

  private static func file(of key: String, in folder: String) -> String {
    folder + "/" + name(of: key) + suffix
  }
}
