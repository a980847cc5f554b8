// Journals with every byte changed to every value, cut at every place, with chunks moved about or
// taken from another one: no crash, no wrong event, and none lost that the damage doesn't touch.

import ArgumentParser
import Foundation
import TraceFormat
import TraceIO
import TraceModel
import TraceRecorder

struct JournalSweep: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Damages a journal in every place and reads what is left.")

  @Argument(help: "An empty folder for the recordings.") var folder: String
  @Flag(help: "Also every byte behind what is used, and every cut of the header.")
  var release = false
  @Flag(help: "Only one other value for every byte.") var quick = false

  private static let ring = JournalLayout.headerByteCount

  func run() throws {
    // A segment that is full could be sealed before it is read.
    let journal = try record("sweep", Self.eventCount, segmentBytes: 8_192)
    let whole = Outcome(journal)
    guard whole.problemCount == 0, whole.keys.count == Self.eventCount + 1 else {
      throw ValidationError("the journal itself is read with \(whole.problemCount) problems")
    }
    let last = journal.lastIndex { $0 != 0 } ?? 0
    guard last >= Self.ring + JournalLayout.chunkByteCount else {
      throw ValidationError("the journal has one chunk only")
    }
    let memoryBefore = Self.memoryByteCountMax
    let end = release ? journal.count - 1 : last
    let header = JournalLayout.traceHeader(endOf: journal)
    var flips = 0
    for offset in Array(0..<112) + Array(256..<header) + Array(Self.ring...end) {
      flips += try flip(journal, offset, whole)
    }
    let cuts = try cut(journal, whole, last)
    let moves = try move(journal, whole)
    let splices = try splice()
    let memory = Self.memoryByteCountMax - memoryBefore
    let longest = unsafe Outcome.longestNanoseconds
    guard longest < Self.nanosecondsMax, memory <= Self.extraBytesMax else {
      throw ValidationError("a reading took \(longest) ns; \(memory) bytes more than before")
    }
    print(
      "\(flips) changed bytes, \(cuts) cuts, \(moves) chunks moved, \(splices) taken from another "
        + "recording: no crash, no wrong event; longest reading \(longest / 1_000) µs, "
        + "\(memory >> 10) KiB more memory")
  }

  /// The most memory that this process had so far; 0 where the system has no such file.
  private static var memoryByteCountMax: Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first)
      .flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }

  /// So many that the second chunk of the journal has some of them.
  private static let eventCount = 36
  /// So many that a chunk of another recording is the odd one.
  private static let splicedEventCount = 100
  private static let splicedChunksMin = 3
  private static let nanosecondsMax: Int64 = 1_000_000_000
  private static let extraBytesMax = 16 << 20

  /// The journal of a recording of so many events, before it is stopped.
  private func record(_ name: String, _ eventCount: Int, segmentBytes: Int) throws -> [UInt8] {
    var configuration = RecorderConfiguration(directory: folder)
    configuration.name = name
    configuration.segmentBytes = segmentBytes
    configuration.segmentCount = 3
    configuration.sealIntervalMilliseconds = 3_600_000
    configuration.heartbeatNanoseconds = 3_600_000_000_000
    let recorder = try TraceRecorder.start(configuration)
    for n in 1...UInt64(eventCount) { Numbered.record(n, recorder) }
    let data = try Data(contentsOf: URL(fileURLWithPath: recorder.journalPath))
    try recorder.stop()
    return [UInt8](data)
  }

  private func flip(_ journal: [UInt8], _ offset: Int, _ whole: Outcome) throws -> Int {
    var damaged = journal
    let isChunk = (offset - Self.ring) % JournalLayout.chunkByteCount < JournalLayout.slotByteCount
    let values = quick ? [journal[offset] ^ 0x10] : Array(0...255 as ClosedRange<UInt8>)
    for value in values where value != journal[offset] {
      damaged[offset] = value
      let outcome = Outcome(damaged)
      let missing = whole.keys.subtracting(outcome.keys).count
      let allowed: Int =
        offset < Self.ring ? 0 : isChunk || outcome.statistics.namelessCount > 0 ? .max : 1
      guard outcome.keys.isSubset(of: whole.keys), missing <= allowed else {
        throw ValidationError("byte \(offset) = \(value): \(missing) events missing, or wrong ones")
      }
      let isNamed =
        outcome.names(offset) || outcome.statistics.tornCount > 0 || offset < Self.ring
        || missing == 0
      guard isNamed else { throw ValidationError("byte \(offset) = \(value) isn't named") }
    }
    return quick ? 1 : 255
  }

  private func cut(_ journal: [UInt8], _ whole: Outcome, _ last: Int) throws -> Int {
    var before = 0
    for count in Self.ring...last + 1 {
      let outcome = Outcome(Array(journal[..<count]))
      guard outcome.keys.isSubset(of: whole.keys), outcome.keys.count >= before else {
        throw ValidationError("cut at \(count): events missing, or wrong ones")
      }
      before = outcome.keys.count
    }
    // Only zero is missing then.
    guard before == whole.keys.count else {
      throw ValidationError("\(before) events of a journal that is cut behind the last one")
    }
    for count in stride(from: 0, to: Self.ring, by: release ? 1 : 97) {
      guard Outcome(Array(journal[..<count])).keys.isEmpty else {
        throw ValidationError("cut at \(count): events that can't be there")
      }
    }
    return last + 1
  }

  private func move(_ journal: [UInt8], _ whole: Outcome) throws -> Int {
    let size = JournalLayout.chunkByteCount
    let count = (journal.count - Self.ring) / size
    func chunk(_ number: Int) -> ArraySlice<UInt8> {
      journal[Self.ring + number * size..<Self.ring + (number + 1) * size]
    }
    var moves = 0
    for number in 0..<count {
      let range = Self.ring + number * size..<Self.ring + (number + 1) * size
      var changed: [[UInt8]] = []
      for other in 0..<count where other != number {
        var copy = journal
        copy.replaceSubrange(range, with: chunk(other))
        changed.append(copy)
        copy.replaceSubrange(
          Self.ring + other * size..<Self.ring + (other + 1) * size, with: chunk(number))
        changed.append(copy)
      }
      var zeroed = journal
      zeroed.replaceSubrange(range, with: repeatElement(0, count: size))
      var deleted = journal
      deleted.removeSubrange(range)
      // A hole is stepped over: nothing is missing but what stood in it, or was named there.
      let kept = Outcome(zeroed)
      let alone = Outcome(Self.alone(number, of: journal))
      let missing = whole.keys.subtracting(kept.keys).subtracting(alone.keys).count
      // Events of the chunk whose names stand in another one can't be read alone.
      guard missing <= kept.statistics.namelessCount + alone.statistics.namelessCount else {
        throw ValidationError("chunk \(number) zeroed: \(missing) events of others missing")
      }
      for bytes in changed + [zeroed, deleted] {
        let outcome = Outcome(bytes)
        guard outcome.keys.isSubset(of: whole.keys), outcome.count == outcome.keys.count else {
          throw ValidationError("chunk \(number) moved: wrong or doubled events")
        }
        moves += 1
      }
    }
    return moves
  }

  /// Puts each chunk of another recording in its place in this one, with the header and without it:
  /// as much is read as with no chunk there, and what isn't is named.
  private func splice() throws -> Int {
    // The first segment has room for all of them: none of it is sealed.
    let own = try record("splice", Self.splicedEventCount, segmentBytes: 16_384)
    let other = try record("other", Self.splicedEventCount, segmentBytes: 16_384)
    let outcomes = [Outcome(own), Outcome(other)]
    guard outcomes.allSatisfy({ $0.problemCount == 0 }),
      outcomes[0].keys.isDisjoint(with: outcomes[1].keys)
    else {
      throw ValidationError("two recordings themselves have problems, or events in common")
    }
    // Once in 65,535 times.
    guard JournalLayout.fixed(own.span)?.chunkKey != JournalLayout.fixed(other.span)?.chunkKey
    else {
      throw ValidationError("the two recordings happen to have the same key: run it again")
    }
    let size = JournalLayout.chunkByteCount
    var splices = 0
    for start in stride(from: Self.ring, to: own.count, by: size) {
      let range = start..<start + size
      // Never used, and so the same in both.
      if other[range].allSatisfy({ $0 == 0 }) { continue }
      var zeroed = own
      zeroed.replaceSubrange(range, with: repeatElement(0, count: size))
      let expected = Outcome(zeroed)
      var spliced = own
      spliced.replaceSubrange(range, with: other[range])
      var headless = spliced
      headless[JournalLayout.fixedByteCount - 1] ^= 1
      for bytes in [spliced, headless] {
        let outcome = Outcome(bytes)
        guard outcome.keys == expected.keys, outcome.count == outcome.keys.count else {
          throw ValidationError("a chunk of another recording at \(start): other events")
        }
        guard outcome.names(start), outcome.names(range.upperBound - 1) else {
          throw ValidationError("a chunk of another recording at \(start) isn't named")
        }
      }
      splices += 1
    }
    guard splices >= Self.splicedChunksMin else {
      throw ValidationError("the recordings have \(splices) chunks only")
    }
    return splices
  }

  /// The journal with one chunk, and zero in the place of the others.
  private static func alone(_ number: Int, of journal: [UInt8]) -> [UInt8] {
    let size = JournalLayout.chunkByteCount
    return journal.indices.map { place in
      place < ring || (place - ring) / size == number ? journal[place] : 0
    }
  }
}

