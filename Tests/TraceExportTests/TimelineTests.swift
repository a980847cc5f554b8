// Timelines of small traces: goldens that can be read, and what holds for every format.

import Foundation
import Testing
import TraceCatalogue
import TraceExport
import TraceLifecycle
import TraceModel
import TraceNotation
import TraceRules

struct TimelineTests {
  private static let slow = """
    header app_bundle_id=com.example.notes os_version="8.1"
    0s   proc.start into=foreground reason=user_icon
    100ms  delegate.did_finish_launching for 400ms
    1s   delegate.did_become_active for 1ms
    5s   delegate.will_resign_active for 1ms
    6s   >delegate.did_enter_background
    7s @5  bgtask.begin token=3 name="save <draft>"
    12s  <delegate.did_enter_background
    14s @5 bgtask.end token=3
    20s  trace.end reason=clean
    """

  /// Each event in a batch of its own.
  private static func cut(_ batches: [EventBatch]) -> [EventBatch] {
    var assembler = BatchAssembler()
    return batches.flatMap { batch in
      (0..<batch.count).map { index in
        assembler.copy(index, of: batch)
        var single = EventBatch()
        assembler.take(into: &single)
        return single
      }
    }
  }

  private static func timeline(
    _ format: TimelineFormat, _ text: String = slow, isCut: Bool = false, columns: Int = 72
  ) -> [UInt8] {
    let (header, batches) = readTimeline(text)
    var writer = format.makeWriter(TimelineContext(toolVersion: "1.2.3", columns: columns))
    let options = CheckOptions()
    var checker = Checker(header: header, options: options)
    let rules = Dictionary(options.rules.map { ($0.id, $0) }) { first, _ in first }
    writer.begin(
      TimelineTrace(
        path: "notes.timeline", header: header,
        profile: ProfileSelection(header: header).profile
      ) { id in
        rules[id].map {
          TimelineRuleText(
            summary: $0.summary, rationale: $0.rationale, consequence: $0.consequence,
            advice: $0.advice, limitsNanoseconds: $0.parameters.map(\.value))
        }
      })
    for var batch in isCut ? cut(batches) : batches {
      checker.consume(&batch)
      writer.consume(batch)
    }
    writer.endTrace(checker.finish(isDamaged: false))
    writer.end()
    return writer.output
  }

  private static func text(_ format: TimelineFormat, _ trace: String = slow) -> String {
    String(decoding: timeline(format, trace), as: UTF8.self)
  }

  @Test func aTerminalShowsLanes() {
    let golden = """
      com.example.notes  12 events, 20s
                            ╷0s         ╷5s          ╷10s        ╷15s
      Launches              ━ Launch 1 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━→
      App state             ▓▓█ active █▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ background ▒▒▒▒▒▒→
      Background tasks
        save <draft>                         ━ save <draft> ━━━━
      System                ·                                                ·
      Threads
        Main thread         ━━━         ━  ━━━━━━━━━━━━━━━━
      Findings                                            ▲    ▲

      ▲ 12s  error LC003  applicationDidEnterBackground: took 6 s; the limit
        is 5 s
      ▲ 14s  note LC853  the app entered the background and preserved no state
        of its interface

      """
    #expect(Self.text(.text) == golden)
  }

  @Test func aPictureNamesWhatItShows() {
    let picture = Self.text(.svg)
    #expect(picture.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\""))
    #expect(picture.contains("<title>entering background, 6s</title>"))
    #expect(picture.contains("save &lt;draft&gt;"))
    #expect(picture.contains(TimelineColors.color(of: LifecycleState.background)))
    #expect(picture.contains("stroke-dasharray"))
    #expect(!picture.contains("<script"))
  }

