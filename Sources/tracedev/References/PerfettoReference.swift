// Perfetto's TrackEvent as its SDK and its service write it: a sequence of packets for each thread,
// with defaults, interned names, and times as differences on a clock of the sequence. The service
// adds to each packet who sent it.

import TraceModel

/// Writes a trace as Perfetto's protocol buffers.
struct PerfettoReference {
  private(set) var output = ReferenceBytes()

  private enum Packet {
    static let user = 3
    static let clockSnapshot = 6
    static let timestamp = 8
    static let sequence = 10
    static let trackEvent = 11
    static let internedData = 12
    static let sequenceFlags = 13
    static let defaults = 59
    static let trackDescriptor = 60
    static let process = 79
  }
  private enum Clock {
    static let boot: UInt64 = 6
    /// The first of the numbers that a sequence may give a clock of its own.
    static let incremental: UInt64 = 64
  }
  private enum Interned: Int {
    case categories = 1
    case eventNames, annotationNames
  }
  private enum EventType: UInt64 {
    case begin = 1
    case end, instant
  }

  /// Texts of a sequence that have numbers, and those that the next packet tells.
  private struct Names {
    private var numbers: [String: UInt64] = [:]
    var new: [(number: UInt64, text: String)] = []

    mutating func number(of text: String) -> UInt64 {
      if let number = numbers[text] { return number }
      let number = UInt64(numbers.count + 1)
      numbers[text] = number
      new.append((number, text))
      return number
    }
  }

  private struct PacketSequence {
    var number: UInt64
    var last: UInt64
    var names: [Names] = [Names(), Names(), Names()]
  }

  private var sequences: [Int64: PacketSequence] = [:]
  private var packet = ReferenceBytes()
  private var event = ReferenceBytes()
  private var annotation = ReferenceBytes()
  private static let pid: UInt64 = 400
  private static let user: UInt64 = 501
  private static let processTrack: UInt64 = 1

  init(_ trace: ReferenceTrace) {
    packet.field(Packet.trackDescriptor) { descriptor in
      descriptor.field(1, Self.processTrack)
      descriptor.field(3) {
        $0.field(1, Self.pid)
        $0.field(6, "workload")
      }
    }
    end(sequence: 1, flags: nil)
    trace.visit { entry in write(entry, trace.shapes[entry.shape]) }
  }

  private static func track(_ thread: Int64) -> UInt64 { 2 + UInt64(bitPattern: thread) }

  private mutating func begin(_ thread: Int64, at time: UInt64) -> PacketSequence {
    let sequence = PacketSequence(number: UInt64(sequences.count + 2), last: time)
    packet.field(Packet.clockSnapshot) { snapshot in
      snapshot.field(1) {
        $0.field(1, Clock.boot)
        $0.field(2, time)
      }
      snapshot.field(1) {
        $0.field(1, Clock.incremental)
        $0.field(2, time)
        $0.field(3, 1)
      }
      snapshot.field(2, Clock.boot)
    }
    packet.field(Packet.defaults) { defaults in
      defaults.field(11) { $0.field(11, Self.track(thread)) }
      defaults.field(58, Clock.incremental)
    }
    end(sequence: sequence.number, flags: 1)
    packet.field(Packet.trackDescriptor) { descriptor in
      descriptor.field(1, Self.track(thread))
      descriptor.field(5, Self.processTrack)
      descriptor.field(4) {
        $0.field(1, Self.pid)
        $0.field(2, UInt64(bitPattern: thread))
        $0.field(5, "thread \(thread)")
      }
    }
    end(sequence: sequence.number, flags: 2)
    return sequence
  }

  private mutating func write(_ entry: ReferenceTrace.Entry, _ shape: ReferenceTrace.Shape) {
    var sequence: PacketSequence
    if let known = sequences[entry.thread] {
      sequence = known
    } else {
      sequence = begin(entry.thread, at: entry.time)
    }
    func number(_ text: String, _ kind: Interned) -> UInt64 {
      sequence.names[kind.rawValue - 1].number(of: text)
    }
    event.removeAll()
    let type: EventType =
      switch shape.phase {
      case .instant: .instant
      case .enter: .begin
      case .return: .end
      }
    // The end of a slice has no name: it ends what was begun last on its track.
    if type != .end {
      let category = shape.name.prefix { $0 != "." }
      event.field(3, number(String(category), .categories))
    }
    for (place, field) in shape.fields.enumerated() {
      annotation.removeAll()
      annotation.field(1, number(field.name, .annotationNames))
      let bits = entry.bits(place)
      switch field.type {
      case .boolean: annotation.field(2, bits == 0 ? 0 : 1)
      case .unsigned: annotation.field(3, bits)
      case .integer: annotation.field(4, bits)
      case .number: annotation.field(5, double: bits)
      case .string, .json: annotation.field(6, bytes: entry.text(place))
      }
      event.field(4, bytes: annotation.bytes)
    }
    event.field(9, type.rawValue)
    if type != .end { event.field(10, number(shape.name, .eventNames)) }
    packet.field(Packet.timestamp, entry.time - sequence.last)
    sequence.last = entry.time
    packet.field(Packet.trackEvent, bytes: event.bytes)
    if sequence.names.contains(where: { !$0.new.isEmpty }) {
      packet.field(Packet.internedData) { data in
        for kind in sequence.names.indices {
          for name in sequence.names[kind].new {
            data.field(kind + 1) {
              $0.field(1, name.number)
              $0.field(2, name.text)
            }
          }
          sequence.names[kind].new.removeAll()
        }
      }
    }
    end(sequence: sequence.number, flags: 2)
    sequences[entry.thread] = sequence
  }

  private mutating func end(sequence: UInt64, flags: UInt64?) {
    if let flags { packet.field(Packet.sequenceFlags, flags) }
    packet.field(Packet.user, Self.user)
    packet.field(Packet.sequence, sequence)
    packet.field(Packet.process, Self.pid)
    output.field(1, bytes: packet.bytes)
    packet.removeAll()
  }
}
