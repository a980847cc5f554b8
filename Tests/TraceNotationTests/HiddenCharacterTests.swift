// Characters that reorder or hide what a terminal shows are written as escapes; nothing is lost.

import Testing
import TraceModel
import TraceNotation
import TraceTestSupport

@Suite struct HiddenCharacterTests {
  static let hidden: [UInt32] =
    [0x061C, 0xFEFF] + Array(0x200B...0x200F) + Array(0x2028...0x202E) + Array(0x2060...0x206F)
  /// Their neighbours, and characters that share bytes with them.
  static let shown: [UInt32] = [
    0x061B, 0x061D, 0x1F, 0x200A, 0x2010, 0x2027, 0x202F, 0x205F, 0x2070, 0xFEFE, 0xFF00, 0xE9,
    0x4E2D, 0x1F600, 0x1202A, 0x10FEFF,
  ].filter { $0 >= 0x20 }

  private func text(_ scalars: [UInt32]) -> String {
    String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
  }

  private func escape(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  @Test func stringsEscapeThem() {
    for scalar in Self.hidden {
      var bytes: [UInt8] = []
      JSONText.append("a" + text([scalar]) + "b", to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == "\"a\(escape(scalar))b\"")
    }
    for scalar in Self.shown {
      var bytes: [UInt8] = []
      JSONText.append(text([scalar]), to: &bytes)
      #expect(bytes == Array("\"\(text([scalar]))\"".utf8), "\(escape(scalar))")
    }
  }

  /// Kinds, names, texts, JSON values and header fields of all forms.
  private var trace: (header: TraceHeader, batch: EventBatch) {
    let odd = text(Self.hidden + Self.shown)
    var header = TraceHeader()
    header[.appBundleID] = .string(odd)
    header[.backgroundModes] = .strings([odd, "audio"])
    header[.tickNumer] = .json("[\"\(odd)\"]")
    header.unknownFields = [TraceHeader.UnknownField(name: odd, json: "{\"\(odd)\":7}")]
    var assembler = BatchAssembler()
    assembler.begin(assembler.kind(named: odd), .instant, thread: 1, timeNanoseconds: 0)
    assembler.add(assembler.argumentName(odd), .string(odd))
    assembler.add(assembler.argumentName("j"), .json("{\"\(odd)\":[\"\(odd)\"]}"))
    assembler.endEvent()
    return (header, assembler.batch)
  }

  private func written<Encoder: TraceEncoder>(_ encoder: consuming Encoder) -> [UInt8]
  where Encoder.Failure == Never {
    var encoder = encoder
    encoder.begin(trace.header)
    encoder.consume(trace.batch)
    encoder.end()
    return encoder.output
  }

  private func isHidden(_ scalar: Unicode.Scalar) -> Bool { Self.hidden.contains(scalar.value) }

  @Test func noFormShowsThemAndBothReadThemBack() throws {
    let odd = text(Self.hidden + Self.shown)
    let ndjson = written(NDJSONEncoder())
    let timeline = written(TimelineEncoder())
    for output in [ndjson, timeline] {
      #expect(!String(decoding: output, as: UTF8.self).unicodeScalars.contains(where: isHidden))
    }
    let fromNDJSON = DripFeeder.items(of: ndjson, by: NDJSONDecoder())
    let fromTimeline = DripFeeder.items(of: timeline, by: TimelineDecoder())
    #expect(fromNDJSON.problems == [])
    #expect(fromTimeline.problems == [])
    #expect(fromNDJSON.traces == fromTimeline.traces)
    let read = try #require(fromNDJSON.traces.first)
    #expect(read.header.string(.appBundleID) == odd)
    #expect(read.header.unknownFields.first?.name == odd)
    #expect(read.events.first?.kind == odd)
    #expect(read.events.first?.arguments.first?.value == .string(odd))
  }

  /// Escapes are longer than the characters, but a text is measured without them.
  @Test func theLongestTextIsReadBack() {
    let count = BatchLimits.stringBytesMax / 3
    let long = text(Array(repeating: 0x200B, count: count))
    var assembler = BatchAssembler()
    assembler.begin(.bgtaskBegin, .instant, thread: 1, timeNanoseconds: 0)
    assembler.add(.name, .string(long))
    assembler.endEvent()
    var ndjson = NDJSONEncoder()
    ndjson.begin(TraceHeader())
    ndjson.consume(assembler.batch)
    ndjson.end()
    var timeline = TimelineEncoder()
    timeline.begin(TraceHeader())
    timeline.consume(assembler.batch)
    timeline.end()
    for traces in [
      DripFeeder.items(of: ndjson.output, by: NDJSONDecoder()).traces,
      DripFeeder.items(of: timeline.output, by: TimelineDecoder()).traces,
    ] {
      #expect(traces.first?.events.first?.arguments.first?.value == .string(long))
    }
  }

  /// Text that holds them as they stand is read, written with escapes, and the same from then on.
  @Test func theWrittenFormIsAFixedPoint() {
    let odd = text(Self.hidden)
    let raw = Array(
      "{\"t_ns\":0,\"event\":\"x.y\",\"thread\":1,\"args\":{\"n\":\"\(odd)\",\"j\":[\"\(odd)\"]}}\n"
        .utf8)
    let once = rewritten(raw)
    #expect(once != raw)
    #expect(!String(decoding: once, as: UTF8.self).unicodeScalars.contains(where: isHidden))
    #expect(rewritten(once) == once)
  }

  private func rewritten(_ input: [UInt8]) -> [UInt8] {
    var decoder = NDJSONDecoder()
    decoder.feed(input.span)
    decoder.finish()
    var encoder = NDJSONEncoder()
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header): encoder.begin(header)
      case .batch: encoder.consume(batch)
      case .end:
        encoder.end()
        return encoder.output
      case .problem, .remark, .stream, .needsInput: break
      }
    }
  }
}
