// A recording that was killed: a journal with the trace beside it is one capture.

import Foundation
import Testing
import TraceExport
import TraceFormat
import TraceModel
import TracePipeline
import TraceRecorder
import TraceRules

struct RecordingTests {
  private let folder: Folder
  /// Its files are as a kill leaves them until it is stopped.
  private let recorder: TraceRecorder

  init() throws {
    folder = try Folder()
    var configuration = RecorderConfiguration(directory: folder.path)
    configuration.name = "run"
    configuration.sealIntervalMilliseconds = 3_600_000
    recorder = try TraceRecorder.start(configuration)
    for token in 1...3 { recorder.backgroundTask.end(token: token, isInvalid: false) }
    try recorder.flush()
    for token in 4...5 { recorder.backgroundTask.end(token: token, isInvalid: false) }
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  @Test func aFolderHasItOnce() throws {
    defer { try? recorder.stop() }
    let inputs = CaptureInputs(paths: [folder.path])
    #expect(inputs.files.map(\.path) == [path("run.lcjournal")])
    #expect(Set(inputs.pathsNotToOverwrite) == [path("run.lcjournal"), path("run.lctrace")])
    let captures = try Folder.check([folder.path])
    #expect(captures.flatMap(\.traces).map(\.eventCount) == [6])
    #expect(try Folder.check([path("run.lctrace"), path("run.lcjournal")]).count == 1)
    #expect(try Folder.check([folder.path + "/./run.lctrace", path("run.lcjournal")]).count == 1)
  }

  @Test func aTraceThatIsNamedAloneIsReadAlone() throws {
    defer { try? recorder.stop() }
    let captures = try Folder.check([path("run.lctrace")])
    #expect(captures.flatMap(\.traces).map(\.eventCount) == [4])
  }

  /// Who says that all inputs are traces means the journal that holds the end of one, too.
  @Test func aJournalBesideItsTraceIsNoTrace() throws {
    defer { try? recorder.stop() }
    for inputs in [[folder.path], [path("run.lcjournal")]] {
      let captures = try Folder.check(inputs) { $0.format = .lctrace }
      #expect(captures.map(\.isDamaged) == [false])
      #expect(captures.flatMap(\.traces).map(\.eventCount) == [6])
    }
    let examination = try CaptureExamination(
      path: try Recording.path(for: path("run.lctrace")), format: .lctrace)
    #expect(examination.eventCount == 6 && examination.format == "journal")
  }

  @Test(arguments: [true, false]) func aJournalWithoutItsHeaderIsReadAllTheSame(
    inFolder: Bool
  ) throws {
    defer { try? recorder.stop() }
    let place = "killed/run"
    var journal = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("run.lcjournal"))))
    for index in 0..<65_536 { journal[index] = 0 }
    _ = try folder.file(
      "\(place).lctrace",
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("run.lctrace")))))
    let file = try folder.file("\(place).lcjournal", journal)
    let captures = try Folder.check([inFolder ? path("killed") : file])
    #expect(captures.count == 1)
    #expect(captures.first?.isDamaged == true)
    #expect(captures.flatMap(\.traces).map(\.eventCount) == [6])
    // The trace beside it has the same header.
    #expect(captures.first?.traces.first?.header.string(.traceID) == recorder.traceID)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The events of all traces that are read from a folder with these two files.
  private func eventCounts(journal: [UInt8], trace: [UInt8]) throws -> [Int] {
    let place = "pair-\(UUID().uuidString)"
    _ = try folder.file("\(place)/run.lctrace", trace)
    _ = try folder.file("\(place)/run.lcjournal", journal)
    return try Folder.check([path(place)]).flatMap(\.traces).map(\.eventCount).filter { $0 > 0 }
      .sorted()
  }

  @Test func aJournalThatCannotBeReadHidesNoTrace() throws {
    defer { try? recorder.stop() }
    let journal = try bytes("run.lcjournal")
    let trace = try bytes("run.lctrace")
    #expect(try eventCounts(journal: journal, trace: trace) == [6])
    #expect(try eventCounts(journal: [], trace: trace) == [4])
    #expect(try eventCounts(journal: Array(journal[..<30_000]), trace: trace) == [4])
    // Of a later version.
    var later = journal
    later[8] = 9
    let check = CRC32C.checksum(later.span, 0..<60)
    for place in 0..<4 { later[60 + place] = UInt8(truncatingIfNeeded: check >> (place * 8)) }
    #expect(try eventCounts(journal: later, trace: trace) == [4])
    // Of another recording.
    let other = try TraceRecorder.start(RecorderConfiguration(directory: path("other")))
    other.game.pause()
    try other.stop()
    let stranger = [UInt8](try Data(contentsOf: URL(fileURLWithPath: other.tracePath)))
    #expect(try eventCounts(journal: journal, trace: stranger) == [2, 3])
  }

  @Test func aRecordingThatWasKilledAtItsStartIsOneCapture() throws {
    defer { try? recorder.stop() }
    _ = try folder.file("start/run.lctrace", [])
    _ = try folder.file("start/run.lcjournal", try bytes("run.lcjournal"))
    let captures = try Folder.check([path("start")])
    #expect(captures.count == 1 && captures.first?.failure == nil)
    #expect(captures.flatMap(\.traces).map(\.eventCount) == [2])
  }

  @Test func aTraceThatLostItsHeaderIsStillItsJournals() throws {
    defer { try? recorder.stop() }
    let journal = try bytes("run.lcjournal")
    var trace = try bytes("run.lctrace")
    trace[30] ^= 0xFF
    #expect(try eventCounts(journal: journal, trace: trace) == [6])
    // Nothing of it is left: what the journal holds is read.
    for place in trace.indices { trace[place] = 0 }
    #expect(try eventCounts(journal: journal, trace: trace) == [2])
  }

  @Test func whatIsOnlyCalledAJournalIsDamage() throws {
    defer { try? recorder.stop() }
    let file = try folder.file("x/none.lcjournal", [UInt8](repeating: 7, count: 70_000))
    let capture = try #require(try Folder.check([file]).first)
    #expect(capture.isDamaged)
    #expect(capture.traces.allSatisfy { $0.eventCount == 0 })
  }
}
