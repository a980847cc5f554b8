// What the encoders write, letter by letter.

import Testing
import TraceModel
import TraceNotation
import TraceTestSupport

@Suite struct EncoderTests {
  static var batch: EventBatch {
    var assembler = BatchAssembler()
    assembler.begin(.bgtaskBegin, .instant, thread: 1, timeNanoseconds: 1_500_000_000)
    assembler.add(.token, .integer(7))
    assembler.add(.isInvalid, .boolean(false))
    assembler.add(.name, .string("save \"é\"\u{2028}"))
    assembler.endEvent()
    assembler.begin(.workTimerFire, .enter, thread: 5, timeNanoseconds: -1)
    assembler.add(.id, .unsigned(.max))
    assembler.endEvent()
    assembler.begin(assembler.kind(named: "odd\nkind"), .return, thread: -1, timeNanoseconds: 0)
    assembler.add(assembler.argumentName("a b"), .number(1e22))
    assembler.add(assembler.argumentName("j"), .json("{\"a\" : [1]}"))
    assembler.add(assembler.argumentName("broken"), .json("{\"a\""))
    assembler.endEvent()
    return assembler.batch
  }

  static var header: TraceHeader {
    var header = TraceHeader()
    header[.osVersion] = .string("8.1.0")
    header[.multitaskingSupported] = .boolean(true)
    header[.backgroundModes] = .strings(["audio"])
    header[.tickNumer] = .json("\"x\"")
    header.unknownFields = [TraceHeader.UnknownField(name: "lab", json: "{\"n\":7}")]
    return header
  }

  @Test func ndjson() {
    var encoder = NDJSONEncoder()
    encoder.begin(Self.header)
    encoder.consume(Self.batch)
    encoder.end()
    #expect(
      String(decoding: encoder.output, as: UTF8.self) == #"""
        {"header":{"format":"tracecheck-ndjson","version":1,"tick_numer":"x","os_version":"8.1.0","multitasking_supported":true,"background_modes":["audio"],"lab":{"n":7}}}
        {"t_ns":1500000000,"event":"bgtask.begin","thread":1,"args":{"token":7,"is_invalid":false,"name":"save \"é\"\u2028"}}
        {"t_ns":-1,"event":"work.timer_fire","phase":"enter","thread":5,"args":{"\u0069d":18446744073709551615}}
        {"t_ns":0,"event":"odd\nkind","phase":"return","thread":-1,"args":{"a b":1e+22,"j":{"a":[1]},"broken":"{\"a\""}}

        """#)
  }

  @Test func timeline() {
    var encoder = TimelineEncoder()
    encoder.begin(Self.header)
    encoder.consume(Self.batch)
    encoder.end()
    #expect(
      String(decoding: encoder.output, as: UTF8.self) == #"""
        timeline 1
        header tick_numer:="x" os_version=8.1.0 multitasking_supported=true
        header background_modes=[audio] lab={"n":7}

        1.5s          bgtask.begin token=7 is_invalid=false name="save \"é\"\u2028"
        -0.000000001s @5 >work.timer_fire "id"=18446744073709551615
        0s @-1        <"odd\nkind" "a b"=1e+22 j={"a":[1]} broken="{\"a\""

        """#)
  }

  @Test func aSpanIsJoinedAcrossBatches() {
    func batch(_ phase: Phase, _ time: Int64) -> EventBatch {
      var assembler = BatchAssembler()
      assembler.begin(assembler.kind(named: "x.y"), phase, thread: 1, timeNanoseconds: time)
      assembler.endEvent()
      return assembler.batch
    }
    var encoder = TimelineEncoder()
    encoder.begin(TraceHeader())
    encoder.consume(batch(.enter, 0))
    encoder.consume(batch(.return, 2_000_000_000))
    encoder.consume(batch(.instant, 2_000_000_000))
    encoder.end()
    #expect(
      String(decoding: encoder.output, as: UTF8.self) == """
        timeline 1

        0s            x.y for 2s
        2s            x.y

        """)
  }
}
