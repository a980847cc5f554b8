// Lines of an app's own become the events that patterns of the user say.

import Testing
import TraceImportSamples
import TraceModel
import TraceNotation

@testable import TraceImport

/// A pattern, as a configuration would make it.
func pattern(
  _ message: String, _ event: EventKind, _ phase: Phase = .instant,
  _ arguments: KeyValuePairs<ArgumentName, String> = [:], process: String? = nil,
  thread: String? = nil, app: String? = nil, covers: Bool? = nil
) throws -> CapturePattern {
  let description = try #require(Vocabulary.description(of: event))
  var pattern = CapturePattern(
    message: try LineGlob(message), event: description, phase: phase, origin: "c.yml:1")
  let fields = pattern.message.fields
  for (name, text) in arguments {
    let known = try #require(description.arguments.first { $0.name == name })
    pattern.arguments.append(
      CapturePattern.Argument(
        name: name, reading: ValueReading(known),
        template: try ValueTemplate(text, fields: fields)))
  }
  pattern.process = try process.map { try LineGlob($0) }
  pattern.thread = try thread.map { try ValueTemplate($0, fields: fields) }
  pattern.coversNamespace = covers
  if let app { pattern.apps = CapturePattern.Apps(pattern: app) { $0 == app } }
  return pattern
}

