// Whole inputs: what is a capture, what is damage, what is a copy.

import Foundation
import Testing
import TraceCatalogue
import TraceExport
import TraceModel
import TracePipeline
import TraceRules

struct CheckRunTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test func everyFormatOfATraceGivesTheSameTrace() throws {
    let timeline = try folder.file("notes.timeline", Folder.notes)
    var captures = try Folder.check([timeline])
    for name in ["notes.lctrace", "notes.ndjson", "again.timeline"] {
      captures += try Folder.check([try folder.converted(timeline, to: name)])
    }
    #expect(captures.map(\.format) == ["timeline", "lctrace", "ndjson", "timeline"])
    let first = try #require(captures[0].traces.first)
    #expect(first.eventCount == 9)
    #expect(first.completeness == .complete)
    #expect(first.traceID.utf8.count == 32)
    for capture in captures {
      let trace = try #require(capture.traces.first)
      #expect(trace.traceID == first.traceID)
      #expect(trace.eventCount == first.eventCount)
      #expect(capture.problems.isEmpty && capture.failure == nil)
    }
  }

  @Test func anImporterSaysWhatAFileIsInstead() throws {
    let tree = try folder.file("tree.json", "{\"callStacks\":[],\"callStackPerThread\":true}")
    let captures = try Folder.check([tree])
    #expect(
      captures.first?.failure?.message
        == "not a payload: a call-stack tree without the payload that held it")
    #expect(captures.first?.isPassedOver == true)
  }

  @Test func aTraceThatBeginsInsideABlockIsNoCompressedFile() throws {
    var text = "timeline 1\n"
    for number in 1...3_000 { text += "\(number * number)us\twork.timer_fire timer=\(number % 7)\n" }
    let timeline = try folder.file("whole.timeline", text)
    let whole = [UInt8](
      try Data(
        contentsOf: URL(fileURLWithPath: try folder.converted(timeline, to: "whole.lctrace"))))
    let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    let start = try #require(whole.indices.first { whole[$0...].starts(with: frame) })
    let cut = Array(whole[start...]) + whole
    for format in [nil, CaptureFormat.lctrace] {
      let captures = try Folder.check([try folder.file("cut.lctrace", cut)]) { $0.format = format }
      #expect(captures.first?.format == "lctrace")
      #expect(captures.flatMap(\.traces).map(\.eventCount) == [3_000])
    }
    // Around the whole file it is a wrapper, whatever can be seen through it.
    let wrapped = try Folder.check([try folder.file("whole.zst", Folder.zstd(whole))])
    #expect(wrapped.flatMap(\.traces).map(\.eventCount) == [3_000])
    #expect(wrapped.first?.isDamaged == false)
  }

  @Test func crashesOfTwoDaysAreNoCopies() throws {
    let paths = try ["03", "04"].map { day in
      try folder.file(
        "\(day).json",
        "{\"timeStampBegin\":\"2026-03-\(day) 00:00:00 +0000\",\"crashDiagnostics\":[{\"diagnosticMetaData\":{\"signal\":11}}]}"
      )
    }
    let captures = try Folder.check(paths)
    #expect(captures.map(\.copyOf) == [nil, nil])
    #expect(captures.map(\.format) == ["metrickit", "metrickit"])
  }

  @Test func copiesAreCheckedOnceInTheBestFormat() throws {
    let timeline = try folder.file("a.timeline", Folder.notes)
    let ndjson = try folder.converted(timeline, to: "b.ndjson")
    let lctrace = try folder.converted(timeline, to: "c.lctrace")
    let captures = try Folder.check([timeline, ndjson, lctrace])
    #expect(captures.map(\.path) == [timeline, ndjson, lctrace])
    #expect(captures.map(\.copyOf) == [lctrace, lctrace, nil])
    #expect(try Folder.check([timeline, ndjson]).map(\.copyOf) == [ndjson, nil])
  }

  @Test func copiesAreKeptAndToldByTheirContentIfAsked() throws {
    let timeline = try folder.file("a.timeline", Folder.notes)
    let ndjson = try folder.converted(timeline, to: "b.ndjson")
    let other = try folder.file(
      "c.timeline", Folder.notes.replacingOccurrences(of: "4s ", with: "4.1s "))
    let captures = try Folder.check([timeline, ndjson, other]) { run in
      run.keepsCopies = true
      run.tellsContent = true
    }
    #expect(captures.map(\.copyOf) == [nil, nil, nil])
    let contents = captures.map(\.contentHashes)
    #expect(contents.map(\.count) == [1, 1, 1])
    #expect(contents[0] == contents[1] && contents[0] != contents[2])
  }

  @Test func otherEventsOrAnotherAppMakeAnotherTrace() throws {
    let paths = [
      try folder.file("a.timeline", Folder.notes),
      try folder.file("b.timeline", Folder.notes.replacingOccurrences(of: "4s ", with: "4.1s ")),
      try folder.file("c.timeline", Folder.notes.replacingOccurrences(of: "=7 ", with: "=8 ")),
      try folder.file(
        "d.timeline", Folder.notes.replacingOccurrences(of: ".notes", with: ".other")),
    ]
    #expect(try Folder.check(paths).map(\.copyOf) == [nil, nil, nil, nil])
  }

  @Test func equalTraceIDsHideNoOtherContent() throws {
    let named = "header trace_id=abc app_bundle_id=com.example.notes"
    let text = Folder.notes.replacingOccurrences(
      of: "header app_bundle_id=com.example.notes", with: named)
    let a = try folder.file("a.timeline", text)
    let b = try folder.file("b.timeline", text.replacingOccurrences(of: "6s ", with: "7s "))
    let c = try folder.file("c.timeline", text)
    let captures = try Folder.check([a, b, c])
    #expect(captures.map { $0.traces.first?.traceID } == ["abc", "abc", "abc"])
    #expect(captures.map(\.copyOf) == [nil, nil, a])
  }

  @Test func aCutBinaryTraceDoesNotHideTheWholeText() throws {
    let text = Folder.notes.replacingOccurrences(of: "header ", with: "header trace_id=abc ")
    let timeline = try folder.file("a.timeline", text)
    let lctrace = try folder.converted(timeline, to: "a.lctrace")
    #expect(try Folder.check([timeline, lctrace]).map(\.copyOf) == [lctrace, nil])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: lctrace)))
    let cut = try folder.file("cut.lctrace", Array(bytes.prefix(bytes.count * 2 / 3)))
    let captures = try Folder.check([timeline, cut])
    #expect(captures.map(\.copyOf) == [nil, nil])
    #expect(captures.first?.traces.first?.eventCount == 9)
  }

  @Test(arguments: [1, 2, 3]) func wrappersAreOpened(depth: Int) throws {
    var bytes = Array(Folder.notes.utf8)
    for _ in 0..<depth { bytes = Folder.zstd(bytes) }
    let captures = try Folder.check([try folder.file("notes.zst", bytes)])
    #expect(captures.first?.traces.first?.eventCount == 9)
  }

  @Test func tooManyWrappersAreRefused() throws {
    var bytes = Array(Folder.notes.utf8)
    for _ in 0..<4 { bytes = Folder.zstd(bytes) }
    let captures = try Folder.check([try folder.file("notes.zst", bytes)])
    #expect(captures.first?.failure?.message.contains("more than 3 times") == true)
  }

  @Test func aCutWrapperIsDamage() throws {
    let line = "3s work.timer_fire timer=1\n"
    let whole = Folder.zstd(Array((Folder.notes + String(repeating: line, count: 9)).utf8))
    // Two frames: what the first one held is judged.
    let both = Folder.zstd(Array(Folder.notes.utf8)) + whole.dropLast(3)
    for (bytes, isJudged) in [(Array(whole.dropLast(3)), false), (both, true)] {
      for name in ["cut.zst", "in/cut.zst"] {
        let path = try folder.file(name, bytes)
        let input = name.contains("/") ? folder.path + "/in" : path
        let captures = try Folder.check([input])
        let capture = try #require(captures.first)
        #expect(captures.map(\.path) == [path])
        #expect((capture.failure == nil) == isJudged)
        #expect(capture.isDamaged == isJudged)
        let messages = capture.problems.map(\.message) + [capture.failure?.message ?? ""]
        #expect(messages.contains { $0.contains("ends in the middle of a frame") }, "\(messages)")
      }
    }
  }

  @Test func aTextThatPrintsToMuchMoreThanItIsIsWrittenInSlices() throws {
    let text = String(repeating: "x", count: 40_000)
    let count = 300
    let lines = (0..<count).map { "\($0)s trace.marker text=\"\(text)\"\n" }.joined()
    let timeline = try folder.file("long.timeline", "timeline 1\n" + lines)
    let lctrace = try folder.converted(timeline, to: "long.lctrace")
    let again = try folder.converted(lctrace, to: "again.timeline")
    let capture = try #require(try Folder.check([again]).first)
    #expect(capture.traces.first?.eventCount == count)
    #expect(try Folder.check([lctrace, again]).map(\.copyOf) == [nil, lctrace])
  }

  @Test func utf16IsNamed() throws {
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
      let bytes = [UInt8](try #require(Folder.notes.data(using: encoding)))
      let capture = try #require(try Folder.check([try folder.file("a.log", bytes)]).first)
      #expect(capture.failure?.message == "it is a UTF-16 text", "\(encoding)")
    }
  }

  @Test func aMalformedLineIsDamageAndTheRestIsChecked() throws {
    let timeline = try folder.file("a.timeline", Folder.notes)
    let ndjson = try folder.converted(timeline, to: "a.ndjson")
    var lines = try String(contentsOfFile: ndjson, encoding: .utf8).split(separator: "\n")
    lines.insert("{\"t_ns\":oops}", at: 3)
    let broken = try folder.file("b.ndjson", lines.joined(separator: "\n") + "\n")
    let capture = try #require(try Folder.check([broken]).first)
    #expect(capture.isDamaged)
    #expect(capture.traces.first?.eventCount == 9)
    #expect(capture.traces.first?.completeness == .damaged)
    #expect(capture.problems.count == 1)
    if case .line(let line, _)? = capture.problems.first?.location {
      #expect(line == 4)
    } else {
      Issue.record("the problem has no line")
    }
  }

  @Test func aTraceThatStopsIsTruncatedAndNotDamaged() throws {
    let timeline = try folder.file("a.timeline", Folder.notes)
    let lctrace = try folder.converted(timeline, to: "a.lctrace")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: lctrace)))
    for count in stride(from: bytes.count / 2, to: bytes.count, by: 7) {
      let path = try folder.file("cut.lctrace", Array(bytes.prefix(count)))
      let capture = try #require(try Folder.check([path]).first)
      #expect(!capture.isDamaged && capture.failure == nil, "cut at \(count)")
      #expect(capture.traces.first?.completeness != .damaged)
    }
  }

  @Test func severalTracesOfOneCaptureAreJudgedOneByOne() throws {
    let second = Folder.notes.replacingOccurrences(of: "timeline 1\n", with: "")
    let path = try folder.file("two.timeline", Folder.notes + second)
    let capture = try #require(try Folder.check([path]).first)
    #expect(capture.traces.map(\.eventCount) == [9, 9])
  }

  @Test func theNumberOfTracesIsBounded() throws {
    let limit = CaptureReader.tracesMax
    for count in [limit, limit + 1] {
      let text = "timeline 1\n" + String(repeating: "header x=1\n0s trace.marker\n", count: count)
      let path = try folder.file("many.timeline", text)
      var counter = TraceCounter()
      try CaptureReader.read(path: path, into: &counter)
      #expect(counter.traceCount == limit)
      #expect(counter.problems.map(\.consequence) == (count > limit ? [.refused] : []))
    }
  }

  @Test func headerFieldsFillGapsAndContradictionsAreRemarked() throws {
    let path = try folder.file("a.timeline", Folder.notes)
    let capture = try #require(
      try Folder.check([path]) {
        try $0.overrides.add("os_version=9.0")
        try $0.overrides.add("background_modes=audio, fetch")
      }.first)
    let trace = try #require(capture.traces.first)
    #expect(trace.header.string(.osVersion) == "8.1.0")
    #expect(trace.header.strings(.backgroundModes) == ["audio", "fetch"])
    let notes = trace.quality.filter { $0.id == "TQ12" && $0.message.contains("9.0") }
    #expect(notes.count == 1)
  }

  @Test func aFileThatIsNoCaptureSaysWhatItSeemsToBe() throws {
    let cases: [(String, [UInt8], String)] = [
      ("a.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], "a PNG image"),
      ("b.ndjson", [], "it is empty"),
      ("c.txt", Array("hello\nworld\n".utf8), "a text without life-cycle lines"),
      ("d.bin", [1, 2, 3, 4], "no capture that any format recognises"),
    ]
    for (name, bytes, expected) in cases {
      let capture = try #require(try Folder.check([try folder.file(name, bytes)]).first)
      #expect(capture.failure?.message.contains(expected) == true, "\(name)")
    }
    let missing = try #require(try Folder.check([folder.path + "/none"]).first)
    #expect(missing.failure?.message.contains("can't open it") == true)
  }

  @Test func directoriesAreSearchedAndStrangersPassedOver() throws {
    _ = try folder.file("in/deep/a.timeline", Folder.notes)
    _ = try folder.file("in/picture.png", [0x89, 0x50, 0x4E, 0x47])
    _ = try folder.file("in/README.md", "hello\n")
    let captures = try Folder.check([folder.path + "/in"])
    #expect(captures.map(\.path) == [folder.path + "/in/deep/a.timeline"])
    _ = try folder.file("empty/README.md", "hello\n")
    let empty = try #require(try Folder.check([folder.path + "/empty"]).first)
    #expect(empty.failure?.message == "the directory holds no captures")
    _ = try folder.file("in/lost.lctrace", [0, 0, 0, 0])
    _ = try folder.file("in/other.LCTRACE", [0, 0, 0, 0])
    let told = try Folder.check([folder.path + "/in"]).map { $0.failure == nil }
    #expect(told == [true, false, false])
  }

  @Test func copiesOfATraceAreInOneShare() throws {
    for name in ["a", "b", "c", "d"] {
      _ = try folder.file("copies/\(name).timeline", Folder.notes)
    }
    var shares: [[JudgedCapture]] = []
    for index in 1...3 {
      let shard = try #require(CaptureInputs.Shard("\(index)/3"))
      var share: [JudgedCapture] = []
      try CheckRun { _, _ in TraceTerms(options: CheckOptions()) }.check(
        CaptureInputs(paths: [folder.path + "/copies"], shard: shard)
      ) {
        share.append($0)
      }
      shares.append(share)
    }
    // A share without captures isn't a folder without captures.
    #expect(shares.map(\.count).sorted() == [0, 0, 4])
    #expect(shares.flatMap { $0 }.map { $0.copyOf == nil } == [true, false, false, false])
  }

  @Test func shardsShareTheInputs() throws {
    let paths = (0..<40).map { "\(folder.path)/\($0).ndjson" }
    var seen: [String] = []
    for index in 1...3 {
      let shard = try #require(CaptureInputs.Shard("\(index)/3"))
      var count = 0
      try CheckRun { _, _ in TraceTerms(options: CheckOptions()) }.check(
        CaptureInputs(paths: paths, shard: shard)
      ) {
        seen.append($0.path)
        count += 1
      }
      #expect(count > 0)
    }
    #expect(seen.sorted() == paths.sorted())
    for text in ["0/3", "4/3", "1", "a/b", "1/0", "1/2/3", ""] {
      #expect(CaptureInputs.Shard(text) == nil, "\(text)")
    }
  }
}

private struct TraceCounter: CaptureVisitor {
  var traceCount = 0
  var problems: [InputProblem] = []

  mutating func begin(_ header: TraceHeader) { traceCount += 1 }
  mutating func consume(_ batch: EventBatch) {}
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) { problems.append(problem) }
}
