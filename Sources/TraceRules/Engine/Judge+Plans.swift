// What a judge shares with those of other traces, and what of its header decides on that.

import TraceModel

extension Judge {
  /// Begins a batch, or what is judged like one.
  func beginBatch() { batchNumber = batchNumbers.next() }

  /// Takes the monitors of the engine, and the lists that others of their kind left.
  func take(_ monitors: [Monitor], _ deliveries: DeliveryTable) {
    self.deliveries = deliveries
    for (place, monitor) in monitors.enumerated() {
      monitor.place = place
      note(monitor.awake, of: monitor)
    }
  }

  /// Takes note of what is awake in a monitor.
  func note(_ bits: UInt64, of monitor: Monitor) {
    if monitor.place >= 0 { deliveries.note(bits, of: monitor.place) }
  }

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
