// Tests of arguments made fast: a text is compared once per batch, not once per event.

import TraceModel

/// A ``FieldTest`` that remembers, for each text of a batch, whether it is one of those wanted.
///
/// A class, because what it remembers is changed while a monitor that holds it is read.
final class CompiledTest {
  private let test: FieldTest
  private let parts: [CompiledTest]
  private var memo: [UInt8] = []
  private var batchNumber = -1

  init(_ test: FieldTest) {
    self.test = test
    parts =
      switch test {
      case .not(let inner): [CompiledTest(inner)]
      case .all(let tests), .any(let tests): tests.map { CompiledTest($0) }
      default: []
      }
  }

  /// Whether the event passes. The number tells one batch from another.
  func holds(for event: Event, in batch: EventBatch, number: Int) -> Bool {
    switch test {
    case .isText(let name, let texts):
      guard let (type, bits) = batch.bits(name, of: event), type == .string else { return false }
      if number != batchNumber {
        batchNumber = number
        memo.removeAll(keepingCapacity: true)
      }
      let text = Int(bits)
      while memo.count <= text { memo.append(0) }
      if memo[text] == 0 {
        memo[text] = texts.contains { batch.strings.equals(text, $0) } ? 2 : 1
      }
      return memo[text] == 2
    case .isTrue, .isPresent: return test.holds(for: event, in: batch)
    case .not: return !parts[0].holds(for: event, in: batch, number: number)
    case .all:
      return parts.allSatisfy { $0.holds(for: event, in: batch, number: number) }
    case .any:
      return parts.contains { $0.holds(for: event, in: batch, number: number) }
    }
  }
}
