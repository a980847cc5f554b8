// Events that a full ring drops where no later event of their thread shows it: every one is told,
// in its place, in what is sealed and in what a reader of a killed recording sees.

import Foundation
import Testing
import TraceFormat
import TraceIO
import TraceModel
import TraceRecorderTesting
import TraceRules

@testable import TraceRecorder

struct DropTests {
  private let files = RecordingFiles()

  private static func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Swift.Never>) in
      Thread.detachNewThread {
        body()
        continuation.resume()
      }
    }
  }

  /// The row of a thread, once the thread has ended.
  private static func row(ofEndedThread thread: UInt64, _ recorder: TraceRecorder) throws -> Int {
    let core = recorder.journal.core
    let row = try #require(
      (0..<JournalLayout.dropRowCount).first { core.state($0).thread == thread })
    for _ in 0..<5_000 where core.state(row).isTaken { usleep(1_000) }
    #expect(!core.state(row).isTaken)
    return row
  }

  /// Events of a reading that say that others were dropped: their threads and counts.
  private static func losses(_ reading: Reading) -> [(thread: Int, count: UInt64)] {
    reading.events.filter { $0.contains(" trace.lost ") }.map { event in
      let words = event.split(separator: " ")
      let count = words.first { $0.hasPrefix("count=") }?.dropFirst("count=".count)
      return (Int(words[0]) ?? 0, count.flatMap { UInt64($0) } ?? 0)
    }
  }

  @Test func aRuleConcludesNothingFromAnEventThatWasDropped() async throws {
    var configuration = files.configuration()
    configuration.header[.osVersion] = .string("17.0")
    configuration.header[.coverage] = .strings(["*"])
    let recorder = try TraceRecorder.start(configuration)
    recorder.process.start(pid: 1, launchId: 1, into: .foreground, reason: .userIcon)
    await Self.onThread {
      for number in 0..<2_000 { recorder.work.sample(thread: number, label: .heartbeat) }
      recorder.backgroundTask.begin(token: 9, isInvalid: false, name: "sync")
    }
    try recorder.flush()
    recorder.backgroundTask.end(token: 9, isInvalid: false)
    recorder.process.exit(code: 0, by: .app)
    // As a reader sees it after a kill, and after the end.
    let killed = try RecordedLife(folder: files.folder)
    try recorder.stop()
    let ended = RecordedLife(files.trace)
    for life in [killed, ended] {
      #expect(life.count(of: .bgtaskEnd) == 1 && life.count(of: .bgtaskBegin) == 0)
      #expect(life.findings.map(\.rule) == [])
    }
  }

  @Test(arguments: [false, true]) func everyDropIsCountedOnce(isFlushed: Bool) async throws {
    let recorder = try TraceRecorder.start(files.configuration())
    // The second thread records something, the third nothing at all.
    for count in [2_000, 300] {
      await Self.onThread { for number in 0..<count { recorder.work.timerStop(timer: number) } }
    }
    if isFlushed { try recorder.flush() }
    let reading = Reading(journal: files.journal + files.trace)
    let losses = Self.losses(reading)
    #expect(losses.map(\.thread).sorted() == [2, 3])
    #expect(losses.first { $0.thread == 3 }?.count == 300)
    let told = losses.reduce(0) { $0 + $1.count }
    #expect(reading.statistics.missingCount + told == recorder.statistics.droppedCount)
    #expect(recorder.statistics.droppedCount > 1_900)
    try recorder.stop()
    let ended = Reading(trace: files.trace)
    let own = Self.losses(ended).filter { [2, 3].contains($0.thread) }
    #expect(own.map(\.count).sorted() == losses.map(\.count).sorted())
    #expect(ended.events.contains { $0.hasSuffix(" trace.end reason=clean") })
    #expect(ended.problems.isEmpty)
  }

  @Test func aThreadThatGoesOnTellsWhereItsFirstEventsWere() async throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<400 { recorder.work.timerStop(timer: number) }
    await Self.onThread {
      for number in 0..<5 { recorder.work.timerStop(timer: number) }
      try? recorder.flush()
      recorder.game.pause()
    }
    try recorder.stop()
    let events = Reading(trace: files.trace).events
    let loss = try #require(events.firstIndex { $0.hasPrefix("2 trace.lost count=5 ") })
    let pause = try #require(events.firstIndex(of: "2 game.pause"))
    #expect(loss < pause)
    #expect(events.count { $0.hasPrefix("2 trace.lost ") } == 1)
  }

  @Test func theLossStandsBetweenWhatCameBeforeItAndWhatCameAfter() async throws {
    let recorder = try TraceRecorder.start(files.configuration())
    recorder.game.pause()
    await Self.onThread { for number in 0..<1_000 { recorder.work.timerStop(timer: number) } }
    try recorder.flush()
    recorder.game.pause()
    try recorder.flush()
    let events = Reading(trace: files.trace).events
    let loss = try #require(events.firstIndex { $0.hasPrefix("2 trace.lost ") })
    let last = try #require(events.lastIndex { $0.hasPrefix("2 work.timer_stop") })
    #expect(last < loss && loss < events.count - 1)
    #expect(events.last?.hasSuffix(" game.pause") == true)
    try recorder.stop()
  }

  @Test func anEndedThreadKeepsItsRowUntilItsDropsAreTold() async throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<400 { recorder.work.timerStop(timer: number) }
    for _ in 0..<20 { await Self.onThread { recorder.game.pause() } }
    try recorder.stop()
    let losses = Self.losses(Reading(trace: files.trace)).filter { 2...21 ~= $0.thread }
    #expect(losses.map(\.thread).sorted() == Array(2...21))
    #expect(losses.allSatisfy { $0.count == 1 })
  }

  @Test func aRowIsKeptUntilTheBlockIsWrittenThatTellsOfItsDrops() async throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<400 { recorder.work.timerStop(timer: number) }
    await Self.onThread { recorder.game.pause() }
    let row = try Self.row(ofEndedThread: 2, recorder)
    // What the sealer takes, and is killed before it has written it.
    var held: [Int] = []
    let drops = recorder.journal.core.takeDrops(before: .max, holding: &held)
    #expect(drops.map(\.thread).sorted() == [1, 2])
    for _ in 0..<3 { await Self.onThread { recorder.game.pause() } }
    let killed = Self.losses(Reading(journal: files.journal))
    #expect(killed.map(\.thread).sorted() == [1, 2, 3, 4, 5])
    recorder.journal.core.release(held)
    #expect(!recorder.journal.core.state(row).isTaken)
    try recorder.stop()
  }

  @Test(arguments: [false, true]) func aHandlersDropIsToldOfTheThreadThatEnded(isFlushed: Bool)
    async throws
  {
    let recorder = try TraceRecorder.start(files.configuration())
    recorder.game.pause()
    await Self.onThread {
      guard let event = recorder.journal.open(.gamePause, .instant, slotsMax: 1) else { return }
      // As a signal handler does that comes now.
      if let other = recorder.journal.open(.gamePause, .instant, slotsMax: 1) {
        Issue.record("an event inside another one")
        other.commit()
      }
      event.commit()
    }
    _ = try Self.row(ofEndedThread: 2, recorder)
    if isFlushed { try recorder.flush() }
    await Self.onThread { recorder.game.pause() }
    let numbers = Reading(journal: files.journal + files.trace)
    #expect(Self.losses(numbers).map(\.thread) == (isFlushed ? [2] : []))
    #expect(numbers.statistics.missingCount == 0)
    try recorder.stop()
    let ended = Self.losses(Reading(trace: files.trace))
    #expect(ended.map(\.thread) == [2] && ended.map(\.count) == [1])
  }

  @Test func noDamageOfTheTableMakesAnEvent() async throws {
    let recorder = try TraceRecorder.start(files.configuration())
    await Self.onThread { for number in 0..<500 { recorder.work.timerStop(timer: number) } }
    let journal = files.journal
    let whole = Reading(journal: journal)
    #expect(Self.losses(whole).count == 1)
    let table = journal.count - JournalLayout.dropByteCount
    let last = try #require(journal.lastIndex { $0 != 0 })
    #expect(last >= table)
    // The row of the thread, and a bit of each byte.
    for offset in max(table, last - 63)...last {
      var damaged = journal
      damaged[offset] ^= 1 << UInt8(offset % 8)
      let reading = Reading(journal: damaged)
      let isWhole = reading.events == whole.events
      #expect(isWhole || Self.losses(reading).count <= 1)
      #expect(reading.own == whole.own)
      #expect(isWhole || !reading.problems.isEmpty)
    }
    try recorder.stop()
  }

  @Test func aJournalWithoutItsHeaderTellsThemToo() async throws {
    let recorder = try TraceRecorder.start(files.configuration())
    await Self.onThread { for number in 0..<500 { recorder.work.timerStop(timer: number) } }
    var journal = files.journal
    let whole = Reading(journal: journal)
    journal[20] ^= 1
    #expect(Reading(journal: journal).events == whole.events)
    try recorder.stop()
  }
}
