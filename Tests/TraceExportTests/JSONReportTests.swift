// What scripts read: keys, their order and their types are a contract.

import Foundation
import Testing
import TraceExport
import TraceLifecycle
import TraceModel
import TraceRules

struct JSONReportTests {
  private static let element = """
    {"path":"notes.ndjson","trace_id":"00ff","format":"ndjson","app":"com.example.notes",\
    "app_version":null,"os_version":"8.1.0","device_model":null,"profile":"ios8","events":4,\
    "launches":1,"first_ns":1000000000,"last_ns":9700000000,"completeness":"truncated",\
    "findings":[{"rule":"LC003","slug":"watchdog/did-enter-background-over-5s",\
    "severity":"error","reason":null,"message":"the callback took 5.2 s, and the limit is 5 s",\
    "time_ns":9700000000,"thread":1,"launch":1,"count":1,"last_time_ns":9700000000,\
    "subject":"delegate.did_enter_background","fingerprint":"v1:0123456789abcdef",\
    "confidence":"certain","witness":[{"index":1,"time_ns":4500000000,\
    "event":"delegate.did_enter_background","phase":"enter","thread":1,"role":"open","args":{},\
    "source":{"path":"notes.ndjson","line":3}},{"index":2,"time_ns":9700000000,\
    "event":"delegate.did_enter_background","phase":"return","thread":1,"role":"deadline",\
    "args":{},"source":{"path":"notes.ndjson","line":4}}],"witness_omitted":0}],\
    "quality":[{"id":"TQ11","count":1,"message":"the trace stops without trace.end"}],\
    "verdicts":{"LC001":{"violated":0,"unknown":2,"not_evaluated":false,\
    "unknown_reasons":{"truncated":2}},"LC004":{"violated":0,"unknown":0,"not_evaluated":true,\
    "unknown_reasons":{}}},"suppressed":[],"number":1}
    """

  @Test func theReportHasTheAgreedShape() {
    #expect(
      ReportSamples.report(.json, [ReportSamples.capture()]) == """
        {"schema_version":1,"tool":{"name":"tracecheck","version":"1.2.3"},
        "traces":[
        \(Self.element)],
        "summary":{"traces":1,"events":4,"errors":1,"warnings":0,"notes":0,"unknown":2,\
        "unreadable":0,"damaged":0,"problems_omitted":0,"suppressed":0},
        "problems":[],
        "copies":[]}

        """)
  }

  @Test func linesAreTheElementsOfTraces() {
    let capture = ReportSamples.capture()
    #expect(
      ReportSamples.report(.jsonl, [capture, capture]) == "\(Self.element)\n\(Self.element)\n")
  }

  @Test func measuresStandAtTheEndOfATrace() {
    var measures = TraceMeasures(keepsTimes: true)
    let wall: Int64 = 1_400_000_000_000_000_000
    measures.add([
      LifeMeasure(.wallClock(nanoseconds: wall), timeNanoseconds: 1_000_000_000),
      LifeMeasure(
        .launched(reason: .userIcon, startNanoseconds: 2_000_000_000),
        timeNanoseconds: 2_000_000_000, launch: 1),
      LifeMeasure(
        .duration(.launch), timeNanoseconds: 2_500_000_000, durationNanoseconds: 500_000_000,
        launch: 1),
      LifeMeasure(.foreground, timeNanoseconds: 2_500_000_000, launch: 1),
      LifeMeasure(
        .state(.active), timeNanoseconds: 4_000_000_000, durationNanoseconds: 1_500_000_000,
        launch: 1),
      LifeMeasure(
        .termination(.watchdog, count: 1), timeNanoseconds: 9_700_000_000, launch: 1),
      LifeMeasure(
        .launched(reason: .unknown, startNanoseconds: nil), timeNanoseconds: 9_800_000_000,
        launch: 2),
    ])
    var capture = ReportSamples.capture()
    capture.measures = [measures]
    capture.contentHashes = ["abcd"]
    let element = """
      \(Self.element.dropLast()),"measures":{"content":"abcd","wall_ns":\(wall),\
      "launches":[{"launch":1,"start_ns":2000000000,"wall_ns":1400000001000000000,\
      "reason":"user_icon","duration_ns":500000000,"first_foreground_ns":2500000000,\
      "end":"watchdog"},{"launch":2,"start_ns":null,"wall_ns":1400000008800000000,\
      "reason":"unknown","duration_ns":null,"first_foreground_ns":null,"end":null}],\
      "durations":[{"name":"launch","launch":1,"start_ns":2000000000,"duration_ns":500000000,\
      "end_ns":2500000000}],"terminations":[{"launch":1,"time_ns":9700000000,\
      "cause":"watchdog","count":1,"rule":"LC003"}],"states":{"active":1.5},\
      "incomplete":false}}

      """
    // Measures that nobody asked to be told change nothing.
    #expect(ReportSamples.report(.jsonl, [capture]) == Self.element + "\n")
    #expect(ReportSamples.report(.jsonl, [capture], tellsMeasures: true) == element)
    #expect(
      ReportSamples.report(.json, [capture], tellsMeasures: true)
        .contains(element.dropLast()))
  }

  @Test func problemsAndCopiesAreListed() throws {
    var damaged = ReportSamples.capture([])
    damaged.add(InputProblem(.skipped, at: .line(7, column: 3), "found ], expected }"))
    damaged.add(InputProblem(.truncated, at: .bytes(5..<9), "the record is cut"))
    var copy = ReportSamples.capture()
    copy.copyOf = "notes.ndjson"
    let broken = JudgedCapture(
      path: "x.png", failure: CaptureFailure("it is no capture", advice: "give another"))
    let text = ReportSamples.report(.json, [damaged, copy, broken])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let problems = try #require(report["problems"] as? [[String: Any]])
    #expect(
      problems.map { $0["consequence"] as? String } == ["skipped", "truncated", "unreadable"])
    #expect(problems[0]["line"] as? Int == 7 && problems[0]["first_byte"] is NSNull)
    #expect(problems[1]["first_byte"] as? Int == 5 && problems[1]["line"] is NSNull)
    let copies = try #require(report["copies"] as? [[String: String]])
    #expect(copies == [["path": "notes.ndjson", "copy_of": "notes.ndjson"]])
    let summary = try #require(report["summary"] as? [String: Int])
    #expect(summary["unreadable"] == 1 && summary["damaged"] == 1 && summary["traces"] == 1)
  }

  @Test func argumentsKeepTheirTypes() throws {
    var finding = ReportSamples.finding
    finding.witness = [
      ReportSamples.event(
        0, 0, "x.y", .instant,
        [
          WitnessArgument(name: "i", value: .integer(-1)),
          WitnessArgument(name: "u", value: .unsigned(.max)),
          WitnessArgument(name: "n", value: .number(0.5)),
          WitnessArgument(name: "b", value: .boolean(true)),
          WitnessArgument(name: "s", value: .string("a\"b")),
          WitnessArgument(name: "j", value: .json("[1,{\"k\":null}]")),
        ])
    ]
    let text = ReportSamples.report(.json, [ReportSamples.capture([finding])])
    #expect(
      text.contains(
        #""args":{"i":-1,"u":18446744073709551615,"n":0.5,"b":true,"s":"a\"b","j":[1,{"k":null}]}"#)
    )
  }
}
