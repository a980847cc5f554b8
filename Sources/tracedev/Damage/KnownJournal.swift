// A journal of which is known what stands where: its events from those who recorded them, its slots
// from the specification. This file must not ask a reader.

import ArgumentParser
import Foundation
import TraceFormat
import TraceIO
import TraceModel
import TraceRecorder
import TraceTestSupport

/// A journal with a full ring of two threads, and a table of drops.
struct KnownJournal: Sendable {
  /// An event and where it stands.
  struct Entry: Sendable {
    var slots: Range<Int>
    /// The first slot of its chunk, without which nobody knows whose it is.
    var chunkSlot: Range<Int>
    var thread: UInt64
    var number: UInt64
    var event: DecodedEvent
    /// Names that it uses by their numbers, and those that it defines.
    var uses: [UInt64] = []
    var defines: [UInt64] = []
  }

  /// What stands for a dropped event.
  struct Drop: Sendable {
    var slots: Range<Int>
    var thread: UInt64
    var number: UInt64
    var time: Int64
  }

  private(set) var bytes: [UInt8]
  private(set) var entries: [Entry] = []
  private(set) var drops: [Drop] = []
  /// The header record.
  private(set) var headerRecord = 0..<0
  let header: TraceHeader

  static let headerByteCount = 65_536
  static let fixedByteCount = 64
  static let headerRecordOffset = 256
  static let slotByteCount = 16
  static let slotsPerChunk = 128
  static let chunkByteCount = slotByteCount * slotsPerChunk
  static let chunkCount = 6
  static let tableOffset = headerByteCount + chunkCount * chunkByteCount
  private static let dropsOfThread = 3
  /// Events of the first thread before the second one has its turn.
  private static let firstCount = 25

  init(folder: String) throws {
    var header = TraceHeader()
    header[.osVersion] = .string("17.0")
    header[.traceID] = .string("journal")
    self.header = header
    var fixed = JournalLayout.Fixed(
      segmentCount: 3, chunksPerSegment: Self.chunkCount / 3,
      processNumber: ProcessClocks.processNumber(), bootID: 1, startNanoseconds: 1,
      survivesPowerLoss: false)
    fixed.chunkKey = 0x1234
    guard let record = JournalLayout.traceHeaderRecord(header, anchors: []) else {
      throw ValidationError("the header is too long")
    }
    headerRecord = Self.headerRecordOffset..<Self.headerRecordOffset + record.count
    let path = folder + "/known.lcjournal"
    let journal = try Journal(path: path, fixed: fixed, traceHeader: record)
    let threads = Self.record(journal)
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for chunk in 0..<Self.chunkCount { try walk(chunk, threads) }
    // As a reader sorts them.
    entries.sort {
      ($0.event.timeNanoseconds, $0.thread, $0.number)
        < ($1.event.timeNanoseconds, $1.thread, $1.number)
    }
    try walkTable(threads)
    let counts = threads.map(\.count)
    guard counts.count == 2, counts.allSatisfy({ $0 > 0 }), entries.count == counts.reduce(0, +)
    else { throw ValidationError("\(entries.count) events of \(counts) are in the journal") }
  }

  var summary: String {
    "\(bytes.count) bytes, \(Self.chunkCount) chunks of 2 threads, \(entries.count) events, "
      + "\(drops.count) drops"
  }

  // Recording.

  /// Records with two threads, one after the other, until nothing is free, and then drops some.
  private static func record(_ journal: Journal) -> [[DecodedEvent]] {
    var first: [DecodedEvent] = []
    for number in 1...firstCount { if let event = event(number, journal) { first.append(event) } }
    let others = Others()
    let thread = Thread {
      var number = 1_000
      while let event = event(number, journal) {
        others.events.append(event)
        number += 1
      }
      for number in 1..<dropsOfThread { _ = event(number, journal) }
      others.isDone.signal()
    }
    thread.start()
    others.isDone.wait()
    // The rest of its own chunk, and then nothing is free for this thread either.
    var number = firstCount + 1
    while let event = event(number, journal) {
      first.append(event)
      number += 1
    }
    for number in 1..<dropsOfThread { _ = event(number, journal) }
    return [first, others.events]
  }

