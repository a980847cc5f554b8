// One test for each transition of the table, and for what the table itself must keep.

import Testing
import TraceLifecycle

struct TransitionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var id: String
    var header: String
    var events: String
    var path: String
    var testDescription: String { id }

    init(_ id: String, _ header: String = "", _ events: String, _ path: String) {
      self.id = id
      self.header = header.isEmpty ? Piece.header : header
      self.events = events
      self.path = path
    }
  }

  static let terminate = "+1ms delegate.will_terminate for 1ms\n+1ms proc.exit code=0\n"
  static let os3 = "header os_version=3.1 sdk_linked=3.1\n"
  static let sdk3 = "header os_version=4.2 sdk_linked=3.2\n"
  static let nomt = "header os_version=4.2 sdk_linked=4.2 multitasking_supported=false\n"
  static let optout = "header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true\n"
  static let suspend = "+1s proc.suspend\n"

  static let cases: [Case] = [
    Case("T01", "", "0s proc.start\n+1ms delegate.did_finish_launching for 1ms", "NR LF"),
    Case("T02", "", Piece.launch, "NR LF AC"),
    Case(
      "T03", "", "0s proc.start\n" + Piece.toInactive + Piece.enter, "NR LF RA IN EB BG"),
    Case("T04", "", "0s proc.start into=background reason=fetch", "NR LB"),
    Case("T05", "", Piece.backgroundLaunch, "NR LB BG"),
    Case("T06", "", Piece.launch + Piece.toBackground + suspend, "NR LF AC RA IN EB BG SU"),
    Case(
      "T07", "", Piece.launch + Piece.toBackground + suspend + "+1s proc.resume reason=location",
      "NR LF AC RA IN EB BG SU BG"),
    Case("T08", "", Piece.backgroundLaunch + Piece.comeBack, "NR LB BG EF IN AC"),
    Case("T09", "", Piece.launch + Piece.toInactive, "NR LF AC RA IN"),
    Case(
      "T10", "", Piece.launch + Piece.toInactive + "+1s delegate.did_become_active for 1ms",
      "NR LF AC RA IN AC"),
    Case("T11", "", Piece.launch + Piece.toBackground, "NR LF AC RA IN EB BG"),
    Case(
      "T12", "",
      Piece.launch + ">sys.interruption kind=alert_notification\n" + Piece.toInactive
        + "+1s <sys.interruption\n+1ms delegate.did_become_active for 1ms",
      "NR LF AC RA IN AC"),
    Case("T13", "", Piece.launch + "+1s sys.banner id=1\n+1s ui.touch", "NR LF AC"),
    Case(
      "T14", "", Piece.launch + Piece.toInactive + "+1s delegate.did_enter_background for 1ms",
      "NR LF AC RA IN EB BG"),
    Case(
      "T15", "",
      Piece.launch + Piece.toInactive + "+1s delegate.did_become_active for 1ms\n"
        + Piece.toInactive + "+1s delegate.did_become_active for 1ms",
      "NR LF AC RA IN AC RA IN AC"),
    Case(
      "T16", "", Piece.launch + "+1s sys.home_button\n" + Piece.toBackground,
      "NR LF AC RA IN EB BG"),
    Case(
      "T17", "header os_version=4.2 sdk_linked=4.2\n",
      Piece.launch + "+1s sys.lock\n" + Piece.toInactive
        + "+1s sys.unlock\n+1ms delegate.did_become_active for 1ms",
      "NR LF AC RA IN AC"),
    Case(
      "T18", "", Piece.launch + "+1s sys.lock\n" + Piece.toBackground, "NR LF AC RA IN EB BG"),
    Case(
      "T19", "",
      Piece.launch + ">sys.switcher\n" + Piece.toInactive
        + "+1s <sys.switcher\n+1ms delegate.did_become_active",
      "NR LF AC RA IN AC"),
    Case(
      "T20", "header os_version=8.0 sdk_linked=8.0 refresh_status=denied\n",
      Piece.launch + Piece.toBackground + "+10ms proc.suspend", "NR LF AC RA IN EB BG SU"),
    Case(
      "T21", "", Piece.launch + Piece.toBackground + suspend + "+1s proc.resume\n" + Piece.comeBack,
      "NR LF AC RA IN EB BG SU BG EF IN AC"),
    Case(
      "T22", "", Piece.launch + Piece.toBackground + suspend + "+1s proc.kill cause=jetsam",
      "NR LF AC RA IN EB BG SU NR"),
    Case(
      "T23", "", Piece.launch + Piece.toBackground + terminate, "NR LF AC RA IN EB BG TM NR"),
    Case(
      "T24", "", Piece.launch + Piece.toBackground + suspend + "+1s proc.resume\n" + terminate,
      "NR LF AC RA IN EB BG SU BG TM NR"),
    Case("T25", "", Piece.launch + terminate, "NR LF AC TM NR"),
    Case("T26", optout, Piece.launch + Piece.enter + terminate, "NR LF AC EB BG TM NR"),
    Case("T27", os3, Piece.launch + Piece.toInactive + terminate, "NR LF AC RA IN TM NR"),
    Case("T28", sdk3, Piece.launch + Piece.enter + terminate, "NR LF AC EB BG TM NR"),
    Case("T29", nomt, Piece.launch + Piece.enter + terminate, "NR LF AC EB BG TM NR"),
    Case("T30", "", Piece.launch + "+1s proc.kill cause=crash", "NR LF AC NR"),
    Case("T31", "", "0s proc.start into=background reason=voip_exit", "NR LB"),
    Case("T32", "", Piece.launch + "+1s trace.lost count=3", "NR LF AC UN"),
  ]

  @Test("the model walks every transition", arguments: cases)
  func walks(_ testCase: Case) throws {
    let events = testCase.events.replacingLeadingMarks()
    let walk = Walk(testCase.header + events)
    #expect(walk.path == testCase.path)
    let row = try #require(Transition.named(testCase.id))
    #expect(row.profiles.contains(walk.model.profile) || testCase.id == "T31")
    // Every path passes a state the row starts from and ends in one it may end in.
    #expect(row.from.contains { walk.trail.contains($0) })
    #expect(row.to.contains(walk.model.state))
  }

  @Test("the table holds T01 to T32 in order")
  func tableIsWhole() {
    let ids = (1...32).map { $0 < 10 ? "T0\($0)" : "T\($0)" }
    #expect(Transition.all.map(\.id) == ids)
    #expect(Transition.all.allSatisfy { !$0.stimulus.isEmpty && !$0.sourceTitle.isEmpty })
    #expect(Transition.all.allSatisfy { !$0.from.isEmpty && !$0.to.isEmpty })
    let leaving = Transition.all.filter { $0.from.contains(.notRunning) && $0.id != "T32" }
    #expect(leaving.map(\.id) == ["T01", "T04", "T31"])
  }

  @Test("symbols are two letters and differ")
  func symbols() {
    #expect(
      LifecycleState.allCases.map(\.symbol).joined(separator: " ")
        == "NR LF LB AC RA IN EB BG SU EF TM UN")
  }
}

extension String {
  /// Lines of an event without a time happen a millisecond after the line before.
  func replacingLeadingMarks() -> String {
    split(separator: "\n").map { $0.first == ">" || $0.first == "<" ? "+1ms \($0)" : String($0) }
      .joined(separator: "\n") + "\n"
  }
}
