// What the journal's reader makes of a damaged journal, against what the specification says of it.

import ArgumentParser
import TraceCodecs
import TraceFormat
import TraceModel
import TraceTestSupport

/// A journal, its damages, and what is read of it when it is whole.
struct JournalDamage: Sendable {
  let journal: KnownJournal
  let mutations: Mutations
  fileprivate let whole: JournalReading

  /// - Parameter sparesNothing: Whether also the bytes that nothing is written to get all values:
  ///   there are ten times as many of them.
  init(_ journal: KnownJournal, sparesNothing: Bool) throws {
    self.journal = journal
    mutations = Mutations(
      journal.bytes, blockCount: KnownJournal.chunkCount,
      isSpared: { !sparesNothing && !journal.isNear($0) })
    whole = JournalReading(journal.bytes)
    let (lost, invented) = JournalExpectation(journal, journal.bytes).compare(whole)
    guard lost == 0, invented == 0, whole.problems.isEmpty, whole.tornCount == 0 else {
      throw ValidationError(
        "the undamaged journal is read with \(lost) events lost, \(invented) invented, "
          + "\(whole.problems.count) problems")
    }
  }

  func judging(_ worker: Int) -> JournalJudge { JournalJudge(self) }
}

/// What came out of a journal.
private struct JournalReading: Sendable {
  /// An event under the number that it has in its thread.
  struct Numbered: Hashable, Sendable {
    var number: UInt64
    var event: DecodedEvent

    var isLoss: Bool { event.kind == "trace.lost" }
  }

  private(set) var batches: [EventBatch] = []
  private(set) var problems: [InputProblem] = []
  private(set) var tornCount = 0

  init(_ bytes: [UInt8]) {
    var decoder = JournalDecoder(codec: .zstd())
    var batch = EventBatch()
    decoder.feed(bytes.span)
    decoder.finish()
    reading: while true {
      switch decoder.next(into: &batch) {
      case .batch: batches.append(batch)
      case .problem(let problem): problems.append(problem)
      case .header, .remark, .stream: break
      case .needsInput, .end: break reading
      }
    }
    tornCount = decoder.statistics.tornCount
  }

  /// Whether exactly the same events came out, in the same batches.
  func equals(_ other: JournalReading) -> Bool {
    batches.count == other.batches.count
      && zip(batches, other.batches).allSatisfy { $0.says(what: $1) }
  }

  var events: [Numbered] {
    batches.flatMap { batch -> [Numbered] in
      var next: [Int64: UInt64] = [:]
      for thread in batch.threads { next[thread.id] = thread.firstSequence }
      return batch.decodedEvents.map { event in
        defer { next[event.thread, default: 0] += 1 }
        return Numbered(number: next[event.thread] ?? 0, event: event)
      }
    }
  }

  func names(_ place: Int) -> Bool {
    problems.contains { problem in
      guard case .bytes(let range) = problem.location else { return false }
      return range.contains(UInt64(place))
    }
  }
}

/// Reads mutants in memory: only the bytes that a damage changes are written.
struct JournalJudge: DamageJudge {
  private let sweep: JournalDamage
  private var bytes: [UInt8]

  init(_ sweep: JournalDamage) {
    self.sweep = sweep
    bytes = sweep.journal.bytes
  }

  mutating func judge(_ mutation: Mutation, _ tally: inout DamageTally) {
    let journal = sweep.journal
    guard case .byte(let place, let value) = mutation else {
      let damaged = journal.damaged(mutation)
      let reading = JournalReading(damaged)
      let expected = JournalExpectation(journal, damaged)
      let isAll = expected.isAll && reading.equals(sweep.whole)
      let (lost, invented) = isAll ? (0, 0) : expected.compare(reading)
      let isUnnamed = !isNamed(mutation, damaged, by: reading)
      tally.add(mutation, lost: lost, invented: invented, isUnnamed: isUnnamed, "as a journal")
      return
    }
    bytes[place] = value
    defer { bytes[place] = journal.bytes[place] }
    let reading = JournalReading(bytes)
    let isUsed = journal.isUsed(place)
    var (lost, invented) = (0, 0)
    if isUsed || !reading.equals(sweep.whole) {
      (lost, invented) = JournalExpectation(journal, bytes).compare(reading)
    }
    tally.add(
      mutation, lost: lost, invented: invented, isUnnamed: isUsed && !reading.names(place),
      "as a journal")
  }

