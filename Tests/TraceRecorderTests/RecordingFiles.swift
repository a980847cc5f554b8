// A folder of a test's own, and what a reader finds in the recordings there.

import Foundation
import TraceFormat
import TraceIO
import TraceModel
import TraceRecorder

/// A recording in a folder that the test owns.
final class RecordingFiles {
  let folder: String

  init() {
    folder = NSTemporaryDirectory() + "recorder-\(UUID().uuidString)"
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func configuration(segmentBytes: Int = 4_096, segments: Int = 3) -> RecorderConfiguration {
    var configuration = RecorderConfiguration(directory: folder)
    configuration.name = "test"
    configuration.segmentBytes = segmentBytes
    configuration.segmentCount = segments
    // Nothing is sealed unless the test asks for it.
    configuration.sealIntervalMilliseconds = 3_600_000
    return configuration
  }

  var journal: [UInt8] { bytes("test.lcjournal") }
  var trace: [UInt8] { bytes("test.lctrace") }

  func bytes(_ name: String) -> [UInt8] {
    [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))) ?? Data())
  }
}

/// What a decoder says of some bytes.
struct Reading {
  var header = TraceHeader()
  /// Events as text: thread, phase, kind and arguments.
  var events: [String] = []
  var problems: [InputProblem] = []
  var statistics = JournalStatistics()
  var firstSequences: [UInt64] = []

  /// Events of the app: without those that the recorder adds.
  var own: [String] { events.filter { !$0.contains(" trace.") } }

  var damage: [InputProblem] { problems.filter { $0.consequence != .truncated } }

  init(journal: [UInt8], piece: Int = .max) {
    var decoder = JournalDecoder(codec: .stored)
    read(&decoder, journal, piece)
    statistics = decoder.statistics
  }

  init(trace: [UInt8]) {
    var decoder = LctraceDecoder(codec: .stored)
    read(&decoder, trace, .max)
  }

  private mutating func read(
    _ decoder: inout some CaptureDecoder, _ bytes: [UInt8], _ piece: Int
  ) {
    var batch = EventBatch()
    var rest = bytes[...]
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        if rest.isEmpty {
          decoder.finish()
        } else {
          let part = Array(rest.prefix(piece))
          decoder.feed(part.span)
          rest = rest.dropFirst(part.count)
        }
      case .header(let header): self.header = header
      case .batch: add(batch)
      case .problem(let problem): problems.append(problem)
      case .remark, .stream: break
      case .end: return
      }
    }
  }

  private mutating func add(_ batch: EventBatch) {
    firstSequences += batch.threads.map(\.firstSequence)
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      let arguments = batch.arguments(at: index).map { "\($0.name)=\(Self.text($0.value))" }
      let sign = event.phase == .enter ? ">" : event.phase == .return ? "<" : ""
      events.append(
        ([String(event.thread), sign + batch.name(of: event.kind)] + arguments)
          .joined(separator: " "))
    }
  }

  private static func text(_ value: ArgumentValue) -> String {
    switch value {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .number(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .string(let value), .json(let value): value
    }
  }
}
