// Runs that the recorder is tested with from outside: workers that record and acknowledge, to be
// killed at any moment, and the check that nothing acknowledged is missing or changed.

import ArgumentParser
import CTraceAtomics
import Foundation
import TraceFormat
import TraceIO
import TraceModel
import TracePipeline
import TraceRecorder

struct RecorderRuns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recorder",
    abstract: "Records to be killed, checks what is left, and measures.",
    subcommands: [RecordRun.self, VerifyRun.self, MeasureRun.self, JournalSweep.self])
}

/// What both the workers and the check know: event n of a worker.
enum Numbered {
  static let threadsMax = 64
  /// Bytes of the file in which workers acknowledge: for each of them the number of the last event
  /// that was recorded, how many were, and whether it has done its work.
  static let acknowledgedByteCount = 4_096

  static func text(_ n: UInt64) -> String {
    "store-\(n)-" + String(repeating: "x", count: Int(n % 97))
  }

  /// Records event n. Covers integers, numbers, booleans, literals, texts, hashes and nested spans.
  /// False if it was dropped.
  @discardableResult
  static func record(_ n: UInt64, _ recorder: TraceRecorder) -> Bool {
    let journal = recorder.journal
    switch n % 5 {
    case 0:
      guard var event = journal.open(.workTimerStart, .instant, slotsMax: 4) else {
        return false
      }
      event.add(.timer, Int64(n))
      event.add(.intervalS, Double(n) / 8)
      event.add(.repeats, n % 2 == 0)
      event.commit()
    case 1:
      guard var event = journal.open(.workDispatch, .instant, slotsMax: 6) else {
        return false
      }
      event.add(.work, Int64(n))
      event.add(.queue, "uploads" as StaticString)
      event.commit()
    case 2:
      var text = text(n)
      guard var event = journal.open(.dataDirty, .instant, slotsMax: 20) else {
        return false
      }
      text.withUTF8 { unsafe event.add(.store, text: $0) }
      event.commit()
    default:
      let phase: Phase = n % 5 == 3 ? .enter : .return
      guard var event = journal.open(.workSpan, phase, slotsMax: 3) else { return false }
      event.add(.id, Int64(n))
      event.add(.label, hash: n &* 0x9E37_79B9_7F4A_7C15)
      event.commit()
    }
    return true
  }

  /// The n of an event, if everything in it is as it was recorded; nil if anything is wrong.
  static func number(_ event: Event, _ batch: EventBatch) -> UInt64? {
    let n: UInt64
    switch event.kind {
    case .workTimerStart:
      guard let timer = batch.integer(.timer, of: event) else { return nil }
      n = UInt64(timer)
      guard batch.number(.intervalS, of: event) == Double(n) / 8,
        batch.boolean(.repeats, of: event) == (n % 2 == 0), n % 5 == 0
      else { return nil }
    case .workDispatch:
      guard let work = batch.integer(.work, of: event) else { return nil }
      n = UInt64(work)
      guard batch.isText(.queue, "uploads", of: event), n % 5 == 1 else { return nil }
    case .dataDirty:
      guard let store = batch.text(.store, of: event),
        let middle = store.split(separator: "-").dropFirst().first, let number = UInt64(middle),
        store == text(number), number % 5 == 2
      else { return nil }
      n = number
    case .workSpan:
      guard let id = batch.integer(.id, of: event) else { return nil }
      n = UInt64(id)
      let hash = String(n &* 0x9E37_79B9_7F4A_7C15, radix: 16)
      let label = "#" + String(repeating: "0", count: 16 - hash.count) + hash
      guard batch.isText(.label, label, of: event), event.phase == (n % 5 == 3 ? .enter : .return)
      else { return nil }
    default: return nil
    }
    return n
  }
}