  /// A class, as another thread fills it before this one looks.
  private final class Others: @unchecked Sendable {
    var events: [DecodedEvent] = []
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Records an event of some shape; nil if it was dropped.
  private static func event(_ number: Int, _ journal: Journal) -> DecodedEvent? {
    let time = Int64(number) * 1_000
    func decoded(_ kind: EventKind, _ phase: Phase, _ arguments: [(ArgumentName, ArgumentValue)])
      -> DecodedEvent
    {
      DecodedEvent(
        kind: Vocabulary.description(of: kind)?.name ?? "", phase: phase, thread: 0,
        timeNanoseconds: time,
        arguments: arguments.map {
          DecodedEvent.Argument(name: $0.0.knownText ?? "", value: $0.1)
        })
    }
    switch number % 5 {
    case 0:
      guard var event = journal.open(.workTimerStart, .instant, slotsMax: 4, time: time) else {
        return nil
      }
      event.add(.timer, Int64(number))
      event.add(.intervalS, Double(number) / 8)
      event.add(.repeats, number % 2 == 0)
      event.commit()
      return decoded(
        .workTimerStart, .instant,
        [
          (.timer, .integer(Int64(number))), (.intervalS, .number(Double(number) / 8)),
          (.repeats, .boolean(number % 2 == 0)),
        ])
    case 1:
      guard var event = journal.open(.workDispatch, .instant, slotsMax: 7, time: time) else {
        return nil
      }
      // One name is used in every turn, the other one in the first alone.
      let queue: StaticString = number < 20 ? "only at first" : "uploads"
      event.add(.work, Int64(number))
      event.add(.queue, queue)
      event.commit()
      return decoded(
        .workDispatch, .instant,
        [(.work, .integer(Int64(number))), (.queue, .string("\(queue)"))])
    case 2, 4:
      var text = "store-\(number)-" + String(repeating: "x", count: 100 + number % 71)
      guard var event = journal.open(.dataDirty, .instant, slotsMax: 30, time: time) else {
        return nil
      }
      text.withUTF8 { unsafe event.add(.store, text: $0) }
      event.commit()
      return decoded(.dataDirty, .instant, [(.store, .string(text))])
    default:
      let phase: Phase = number % 2 == 0 ? .enter : .return
      guard var event = journal.open(.workSpan, phase, slotsMax: 3, time: time) else { return nil }
      let hash = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
      event.add(.id, Int64(number))
      event.add(.label, hash: hash)
      event.commit()
      let digits = String(hash, radix: 16)
      let label = "#" + String(repeating: "0", count: 16 - digits.count) + digits
      return decoded(.workSpan, phase, [(.id, .integer(Int64(number))), (.label, .string(label))])
    }
  }

  // The slots, by the specification.

  private func words(_ slot: Int) -> (payload: UInt64, low: UInt32, isEmpty: Bool) {
    let offset = Self.headerByteCount + slot * Self.slotByteCount
    func word(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
    }
    let commit = word(offset + 8)
    return (word(offset), UInt32(truncatingIfNeeded: commit), commit == 0)
  }

  private static func range(_ slots: Range<Int>) -> Range<Int> {
    headerByteCount + slots.lowerBound * slotByteCount..<headerByteCount + slots.upperBound
      * slotByteCount
  }

