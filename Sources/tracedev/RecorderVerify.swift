// Checks what killed workers left: nothing acknowledged is missing, and nothing is changed.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceIO
import TraceModel

/// Checks one recording against what was acknowledged.
struct VerifyRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Checks that nothing acknowledged is missing or changed.")

  @Argument(help: "Folders of recordings.") var folders: [String]
  @Option(help: "The trace to check instead of the recording.") var trace: String?
  @Flag(help: "Drops may have happened: acknowledged events must be recorded or missing numbers.")
  var drops = false
  @Flag(help: "Acknowledged events may have been given up later, on a full disk.")
  var givenUp = false
  @Flag(help: "Every call must have left an event or a missing number.")
  var exact = false

  func run() throws {
    var lost = 0
    var recovered: UInt64 = 0
    for folder in folders {
      let acknowledged = Self.acknowledged(folder, 0)
      var visitor = NumberVisitor()
      do throws(FileError) {
        try visitor.read(folder, trace)
      } catch {
        // Killed before it began to record.
        if acknowledged.allSatisfy({ $0 == 0 }) { continue }
        print("\(folder): \(error)")
        lost += 1
        continue
      }
      var problems = visitor.problems
      // Threads are numbered as they came: the largest numbers must cover the acknowledged ones.
      problems += Self.losses("event", acknowledged, Array(visitor.last.values))
      if !givenUp {
        problems += Self.losses(
          "number of events", Self.acknowledged(folder, 1), Array(visitor.counts.values))
      }
      if exact { problems += Self.unshown(Self.acknowledged(folder, 3), visitor) }
      if !drops, visitor.gaps > 0 { problems.append("\(visitor.gaps) missing in the middle") }
      recovered += visitor.count
      for problem in problems { print("\(folder): \(problem)") }
      lost += problems.isEmpty ? 0 : 1
    }
    print("\(folders.count) recordings, \(recovered) events, \(lost) with losses")
    if lost > 0 { throw ExitCode(1) }
  }

  private static func losses(
    _ what: String, _ acknowledged: [UInt64], _ found: [UInt64]
  ) -> [String] {
    let found = found.sorted(by: >)
    return acknowledged.sorted(by: >).enumerated().compactMap { place, count in
      let other = place < found.count ? found[place] : 0
      return other < count ? "\(what) \(count) acknowledged, \(other) found" : nil
    }
  }

  /// Calls of which neither an event nor a missing number is left, or numbers without a call.
  private static func unshown(_ calls: [UInt64], _ visitor: NumberVisitor) -> [String] {
    let numbers = visitor.numbers.map { $1 - visitor.foreign[$0, default: 0] }.sorted(by: >)
    return calls.sorted(by: >).enumerated().compactMap { place, count in
      let found = place < numbers.count ? numbers[place] : 0
      // One call was under way when the process was killed, or stop() recorded one more.
      return found == count || found == count + 1 ? nil : "\(count) calls, \(found) numbers"
    }
  }

  static func acknowledged(_ folder: String, _ column: Int) -> [UInt64] {
    let url = URL(fileURLWithPath: folder + "/acknowledged")
    guard let data = try? Data(contentsOf: url), data.count == Numbered.acknowledgedByteCount
    else { return [] }
    let first = column * Numbered.threadsMax * 8
    return (0..<Numbered.threadsMax).map { worker in
      (0..<8).reduce(0) { sum, byte in
        sum | UInt64(data[first + worker * 8 + byte]) << UInt64(byte * 8)
      }
    }
  }
}

/// Follows the numbers of every thread.
struct NumberVisitor {
  var last: [Int64: UInt64] = [:]
  var counts: [Int64: UInt64] = [:]
  var problems: [String] = []
  var count: UInt64 = 0
  var gaps: UInt64 = 0
  /// The largest number of each thread, and its events that no worker recorded.
  var numbers: [Int64: UInt64] = [:]
  var foreign: [Int64: UInt64] = [:]

  /// Reads the recording of a folder, or a trace instead of it.
  mutating func read(_ folder: String, _ trace: String?) throws(FileError) {
    let journal = folder + "/run.lcjournal"
    let sealed = folder + "/run.lctrace"
    if trace == nil, let bytes = try Self.bytes(journal) {
      var decoder = JournalDecoder(codec: .zstd())
      decoder.feed(bytes.span)
      decoder.endJournal()
      if let bytes = try Self.bytes(sealed) { decoder.feed(bytes.span) }
      read(&decoder)
    } else {
      let path = trace ?? sealed
      guard let bytes = try Self.bytes(path) else {
        throw FileError.refused(path, "it is missing")
      }
      var decoder = LctraceDecoder(codec: .zstd())
      decoder.feed(bytes.span)
      read(&decoder)
    }
  }

  private static func bytes(_ path: String) throws(FileError) -> [UInt8]? {
    guard DirectoryListing.kind(of: path) == .file else { return nil }
    var file = try InputFile(path: path)
    var bytes: [UInt8] = []
    while case .bytes = try file.read(into: &bytes, limit: 1 << 20) {}
    return bytes
  }

  private mutating func read(_ decoder: inout some CaptureDecoder) {
    decoder.finish()
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .batch: consume(batch)
      case .problem(let problem):
        if problem.consequence != .truncated {
          problems.append("\(problem.location): \(problem.message)")
        }
      case .header, .remark, .stream: break
      case .needsInput, .end: return
      }
    }
  }

  private mutating func consume(_ batch: EventBatch) {
    for thread in batch.threads where thread.firstSequence > 0 {
      let count = (0..<batch.count).count { batch.event(at: $0).thread == thread.id }
      numbers[thread.id] = max(
        numbers[thread.id] ?? 0, thread.firstSequence + UInt64(count) - 1)
    }
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      switch event.kind {
      case .workTimerStart, .workDispatch, .dataDirty, .workSpan: break
      case .traceLost: continue
      default:
        foreign[event.thread, default: 0] += 1
        continue
      }
      guard let n = Numbered.number(event, batch) else {
        problems.append("event \(event.ordinal) isn't as it was recorded")
        continue
      }
      let before = last[event.thread] ?? 0
      if n <= before {
        problems.append("thread \(event.thread): \(n) after \(before)")
      } else {
        gaps += n - before - 1
      }
      last[event.thread] = n
      counts[event.thread, default: 0] += 1
      count += 1
    }
  }
}
