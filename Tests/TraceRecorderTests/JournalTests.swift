// What is in the files at any moment of a recording, and after it.

import Foundation
import Testing
import TraceFormat
import TraceIO
import TraceModel

@testable import TraceRecorder

struct JournalTests {
  private let files = RecordingFiles()

  @Test func whatIsRecordedIsThereBeforeAnybodySealsIt() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    recorder.backgroundTask.begin(
      token: 7, isInvalid: false, name: "upload", hasExpirationHandler: true, by: .app)
    recorder.backgroundTask.begin(token: 8, name: "upload")
    recorder.work.timerStart(timer: -1, intervalS: 0.25, repeats: true)
    let reading = Reading(journal: files.journal + files.trace)
    #expect(reading.problems.isEmpty)
    #expect(
      reading.own == [
        "1 bgtask.begin token=7 is_invalid=false name=upload has_expiration_handler=true by=app",
        "1 bgtask.begin token=8 name=upload",
        "1 work.timer_start timer=-1 interval_s=0.25 repeats=true",
      ])
    #expect(reading.header.string(.traceID) == recorder.traceID)
    try recorder.stop()
  }

  @Test func aStoppedRecordingIsAnOrdinaryTraceAndNoJournal() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    recorder.game.pause()
    try recorder.stop()
    #expect(files.journal.isEmpty)
    let reading = Reading(trace: files.trace)
    #expect(reading.problems.isEmpty)
    #expect(reading.events.count == 3)
    #expect(reading.events.last == "1 trace.end reason=clean")
    #expect(recorder.statistics.sealedCount == 3)
    recorder.game.pause()
    #expect(recorder.statistics.droppedCount == 1)
  }

  @Test func textsAreHashedUnlessTheyArePublicOrLiterals() throws {
    var configuration = files.configuration()
    configuration.privacyKey = PrivacyKey(1, 2)
    let recorder = try TraceRecorder.start(configuration)
    let name = "Anna's diary, which is longer than fifteen bytes"
    recorder.data.dirty(store: .private(name))
    recorder.data.dirty(store: .private(name))
    recorder.data.dirty(store: .public("größer, and longer than fifteen bytes"))
    recorder.data.dirty(store: .public(""))
    recorder.data.dirty(store: "notes")
    let own = Reading(journal: files.journal).own
    #expect(own[0] == own[1])
    #expect(own[0].hasPrefix("1 data.dirty store=#") && own[0].utf8.count == 36)
    #expect(!String(decoding: files.journal, as: UTF8.self).contains("Anna"))
    #expect(own[2] == "1 data.dirty store=größer, and longer than fifteen bytes")
    #expect(own[3...] == ["1 data.dirty store=", "1 data.dirty store=notes"])
    try recorder.stop()
  }

  @Test func theHashIsTheOneOfItsAuthors() {
    // The first vectors of the reference implementation: bytes 0 to 15 as the key.
    let key = PrivacyKey(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
    var empty = ""
    var one = "\u{0}"
    var eight = "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}"
    let hashes = [key.hash(&empty), key.hash(&one), key.hash(&eight)]
    #expect(hashes == [0x726F_DB47_DD0E_0E31, 0x74F8_39C5_93DC_67FD, 0x93F5_F579_9A93_2462])
  }

  @Test(arguments: [511, 512, 513, 600]) func longTextsAreCutAtACharacter(count: Int) throws {
    let recorder = try TraceRecorder.start(files.configuration())
    let text = String(repeating: "x", count: count - 2) + "ü"
    recorder.data.dirty(store: .public(text))
    let kept = count <= 512 ? text : String(text.prefix(min(count - 2, 512)))
    #expect(Reading(journal: files.journal).own == ["1 data.dirty store=\(kept)"])
    try recorder.stop()
  }

  @Test func severalLongTextsFitAnEventTogether() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    let text = String(repeating: "x", count: 600)
    recorder.url.session(identifier: .public(text), configHash: .public(text))
    let kept = text.prefix(472)
    #expect(
      Reading(journal: files.journal).own == [
        "1 url.session identifier=\(kept) config_hash=\(kept)"
      ])
    #expect(recorder.statistics.droppedCount == 0)
    try recorder.stop()
  }

  @Test func spansNestAndCloseTheirBodies() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    let result = recorder.data.save(store: "notes") { 42 }
    let span = recorder.delegate.didEnterBackground(applicationState: .background)
    recorder.work.span(class: .save) {}
    span.end()
    recorder.data.save(store: "notes").end(ok: false)
    #expect(result == 42)
    #expect(
      Reading(journal: files.journal).own == [
        "1 >data.save store=notes", "1 <data.save",
        "1 >delegate.did_enter_background application_state=background",
        "1 >work.span class=save", "1 <work.span", "1 <delegate.did_enter_background",
        "1 >data.save store=notes", "1 <data.save ok=false",
      ])
    try recorder.stop()
  }

  @Test func blocksAndJournalTogetherHoldEveryEventOnce() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<50 { recorder.work.timerStop(timer: number) }
    let before = files.journal
    try recorder.flush()
    for number in 50..<60 { recorder.work.timerStop(timer: number) }
    let expected = (0..<60).map { "1 work.timer_stop timer=\($0)" }
    let now = Reading(journal: files.journal + files.trace)
    #expect(now.own == expected)
    #expect(now.statistics.ringEventCount == 10)
    // As a crash between the block and the mark leaves them.
    let both = Reading(journal: before + files.trace)
    #expect(both.own == Array(expected[..<50]))
    #expect(both.statistics.duplicateCount == 51)
    #expect(both.problems.isEmpty)
    try recorder.stop()
  }

  @Test func theBytesMayComeInAnyPieces() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<300 { recorder.work.timerStop(timer: number) }
    try recorder.flush()
    for number in 300..<320 { recorder.work.timerStop(timer: number) }
    let bytes = files.journal + files.trace
    let whole = Reading(journal: bytes)
    #expect(whole.own.count == 320)
    for piece in [1_000, 4_096, 65_535, 65_537] {
      #expect(Reading(journal: bytes, piece: piece).events == whole.events)
    }
    try recorder.stop()
  }

  @Test func aFullRingDropsAndCountsExactly() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in 0..<2_000 { recorder.work.timerStop(timer: number) }
    let full = Reading(journal: files.journal)
    // Three segments of two chunks of 127 slots; the beginning of the trace takes some.
    #expect(full.own.count < 382 && full.own.count > 370)
    #expect(recorder.statistics.droppedCount == UInt64(2_000 - full.own.count))
    try recorder.flush()
    recorder.game.pause()
    let after = Reading(journal: files.journal + files.trace)
    #expect(after.own.last == "1 game.pause")
    // One of them has an event that tells of them: see DropTests.
    #expect(after.statistics.missingCount + 1 == recorder.statistics.droppedCount)
    #expect(after.statistics.droppedCount == recorder.statistics.droppedCount)
    try recorder.stop()
  }

  @Test func threadsHaveNumbersOfTheirOwn() async throws {
    let recorder = try TraceRecorder.start(files.configuration(segmentBytes: 65_536))
    for _ in 0..<4 {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        Thread.detachNewThread {
          for number in 0..<200 { recorder.work.timerStop(timer: number) }
          continuation.resume()
        }
      }
    }
    try recorder.stop()
    let reading = Reading(trace: files.trace)
    #expect(reading.own.count == 800)
    #expect(reading.problems.isEmpty)
    #expect(!reading.firstSequences.contains(0))
  }

  @Test func aSpanThatOutlivesItsRecorderIsNoEventOfTheNextOne() throws {
    var first: TraceRecorder? = try TraceRecorder.start(files.configuration())
    let span = first?.data.save(store: "notes")
    try first?.stop()
    first = nil
    span?.end()
    var configuration = files.configuration()
    configuration.name = "next"
    let next = try TraceRecorder.start(configuration)
    span?.end()
    next.game.pause()
    try next.stop()
    #expect(Reading(trace: files.bytes("next.lctrace")).own == ["1 game.pause"])
    #expect(next.statistics.droppedCount == 0)
  }

  @Test func numbersThatAreNoneAreToldAsTheFormatSays() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for number in [Double.nan, -.nan, .infinity, -.infinity, -0.5] {
      recorder.work.timerStart(timer: 1, intervalS: number, repeats: false)
    }
    let told = Reading(journal: files.journal).own.map { $0.split(separator: " ")[3] }
    let greatest = Double.greatestFiniteMagnitude
    #expect(
      told == [
        "interval_s=0.0", "interval_s=0.0", "interval_s=\(greatest)", "interval_s=-\(greatest)",
        "interval_s=-0.5",
      ])
    try recorder.stop()
  }

  @Test func thereAreMoreJournalsThanAProcessHasKeys() throws {
    try Folder.create(files.folder)
    let fixed = files.configuration().fixed(
      processNumber: ProcessClocks.processNumber(), bootID: 1, now: 0)
    for number in 0..<1_100 {
      let path = "\(files.folder)/\(number).lcjournal"
      let journal = try Journal(path: path, fixed: fixed, traceHeader: [])
      Folder.remove(path)
      guard let event = journal.open(.gamePause, .instant, slotsMax: 1) else {
        Issue.record("nothing is recorded in journal \(number)")
        return
      }
      event.commit()
      #expect(journal.droppedCount == 0)
    }
  }

  @Test func aSecondRecorderOfTheSameNameIsRefused() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    #expect(throws: FileError.self) { try TraceRecorder.start(files.configuration()) }
    recorder.game.pause()
    try recorder.stop()
    #expect(Reading(trace: files.trace).own == ["1 game.pause"])
  }

  @Test func onlyTheOwnerMayReadTheFiles() throws {
    let recorder = try TraceRecorder.start(files.configuration())
    for name in ["test.lcjournal", "test.lctrace"] {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: files.folder + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    try recorder.stop()
  }
}
