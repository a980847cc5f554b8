// Chunks of one journal in another: none of their events passes for one of it.

import Testing
import TraceIO
import TraceModel

@testable import TraceFormat
@testable import TraceRecorder

struct SpliceTests {
  private let files = RecordingFiles()

  private static let size = JournalLayout.chunkByteCount
  /// Events of two slots that a chunk has room for.
  private static let eventsPerChunk = 63
  private static let eventCount = 300

  /// Where a chunk stands in its journal.
  private static func range(of chunk: Int) -> Range<Int> {
    let start = JournalLayout.headerByteCount + chunk * size
    return start..<start + size
  }

  /// A journal of events with rising numbers, in five chunks but for a smaller count.
  private func journal(
    key: UInt16, from first: Int, count: Int = SpliceTests.eventCount
  ) throws -> [UInt8] {
    try Folder.create(files.folder)
    let name = "\(key).lcjournal"
    let path = files.folder + "/" + name
    // The events are read before it goes.
    defer { Folder.remove(path) }
    var fixed = files.configuration(segmentBytes: 16_384).fixed(
      processNumber: ProcessClocks.processNumber(), bootID: 1, now: 1)
    fixed.chunkKey = key
    let header = JournalLayout.traceHeaderRecord(TraceHeader(), anchors: [])
    let record = try #require(header)
    let journal = try Journal(path: path, fixed: fixed, traceHeader: record)
    for number in first..<first + count {
      guard var event = journal.open(.workTimerStop, .instant, slotsMax: 2) else {
        Issue.record("event \(number) is dropped")
        break
      }
      event.add(.timer, Int64(number))
      event.commit()
    }
    journal.close()
    return files.bytes(name)
  }

  private static func texts(_ numbers: some Sequence<Int>) -> [String] {
    numbers.map { "1 work.timer_stop timer=\($0)" }
  }

  /// The events of such a journal that don't stand in a chunk.
  private static func texts(without chunk: Int) -> [String] {
    texts((0..<eventCount).filter { $0 / eventsPerChunk != chunk })
  }

  private static func places(_ problems: [InputProblem]) -> [Range<UInt64>] {
    var places: [Range<UInt64>] = []
    for problem in problems {
      if case .bytes(let range) = problem.location { places.append(range) }
    }
    return places
  }

  private static func place(of chunk: Int) -> Range<UInt64> {
    let bytes = range(of: chunk)
    return UInt64(bytes.lowerBound)..<UInt64(bytes.upperBound)
  }

  @Test func aChunkOfAnotherJournalIsDamageAndTheOthersAreWhole() throws {
    let own = try journal(key: 7, from: 0)
    let other = try journal(key: 8, from: 1_000)
    let whole = Reading(journal: own)
    #expect(whole.problems.isEmpty)
    #expect(whole.events == Self.texts(0..<Self.eventCount))
    #expect(Reading(journal: other).events == Self.texts(1_000..<1_000 + Self.eventCount))
    for chunk in 0..<5 {
      var spliced = own
      spliced.replaceSubrange(Self.range(of: chunk), with: other[Self.range(of: chunk)])
      let reading = Reading(journal: spliced)
      #expect(reading.events == Self.texts(without: chunk), "\(chunk)")
      #expect(Self.places(reading.problems) == [Self.place(of: chunk)], "\(chunk)")
      // Without the header it is the odd one of the chunks.
      spliced[24] ^= 1
      let headless = Reading(journal: spliced)
      #expect(headless.events == Self.texts(without: chunk), "\(chunk)")
      #expect(Self.places(headless.damage).contains(Self.place(of: chunk)), "\(chunk)")
    }
  }

  @Test func withoutTheHeaderEveryEventIsRead() throws {
    for count in [1, 40, Self.eventCount] {
      var bytes = try journal(key: 7, from: 0, count: count)
      for offset in 0..<JournalLayout.traceHeaderOffset { bytes[offset] = 0 }
      let reading = Reading(journal: bytes)
      #expect(reading.events == Self.texts(0..<count), "\(count)")
      #expect(!reading.damage.isEmpty, "\(count)")
      // The only first slot, destroyed, is no key of its own.
      bytes[JournalLayout.headerByteCount + 6] ^= 2
      let damaged = Reading(journal: bytes)
      let kept = count > Self.eventsPerChunk ? Self.texts(without: 0) : []
      #expect(damaged.events == kept, "\(count)")
      #expect(Self.places(damaged.damage).contains(Self.place(of: 0)), "\(count)")
    }
  }

