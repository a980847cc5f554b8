// A capture from the field, in which `tracecheck check field.ndjson` finds LC001: a task was
// ended twice. First the test failed as the app did; the mended app passes it.

import Foundation
import NotesApp
import Testing
import TraceModel
import TraceNotation
import TraceReplay

struct FieldCaptureTests {
  private func recording() throws -> Recording {
    let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let capture = try Data(contentsOf: place.appendingPathComponent("field.ndjson"))
    return try Recording([UInt8](capture), with: NDJSONDecoder())
  }

  /// The app of the capture does it again, so the replay reaches the fault.
  @Test func theOldAppDoesWhatWasRecorded() throws {
    let report = Replay(try recording()).run { NotesDelegate(forgetsEndedTask: false) }
    #expect(report.divergences.isEmpty, "\(report)")
  }

  /// What the test said before the app was mended: a known failure of the old app.
  @Test func theOldAppEndsItsTaskTwice() throws {
    let report = Replay(try recording()).run { NotesDelegate(forgetsEndedTask: false) }
    withKnownIssue("the old app") { try expectOneEnd(report) }
  }

  /// The mended app differs from the capture in the second end, and in nothing else.
  @Test func theMendedAppEndsItsTaskOnce() throws {
    try expectOneEnd(Replay(try recording()).run { NotesDelegate(forgetsEndedTask: true) })
  }

  private func expectOneEnd(_ report: ReplayReport) throws {
    let divergence = try #require(report.divergences.first, "the second end is still made")
    #expect(report.divergences.count == 1, "\(report)")
    #expect(divergence.kind == .missing && divergence.event == .bgtaskEnd, "\(report)")
    #expect(divergence.recordedInside == .delegateWillEnterForeground)
  }
}
