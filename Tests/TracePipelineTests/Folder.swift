// A folder of the test's own, with captures in it.

import Foundation
import TraceCatalogue
import TraceCodecs
import TraceExport
import TraceFormat
import TraceModel
import TracePipeline
import TraceRules

/// Files for one test, removed afterwards.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "tracepipeline-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let place = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: place))
    return place
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  /// The file converted to another of our formats.
  func converted(_ path: String, to name: String) throws -> String {
    let format = CaptureFormats.all.first { name.hasSuffix("." + $0.name) }
    let place = self.path + "/" + name
    var visitor = Copier(
      writer: try TraceWriter(path: place, format: format ?? .lctrace))
    try CaptureReader.read(path: path, into: &visitor)
    try visitor.writer.finish()
    return place
  }

  /// What checking these inputs hands over.
  static func check(
    _ paths: [String], _ change: (inout CheckRun) throws -> Void = { _ in }
  ) throws -> [JudgedCapture] {
    var run = CheckRun { _, _ in TraceTerms(options: CheckOptions()) }
    try change(&run)
    var captures: [JudgedCapture] = []
    try run.check(CaptureInputs(paths: paths)) { captures.append($0) }
    return captures
  }

  /// One zstd frame around some bytes.
  static func zstd(_ bytes: [UInt8]) -> [UInt8] {
    var codec = ChunkCodec.zstd(level: 3)
    var output: [UInt8] = []
    codec.compress(bytes.span, into: &output)
    return output
  }

  static let notes = """
    timeline 1
    header app_bundle_id=com.example.notes os_version=8.1.0 sdk_linked=8.1
    0s      proc.start into=foreground reason=user_icon
    1s      bgtask.begin token=7 name="save draft"
    2s      >delegate.did_enter_background
    +200ms  <delegate.did_enter_background
    3s @5   work.timer_fire for 20ms timer=1
    4s      x.unknown_kind note="any text" deep={"a":[1,2]} ratio=0.5
    5s      bgtask.end token=7
    6s      trace.end reason=clean

    """
}

private struct Copier: CaptureVisitor {
  var writer: TraceWriter

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try writer.begin(header) }
  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) { try writer.consume(batch) }
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
}
