// Counting doubts, and what headers may say wrongly.

import Testing
import TraceLifecycle
import TraceModel

struct QualityTests {
  @Test("notes are sorted, with the first detail")
  func tally() {
    var tally = QualityTally()
    tally.add(.tq09, count: 2)
    tally.add(.tq02)
    tally.add(.tq02, count: .max, detail: "first")
    tally.add(.tq02, detail: "second")
    tally.add(.tq05, count: 0)
    tally.add(.tq05, count: -3)
    #expect(tally.notes.map(\.id) == [.tq02, .tq09])
    #expect(tally.notes.map(\.count) == [.max, 2])
    #expect(tally.notes[0].message.hasSuffix("(first)"))
    var other = QualityTally()
    other.add(.tq01, detail: "x")
    other.merge(tally)
    #expect(other.notes.map(\.id) == [.tq01, .tq02, .tq09])
    #expect(Set(QualityID.allCases.map(\.summary)).count == 12)
  }

  @Test(
    "contradictions of a header",
    arguments: [
      ("os_version=8.1 sdk_linked=9.0", 0), ("os_version=8.1 sdk_linked=9.3", 0),
      ("os_version=8.1 sdk_linked=10.0", 1), ("sdk_linked=8.0", 1),
      ("os_version=eight", 1), ("os_version=8.0 sdk_linked=new", 1),
      ("os_version=8.0 refresh_status=maybe app_kind=toy clock_kind=wall", 3),
      ("os_version=8.0 refresh_status=denied app_kind=game clock_kind=uptime", 0),
      ("os_version=8.0 background_modes=[\"audio,fetch\"]", 1),
      ("os_version=8.0 background_modes=[\"\"]", 1),
      ("os_version=8.0 background_modes=[audio,nearby_2.x]", 0),
      ("os_version=8.0 timestamp_resolution_ns=0", 1),
    ])
  func contradictions(_ fields: String, _ count: Int) {
    let header = read("header \(fields)\n0s trace.end reason=clean\n").header
    #expect(HeaderAudit.contradictions(header).count == count)
  }

  @Test("a value of a wrong type is one contradiction")
  func wrongType() {
    var header = TraceHeader()
    header[.osVersion] = .json("8")
    header[.backgroundModes] = .json("\"audio\"")
    #expect(
      HeaderAudit.contradictions(header) == [
        "os_version has another type than a text",
        "background_modes has another type than a list of texts",
      ])
  }
}
