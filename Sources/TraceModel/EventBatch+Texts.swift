// How many bytes the texts of events take where each event has its own.

extension EventBatch {
  /// Whether the texts of all events take at most so many bytes, a text counted as many times as an
  /// argument names it.
  public func textsTake(atMost bytesMax: Int) -> Bool {
    var longest = 0
    for index in 0..<strings.count { longest = max(longest, strings.range(at: index).count) }
    // Most batches are settled here, without a look at their events. No overflow: a pool is
    // smaller than 4 GiB, and a batch has far fewer than a milliard arguments.
    if longest * argumentBits.count <= bytesMax { return true }
    var bytes = 0
    for index in 0..<count {
      bytes += textBytes(at: index)
      if bytes > bytesMax { return false }
    }
    return true
  }

  /// Bytes of the texts of all events, a text counted as many times as an argument names it.
  public var textBytes: Int { (0..<count).reduce(0) { $0 + textBytes(at: $1) } }

  /// Bytes of the texts of an event.
  public func textBytes(at index: Int) -> Int {
    let template = templates[Int(templateIndices[index])]
    let firstSlot = Int(template.firstSlot)
    let start = Int(argumentStarts[index])
    var bytes = 0
    for offset in 0..<Int(template.slotCount) {
      let type = slots[firstSlot + offset].type
      guard type == .string || type == .json else { continue }
      bytes += strings.range(at: Int(argumentBits[start + offset])).count
    }
    return bytes
  }
}