  @Test func chromeEventsCarryMicrosecondsAndArguments() throws {
    let read = try #require(
      try JSONSerialization.jsonObject(with: Data(Self.timeline(.chrome))) as? [String: Any])
    let events = try #require(read["traceEvents"] as? [[String: Any]])
    let task = try #require(events.first { $0["name"] as? String == "save <draft>" })
    #expect(task["ph"] as? String == "B")
    #expect(task["ts"] as? Double == 7_000_000)
    #expect((task["args"] as? [String: Any])?["token"] as? Int == 3)
    // One arrow for each finding: that of the slow callback, and that of the unsaved state.
    #expect(events.filter { $0["ph"] as? String == "f" }.count == 2)
  }

  @Test(arguments: TimelineFormat.all.map(\.name)) func blocksDontMatter(name: String) throws {
    let format = try #require(TimelineFormat.named(name))
    let whole = Self.timeline(format)
    #expect(whole == Self.timeline(format))
    // The page holds its data block by block, but no block ends in a trace as small as this one.
    #expect(whole == Self.timeline(format, isCut: true))
  }

  @Test(arguments: InjectionTests.attacks) func textsStayTexts(attack: String) throws {
    var text = ""
    var encoded: [UInt8] = []
    PrintableText.appendJSON(attack, to: &encoded)
    let quoted = String(decoding: encoded, as: UTF8.self)
    text += "header app_bundle_id=\(quoted)\n0s proc.start into=foreground\n"
    text += "1s bgtask.begin token=1 name=\(quoted)\n2s trace.marker text=\(quoted)\n"
    for format in [TimelineFormat.svg, .text, .chrome, .html] {
      let shown = Self.text(format, text)
      let harmful = shown.unicodeScalars.filter { $0 != "\n" && PrintableText.isHarmful($0) }
      #expect(harmful.isEmpty, "\(format.name): \(harmful)")
      if format.name != "txt", format.name != "json" { #expect(!shown.contains("<script>alert")) }
    }
  }

  @Test func picturesAndTextsAreBounded() {
    var text = "0s proc.start into=foreground\n"
    for number in 0..<4_000 {
      text += "\(number + 1)ms @\(number % 60 + 2) >x.call\n"
      text += "\(number + 1)ms @\(number % 60 + 2) <x.call\n"
    }
    #expect(Self.timeline(.svg, text).count < 1_000_000)
    #expect(Self.timeline(.text, text).count < 100_000)
  }

  @Test func timesAtBothEndsOf64BitsAreDrawn() {
    let text = """
      header os_version="3.1"
      9223372036854775806ns  bgsched.submit
      -4611685988327387905ns  proc.start into=background
      """
    for format in TimelineFormat.all { #expect(!Self.timeline(format, text).isEmpty) }
  }

  @Test func anEmptyTraceHasNoLengthAlsoBesideAnother() throws {
    let format = TimelineFormat.html
    var writer = format.makeWriter(TimelineContext(toolVersion: "1.2.3"))
    let (header, batches) = readTimeline(Self.slow)
    let trace = TimelineTrace(
      path: "a", header: header, profile: ProfileSelection(header: header).profile)
    func end() {
      var checker = Checker(header: header, options: CheckOptions())
      writer.endTrace(checker.finish(isDamaged: false))
    }
    writer.begin(trace)
    for batch in batches { writer.consume(batch) }
    end()
    writer.output.removeAll()
    writer.begin(trace)
    end()
    let beside = writer.output
    writer = format.makeWriter(TimelineContext(toolVersion: "1.2.3"))
    writer.begin(trace)
    end()
    // The last section tells the length; it is the same without a trace before.
    #expect(try Self.length(in: beside) == 0)
    #expect(try Self.length(in: writer.output) == 0)
  }

  /// The first number of the last section of a page's data: the trace's length.
  private static func length(in page: [UInt8]) throws -> Double {
    let text = String(decoding: page, as: UTF8.self)
    let start = try #require(text.range(of: "class=\"data\">", options: .backwards))
    let encoded = text[start.upperBound...].prefix { $0 != "<" }
    let data = Array(try #require(Data(base64Encoded: String(encoded))))
    // Two numbers, the launches and the text of the first time.
    let section = data.suffix(24)
    var bits: UInt64 = 0
    for byte in section.prefix(8).reversed() { bits = bits << 8 | UInt64(byte) }
    return Double(bitPattern: bits)
  }

  @Test func anEmptyTraceCanBeDrawn() {
    for format in TimelineFormat.all { #expect(!Self.timeline(format, "").isEmpty) }
  }

  @Test func statesThatFollowEachOtherDiffer() {
    let colors = LifecycleState.allCases.map { TimelineColors.color(of: $0) }
    #expect(Set(colors).count == colors.count)
    for color in colors + TimelineColors.palette { #expect(UInt32(color, radix: 16) != nil) }
  }
}
