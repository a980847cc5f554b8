// Facts that wait for what may still be said about the same thing.
// This file must not know what facts mean.

import TraceModel

/// A queue of facts in the order of the capture's lines. Places count from the capture's first
/// fact, and stay what they are when facts are taken out.
struct HeldFacts: Sendable {
  private var facts: [Fact] = []
  private var progress: [Int64] = []
  private var head = 0
  private var takenCount = 0

  var count: Int { facts.count - head }
  /// The place of the next fact.
  var firstPlace: Int { takenCount }
  /// The place behind the last fact.
  var endPlace: Int { takenCount + count }

  /// How far the capture's clock had come with the next fact; nil if there is none.
  var firstProgressNanoseconds: Int64? { count > 0 ? progress[head] : nil }

  /// The fact at a place from ``firstPlace`` to before ``endPlace``.
  subscript(place: Int) -> Fact { facts[head + place - takenCount] }

  mutating func append(_ fact: Fact, progressNanoseconds: Int64) {
    facts.append(fact)
    progress.append(progressNanoseconds)
  }

  /// The next fact. There must be one.
  mutating func takeFirst() -> (fact: Fact, progressNanoseconds: Int64) {
    let first = (facts[head], progress[head])
    head += 1
    takenCount += 1
    if head == facts.count || head > 4_096 {
      facts.removeFirst(head)
      progress.removeFirst(head)
      head = 0
    }
    return first
  }
}
