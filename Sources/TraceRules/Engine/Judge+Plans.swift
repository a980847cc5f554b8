// What a judge shares with those of other traces, and what of its header decides on that.

import TraceModel

extension Judge {
  /// Begins a batch, or what is judged like one.
  func beginBatch() { batchNumber = batchNumbers.next() }

  /// What the header says to a test that decides how a monitor is made; nil where it is silent.
  func holds(_ test: HeaderTest) -> Bool? {
    fieldsAsked.formUnion(test.fields)
    return test.holds(for: header, profile)
  }

  /// The texts of a field that decides how a monitor is made.
  func strings(asked field: HeaderField) -> [String]? {
    fieldsAsked.insert(field)
    return header.strings(field)
  }
}
