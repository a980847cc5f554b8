// The timeline for ui.perfetto.dev: a stream of packets with track events, one track for each row.
// This file must not know how intervals are found.

import TraceLifecycle
import TraceModel
import TraceNotation
import TraceRules

extension TimelineFormat {
  /// Perfetto's protocol buffers.
  public static let perfetto = TimelineFormat(
    name: "pftrace", mediaType: "application/vnd.perfetto.trace", title: "Perfetto"
  ) { _ in PerfettoTimeline() }
}

/// Numbers of Perfetto's fields, by message.
private enum Field {
  enum Trace { static let packet = 1 }
  enum Packet {
    static let clockSnapshot = 6
    static let timestamp = 8
    static let sequence = 10
    static let trackEvent = 11
    static let internedData = 12
    static let sequenceFlags = 13
    static let timestampClock = 58
    static let trackDescriptor = 60
  }
  enum Snapshot {
    static let clocks = 1
    static let primaryClock = 2
    static let clock = 1
    static let timestamp = 2
  }
  enum Descriptor {
    static let uuid = 1
    static let name = 2
    static let process = 3
    static let thread = 4
    static let parent = 5
    static let childOrder = 11
    static let rank = 12
  }
  enum Process {
    static let pid = 1
    static let name = 6
  }
  enum Thread {
    static let pid = 1
    static let tid = 2
    static let name = 5
  }
  enum Event {
    static let annotations = 4
    static let type = 9
    static let nameNumber = 10
    static let track = 11
    static let categories = 22
    static let name = 23
    static let flows = 47
    static let endingFlows = 48
  }
  enum Annotation {
    static let boolean = 2
    static let unsigned = 3
    static let integer = 4
    static let double = 5
    static let string = 6
    static let name = 10
  }
  enum Interned {
    static let eventNames = 2
    static let number = 1
    static let name = 2
  }
}

private struct PerfettoTimeline: TimelineSink {
  private enum Clock: UInt64 {
    case real = 1
    /// Stands still while the device sleeps.
    case monotonic = 3
    case boot = 6
  }

  private enum EventType: UInt64 {
    case begin = 1
    case end, instant
  }

  /// The number by which the one process of a timeline goes: the app's own may change with every
  /// launch, and is told by the events.
  private static let pid: Int64 = 1
  private static let processTrack: UInt64 = 1
  private static let findingTrack: UInt64 = 2
  private static let groupTracks: UInt64 = 16
  private static let firstTrack: UInt64 = 256

  var output: [UInt8] = []
  private var clock = Clock.boot
  /// What is added to times, as Perfetto knows none before 0.
  private var shiftNanoseconds: UInt64?
  /// The last time of the clock that isn't the trace's.
  private var otherNanoseconds: Int64 = 0
  private var tracks: [LifeTrack] = []
  /// How many rows of a track have been described.
  private var rowCounts: [Int] = []
  private var describedGroups: Set<LifeTrackGroup> = []
  private var threadTracks: [Int64: UInt64] = [:]
  private var newNames: [(number: Int, text: String)] = []
  private var hasBegun = false
  private var hasFindings = false
  private var flowCount: UInt64 = 0
  // Reused, so that a packet costs no memory.
  private var packet = ProtobufBytes()
  private var event = ProtobufBytes()
  private var annotation = ProtobufBytes()

  mutating func begin(_ trace: TimelineTrace) {
    clock = trace.header.string(.clockKind) == "uptime" ? .monotonic : .boot
    describe(Self.processTrack) { descriptor in
      descriptor.message(Field.Descriptor.process) {
        $0.integer(Field.Process.pid, Self.pid)
        $0.string(Field.Process.name, PrintableText.printable(trace.title))
      }
      descriptor.varint(Field.Descriptor.childOrder, 3)
    }
  }

  // MARK: Tracks

  private func uuid(of track: Int, depth: Int) -> UInt64 {
    Self.firstTrack + UInt64(track) << 8 + UInt64(tracks[track].thread == nil ? depth : 0)
  }

  mutating func track(_ track: LifeTrack) {
    tracks.append(track)
    rowCounts.append(0)
    describeRow(0, of: track)
  }

  mutating func rename(_ track: LifeTrack) {
    tracks[track.number] = track
    describeRow(0, of: track)
  }

