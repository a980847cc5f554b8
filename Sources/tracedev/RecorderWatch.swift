// A reader that looks into the ring while threads append: whatever it finds committed is whole.

import ArgumentParser
import CTraceAtomics
import Foundation
import TraceFormat
import TraceIO
import TraceModel
import TraceRecorder

/// Appends with several threads, and reads along in the same memory.
///
/// The reader takes the commit word in the order that its release promises, and then the payload as
/// plain memory. A thread sanitizer that watches both reports a commit without that promise, on
/// every processor, also on one that keeps the order by itself.
struct WatchRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Reads the ring in memory while threads append.")

  /// How often it is looked for the first event.
  private static let firstLooksMax = 1_000

  @Argument(help: "The folder of the recording.") var folder: String
  @Option var threads = 2
  @Option var events: UInt64 = 20_000

  func run() throws {
    var configuration = RecorderConfiguration(directory: folder)
    configuration.name = "run"
    configuration.segmentBytes = 8 << 20
    configuration.segmentCount = 3
    // Nothing is sealed, and so nothing is cleared, while it is read.
    configuration.sealIntervalMilliseconds = 3_600_000
    let recorder = try TraceRecorder.start(configuration)
    let progress = Progress(threads)
    let events = events
    for worker in 0..<threads {
      Thread.detachNewThread {
        for n in 1...max(1, events) { Numbered.record(n, recorder) }
        progress.end(worker)
        // A sanitizer forgets what threads did that are gone.
        progress.waitUntilSeen()
      }
    }
    var found = 0
    var torn = 0
    // Whether workers have ended is asked later: the answer would order what they wrote before it
    // is read, and hide that nothing else does.
    for _ in 0..<Self.firstLooksMax where found == 0 {
      (found, torn) = recorder.journal.countCommitted()
    }
    while true {
      let isLast = progress.isEnded
      (found, torn) = recorder.journal.countCommitted()
      if torn > 0 || isLast { break }
    }
    progress.see()
    let dropped = recorder.statistics.droppedCount
    try recorder.stop()
    print("\(found) slots committed, \(torn) torn, dropped \(dropped)")
    if torn > 0 || dropped > 0 { throw ExitCode(1) }
  }

  /// Which workers have ended, and whether all that they did was read.
  @safe private final class Progress: @unchecked Sendable {
    private let words: UnsafeMutablePointer<UInt64>
    private let count: Int

    init(_ count: Int) {
      self.count = count
      unsafe words = .allocate(capacity: count + 1)
      unsafe words.initialize(repeating: 0, count: count + 1)
    }

    deinit { unsafe words.deallocate() }

    func end(_ worker: Int) { unsafe lct_store_release(words + worker, 1) }

    func see() { unsafe lct_store_release(words + count, 1) }

    func waitUntilSeen() {
      while unsafe lct_load_acquire(words + count) == 0 { Thread.sleep(forTimeInterval: 0.001) }
    }

    var isEnded: Bool {
      (0..<count).allSatisfy { unsafe lct_load_acquire(words + $0) != 0 }
    }
  }
}

extension Journal {
  /// Slots that are committed, and those of them whose payload isn't the one that was committed.
  fileprivate func countCommitted() -> (found: Int, torn: Int) {
    var found = 0
    var torn = 0
    for slot in 0..<fixed.chunkCount * JournalLayout.slotsPerChunk {
      // The slot lies in the ring.
      let words = unsafe core.ring + slot * 2
      let word = unsafe lct_load_acquire(words + 1)
      if word == 0 { continue }
      found += 1
      let fields = UInt32(truncatingIfNeeded: word)
      // Only the own slots of chunks are bound to the journal.
      let key = slot % JournalLayout.slotsPerChunk == 0 ? fixed.chunkKey : 0
      if unsafe JournalSlot.commit(words[0], fields, slot: slot, key: key) != word { torn += 1 }
    }
    return (found, torn)
  }
}
