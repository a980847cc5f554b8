// The app's own kinds over the batches of a trace: each batch numbers them anew.

import TraceModel

/// Numbers, the same in every batch, for those of the app's own kinds that rules name. Of others an
/// app may have as many as it likes.
struct OwnKinds {
  private let numbers: [String: UInt16]
  /// The numbers of the kinds of the batch at hand, by their places; ``unasked`` where nobody has
  /// asked, and ``unnamed`` where no rule names the kind.
  private var ofBatch: [UInt16] = []

  private static let unasked: UInt16 = 0
  private static let unnamed: UInt16 = 1

  init(_ names: Set<String>) {
    var numbers: [String: UInt16] = [:]
    for name in names.sorted() {
      numbers[name] = EventKind.firstUnknownNumber + UInt16(clamping: numbers.count)
    }
    self.numbers = numbers
  }

  /// The number of a kind; nil for one of the app's own that no rule names.
  mutating func number(of kind: EventKind, _ batch: EventBatch) -> UInt16? {
    if kind.isKnown { return kind.rawValue }
    let place = Int(kind.rawValue - EventKind.firstUnknownNumber)
    while ofBatch.count <= place { ofBatch.append(Self.unasked) }
    if ofBatch[place] == Self.unasked {
      ofBatch[place] = numbers[batch.name(of: kind)] ?? Self.unnamed
    }
    return ofBatch[place] == Self.unnamed ? nil : ofBatch[place]
  }

  mutating func forgetBatch() { ofBatch.removeAll(keepingCapacity: true) }
}
