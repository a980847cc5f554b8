// A recording that was killed: a journal with the trace beside it is one capture.

import Foundation
import Testing
import TraceExport
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
  }

  @Test func aTraceThatIsNamedAloneIsReadAlone() throws {
    defer { try? recorder.stop() }
    let captures = try Folder.check([path("run.lctrace")])
    #expect(captures.flatMap(\.traces).map(\.eventCount) == [4])
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

  @Test func whatIsOnlyCalledAJournalIsDamage() throws {
    defer { try? recorder.stop() }
    let file = try folder.file("x/none.lcjournal", [UInt8](repeating: 7, count: 70_000))
    let capture = try #require(try Folder.check([file]).first)
    #expect(capture.isDamaged)
    #expect(capture.traces.allSatisfy { $0.eventCount == 0 })
  }
}
