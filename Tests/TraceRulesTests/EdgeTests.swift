// Edges of the four rules, one life each: what must be told, and what mustn't.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

/// A life after a launch, and the findings (rule and reason) it must give.
struct Edge: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var header = Step.header
  let life: String
  let findings: [String]
  var unknown: [String: [String: Int]] = [:]

  static let launch = """
    0s     proc.start into=foreground reason=user_icon
    10ms   delegate.did_finish_launching for 100ms
    200ms  delegate.did_become_active for 1ms
    """
  static let toBackground = """
    9s     delegate.will_resign_active for 1ms
    9.9s   >delegate.did_enter_background
    10s    <delegate.did_enter_background
    """

  static let all = [
    Edge(
      testDescription: "a refused end of a task that the log can't tell to have been open",
      header: "header os_version=14.2 sdk_linked=14.0 log_levels=[\"error\"]",
      life: """
        \(launch)
        1s  bgtask.begin token=7
        \(toBackground)
        11s  proc.suspend inferred=false
        60s  proc.resume inferred=false reason=user_icon
        70s  bgtask.end token=7 refused=true
        """,
      findings: ["LC001 unknown-token"], unknown: ["LC001": ["log-levels": 1]]),
    Edge(
      testDescription: "a task ended after the kill was recorded",
      life: """
        \(launch)
        1s  bgtask.begin token=7
        5s  proc.kill cause=jetsam
        5.001s @5  bgtask.end token=7
        6s  trace.end reason=clean
        """,
      findings: [], unknown: ["LC001": ["ended-by-system": 1]]),
    Edge(
      testDescription: "a recording that goes on after its end",
      life: """
        \(launch)
        5s  trace.end reason=buffer_full
        6s  trace.start reason=resume_of_recording
        7s  delegate.did_become_active for 1ms
        \(toBackground)
        30s  bgtask.begin token=8
        31s  bgtask.expire for 1ms token=8
        32s  proc.kill cause=bgtask_expired
        33s  trace.end reason=clean
        """,
      findings: ["LC001 leaked"]),
    Edge(
      testDescription: "a task ended just before the resume",
      life: """
        \(launch)
        \(toBackground)
        10.5s  bgtask.begin token=7
        12s    proc.suspend inferred=false
        59.97s bgtask.end token=7
        60s    proc.resume inferred=false
        62s    trace.end reason=clean
        """,
      findings: [], unknown: ["LC001": ["ended-at-suspension": 1]]),
    Edge(
      testDescription: "a task ended in the middle of a suspension",
      life: """
        \(launch)
        \(toBackground)
        10.5s  bgtask.begin token=7
        12s    proc.suspend inferred=false
        30s    bgtask.end token=7
        60s    proc.resume inferred=false
        62s    trace.end reason=clean
        """,
      findings: ["LC001 open-at-suspend", "LC002 observed"]),
    Edge(
      testDescription: "each resume excuses its own tasks",
      life: """
        \(launch)
        8s  bgtask.begin token=1
        \(toBackground)
        12s    proc.suspend inferred=false
        60s    proc.resume inferred=false
        60.1s  bgtask.end token=1
        60.2s  bgtask.begin token=2
        60.5s  proc.suspend inferred=false
        100s   proc.resume inferred=false
        100.7s bgtask.end token=2
        103s   proc.suspend inferred=false
        110s   trace.end reason=clean
        """,
      findings: [], unknown: ["LC001": ["ended-at-suspension": 2]]),
    Edge(
      testDescription: "a task of which something was told is told of once",
      life: """
        \(launch)
        8s  bgtask.begin token=7
        \(toBackground)
        15s    bgtask.expire for 1ms token=7
        21s    bgtask.end token=7
        21.5s  bgtask.end token=7
        22s    proc.suspend inferred=false
        70s    trace.end reason=clean
        """,
      findings: ["LC001 leaked"]),
    Edge(
      testDescription: "sleep that a later clock sample tells of",
      life: """
        \(launch)
        500ms  trace.clock_sync continuous_ns=500000000 uptime_ns=500000000
        8s     bgtask.begin token=7
        \(toBackground)
        12s    proc.suspend inferred=false
        60s    proc.resume inferred=false
        60.01s trace.clock_sync continuous_ns=60010000000 uptime_ns=15000000000
        63s    bgtask.end token=7
        64s    proc.suspend inferred=false
        70s    trace.end reason=clean
        """,
      findings: [], unknown: ["LC001": ["locked": 1]]),
    Edge(
      testDescription: "a refused second end in a log without info lines",
      header: "header os_version=14.2 log_levels=[default,error]",
      life: """
        \(launch)
        1s  bgtask.begin token=7
        2s  bgtask.end token=7
        3s  bgtask.end token=7 refused=true
        8s  trace.end reason=clean
        """,
      findings: ["LC001 double-end"]),
    Edge(
      testDescription: "a warning of an open task says nothing of the tasks that were begun later",
      header: "header os_version=14.2 log_levels=[info]",
      life: """
        0s  trace.start reason=attach
        1s  bgtask.begin token=7 elapsed_s=30
        2s  bgtask.end token=8
        3s  bgtask.end token=7
        """,
      findings: [], unknown: ["LC001": ["mid-life": 1]]),
    Edge(
      testDescription: "a task of which only a warning tells, and the kill for it",
      header: "header os_version=14.2 log_levels=[info]",
      life: """
        0s   trace.start reason=attach
        1s   bgtask.begin token=7 elapsed_s=30
        20s  proc.kill cause=bgtask_expired
        """,
      findings: ["LC001 leaked"]),
    Edge(
      testDescription: "a token written as text",
      life: """
        \(launch)
        1s  bgtask.begin token="7"
        2s  bgtask.end token=7
        8s  trace.end reason=clean
        """,
      findings: []),
    Edge(
      testDescription: "a save cut by an inferred suspension that is confirmed later",
      life: """
        \(launch)
        500ms  trace.clock_sync continuous_ns=500000000 uptime_ns=500000000
        \(toBackground)
        10.5s @4  >data.save store=a
        11s    work.sample label=heartbeat
        11.25s work.sample label=heartbeat
        11.25s proc.suspend inferred=true
        100s   proc.resume inferred=true
        100.1s trace.clock_sync continuous_ns=100100000000 uptime_ns=11400000000
        101s @4  <data.save
        104s   proc.suspend inferred=true
        200s   proc.resume inferred=true
        201s   trace.end reason=clean
        """,
      findings: ["LC002 straddled"]),
    Edge(
      testDescription: "an open switcher is no callback",
      life: """
        \(launch)
        \(toBackground)
        12s  proc.suspend inferred=false
        30s  >sys.switcher
        31s  trace.marker text=a
        32s  <sys.switcher
        60s  proc.resume inferred=false
        61s  trace.end reason=clean
        """,
      findings: ["LC002 observed"]),
    Edge(
      testDescription: "a lost return on a main thread that isn't number 1",
      life: """
        0s @259      proc.start into=foreground
        10ms @259    delegate.did_finish_launching for 100ms
        200ms @259   delegate.did_become_active for 1ms
        9s @259      delegate.will_resign_active for 1ms
        9.9s @259    >delegate.did_enter_background
        20s @259     delegate.will_enter_foreground for 1ms
        20.1s @259   delegate.did_become_active for 1ms
        60s @259     ui.touch
        70s          trace.end reason=clean
        """,
      findings: [], unknown: ["LC003": ["return-lost": 1]]),
    Edge(
      testDescription: "a clock that goes back inside the callback",
      life: """
        \(launch)
        9s     delegate.will_resign_active for 1ms
        10s    >delegate.did_enter_background
        10.1s  trace.marker text=a
        5s     trace.marker text=b
        16s    <delegate.did_enter_background
        17s    proc.suspend inferred=false
        20s    trace.end reason=clean
        """,
      findings: [], unknown: ["LC003": ["clock": 1]]),
    Edge(
      testDescription: "a watchdog that strikes long after a lost return",
      life: """
        \(launch)
        9s     delegate.will_resign_active for 1ms
        9.9s   >delegate.did_enter_background
        20s    delegate.will_enter_foreground for 1ms
        20.1s  delegate.did_become_active for 1ms
        700s   proc.kill cause=watchdog code=2343432205
        701s   trace.end reason=clean
        """,
      findings: [], unknown: ["LC003": ["return-lost": 1]]),
    Edge(
      testDescription: "the end of a rotated trace is its last event",
      life: """
        \(launch)
        9s    delegate.will_resign_active for 1ms
        9.9s  >delegate.did_enter_background
        16s   trace.end reason=rotated
        """,
      findings: ["LC003"]),
    Edge(
      testDescription: "scenes in an app whose header doesn't tell of them",
      header: "header os_version=15.0 background_modes=[]",
      life: """
        0s     proc.start into=foreground
        100ms  delegate.did_finish_launching for 10ms
        300ms  scene.will_enter_foreground for 1ms scene=a
        400ms  scene.did_become_active for 1ms scene=a
        5s     scene.will_resign_active for 1ms scene=a
        5.1s   >scene.did_enter_background scene=a
        11.2s  <scene.did_enter_background scene=a
        12s    trace.end reason=clean
        """,
      findings: ["LC003"]),
    Edge(
      testDescription: "late calls after a callback of which the log has one line",
      life: """
        \(launch)
        9s   delegate.will_resign_active
        10s  delegate.did_enter_background
        10.003s @7  gl.call kind=draw
        12s  proc.suspend inferred=false
        20s  trace.end reason=clean
        """,
      findings: []),
    Edge(
      testDescription: "a save inside a span that closed across it",
      life: """
        \(launch)
        8s @4    >work.span class=other id=1
        8.1s @4  >data.save store=a
        8.5s @4  <work.span
        \(toBackground)
        12s  proc.suspend inferred=false
        20s  trace.end reason=clean
        """,
      findings: [], unknown: ["LC002": ["crossing": 1]]),
    Edge(
      testDescription: "one event in doubt at the end counts once",
      life: """
        \(launch)
        \(toBackground)
        12s  proc.suspend inferred=false
        59.99s @5  trace.marker text=c
        60s  trace.end reason=clean
        """,
      findings: [], unknown: ["LC002": ["truncated": 1]]),
  ]
}

