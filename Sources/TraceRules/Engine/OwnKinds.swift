// The app's own kinds over the batches of a trace: each batch numbers them anew.

import TraceModel

/// Numbers for kinds that mean the same in every batch.
struct OwnKinds {
  /// Kinds of its own that an app's spans may have; those of further ones aren't followed.
  private static let countMax = 4_096

  private var numbers: [String: UInt16] = [:]
  /// The numbers of the kinds of the batch at hand, by their places; 0: not asked for.
  private var ofBatch: [UInt16] = []

  /// The number of a kind; nil for one of the app's own if it has too many.
  mutating func number(of kind: EventKind, _ batch: EventBatch) -> UInt16? {
    if kind.isKnown { return kind.rawValue }
    let place = Int(kind.rawValue - EventKind.firstUnknownNumber)
    while ofBatch.count <= place { ofBatch.append(0) }
    if ofBatch[place] != 0 { return ofBatch[place] }
    let name = batch.name(of: kind)
    if let known = numbers[name] {
      ofBatch[place] = known
      return known
    }
    guard numbers.count < Self.countMax else { return nil }
    let new = EventKind.firstUnknownNumber + UInt16(numbers.count)
    numbers[name] = new
    ofBatch[place] = new
    return new
  }

  mutating func forgetBatch() { ofBatch.removeAll(keepingCapacity: true) }
}