extension JournalLayout {
  /// Where the trace header of a journal ends: what follows is zero.
  fileprivate static func traceHeader(endOf journal: [UInt8]) -> Int {
    var end = headerByteCount
    while end > traceHeaderOffset, journal[end - 1] == 0 { end -= 1 }
    return end
  }
}

/// What a reader makes of a journal.
private struct Outcome {
  /// A hash of everything that an event says.
  var keys: Set<Int> = []
  var count = 0
  var problemCount = 0
  var statistics = JournalStatistics()
  private var damage: [Range<UInt64>] = []

  /// Of all readings so far. One thread reads.
  nonisolated(unsafe) static var longestNanoseconds: Int64 = 0

  init(_ journal: [UInt8]) {
    let start = ProcessClocks.continuousNanoseconds()
    defer {
      let time = ProcessClocks.continuousNanoseconds() - start
      unsafe Self.longestNanoseconds = max(Self.longestNanoseconds, time)
    }
    var decoder = JournalDecoder(codec: .stored)
    var batch = EventBatch()
    decoder.feed(journal.span)
    decoder.finish()
    reading: while true {
      switch decoder.next(into: &batch) {
      case .batch: add(batch)
      case .problem(let problem):
        problemCount += 1
        if case .bytes(let range) = problem.location { damage.append(range) }
      case .header, .remark, .stream: break
      case .needsInput, .end: break reading
      }
    }
    statistics = decoder.statistics
  }

  func names(_ offset: Int) -> Bool { damage.contains { $0.contains(UInt64(offset)) } }

  private mutating func add(_ batch: EventBatch) {
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      // What says that numbers are missing is true of a hole, too.
      if event.kind == .traceLost { continue }
      var hasher = Hasher()
      hasher.combine(event.kind)
      hasher.combine(event.phase)
      hasher.combine(event.thread)
      hasher.combine(event.timeNanoseconds)
      for argument in batch.arguments(at: index) {
        hasher.combine(argument.name)
        hasher.combine(argument.value)
      }
      keys.insert(hasher.finalize())
      count += 1
    }
  }
}