struct EdgeTests {
  private func document(_ edge: Edge) -> String { "timeline 1\n\(edge.header)\n\(edge.life)\n" }

  @Test(arguments: Edge.all)
  func life(_ edge: Edge) {
    let judgement = TraceFixture(document(edge)).judge()
    let findings = judgement.findings.map {
      [$0.rule, $0.reason].compactMap(\.self).joined(separator: " ")
    }
    #expect(findings == edge.findings)
    for (rule, reasons) in edge.unknown {
      #expect(judgement.verdicts[rule]?.unknownReasons == reasons)
    }
  }

  @Test func manyTasksAreLegal() {
    var text = "timeline 1\n\(Step.header)\n\(Edge.launch)\n"
    for token in 1...1_100 { text += "+1ms bgtask.begin token=\(token)\n" }
    for token in 1...1_100 { text += "+1ms bgtask.end token=\(token)\n" }
    let judgement = TraceFixture(text + "+1s trace.end reason=clean\n").judge()
    #expect(judgement.findings == [])
  }

  @Test func manyPairsAreRememberedOrForgottenWithoutHarm() {
    var text = "timeline 1\n\(Step.header)\n\(Edge.launch)\n"
    for token in 1...70_000 {
      text += "+1us bgtask.begin token=\(token)\n+1us bgtask.end token=\(token)\n"
    }
    text += "+1us bgtask.end token=70000\n+1us bgtask.end token=1\n+1s trace.end reason=clean\n"
    var options = CheckOptions()
    options.rules = Catalogue.rules(matching: "LC001")
    let judgement = TraceFixture(text).judge(options)
    #expect(judgement.findings.map(\.reason) == ["double-end"])
    #expect(judgement.verdicts["LC001"]?.unknownReasons == ["key-limit": 1])
  }

  @Test func thresholdsOfGraceAndCountAreHonoured() {
    let work = TraceFixture(
      """
      timeline 1
      \(Step.header)
      \(Edge.launch)
      \(Edge.toBackground)
      20s @4  trace.marker text=a
      25s     proc.suspend inferred=false
      26s     trace.end reason=clean
      """)
    var options = CheckOptions.headline
    #expect(work.judge(options).findings.map(\.reason) == ["predicted"])
    options.thresholds["LC002"] = 60_000_000_000
    #expect(work.judge(options).findings == [])
    let drawing = TraceFixture(
      """
      timeline 1
      \(Step.header)
      \(Edge.launch)
      \(Edge.toBackground)
      20s @4  gl.call kind=draw
      21s @4  gl.call kind=draw
      26s     trace.end reason=clean
      """)
    options.thresholds = ["LC004": 1]
    #expect(drawing.judge(options).findings.map(\.count) == [2])
    options.thresholds = ["LC004": 2]
    #expect(drawing.judge(options).findings == [])
  }
}