  private mutating func describeRow(_ row: Int, of track: LifeTrack) {
    rowCounts[track.number] = max(rowCounts[track.number], row + 1)
    let uuid = uuid(of: track.number, depth: row)
    let rank = Int64(track.group.rawValue) + 1
    if let thread = track.thread {
      threadTracks[thread] = uuid
      describe(uuid) { descriptor in
        descriptor.varint(Field.Descriptor.parent, Self.processTrack)
        descriptor.message(Field.Descriptor.thread) {
          $0.integer(Field.Thread.pid, Self.pid)
          $0.integer(Field.Thread.tid, thread)
          $0.string(Field.Thread.name, PrintableText.printable(track.name))
        }
      }
      return
    }
    let hasGroup = !track.name.isEmpty
    if hasGroup { describeGroup(track.group, rank) }
    let group = Self.groupTracks + UInt64(track.group.rawValue)
    describe(uuid) {
      $0.string(
        Field.Descriptor.name,
        hasGroup ? PrintableText.printable(track.name) : track.group.title)
      $0.varint(Field.Descriptor.parent, hasGroup ? group : Self.processTrack)
      $0.integer(Field.Descriptor.rank, rank)
    }
  }

  private mutating func describeGroup(_ group: LifeTrackGroup, _ rank: Int64) {
    guard describedGroups.insert(group).inserted else { return }
    describe(Self.groupTracks + UInt64(group.rawValue)) {
      $0.string(Field.Descriptor.name, group.title)
      $0.varint(Field.Descriptor.parent, Self.processTrack)
      $0.integer(Field.Descriptor.rank, rank)
    }
  }

  private mutating func describe(_ uuid: UInt64, _ body: (inout ProtobufBytes) -> Void) {
    event.removeAll()
    event.varint(Field.Descriptor.uuid, uuid)
    body(&event)
    packet.removeAll()
    packet.message(Field.Packet.trackDescriptor, event)
    endPacket()
  }

  // MARK: Events