  private mutating func walk(_ chunk: Int, _ threads: [[DecodedEvent]]) throws {
    let first = chunk * Self.slotsPerChunk
    let (owner, low, _) = words(first)
    let thread = owner >> 48
    guard low & 7 == 1, (1...2).contains(thread) else {
      throw ValidationError("chunk \(chunk) isn't in use")
    }
    var slot = first + 1
    while slot < first + Self.slotsPerChunk, !words(slot).isEmpty {
      let (time, low, _) = words(slot)
      let end = slot + 1 + Int(low >> 15 & 127)
      let number = owner & 0xFFFF_FFFF_FFFF + UInt64(low >> 22 & 127)
      let own = threads[Int(thread) - 1]
      guard low & 7 == 2, number >= 1, number <= own.count else {
        throw ValidationError("slot \(slot) isn't an event")
      }
      var event = own[Int(number) - 1]
      event.thread = Int64(thread)
      guard event.timeNanoseconds == Int64(bitPattern: time) else {
        throw ValidationError("slot \(slot) is another event")
      }
      var entry = Entry(
        slots: Self.range(slot..<end), chunkSlot: Self.range(first..<first + 1), thread: thread,
        number: number, event: event)
      for argument in slot + 1..<end {
        let (payload, low, _) = words(argument)
        if low & 7 == 3, low >> 3 & 15 == 5 { entry.defines.append(payload) }
        if low & 7 == 3, low >> 3 & 15 == 6 { entry.uses.append(payload) }
      }
      entries.append(entry)
      slot = end
    }
  }

  private mutating func walkTable(_ threads: [[DecodedEvent]]) throws {
    let first = Self.chunkCount * Self.slotsPerChunk
    let count = (bytes.count - Self.tableOffset) / Self.slotByteCount
    for slot in stride(from: first, to: first + count, by: 2) where !words(slot).isEmpty {
      let (owner, low, _) = words(slot)
      guard low & 7 == 5 else { throw ValidationError("slot \(slot) isn't a drop") }
      drops.append(
        Drop(
          slots: Self.range(slot..<slot + 2), thread: owner >> 48,
          number: owner & 0xFFFF_FFFF_FFFF, time: Int64(bitPattern: words(slot + 1).payload)))
    }
    // The last two of each thread stand in its row.
    let numbers = Set(drops.map { [$0.thread, $0.number] })
    let expected = threads.enumerated().flatMap { place, events in
      [UInt64(Self.dropsOfThread - 1), UInt64(Self.dropsOfThread)].map {
        [UInt64(place) + 1, UInt64(events.count) + $0]
      }
    }
    guard numbers == Set(expected) else { throw ValidationError("\(numbers) were dropped") }
  }

  /// Whether a place holds anything that was written.
  func isUsed(_ place: Int) -> Bool {
    place < Self.fixedByteCount || headerRecord.contains(place)
      || entries.contains { $0.slots.contains(place) || $0.chunkSlot.contains(place) }
      || drops.contains { $0.slots.contains(place) }
  }

  /// Whether a place may matter: in the words of the header, in the ring, in a row of the table.
  func isNear(_ place: Int) -> Bool {
    place < Self.headerRecordOffset || headerRecord.contains(place)
      || Self.headerByteCount..<Self.tableOffset ~= place
      || drops.contains { $0.slots.contains(place) }
  }

  // Damage.

  /// The journal with a damage. Blocks are chunks; a copy stands in the place of the other one, as
  /// a file system would put it, and a chunk that is gone is zero.
  func damaged(_ mutation: Mutation) -> [UInt8] {
    var copy = bytes
    switch mutation {
    case .byte(let place, let value): copy[place] = value
    case .cut(let count): copy.removeSubrange(count...)
    case .swapped(let one, let other):
      copy.replaceSubrange(Self.chunk(one), with: bytes[Self.chunk(other)])
      copy.replaceSubrange(Self.chunk(other), with: bytes[Self.chunk(one)])
    case .doubled(let chunk, let place):
      copy.replaceSubrange(Self.chunk(place), with: bytes[Self.chunk(chunk)])
    case .dropped(let one, let other):
      for chunk in [one, other] {
        let range = Self.chunk(chunk)
        copy.replaceSubrange(range, with: repeatElement(0, count: range.count))
      }
    }
    return copy
  }

  static func chunk(_ number: Int) -> Range<Int> {
    let start = headerByteCount + number * chunkByteCount
    return start..<start + chunkByteCount
  }
}
