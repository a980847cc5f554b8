// Runs that the recorder is tested with from outside: workers that record and acknowledge, to be
// killed at any moment. This file and the other ones of the recorder's runs must know nothing that
// only the whole package has: they are also compiled with a faulty recorder.

import ArgumentParser
import CTraceAtomics
import Foundation
import TraceFormat
import TraceIO
import TraceModel
import TraceRecorder

struct RecorderRuns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recorder",
    abstract: "Records to be killed, checks what is left, and measures.",
    subcommands: [
      RecordRun.self, VerifyRun.self, WatchRun.self, MeasureRun.self, JournalSweep.self,
    ])
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
  @Option(help: "Bytes of the trace beyond which its older half goes.")
  var traceBytes = RecorderConfiguration(directory: "").traceBytesMax
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
    configuration.traceBytesMax = traceBytes
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
          + "discarded \(statistics.discardedCount) "
          + "unsynchronized \(statistics.unsynchronizedCount)\n").utf8))
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
        unsafe lct_store_release(words + 3 * Numbered.threadsMax + worker, n)
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
