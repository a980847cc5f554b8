// Which spans are open beside those that stand on one line.
// This file must not know when a return comes due.

import TraceModel

/// Tells which spans are crossed by the return of another, where a whole span stands on one line.
///
/// Readers of a trace take a return for that of the innermost span of its kind and thread. A line
/// knows its own end, and so the order may be another one: the spans in between are crossed, which
/// is told before the return.
struct WholeSpans: Sendable {
  private struct Open {
    var kind: UInt16
    var thread: Int64
    /// The number of the line; nil for a span that has lines of its own for enter and return.
    var order: UInt64?
  }

  /// Spans followed at once; the others are taken to nest.
  private static let openMax = 512
  /// The kinds whose spans nest. Windows may cross anything, and nobody follows the app's own.
  private static let nesting = KindSet(
    Vocabulary.kinds.filter { $0.shape == .span }.map(\.kind))

  /// Whole spans and, since the first of their kind and thread, others; innermost last.
  private var open: [Open] = []

  /// Takes a whole span, and says whether it is followed.
  mutating func enter(_ kind: UInt16, thread: Int64, order: UInt64) -> Bool {
    guard kind != 0, Self.nesting.contains(EventKind(rawValue: kind)), open.count < Self.openMax
    else { return false }
    open.append(Open(kind: kind, thread: thread, order: order))
    return true
  }

  /// Takes the enter of a span that returns on another line.
  mutating func enter(_ kind: UInt16, thread: Int64) {
    guard open.count < Self.openMax, innermost(kind, thread) != nil else { return }
    open.append(Open(kind: kind, thread: thread, order: nil))
  }

  /// Whether a span is crossed by the return of a whole one around it.
  func hasInside(_ order: UInt64, _ kind: UInt16, thread: Int64) -> Bool {
    innermost(kind, thread).map { open[$0].order != order } ?? false
  }

  /// Whether a whole span is crossed by the return of one that is none.
  func hasWholeInside(_ kind: UInt16, thread: Int64) -> Bool {
    innermost(kind, thread).map { open[$0].order != nil } ?? false
  }

  /// Whether a whole span that was followed is still open.
  func isOpen(_ order: UInt64) -> Bool { open.contains { $0.order == order } }

  /// Closes the innermost span of a kind and thread.
  mutating func leave(_ kind: UInt16, thread: Int64) {
    guard let place = innermost(kind, thread) else { return }
    open.remove(at: place)
    guard !open.contains(where: { $0.kind == kind && $0.thread == thread && $0.order != nil })
    else { return }
    open.removeAll { $0.kind == kind && $0.thread == thread }
  }

  private func innermost(_ kind: UInt16, _ thread: Int64) -> Int? {
    open.lastIndex { $0.kind == kind && $0.thread == thread }
  }
}
