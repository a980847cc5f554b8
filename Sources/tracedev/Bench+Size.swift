// The measurements of sizes: of ours, and of the same events in the formats of others.

import Foundation
import TraceCodecs
import TraceFormat

extension BenchTable {
  mutating func sizes(_ workload: BenchWorkload) throws {
    let count = Double(workload.eventCount)
    let usual = Double(workload.usual.count)
    let others = try workload.encoded([
      LctraceEncoder(codec: .zstd(level: 19)),
      LctraceEncoder(codec: .zstd(level: 3), columnEventsMin: .max),
    ])
    let phone = try workload.encoded(
      [LctraceEncoder(codec: .zstd(level: 3)), LctraceEncoder(codec: .zstd(level: 19))],
      isPhoneClock: true)
    add("size, zstd -3", atMost: 2.9, usual / count, "bytes/event")
    add("size, compact", atMost: 2.75, Double(others[0].count) / count, "bytes/event")
    add("size, 24 MHz, zstd -3", atMost: 2.2, Double(phone[0].count) / count, "bytes/event")
    add("size, 24 MHz, compact", atMost: 2.2, Double(phone[1].count) / count, "bytes/event")
    add("size, rows, zstd -3", Double(others[1].count) / count, "bytes/event")
    try references(workload)
    try smallTrace(workload)
  }

  /// What the same events take in the formats of others, each as its usual writers have it.
  private mutating func references(_ workload: BenchWorkload) throws {
    let missing = BenchPrograms.missing("zstd")
    let count = Double(workload.eventCount)
    let usual = Double(workload.usual.count)
    var trace = ReferenceTrace()
    try ReferenceWorkload.make(count: workload.drawnCount) { batch in trace.add(batch) }
    for format in ReferenceFormat.all {
      let name = format.isCompressed ? format.name : "\(format.name) + zstd -3"
      if !format.isCompressed, let missing {
        add("\(name), against ours", asked: ">= 2.3 x", because: missing)
        continue
      }
      let files = try format.write(trace, to: workload.folder)
      var bytes = 0
      for file in files {
        bytes +=
          format.isCompressed
          ? try BenchWorkload.byteCount(file) : try BenchWorkload.compress(file)
      }
      add(name, Double(bytes) / count, "bytes/event")
      let ratio = Double(bytes) / usual
      switch format.name {
      case ReferenceFormat.mcap.name: add("\(name), against ours", atLeast: 8, ratio, "x")
      case ReferenceFormat.mcapUnindexed.name: add("\(name), against ours", ratio, "x")
      default: add("\(name), against ours", atLeast: 2.3, ratio, "x")
      }
    }
    let lines = "JSON Lines + zstd -3"
    if let missing {
      add("\(lines), against ours", asked: ">= 3.8 x", because: missing)
    } else {
      let text = Double(try BenchWorkload.byteCount(workload.compressedText))
      add(lines, text / count, "bytes/event")
      add("\(lines), against ours", atLeast: 3.8, text / usual, "x")
    }
  }

  private mutating func smallTrace(_ workload: BenchWorkload) throws {
    let small = try workload.small()
    let what = "100 events, against JSON Lines + zstd -3"
    if let missing = BenchPrograms.missing("zstd") {
      return add(what, asked: "not larger", because: missing)
    }
    add(
      what, atMost: Double(try BenchWorkload.compress(small.text)),
      Double(try BenchWorkload.byteCount(small.binary)), "bytes")
  }
}