/// What an import with patterns says, as a timeline, and its account.
private func mapped(
  _ text: String, _ patterns: [CapturePattern], as format: CaptureFormat = .consoleText,
  fallbackApp: String? = nil
) throws -> (events: String, ledger: LineLedger) {
  var decoder = try #require(format.makeDecoder() as? any LineDecoder)
  decoder.prepare(
    LineOptions(
      patterns: CapturePatterns(patterns, fallbackApp: fallbackApp), keepsLedger: true))
  decoder.feed(Array(text.utf8).span)
  decoder.finish()
  var encoder = TimelineEncoder()
  var batch = EventBatch()
  var notes = ""
  reading: while true {
    switch decoder.next(into: &batch) {
    case .header(let header):
      encoder.end()
      let coverage = header.strings(.coverage) ?? []
      encoder.output += Array("# \(coverage.joined(separator: ","))\n".utf8)
    case .batch: encoder.consume(batch)
    case .remark(let remark): notes += "# \(remark.message)\n"
    case .stream: break
    case .problem(let problem): notes += "# \(problem.message)\n"
    case .needsInput, .end: break reading
    }
  }
  encoder.end()
  let lines = String(decoding: encoder.output, as: UTF8.self).split(separator: "\n")
    .map { $0.split(separator: " ").joined(separator: " ") }
    .filter { !$0.hasSuffix("trace.start reason=attach") }
  return (lines.map { $0 + "\n" }.joined() + notes, try #require(decoder.ledger))
}

struct PatternMappingTests {
  @Test func fieldsAndConstantsBecomeArguments() throws {
    let text =
      console("10:00:00.000000", "Notes", "sync 7 of all notes began")
      + console("10:00:01.500000", "Notes", "sync 7 done after 1500 ms")
      + console("10:00:02.000000", "Notes", "anything else")
    let (events, ledger) = try mapped(
      text,
      [
        pattern("sync <id> of <what> began", .workSpan, .enter, [.id: "<id>", .label: "<what>!"]),
        pattern("sync <id> done*", .workSpan, .return),
      ])
    #expect(
      events == """
        # work
        0s work.span for 1.5s id=7 label="all notes!"

        """)
    #expect(ledger.lineCount == 3)
    #expect(
      ledger.lines(of: 0).samples == [LineLedger.Sample(line: 1, text: "sync 7 of all notes began")]
    )
    #expect(ledger.ignored.map(\.reason) == [.noPattern])
  }

  @Test func aTextThatIsNoValueMakesNoEvent() throws {
    let text = ["12", "many", "-3", "lots"].map {
      console("10:00:00.000000", "Notes", "drew \($0)")
    }
    let (events, ledger) = try mapped(
      text.joined(), [pattern("drew <n>", .glCall, .instant, [.kind: "draw", .count: "<n>"])])
    #expect(
      events == """
        # gl
        0s gl.call kind=draw count=12
        0s gl.call kind=draw count=-3
        # 2 lines fit the pattern at c.yml:1, but count isn't a whole number; the first is line 2

        """)
    #expect(ledger.unreadable.map(\.tally.count) == [2])
  }

  @Test func knownMessagesGoFirst() throws {
    let ending = "Ending background task with UIBackgroundTaskIdentifier: 5"
    let (events, ledger) = try mapped(
      console("10:00:00.000000", "Notes", ending),
      [pattern("Ending*", .traceMarker), pattern("*5", .traceMarker)])
    #expect(events == "# bgtask\n0s bgtask.end token=5\n")
    #expect(ledger.knownMessages.map(\.name) == ["background task ended, called"])
  }

  @Test func aPatternGoesBeforeAKnownMessageThatTellsNoEvent() throws {
    let text = console("10:00:00.000000", "Notes", "Submitted job with label: UIKitApplication:a")
    let (events, ledger) = try mapped(text, [pattern("Submitted job*", .traceMarker)])
    #expect(events == "#\n0s trace.marker\n")
    #expect(ledger.knownMessages.isEmpty)
    let known = try mapped(text, []).ledger.knownMessages.map(\.name)
    #expect(known == ["request to open an app, or its job"])
  }

  @Test func aMessageThatOnlyBeginsLikeAKnownOneIsTried() throws {
    let text = console("10:00:00.000000", "Notes", "Process of sync 5")
    let (events, _) = try mapped(text, [pattern("Process of sync <id>", .traceMarker)])
    #expect(events == "#\n0s trace.marker\n")
  }

  @Test func theProcessMustFit() throws {
    let text =
      console("10:00:00.000000", "Notes", "tick") + console("10:00:01.000000", "Maps", "tick")
    let (events, ledger) = try mapped(text, [pattern("tick", .traceMarker, process: "Not*")])
    #expect(events == "#\n0s trace.marker\n")
    #expect(ledger.ignored.map(\.tally.count) == [1])
  }

  @Test func processesOfTheSystemAreNoApps() throws {
    let text = console("10:00:00.000000", "SpringBoard", "tick")
    let (events, ledger) = try mapped(text, [pattern("tick", .traceMarker)])
    #expect(events.hasPrefix("# no life-cycle lines"))
    #expect(ledger.ignored.map(\.reason) == [.notOfAnApp])
  }

  /// Which section of a configuration is for an app may be known later than the line is read.
  @Test func theStrongestPatternForTheAppCounts() throws {
    let patterns = [
      try pattern("tick", .traceMarker, .instant, [.text: "a"], app: "com.example.a"),
      try pattern("tick", .traceMarker, .instant, [.text: "b"], app: "Notes"),
      try pattern("tick", .traceMarker, .instant, [.text: "b2"], app: "Notes"),
      try pattern("tick", .traceMarker, .instant, [.text: "all"]),
    ]
    let text =
      console("10:00:00.000000", "Notes", "tick") + console("10:00:01.000000", "Maps", "tick")
    let (events, ledger) = try mapped(text, patterns)
    #expect(
      events == """
        #
        0s trace.marker text=b
        #
        1s trace.marker text=all

        """)
    #expect(ledger.ofOtherApps == [0: 2, 1: 1])
  }

  @Test func theCallSaysTheAppOfACaptureWithoutOne() throws {
    let own = try pattern("tick", .traceMarker, app: "com.example.notes")
    let text = "tick\n"
    #expect(try mapped(text, [own], as: .xcodeConsole).events.hasPrefix("# no life-cycle lines"))
    let (events, _) = try mapped(
      text, [own], as: .xcodeConsole, fallbackApp: "com.example.notes")
    #expect(events == "#\n0s trace.marker\n")
  }

  @Test func pastesCountOnceAndCoarseTimesDoNotHideLines() throws {
    let line = console("10:00:00.000000", "Notes", "drew 3")
    let draw = try pattern("drew <n>", .glCall, .instant, [.count: "<n>"])
    #expect(try mapped(line + line, [draw]).events == "# gl\n0s gl.call count=3\n")
    let coarse = "Mar  1 10:00:00 iPhone Notes[41] <Notice>: drew 3\n"
    #expect(
      try mapped(coarse + coarse, [draw], as: .deviceSyslog).events
        == "# gl\n0s gl.call count=3\n0s gl.call count=3\n")
  }

  @Test func threadsAreThoseOfTheLineOrOfThePattern() throws {
    let line = "2026-03-01 10:00:00.000000+0100 Notes[41:77] at 9: x\n"
    let free = try pattern("at <t>: x", .traceMarker)
    #expect(try mapped(line, [free], as: .xcodeConsole).events.contains("0s @77 trace.marker"))
    let set = try pattern("at <t>: x", .traceMarker, thread: "<t>")
    #expect(try mapped(line, [set], as: .xcodeConsole).events.contains("0s @9 trace.marker"))
    let callback = try pattern("at <t>: x", .delegateDidEnterBackground, .enter)
    #expect(
      try mapped(line, [callback], as: .xcodeConsole).events.contains("0s >delegate.did_enter"))
  }

  @Test func escapesAndColoursAreNoObstacle() throws {
    let text = console("10:00:00.000000", "Notes", #"\[Sync\] all\_notes"#)
    let (events, _) = try mapped(
      text, [pattern("[Sync] <what>", .traceMarker, .instant, [.text: "<what>"])])
    #expect(events == "#\n0s trace.marker text=all_notes\n")
  }

  @Test func aTagOfTheAppsOwnLooksLikeACategory() throws {
    let line = "2026-03-01 10:00:00.000000+0100 Notes[41:77] [Sync] done\n"
    for message in ["[Sync] done", "done"] {
      let (events, _) = try mapped(line, [pattern(message, .traceMarker)], as: .xcodeConsole)
      #expect(events == "#\n0s @77 trace.marker\n")
    }
  }

  @Test func allLineFormatsUsePatterns() throws {
    let tick = try pattern("tick <n>", .traceMarker, .instant, [.text: "<n>"])
    let json =
      #"{"timestamp":"2026-03-01 10:00:00.000000+0100","eventMessage":"tick 1","#
      + #""processImagePath":"\/a\/Notes","processID":41,"threadID":1,"messageType":"Default","#
      + #""eventType":"logEvent"}"#
    let appium =
      #"[{"timestamp":1709280000000,"level":"ALL","message":"Mar  1 10:00:00 "#
      + #"Notes(UIKit)[41] <Notice>: tick 1"}]"#
    let texts: [(CaptureFormat, String)] = [
      (.logJSON, json), (.appium, appium),
      (.logCompact, "2026-03-01 10:00:00.000 Df Notes[41:1] [a.b:c] tick 1"),
      (.deviceSyslog, "Mar  1 10:00:00.000000 Notes(Lib)[41] <Notice>: tick 1"),
      (.pymobile, "2026-03-01 10:00:00.000000 Notes{Lib}[41] <NOTICE>: tick 1"),
      (.syslog, "Mar  1 10:00:00 mac Notes[41]: tick 1"), (.xcodeConsole, "tick 1"),
    ]
    for (format, text) in texts {
      let (events, _) = try mapped(text + "\n", [tick], as: format)
      #expect(events.contains("trace.marker text=\"1\""), "\(format.name): \(events)")
    }
  }

  @Test func halfAStoryCoversNothing() throws {
    let begin = try pattern("b <t>", .bgtaskBegin, .instant, [.token: "<t>"])
    let end = try pattern("e <t>", .bgtaskEnd, .instant, [.token: "<t>"])
    func reason(_ patterns: [CapturePattern], _ namespace: String) -> String? {
      CapturePatterns(patterns).reasonNotCovering(namespace, app: nil)
    }
    #expect(reason([begin], "bgtask") == "no pattern is for bgtask.end")
    #expect(reason([begin, end], "bgtask") == nil)
    #expect(reason([try pattern("b", .bgtaskBegin, covers: true)], "bgtask") == nil)
    #expect(
      reason([begin, end, try pattern("x", .bgtaskExpire, covers: false)], "bgtask")
        == "the patterns say so")
    let enter = try pattern("s", .workSpan, .enter)
    #expect(reason([enter], "work") == "no pattern is for the return of work.span")
    let lock = try pattern("l", .fileLock, .instant, [.op: "acquire"])
    #expect(reason([lock], "file") == "no pattern is for op=release of file.lock")
    let either = try pattern("l <op>", .fileLock, .instant, [.op: "<op>"])
    #expect(reason([lock, either], "file") == nil)
    let line = console("10:00:00.000000", "Notes", "b 5")
    #expect(try mapped(line, [begin]).events == "#\n0s bgtask.begin token=5\n")
    #expect(try mapped(line, [begin, end]).events == "# bgtask\n0s bgtask.begin token=5\n")
  }
}
