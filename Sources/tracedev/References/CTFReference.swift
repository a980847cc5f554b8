// The Common Trace Format 1.8 as LTTng writes it: an event class for each shape, the large event
// header with 32 bits of the clock, the thread as a context, packets with the times of their ends.

import TraceModel

/// Writes a trace as CTF.
struct CTFReference {
  /// The description of the stream, in TSDL.
  private(set) var metadata = ""
  private(set) var stream = ReferenceBytes()

  /// What LTTng's packets of a busy session hold, about.
  private static let packetBytesMax = 262_144
  private static let magic: UInt32 = 0xC1FC_1FC1
  private static let uuid: [UInt8] = [
    0x6D, 0x1E, 0x4C, 0x3A, 0x51, 0x0B, 0x4F, 0x7E, 0x92, 0x5A, 0x1C, 0x88, 0x07, 0x3D, 0xE4, 0x21,
  ]
  private static let extended: UInt16 = 65_535

  init(_ trace: ReferenceTrace) {
    describe(trace)
    write(trace)
  }

  private static var uuidText: String {
    let digits = uuid.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-")
  }

  private mutating func describe(_ trace: ReferenceTrace) {
    func integer(_ bits: Int, _ sign: Bool, _ name: String, clock: Bool = false) -> String {
      let map = clock ? " map = clock.continuous.value;" : ""
      return "typealias integer { size = \(bits); align = 8; signed = \(sign);\(map) } := \(name);"
    }
    metadata = """
      /* CTF 1.8 */
      \(integer(8, false, "uint8_t"))
      \(integer(16, false, "uint16_t"))
      \(integer(32, false, "uint32_t"))
      \(integer(64, false, "uint64_t"))
      \(integer(32, true, "int32_t"))
      \(integer(64, true, "int64_t"))
      typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double_t;
      trace {
        major = 1;
        minor = 8;
        uuid = "\(Self.uuidText)";
        byte_order = le;
        packet.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; };
      };
      clock { name = "continuous"; freq = 1000000000; offset = 0; };
      \(integer(32, false, "uint32_clock_t", clock: true))
      \(integer(64, false, "uint64_clock_t", clock: true))
      struct packet_context {
        uint64_clock_t timestamp_begin;
        uint64_clock_t timestamp_end;
        uint64_t content_size;
        uint64_t packet_size;
      };
      struct event_header_large {
        enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;
        variant <id> {
          struct { uint32_clock_t timestamp; } compact;
          struct { uint32_t id; uint64_clock_t timestamp; } extended;
        } v;
      } align(8);
      stream {
        id = 0;
        event.header := struct event_header_large;
        packet.context := struct packet_context;
        event.context := struct { int32_t _vtid; };
      };

      """
    for (number, shape) in trace.shapes.enumerated() {
      let fields = shape.fields.enumerated().map { place, field in
        "\(Self.type(field.type, isShort: trace.isShort[number][place])) _\(field.name); "
      }
      metadata += """
        event {
          name = "\(shape.name)\(Self.suffix(shape.phase))";
          id = \(number);
          stream_id = 0;
          fields := struct { \(fields.joined())};
        };

        """
    }
  }

  private static func suffix(_ phase: Phase) -> String {
    switch phase {
    case .instant: ""
    case .enter: "_entry"
    case .return: "_exit"
    }
  }

  private static func type(_ type: ArgumentType, isShort: Bool) -> String {
    switch type {
    case .integer: isShort ? "int32_t" : "int64_t"
    case .unsigned: "uint64_t"
    case .number: "double_t"
    case .boolean: "uint8_t"
    case .string, .json: "string"
    }
  }

  private mutating func write(_ trace: ReferenceTrace) {
    var events = ReferenceBytes()
    var start: UInt64 = 0
    var last: UInt64 = 0
    trace.visit { entry in
      if events.count >= Self.packetBytesMax { packet(&events, start, last) }
      if events.count == 0 {
        start = entry.time
        last = entry.time
      }
      if entry.time - last <= UInt64(UInt32.max), entry.shape < Int(Self.extended) {
        events.number(UInt16(entry.shape))
        events.number(UInt32(truncatingIfNeeded: entry.time))
      } else {
        events.number(Self.extended)
        events.number(UInt32(entry.shape))
        events.number(entry.time)
      }
      last = entry.time
      events.number(Int32(truncatingIfNeeded: entry.thread))
      append(entry, trace, to: &events)
    }
    if events.count > 0 { packet(&events, start, last) }
  }

  private func append(
    _ entry: ReferenceTrace.Entry, _ trace: ReferenceTrace, to events: inout ReferenceBytes
  ) {
    for (place, field) in trace.shapes[entry.shape].fields.enumerated() {
      let bits = entry.bits(place)
      switch field.type {
      case .integer where trace.isShort[entry.shape][place]:
        events.number(Int32(truncatingIfNeeded: Int64(bitPattern: bits)))
      case .integer, .unsigned, .number: events.number(bits)
      case .boolean: events.number(UInt8(bits == 0 ? 0 : 1))
      case .string, .json:
        events.append(entry.text(place).prefix { $0 != 0 })
        events.number(UInt8(0))
      }
    }
  }

  private mutating func packet(_ events: inout ReferenceBytes, _ start: UInt64, _ end: UInt64) {
    let first = stream.count
    stream.number(Self.magic)
    stream.append(Self.uuid)
    stream.number(UInt32(0))
    stream.number(start)
    stream.number(end)
    let sizes = stream.count
    stream.number(UInt64(0))
    stream.number(UInt64(0))
    stream.append(events.bytes)
    let bitCount = UInt64(stream.count - first) * 8
    stream.set(bitCount, at: sizes)
    stream.set(bitCount, at: sizes + 8)
    events.removeAll()
  }
}
