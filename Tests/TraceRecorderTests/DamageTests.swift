// Damaged journals: every defect is named, and everything else is read.

import Testing
import TraceFormat
import TraceModel

@testable import TraceRecorder

struct DamageTests {
  /// A journal of 40 events of several slots, and of nothing else.
  private static func journal() throws -> [UInt8] {
    let files = RecordingFiles()
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<40 { recorder.work.dispatch(queue: "main", critical: true, work: number) }
    let bytes = files.journal
    try recorder.stop()
    return bytes
  }

  private static let ring = JournalLayout.headerByteCount

  @Test func aDamagedSlotCostsItsEventAndIsNamed() throws {
    let bytes = try Self.journal()
    let whole = Reading(journal: bytes)
    #expect(whole.damage.isEmpty)
    // Every slot in use, its payload and its commit word.
    let last = try #require(bytes.lastIndex { $0 != 0 })
    for offset in stride(from: Self.ring + 16, through: last, by: 8) {
      var damaged = bytes
      damaged[offset] ^= 0x10
      let reading = Reading(journal: damaged)
      // A slot that nothing was written to may look like an event that was being written.
      #expect(!reading.damage.isEmpty || reading.events.count >= whole.events.count - 1)
      let isKept = Set(reading.events).isSubset(of: Set(whole.events))
      #expect(isKept, "a wrong event at \(offset)")
      // The first use of a name stands for all of them, and the thread of a chunk's events stands
      // only in its first slot.
      let isChunkHead = (offset - Self.ring) % JournalLayout.chunkByteCount < 16
      if reading.statistics.namelessCount == 0, !isChunkHead {
        #expect(reading.events.count >= whole.events.count - 1, "\(offset)")
      }
      let names = reading.damage.contains { problem in
        guard case .bytes(let range) = problem.location else { return false }
        return range.contains(UInt64(offset))
      }
      #expect(names || reading.statistics.tornCount > 0, "\(offset): \(reading.damage)")
    }
  }

  @Test func aDamagedHeaderCostsNoEvent() throws {
    let bytes = try Self.journal()
    let whole = Reading(journal: bytes)
    for offset in Array(0..<64) + Array(300..<310) {
      var damaged = bytes
      damaged[offset] ^= 0xFF
      let reading = Reading(journal: damaged)
      #expect(reading.events == whole.events, "\(offset)")
      #expect(!reading.damage.isEmpty, "\(offset)")
    }
  }

  @Test func aHoleIsSteppedOver() throws {
    let files = RecordingFiles()
    let recorder = try TraceRecorder.start(files.configuration(segmentBytes: 16_384))
    for number in 0..<300 { recorder.work.timerStop(timer: number) }
    var bytes = files.journal
    try recorder.stop()
    // The second chunk as a thread leaves it that was killed when it had reserved it.
    let start = Self.ring + JournalLayout.chunkByteCount
    for offset in start..<start + JournalLayout.chunkByteCount { bytes[offset] = 0 }
    let reading = Reading(journal: bytes)
    #expect(reading.damage.isEmpty)
    #expect(reading.own.last == "1 work.timer_stop timer=299")
    #expect(reading.statistics.missingCount > 0)
  }

  @Test func whatIsGoneWithANameIsNotToldAsDropped() throws {
    let files = RecordingFiles()
    let recorder = try TraceRecorder.start(files.configuration(segmentBytes: 16_384))
    recorder.work.dispatch(queue: "main", critical: true, work: 0)
    for number in 0..<100 { recorder.work.timerStop(timer: number) }
    recorder.work.dispatch(queue: "main", critical: true, work: 1)
    var bytes = files.journal
    try recorder.stop()
    // The first chunk, with the text of a name that the second one uses.
    for offset in Self.ring..<Self.ring + JournalLayout.chunkByteCount { bytes[offset] = 0 }
    let reading = Reading(journal: bytes)
    #expect(reading.statistics.namelessCount == 1 && reading.damage.count == 1)
    #expect(reading.own.last == "1 work.timer_stop timer=99")
    #expect(reading.events.filter { $0.contains(" trace.lost ") } == [])
  }

  @Test func aCutJournalGivesWhatItHolds() throws {
    let bytes = try Self.journal()
    for count in [8, 63, 64, 300, Self.ring - 1, Self.ring, Self.ring + 2_000] {
      let reading = Reading(journal: Array(bytes[..<count]))
      #expect(!reading.problems.isEmpty, "\(count)")
      #expect(count > Self.ring || reading.events.isEmpty)
    }
    #expect(Reading(journal: Array(bytes[..<(Self.ring + 2_000)])).events.count > 20)
  }

  @Test func anotherTraceBehindTheJournalIsRefused() throws {
    let files = RecordingFiles()
    let recorder = try TraceRecorder.start(files.configuration())
    recorder.game.pause()
    try recorder.stop()
    let reading = Reading(journal: try Self.journal() + files.trace)
    #expect(reading.own.count == 40)
    #expect(reading.damage.count == 1)
  }
}