  private func isNamed(
    _ mutation: Mutation, _ damaged: [UInt8], by reading: JournalReading
  ) -> Bool {
    if damaged == sweep.journal.bytes { return reading.problems.isEmpty }
    switch mutation {
    case .cut: return !reading.problems.isEmpty
    case .swapped(let one, let other):
      return [one, other].allSatisfy { reading.names(KnownJournal.chunk($0).lowerBound) }
    case .doubled(_, let place): return reading.names(KnownJournal.chunk(place).lowerBound)
    // A chunk of zeros is one that a thread reserved that was killed then: nothing is wrong.
    case .dropped, .byte: return true
    }
  }
}

/// What must come out of a damaged journal.
private struct JournalExpectation {
  private let entries: [KnownJournal.Entry]
  /// The last drop of each thread that is intact.
  private let drops: [KnownJournal.Drop]
  /// Whether what defined a name is destroyed: then what is missing wasn't dropped.
  private let lacksNames: Bool
  private let journal: KnownJournal

  init(_ journal: KnownJournal, _ damaged: [UInt8]) {
    func isIntact(_ range: Range<Int>) -> Bool {
      range.upperBound <= damaged.count && damaged[range] == journal.bytes[range]
    }
    self.journal = journal
    let whole = journal.entries.filter { isIntact($0.chunkSlot) && isIntact($0.slots) }
    let names = Set(whole.flatMap(\.defines))
    entries = whole.filter { $0.uses.allSatisfy(names.contains) }
    lacksNames = entries.count < whole.count
    var last: [UInt64: KnownJournal.Drop] = [:]
    for drop in journal.drops where isIntact(drop.slots) {
      if drop.number > last[drop.thread]?.number ?? 0 { last[drop.thread] = drop }
    }
    drops = Array(last.values)
  }

  /// Whether nothing that was recorded is damaged.
  var isAll: Bool {
    entries.count == journal.entries.count && drops.count == 2
      && drops.allSatisfy { drop in
        journal.drops.allSatisfy { $0.thread != drop.thread || $0.number <= drop.number }
      }
  }

  /// How many intact events and drops are missing, and how many events nobody recorded there.
  func compare(_ reading: JournalReading) -> (lost: Int, invented: Int) {
    let found = reading.events
    let expected = entries.map { JournalReading.Numbered(number: $0.number, event: $0.event) }
    let losses = found.filter(\.isLoss)
    var (lost, invented) = Self.difference(found.filter { !$0.isLoss }, expected)
    for drop in drops where !losses.contains(where: { tells($0, of: drop) }) { lost += 1 }
    for loss in losses where !isTrue(loss, found) { invented += 1 }
    if !isInOrder(found) { invented += 1 }
    return (lost, invented)
  }

  /// How many events are missing, and how many are too many, in whatever order.
  private static func difference(
    _ found: [JournalReading.Numbered], _ expected: [JournalReading.Numbered]
  ) -> (lost: Int, invented: Int) {
    if found == expected { return (0, 0) }
    var left: [JournalReading.Numbered: Int] = [:]
    for event in found { left[event, default: 0] += 1 }
    var lost = 0
    for event in expected {
      if let count = left[event] {
        left[event] = count == 1 ? nil : count - 1
      } else {
        lost += 1
      }
    }
    return (lost, left.values.reduce(0, +))
  }

  private func tells(_ loss: JournalReading.Numbered, of drop: KnownJournal.Drop) -> Bool {
    loss.number == drop.number && loss.event.thread == Int64(drop.thread)
      && loss.event.timeNanoseconds == drop.time
  }

  /// Whether an event tells of numbers that are really missing: the last drop of a thread, or what
  /// is missing before its first event.
  private func isTrue(_ loss: JournalReading.Numbered, _ found: [JournalReading.Numbered]) -> Bool {
    let own = found.filter { $0.event.thread == loss.event.thread && $0 != loss }
    guard loss.event.arguments.count == 3,
      case .integer(let count) = loss.event.arguments[0].value, count >= 1,
      UInt64(count) <= loss.number,
      loss.event.arguments[2].value == .string("\(loss.event.thread)")
    else { return false }
    let numbers = loss.number - UInt64(count) + 1...loss.number
    if own.contains(where: { numbers.contains($0.number) }) { return false }
    if drops.contains(where: { tells(loss, of: $0) }) { return true }
    let first = own.min { $0.number < $1.number }
    return !lacksNames && UInt64(count) == loss.number && first?.number == loss.number + 1
      && first?.event.timeNanoseconds == loss.event.timeNanoseconds
  }

  private func isInOrder(_ events: [JournalReading.Numbered]) -> Bool {
    zip(events, events.dropFirst()).allSatisfy {
      ($0.event.timeNanoseconds, $0.event.thread, $0.number)
        < ($1.event.timeNanoseconds, $1.event.thread, $1.number)
    }
  }
}
