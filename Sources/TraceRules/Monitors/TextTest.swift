// Whether an argument is one text: compared once per batch, not once per event.

import TraceModel

/// A test of a text argument for monitors that hear many events.
struct TextTest {
  let name: ArgumentName
  let text: String
  /// Of each text of the batch: 0 if it wasn't compared yet, 1 if it differs, 2 if it is the one.
  private var memo: [UInt8] = []
  private var batchNumber = -1

  init(_ name: ArgumentName, _ text: String) {
    self.name = name
    self.text = text
  }

  /// Whether the argument of an event is the text; the number tells one batch from another.
  mutating func holds(for event: Event, in batch: EventBatch, number: Int) -> Bool {
    guard let (type, bits) = batch.bits(name, of: event), type == .string else { return false }
    if number != batchNumber {
      batchNumber = number
      memo.removeAll(keepingCapacity: true)
    }
    let place = Int(bits)
    while memo.count <= place { memo.append(0) }
    if memo[place] == 0 { memo[place] = batch.strings.equals(place, text) ? 2 : 1 }
    return memo[place] == 2
  }
}