  @Test func ofTwoKeysTheFirstCounts() throws {
    let own = try journal(key: 7, from: 0, count: 100)
    let other = try journal(key: 8, from: 1_000, count: 100)
    var spliced = own
    spliced.replaceSubrange(Self.range(of: 1), with: other[Self.range(of: 1)])
    spliced[24] ^= 1
    #expect(Reading(journal: spliced).events == Self.texts(0..<Self.eventsPerChunk))
  }

  @Test func aJournalOfVersion10IsReadAsBefore() throws {
    var bytes = try Self.inVersion10(try journal(key: 7, from: 0))
    let reading = Reading(journal: bytes)
    #expect(reading.problems.isEmpty)
    #expect(reading.statistics.fixed?.chunkKey == 0)
    #expect(reading.events == Self.texts(0..<Self.eventCount))
    // A chunk of a later one isn't taken for one of it.
    let later = try journal(key: 8, from: 1_000)
    var spliced = bytes
    spliced.replaceSubrange(Self.range(of: 2), with: later[Self.range(of: 2)])
    #expect(Reading(journal: spliced).events == Self.texts(without: 2))
    bytes[24] ^= 1
    #expect(Reading(journal: bytes).events == Self.texts(0..<Self.eventCount))
  }

  /// The journal as a recorder of version 1.0 would have written it.
  private static func inVersion10(_ journal: [UInt8]) throws -> [UInt8] {
    var bytes = Array(journal.dropLast(JournalLayout.dropByteCount))
    bytes[9] = 0
    for offset in 40..<60 { bytes[offset] = 0 }
    let check = CRC32C.checksum(bytes.span, 0..<60)
    bytes.replaceSubrange(60..<64, with: littleEndian(UInt64(check))[..<4])
    for chunk in 0..<5 {
      let start = range(of: chunk).lowerBound
      let slot = chunk * JournalLayout.slotsPerChunk
      let payload = ByteReader.word(bytes.span, at: start)
      let word = ByteReader.word(bytes.span, at: start + 8)
      let unbound = JournalSlot.commit(payload, UInt32(truncatingIfNeeded: word), slot: slot)
      #expect(word != unbound && word << 16 == unbound << 16)
      bytes.replaceSubrange(start + 8..<start + 16, with: littleEndian(unbound))
    }
    return bytes
  }

  private static func littleEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  @Test func everyStartHasAKeyOfItsOwn() {
    var keys: Set<UInt16> = []
    for start in 0..<1_000 as Range<Int64> {
      let fixed = files.configuration().fixed(processNumber: 1, bootID: 1, now: start)
      keys.insert(fixed.chunkKey)
      let read = JournalLayout.fixed(JournalLayout.bytes(of: fixed).span)
      #expect(read == fixed)
    }
    // As many as chance leaves of a thousand.
    #expect(keys.count > 980)
    #expect(!keys.contains(0))
  }

  @Test func theKeyHoldsTurnAfterTurn() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for turn in 0..<20 {
      for number in 0..<60 { recorder.work.timerStop(timer: turn * 60 + number) }
      try recorder.flush()
    }
    for number in 1_200..<1_260 { recorder.work.timerStop(timer: number) }
    var bytes = files.journal
    let fixed = JournalLayout.fixed(bytes.span)
    #expect(fixed?.chunkKey != 0)
    let trace = files.trace
    let reading = Reading(journal: bytes + trace)
    #expect(reading.problems.isEmpty)
    #expect(reading.own == Self.texts(0..<1_260))
    #expect(reading.statistics.ringEventCount > 0)
    bytes[24] ^= 1
    #expect(Reading(journal: bytes + trace).own == reading.own)
    try recorder.stop()
    #expect(Reading(trace: files.trace).own == reading.own)
  }
}
