// Keeps records and counts over restarts: one file each, put in its place whole, so that a server
// that is killed at any moment finds what it had published.

import Foundation
import TraceExport
import TraceIO

/// A directory with one file per capture and one per trace that was counted.
struct StateStore: Sendable {
  /// The layout of the directory. Another one is left alone.
  private static let layout = "1"
  /// Bytes of a file that is read back: two hundred findings take far less.
  private static let fileBytesMax: Int64 = 16 << 20

  private let captures: String
  private let counts: String
  private let checksFile: String

  /// Opens or makes the directory.
  ///
  /// - Throws: ``FileError`` if it can't be made or written to.
  init(path: String) throws(FileError) {
    let folder = path + "/state-" + Self.layout
    captures = folder + "/captures"
    counts = folder + "/counts"
    checksFile = folder + "/checks.json"
    for folder in [path, folder, captures, counts] { try Folder.create(folder) }
    // What is found out now is a clear message, and not a loss later.
    try Self.write([], to: folder + "/.probe")
    Folder.remove(folder + "/.probe")
  }

  // MARK: Captures

  /// All records that can be read back, sorted by path. What can't is checked again, and so is a
  /// capture whose counts are lost.
  ///
  /// - Parameter countFiles: What ``forEachMetrics(_:)`` returned.
  func load(counted countFiles: Set<String>) -> [CaptureRecord] {
    var records: [CaptureRecord] = []
    let decoder = JSONDecoder()
    for file in DirectoryListing.files(below: captures).files {
      guard let bytes = Self.read(file),
        let record = try? decoder.decode(CaptureRecord.self, from: Data(bytes)),
        file == Self.file(of: record.path, in: captures),
        record.keys.allSatisfy({ countFiles.contains(Self.file(of: $0, in: counts)) })
      else { continue }
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

  // MARK: Counts

  /// Reads all counts back, and returns the files that hold them.
  func forEachMetrics(_ body: (MetricSet) -> Void) -> Set<String> {
    var files: Set<String> = []
    for file in DirectoryListing.files(below: counts).files {
      guard let bytes = Self.read(file), let set = MetricSet(encoded: bytes) else { continue }
      body(set)
      files.insert(file)
    }
    return files
  }

  func metrics(_ key: String) -> MetricSet? {
    Self.read(Self.file(of: key, in: counts)).flatMap { MetricSet(encoded: $0) }
  }

  func save(_ set: MetricSet, as key: String) throws(FileError) {
    try Self.write(set.encoded, to: Self.file(of: key, in: counts))
  }

  func checks() -> MetricSet? { Self.read(checksFile).flatMap { MetricSet(encoded: $0) } }

  func saveChecks(_ set: MetricSet) throws(FileError) {
    try Self.write(set.encoded, to: checksFile)
  }

  // MARK: Files

  private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var output = try OutputFile(path: path, privacy: .ownerOnly)
    try output.write(bytes)
    try output.commit()
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let version = FileVersion(path: path), version.byteCount <= fileBytesMax else {
      return nil
    }
    return FileManager.default.contents(atPath: path).map(Array.init)
  }

  /// The file of a name: called by two hashes of it, since names can be longer than those of files.
  private static func file(of name: String, in folder: String) -> String {
    var first: UInt64 = 0xCBF2_9CE4_8422_2325
    var second: UInt64 = 0x9AE1_6A3B_2F90_404F
    for byte in name.utf8 {
      first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      second = (second &+ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
      second ^= second >> 29
    }
    let digits = [first, second].map { hash in
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return folder + "/" + digits.joined() + ".json"
  }
}