/// Workers that record until they have done their number, or for ever.
struct RecordRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Records numbered events and acknowledges each.")

  @Argument(help: "The folder of the recording.") var folder: String
  @Option var threads = 1
  @Option(help: "Events of each worker; 0 for no end.") var events: UInt64 = 0
  @Option(help: "Nanoseconds that a worker waits after each event.") var pause: UInt64 = 0
  @Option var segmentBytes = 65_536
  @Option var segments = 4
  @Flag(help: "Wait for the disk with every event.") var powerLoss = false
  @Flag(help: "Fork in the middle; the child records too.") var fork = false
  @Flag(help: "Take a signal every millisecond whose handler records.") var signals = false
  @Flag(help: "Call flush after every thousand events.") var flushes = false
  @Flag(help: "Go on without recorder if it can't start.") var optional = false
  @Flag(help: "Raise a trap before the first event and after the last, and seal nothing.")
  var traps = false

  func run() throws {
    var configuration = RecorderConfiguration(directory: folder)
    configuration.name = "run"
    configuration.segmentBytes = segmentBytes
    configuration.segmentCount = segments
    configuration.sealIntervalMilliseconds = traps ? 600_000 : 1
    configuration.durability = powerLoss ? .powerLoss : .processCrash
    configuration.header[.osVersion] = .string("17.0")
    configuration.header[.coverage] = .strings(["*"])
    let recorder: TraceRecorder
    do throws(FileError) {
      recorder = try TraceRecorder.start(configuration)
    } catch {
      FileHandle.standardError.write(Data("no recorder: \(error)\n".utf8))
      if optional { return hostOutput() }
      throw ExitCode(1)
    }
    let acknowledged = try MappedFile(
      creating: folder + "/acknowledged", byteCount: Numbered.acknowledgedByteCount)
    let words = unsafe acknowledged.start.assumingMemoryBound(to: UInt64.self)
    let plan = Plan(
      recorder: recorder, acknowledged: acknowledged, events: events == 0 ? .max : events,
      pause: pause, flushes: flushes)
    for worker in 1..<max(threads, 1) { Thread.detachNewThread { plan.work(worker) } }
    if signals { SignalRun.begin(recorder) }
    if traps { raise(SIGTRAP) }
    plan.work(0)
    if traps { raise(SIGTRAP) }
    for worker in 1..<max(threads, 1) {
      while unsafe lct_load_acquire(words + 2 * Numbered.threadsMax + worker) == 0 {
        ProcessClocks.sleep(milliseconds: 1)
      }
    }
    if signals { SignalRun.end() }
    if fork { try ForkRun.run(recorder) }
    let failure = Result { try recorder.stop() }
    let statistics = recorder.statistics
    if case .failure(let error) = failure {
      FileHandle.standardError.write(Data("stop: \(error)\n".utf8))
    }
    FileHandle.standardError.write(
      Data(
        ("sealed \(statistics.sealedCount) dropped \(statistics.droppedCount) "
          + "discarded \(statistics.discardedCount)\n").utf8))
    hostOutput()
  }

  /// What the host prints, with a recorder and without.
  private func hostOutput() { print("the host has done its work") }

  struct Plan: Sendable {
    var recorder: TraceRecorder
    var acknowledged: MappedFile
    var events: UInt64
    var pause: UInt64
    var flushes: Bool

    func work(_ worker: Int) {
      let words = unsafe acknowledged.start.assumingMemoryBound(to: UInt64.self)
      var n: UInt64 = 0
      var count: UInt64 = 0
      while n < events {
        n += 1
        if Numbered.record(n, recorder) {
          count += 1
          unsafe lct_store_release(words + worker, n)
          unsafe lct_store_release(words + Numbered.threadsMax + worker, count)
        }
        if flushes, n % 1_000 == 0 { try? recorder.flush() }
        if pause > 0 { usleep(UInt32(pause / 1_000)) }
      }
      unsafe lct_store_release(words + 2 * Numbered.threadsMax + worker, 1)
    }
  }
}

/// A signal handler that records, at any moment.
enum SignalRun {
  private nonisolated(unsafe) static var recorder: TraceRecorder?

  static func begin(_ recorder: TraceRecorder) {
    unsafe Self.recorder = recorder
    signal(SIGALRM) { _ in
      guard let recorder = unsafe SignalRun.recorder,
        let event = recorder.journal.open(.gamePause, .instant, slotsMax: 1)
      else { return }
      event.commit()
    }
    ualarm(200, 200)
  }

  static func end() {
    ualarm(0, 0)
    signal(SIGALRM, SIG_IGN)
  }
}

/// A child process that records with its parent's recorder.
enum ForkRun {
  static func run(_ recorder: TraceRecorder) throws {
    let forked = unsafe dlsym(nil, "fork")
    guard let forked = unsafe forked else { throw ExitCode(2) }
    typealias Fork = @convention(c) () -> Int32
    let child = unsafe unsafeBitCast(forked, to: Fork.self)()
    if child == 0 {
      for n in 1...1_000 as ClosedRange<UInt64> { Numbered.record(n, recorder) }
      _exit(0)
    }
    var status: Int32 = 0
    unsafe _ = waitpid(child, &status, 0)
  }
}

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

  func run() throws {
    var lost = 0
    var recovered: UInt64 = 0
    for folder in folders {
      let acknowledged = Self.acknowledged(folder, 0)
      var visitor = NumberVisitor()
      do {
        try CaptureReader.read(path: trace ?? Recording.path(for: folder), into: &visitor)
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
struct NumberVisitor: CaptureVisitor {
  var last: [Int64: UInt64] = [:]
  var counts: [Int64: UInt64] = [:]
  var problems: [String] = []
  var count: UInt64 = 0
  var gaps: UInt64 = 0

  mutating func begin(_ header: TraceHeader) {}
  mutating func endTrace() {}

  mutating func problem(_ problem: InputProblem) {
    if problem.consequence != .truncated {
      problems.append("\(problem.location): \(problem.message)")
    }
  }

  mutating func consume(_ batch: EventBatch) {
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      switch event.kind {
      case .workTimerStart, .workDispatch, .dataDirty, .workSpan: break
      default: continue
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