  mutating func name(_ number: Int, _ text: String) { newNames.append((number, text)) }

  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    prepare(event, in: batch)
    let row = tracks[span.track].thread == nil ? span.depth : 0
    if row >= rowCounts[span.track] { describeRow(row, of: tracks[span.track]) }
    beginEvent(.begin, uuid(of: span.track, depth: span.depth))
    self.event.varint(Field.Event.nameNumber, UInt64(span.name) + 1)
    annotate(event, in: batch)
    endEvent(at: span.startNanoseconds)
  }

  mutating func end(_ span: LifeSpan) {
    beginEvent(.end, uuid(of: span.track, depth: span.depth))
    if span.isCut { annotate("cut") { $0.boolean(Field.Annotation.boolean, true) } }
    endEvent(at: span.endNanoseconds)
  }

  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    prepare(event, in: batch)
    beginEvent(.end, uuid(of: span.track, depth: span.depth))
    annotate(event, in: batch)
    endEvent(at: span.endNanoseconds)
  }

  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    prepare(event, in: batch)
    beginEvent(.instant, uuid(of: mark.track, depth: 0))
    self.event.varint(Field.Event.nameNumber, UInt64(mark.name) + 1)
    annotate(event, in: batch)
    endEvent(at: mark.timeNanoseconds)
  }

  private mutating func beginEvent(_ type: EventType, _ track: UInt64) {
    event.removeAll()
    event.varint(Field.Event.type, type.rawValue)
    event.varint(Field.Event.track, track)
  }

  private mutating func annotate(_ name: String, _ value: (inout ProtobufBytes) -> Void) {
    annotation.removeAll()
    annotation.string(Field.Annotation.name, PrintableText.printable(name, scalarsMax: 60))
    value(&annotation)
    event.message(Field.Event.annotations, annotation)
  }

  private mutating func annotate(_ event: Event, in batch: EventBatch) {
    ArgumentText.forEach(event, in: batch) { name, bits, type, _ in
      annotate(name) { annotation in
        switch type {
        case .integer: annotation.integer(Field.Annotation.integer, Int64(bitPattern: bits))
        case .unsigned: annotation.varint(Field.Annotation.unsigned, bits)
        case .boolean: annotation.boolean(Field.Annotation.boolean, bits != 0)
        case .number: annotation.double(Field.Annotation.double, Double(bitPattern: bits))
        case .string, .json:
          annotation.string(
            Field.Annotation.string, PrintableText.printable(batch.strings[Int(bits)]))
        }
      }
    }
  }

  private mutating func endEvent(at nanoseconds: Int64) {
    packet.removeAll()
    packet.varint(Field.Packet.timestamp, timestamp(nanoseconds))
    packet.varint(Field.Packet.timestampClock, clock.rawValue)
    packet.message(Field.Packet.trackEvent, event)
    endPacket()
  }

  private mutating func endPacket() {
    packet.varint(Field.Packet.sequence, 1)
    packet.varint(Field.Packet.sequenceFlags, hasBegun ? 2 : 3)
    hasBegun = true
    if !newNames.isEmpty {
      let names = newNames
      newNames.removeAll(keepingCapacity: true)
      packet.message(Field.Packet.internedData) { data in
        for (number, text) in names {
          data.message(Field.Interned.eventNames) {
            $0.varint(Field.Interned.number, UInt64(number) + 1)
            $0.string(Field.Interned.name, PrintableText.printable(text))
          }
        }
      }
    }
    var packets = ProtobufBytes()
    swap(&packets, &whole)
    packets.removeAll()
    packets.message(Field.Trace.packet, packet)
    output.append(contentsOf: packets.bytes)
    swap(&packets, &whole)
  }

  private var whole = ProtobufBytes()

  // MARK: Clocks

  private func timestamp(_ nanoseconds: Int64) -> UInt64 {
    let shift = shiftNanoseconds ?? 0
    if nanoseconds >= 0 {
      let (sum, overflow) = UInt64(nanoseconds).addingReportingOverflow(shift)
      return overflow ? .max : sum
    }
    return shift > nanoseconds.magnitude ? shift - nanoseconds.magnitude : 0
  }

  /// Says before the first event, and whenever the trace tells the time of day, how clocks agree.
  private mutating func prepare(_ event: Event, in batch: EventBatch) {
    let isFirst = shiftNanoseconds == nil
    if isFirst {
      shiftNanoseconds = event.timeNanoseconds < 0 ? event.timeNanoseconds.magnitude : 0
    }
    let isSync = event.kind == .traceStart || event.kind == .traceClockSync
    guard isFirst || isSync else { return }
    let wall = isSync ? batch.integer(.wallNs, of: event) : nil
    let other =
      isSync && shiftNanoseconds == 0
      ? batch.integer(clock == .boot ? .uptimeNs : .continuousNs, of: event) : nil
    if !isFirst, wall == nil, other == nil { return }
    var clocks = [(clock, timestamp(event.timeNanoseconds))]
    if let wall, wall > 0 { clocks.append((.real, UInt64(wall))) }
    // A restart of the device sets the other clock back, and the times of a timeline go on.
    if let other, other > otherNanoseconds {
      otherNanoseconds = other
      clocks.append((clock == .boot ? .monotonic : .boot, UInt64(other)))
    }
    packet.removeAll()
    packet.message(Field.Packet.clockSnapshot) { snapshot in
      for (clock, timestamp) in clocks {
        snapshot.message(Field.Snapshot.clocks) {
          $0.varint(Field.Snapshot.clock, clock.rawValue)
          $0.varint(Field.Snapshot.timestamp, timestamp)
        }
      }
      snapshot.varint(Field.Snapshot.primaryClock, clock.rawValue)
    }
    endPacket()
  }

  // MARK: Findings

  mutating func finding(_ finding: Finding) {
    if !hasFindings {
      hasFindings = true
      describe(Self.findingTrack) {
        $0.string(Field.Descriptor.name, "Findings")
        $0.varint(Field.Descriptor.parent, Self.processTrack)
        $0.integer(Field.Descriptor.rank, 0)
      }
    }
    let title = PrintableText.printable("\(finding.rule) \(finding.slug)")
    flowCount += 1
    // From cause to effect: each witness, then the finding.
    for witness in finding.witness {
      beginEvent(.instant, threadTracks[witness.thread] ?? Self.findingTrack)
      event.string(Field.Event.categories, "evidence")
      event.string(
        Field.Event.name,
        PrintableText.printable(
          "\(finding.rule): \(witness.role.isEmpty ? witness.event : witness.role)"))
      annotate("event", text: witness.event)
      event.fixed64(Field.Event.flows, flowCount)
      endEvent(at: witness.timeNanoseconds)
    }
    beginEvent(.instant, Self.findingTrack)
    event.string(Field.Event.categories, finding.severity.rawValue)
    event.string(Field.Event.name, title)
    for (name, text) in [
      ("severity", finding.severity.rawValue), ("message", finding.message),
      ("reason", finding.reason ?? ""), ("subject", finding.subject),
      ("confidence", finding.confidence.rawValue), ("fingerprint", finding.fingerprint),
      ("about", finding.isAboutHeader ? "header" : ""),
    ] where !text.isEmpty {
      annotate(name, text: text)
    }
    if !finding.witness.isEmpty { event.fixed64(Field.Event.endingFlows, flowCount) }
    endEvent(at: finding.timeNanoseconds)
  }

  private mutating func annotate(_ name: String, text: String) {
    annotate(name) { $0.string(Field.Annotation.string, PrintableText.printable(text)) }
  }

  mutating func endTrace(_ judgement: Judgement) {}
  mutating func end() {}
}
