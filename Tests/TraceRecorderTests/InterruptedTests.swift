// What a launch makes of the recordings that an earlier one couldn't finish, and the size of a
// trace.

import Foundation
import Testing
import TraceFormat
import TraceIO
import TraceModel

@testable import TraceRecorder

struct InterruptedTests {
  private let files = RecordingFiles()

  /// Puts a journal in place whose process is gone.
  private func abandon(_ journal: [UInt8], _ trace: [UInt8]) throws {
    var bytes = journal
    // No process has this number; the checksum is that of the changed header.
    let fixed = JournalLayout.fixed(journal.span)
    var other = try #require(fixed)
    other.processNumber = .max
    bytes.replaceSubrange(0..<64, with: JournalLayout.bytes(of: other))
    try Data(bytes).write(to: URL(fileURLWithPath: files.folder + "/old.lcjournal"))
    try Data(trace).write(to: URL(fileURLWithPath: files.folder + "/old.lctrace"))
  }

  @Test func anAbandonedJournalBecomesPartOfItsTrace() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<50 { recorder.work.timerStop(timer: number) }
    try recorder.flush()
    for number in 50..<60 { recorder.work.timerStop(timer: number) }
    try abandon(files.journal, files.trace)
    let finished = try TraceRecorder.finishInterrupted(in: files.folder)
    // The one that this process writes is left alone.
    #expect(finished == [files.folder + "/old.lctrace"])
    #expect(files.bytes("old.lcjournal").isEmpty && !files.journal.isEmpty)
    let reading = Reading(trace: files.bytes("old.lctrace"))
    #expect(reading.problems.isEmpty)
    #expect(reading.own == (0..<60).map { "1 work.timer_stop timer=\($0)" })
    try recorder.stop()
  }

  @Test func whatAKilledProcessLeftHalfWrittenGoes() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    try abandon(files.journal, files.trace)
    let names = [
      // No process has this number; the other one runs.
      ".tracecheck-\(Int32.max)-1.tmp": false,
      ".tracecheck-\(ProcessClocks.processNumber())-1.tmp": true,
      // Of a recording that is whole, of one that was killed, and of the one that is written.
      "other.lctrace.tmp": false, "old.lctrace.tmp": false, "test.lctrace.tmp": true,
      // Somebody else's.
      ".tracecheck-x-1.tmp": true, ".tracecheck-1.tmp": true, "notes.tmp": true,
    ]
    for name in names.keys { try Data().write(to: URL(fileURLWithPath: "\(files.folder)/\(name)")) }
    _ = try TraceRecorder.finishInterrupted(in: files.folder)
    for (name, stays) in names {
      #expect(FileManager.default.fileExists(atPath: "\(files.folder)/\(name)") == stays, "\(name)")
    }
    try recorder.stop()
  }

  @Test func aDamagedRecordingIsLeftAsItIs() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<50 { recorder.work.timerStop(timer: number) }
    var journal = files.journal
    journal[JournalLayout.headerByteCount + 200] ^= 1
    try abandon(journal, files.trace)
    #expect(try TraceRecorder.finishInterrupted(in: files.folder).isEmpty)
    #expect(files.bytes("old.lcjournal").count == journal.count)
    try recorder.stop()
  }

  @Test func aTraceThatGrowsTooLargeLosesItsOlderHalfAndSaysSo() throws {
    var configuration = files.configuration(segmentBytes: 65_536)
    configuration.traceBytesMax = 65_536
    let recorder = try TraceRecorder.start(configuration)
    for number in 0..<40_000 {
      recorder.work.timerStop(timer: number)
      if number % 1_000 == 0 { try recorder.flush() }
    }
    try recorder.stop()
    let trace = files.trace
    #expect(trace.count < 2 * 65_536)
    let reading = Reading(trace: trace)
    #expect(reading.problems.isEmpty)
    #expect(reading.own.last == "1 work.timer_stop timer=39999")
    let statistics = recorder.statistics
    #expect(statistics.droppedCount == 0)
    let lost = try #require(reading.events.first { $0.contains("trace.lost") })
    #expect(lost.contains("count=\(statistics.discardedCount) "))
    #expect(UInt64(reading.own.count) + statistics.discardedCount >= 40_000)
  }
}
