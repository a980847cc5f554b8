// What a capture holds beside life-cycle facts: lines, processes, level words.
// This file must not know any format.

import TraceModel

/// Counts of a capture for the reader of a report.
struct CaptureSummary: Sendable {
  private(set) var lineCount = 0
  private(set) var firstLine: UInt32 = 0
  /// The first line that tells of an app, or may, and whose end wasn't read.
  private(set) var firstTooLongLine: UInt32?
  /// The first other line whose end wasn't read.
  private(set) var firstCutLine: UInt32?
  private(set) var hasSeveralProcesses = false
  private var firstProcess: [UInt8] = []

  /// The process of the first line.
  var processName: String { String(decoding: firstProcess, as: UTF8.self) }

  @inline(__always)
  mutating func note(_ line: Span<UInt8>, process: Range<Int>, line number: UInt32) {
    lineCount += 1
    if firstLine == 0 { firstLine = number }
    guard !hasSeveralProcesses, !process.isEmpty else { return }
    if firstProcess.isEmpty {
      for offset in process { firstProcess.append(line[offset]) }
    } else if process.count != firstProcess.count || !line.has(firstProcess, at: process.lowerBound)
    {
      hasSeveralProcesses = true
    }
  }

  mutating func noteBare() { lineCount += 1 }

  /// Takes note of lines that were passed over.
  mutating func noteSifted(_ count: Int) { lineCount += count }

  mutating func noteTooLong(_ line: UInt32) {
    if firstTooLongLine == nil { firstTooLongLine = line }
  }

  mutating func noteCut(_ line: UInt32) {
    if firstCutLine == nil { firstCutLine = line }
  }
}

/// The level words of a capture, in the order in which they were first seen.
struct LevelWords: Sendable {
  private var words: [[UInt8]] = []
  private var last = 0

  var count: Int { words.count }
  var texts: [String] { words.map { String(decoding: $0, as: UTF8.self) } }

  @inline(__always)
  mutating func note(_ line: Span<UInt8>, _ range: Range<Int>) {
    if last < words.count, words[last].count == range.count,
      line.has(words[last], at: range.lowerBound)
    {
      return
    }
    if let place = words.firstIndex(where: {
      $0.count == range.count && line.has($0, at: range.lowerBound)
    }) {
      last = place
    } else if words.count < ImportLimits.levelWordsMax {
      last = words.count
      words.append(range.map { line[$0] })
    }
  }
}
