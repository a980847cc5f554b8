// `references`: the reference workload in the formats of others, which the sizes of ours are
// compared with. Each is read back by a reader that isn't ours.

import ArgumentParser
import Foundation
import TraceModel
import TraceNotation

/// Writes the reference workload in the formats of others.
struct References: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the reference workload as CTF, Perfetto's, FXT and MCAP, and as NDJSON.")

  @Option(help: "Drawn events of the reference workload.")
  var events = 1_000_000

  @Option(name: .shortAndLong, help: "The folder to write to.")
  var output: String

  func run() throws {
    let folder = URL(fileURLWithPath: output)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var notation = NDJSONEncoder()
    notation.begin(ReferenceWorkload.header)
    var collected = ReferenceTrace()
    try ReferenceWorkload.make(count: events) { batch in
      notation.consume(batch)
      collected.add(batch)
    }
    notation.end()
    try Data(notation.output).write(to: folder.appendingPathComponent("workload.ndjson"))
    for format in ReferenceFormat.all {
      let files = try format.write(collected, to: folder)
      let count = try files.reduce(0) { sum, file in
        sum + (try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0)
      }
      print("\(format.name): \(count) bytes, \(collected.eventCount) events")
    }
  }
}

/// A format of others.
struct ReferenceFormat: Sendable {
  var name: String
  /// Whether its files are compressed already.
  var isCompressed = false
  /// The content of its files, by name.
  var make: @Sendable (ReferenceTrace) -> [(name: String, bytes: [UInt8])]

  static let ctf = ReferenceFormat(name: "CTF 1.8") { trace in
    let written = CTFReference(trace)
    return [("ctf/metadata", Array(written.metadata.utf8)), ("ctf/stream", written.stream.bytes)]
  }
  static let perfetto = ReferenceFormat(name: "Perfetto TrackEvent") { trace in
    [("workload.pftrace", PerfettoReference(trace).output.bytes)]
  }
  static let fxt = ReferenceFormat(name: "Fuchsia FXT") { trace in
    [("workload.fxt", FXTReference(trace).output.bytes)]
  }
  static let mcap = ReferenceFormat(name: "MCAP, defaults", isCompressed: true) { trace in
    [("workload.mcap", MCAPReference(trace, hasMessageIndex: true).output.bytes)]
  }
  static let mcapUnindexed = ReferenceFormat(
    name: "MCAP, no message index", isCompressed: true
  ) { trace in
    [("unindexed.mcap", MCAPReference(trace, hasMessageIndex: false).output.bytes)]
  }
  static let all = [ctf, perfetto, fxt, mcap, mcapUnindexed]

  /// Writes the files below a folder, and tells where they are.
  func write(_ trace: ReferenceTrace, to folder: URL) throws -> [URL] {
    try make(trace).map { file in
      let url = folder.appendingPathComponent(file.name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes).write(to: url)
      return url
    }
  }
}
