// One report for a unit: what further violations of the same do to it.

import Testing

@testable import TraceRules

/// A life and the findings of one rule in it, with their counts and last times in seconds.
struct Repetition: CustomTestStringConvertible, Sendable {
  struct Report: Hashable, CustomStringConvertible {
    var count: Int
    var first: Double
    var last: Double

    init(_ count: Int, _ first: Double, _ last: Double) {
      (self.count, self.first, self.last) = (count, first, last)
    }

    var description: String { "\(count) from \(first) s to \(last) s" }
  }

  let testDescription: String
  let rule: String
  let life: JudgedLife
  let reports: [Report]

  init(
    _ rule: String, _ description: String, _ header: String, _ life: String,
    _ reports: [Report]
  ) {
    testDescription = "\(rule) \(description)"
    self.rule = rule
    self.life = JudgedLife(testDescription, header, "\(Edge.launch)\n\(life)", [])
    self.reports = reports
  }
}

extension SuppressionTests {
  @Test(arguments: repetitions)
  func oneReportForAUnit(_ repetition: Repetition) {
    let findings = repetition.life.judge().findings.filter { $0.rule == repetition.rule }
    let seconds: (Int64) -> Double = { Double($0) / 1e9 }
    let reports = findings.map {
      Repetition.Report($0.count, seconds($0.timeNanoseconds), seconds($0.lastTimeNanoseconds))
    }
    #expect(reports == repetition.reports)
  }

  private static let repetitions = [
    Repetition(
      "LC503", "for each event", "",
      """
      1s      delegate.did_enter_background for 1ms
      2s      delegate.will_enter_foreground for 1ms
      2.1s    delegate.did_become_active for 1ms
      3s      delegate.did_enter_background for 1ms
      """, [.init(1, 1, 1), .init(1, 3, 3)]),
    Repetition(
      "LC507", "for each stay in the background, but for what another rule reports", "",
      """
      \(Edge.toBackground)
      12s     proc.suspend inferred=false
      20s     loc.update for 1ms service=significant
      21s     loc.update for 1ms service=significant
      30s     delegate.will_terminate for 1ms
      """, [.init(2, 20, 21)]),
    Repetition(
      "LC614", "for each number, the calls that are too many", "",
      """
      1s      delegate.did_receive_remote_notification for 1ms completion_id=1
      2s      completion.call completion_id=1
      3s      completion.call completion_id=1
      4s      delegate.did_receive_remote_notification for 1ms completion_id=1
      5s      completion.call completion_id=1
      """, [.init(1, 3, 3)]),
    Repetition(
      "LC101", "for each token", "",
      """
      1s      bgtask.begin token=1 has_expiration_handler=false
      2s      bgtask.end token=1
      3s      bgtask.begin token=1 has_expiration_handler=false
      4s      bgtask.end token=1
      5s      bgtask.begin token=2 has_expiration_handler=false
      6s      bgtask.end token=2
      """, [.init(2, 1, 3), .init(1, 5, 5)]),
    Repetition(
      "LC004", "for each stay in the background, batches by their number", "",
      """
      \(Edge.toBackground)
      11s @3  gl.call context=1 kind=draw
      12s @4  gl.call context=1 kind=draw count=5
      13s @3  gl.call context=1 kind=present
      20s     delegate.will_enter_foreground for 1ms
      20.1s   delegate.did_become_active for 1ms
      29s     delegate.will_resign_active for 1ms
      30s     delegate.did_enter_background for 1ms
      31s @3  gl.call context=1 kind=draw
      """, [.init(7, 11, 13), .init(1, 31, 31)]),
    Repetition(
      "LC002", "for each interval from an entry or a resume", "",
      """
      \(Edge.toBackground)
      12s     proc.suspend inferred=false
      20s @3  trace.marker text=a
      21s @4  trace.marker text=b
      30s     proc.resume inferred=false
      31s     proc.suspend inferred=false
      40s @3  trace.marker text=c
      50s     proc.resume inferred=false
      """, [.init(2, 20, 21), .init(1, 40, 40)]),
    Repetition(
      "LC541", "for each timer and stretch of inactivity", "",
      """
      1s      work.timer_start timer=1 interval_s=1 repeats=true
      1.1s    work.timer_start timer=2 interval_s=1 repeats=true
      2s      delegate.will_resign_active for 1ms
      4s      work.timer_fire for 1ms timer=1
      5s      work.timer_fire for 1ms timer=1
      6s      work.timer_fire for 1ms timer=2
      7s      delegate.did_become_active for 1ms
      8s      delegate.will_resign_active for 1ms
      10s     work.timer_fire for 1ms timer=1
      12s     delegate.did_become_active for 1ms
      """, [.init(2, 4, 5), .init(1, 6, 6), .init(1, 10, 10)]),
    Repetition(
      "LC307", "for each launch", "",
      """
      1s      net.sync_wait for 1ms request=1
      2s      net.sync_wait for 1ms request=2
      3s      net.sync_wait for 1ms request=3
      4s      proc.kill cause=crash
      10s     proc.start into=foreground reason=user_icon
      10.1s   delegate.did_finish_launching for 1ms
      10.2s   delegate.did_become_active for 1ms
      11s     net.sync_wait for 1ms request=4
      """, [.init(3, 1, 3), .init(1, 11, 11)]),
    Repetition(
      "LC519", "for each launch", "os_version=4.0 sdk_linked=3.2",
      """
      1s      delegate.will_resign_active for 1ms
      1.1s    delegate.did_enter_background for 1ms
      2s      proc.suspend inferred=false
      3s      proc.resume inferred=false
      4s      delegate.will_enter_foreground for 1ms
      4.1s    delegate.did_become_active for 1ms
      """, [.init(2, 2, 4)]),
    Repetition(
      "LC001", "for each task", "",
      """
      1s      bgtask.begin token=1 has_expiration_handler=true
      2s      bgtask.end token=1
      3s      bgtask.end token=1
      4s      bgtask.end token=1
      5s      bgtask.begin token=1 has_expiration_handler=true
      6s      bgtask.end token=1
      7s      bgtask.end token=1
      """, [.init(2, 3, 4), .init(1, 7, 7)]),
  ]
}
