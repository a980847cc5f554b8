// What the arguments of earlier events say about the next ones. Writer and reader of a block keep
// the same context, or no value would come back.

import TraceModel

/// The numbers that argument modes refer to. Every block begins with an empty context.
///
/// An event's *first number* is its first argument of type integer or unsigned.
struct ArgumentContext: Sendable {
  /// Spans of one thread that are remembered; deeper ones count as having no number.
  static let spansMax = 64
  /// The greatest number grows by less than this, so that one odd value doesn't end its use.
  private static let stepMax: UInt64 = 4_096

  /// The first number of each thread's last event that has one.
  var threadNumbers: [Int64] = []
  private(set) var maximum: Int64 = 0
  /// How many spans are open on each thread.
  private var depths: [Int] = []
  /// The first numbers of the open spans, ``spansMax`` for each thread.
  private var spanNumbers: [Int64] = []
  private(set) var tracksSpans = false

  init() {}

  /// Forgets everything. Without spans, ``enclosing(_:)`` is always 0.
  mutating func reset(threadCount: Int, maximum: Int64, tracksSpans: Bool) {
    self.maximum = maximum
    self.tracksSpans = tracksSpans
    threadNumbers.removeAll(keepingCapacity: true)
    threadNumbers.appendZeros(threadCount)
    guard tracksSpans else { return }
    depths.removeAll(keepingCapacity: true)
    depths.appendZeros(threadCount)
    spanNumbers.removeAll(keepingCapacity: true)
    spanNumbers.appendZeros(threadCount * Self.spansMax)
  }

  /// The first number of the innermost open span of a thread.
  @inline(__always)
  func enclosing(_ thread: Int) -> Int64 {
    guard tracksSpans, depths[thread] > 0, depths[thread] <= Self.spansMax else { return 0 }
    return spanNumbers[thread * Self.spansMax + depths[thread] - 1]
  }

  /// Takes an event's first number.
  @inline(__always)
  mutating func add(_ number: Int64, thread: Int) {
    threadNumbers[thread] = number
    maximum = Self.maximum(maximum, with: number)
  }

  /// The greatest number after one more.
  @inline(__always)
  static func maximum(_ maximum: Int64, with number: Int64) -> Int64 {
    number > maximum && UInt64(bitPattern: number &- maximum) < stepMax ? number : maximum
  }

  /// Takes an enter or a return, after its arguments.
  @inline(__always)
  mutating func addSpan(isEnter: Bool, _ number: Int64, thread: Int) {
    guard tracksSpans else { return }
    if isEnter {
      if depths[thread] < Self.spansMax {
        spanNumbers[thread * Self.spansMax + depths[thread]] = number
      }
      depths[thread] += 1
    } else if depths[thread] > 0 {
      depths[thread] -= 1
    }
  }
}
