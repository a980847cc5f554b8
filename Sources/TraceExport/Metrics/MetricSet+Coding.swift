// Metrics as bytes that are kept and read back: what a trace counted for, over restarts.
// The bytes come from a directory of the user's, so a wrong one is refused and never trusted.

import TraceModel

extension MetricSet {
  /// The first bytes, and the version of what follows.
  private static let magic: [UInt8] = Array("tcm1".utf8)
  /// Series of one trace: more than all families with all their states and causes have.
  private static let entriesMax = 100_000

  /// The numbers as bytes, equal for equal metrics.
  public var encoded: [UInt8] {
    var writer = MetricWriter(bytes: Self.magic)
    for family in MetricFamily.all {
      for key in table.keys(of: family) {
        guard let value = table[key] else { continue }
        writer.append(family.base)
        writer.append(UInt64(key.values.count))
        for text in key.values { writer.append(text) }
        writer.append(value)
      }
    }
    return writer.bytes
  }

  /// Reads metrics back; nil if the bytes aren't such.
  public init?(encoded bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    self.init()
    let families = Dictionary(
      MetricFamily.all.map { ($0.base, $0) }, uniquingKeysWith: { first, _ in first })
    var reader = MetricReader(bytes: bytes, offset: Self.magic.count)
    var entryCount = 0
    while !reader.isAtEnd {
      entryCount += 1
      guard entryCount <= Self.entriesMax, let base = reader.text(), let family = families[base],
        let count = reader.number(), count == UInt64(family.labels.count)
      else { return nil }
      var values: [String] = []
      for _ in family.labels {
        guard let text = reader.text() else { return nil }
        values.append(text)
      }
      guard let value = reader.value(of: family) else { return nil }
      add(value, to: SeriesKey(family: family, values: values))
    }
  }
}

/// Appends numbers and texts.
private struct MetricWriter {
  var bytes: [UInt8]

  mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(_ text: String) {
    append(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ value: MetricValue) {
    append(UInt64(value.counts.count))
    for count in value.counts { append(count) }
    append(value.sumNanoseconds)
    for exemplar in value.exemplars {
      append(exemplar == nil ? 0 : 1)
      guard let exemplar else { continue }
      append(exemplar.traceID)
      append(exemplar.value)
      append(UInt64(bitPattern: exemplar.wallNanoseconds))
    }
  }
}

/// Reads them back.
private struct MetricReader {
  let bytes: [UInt8]
  var offset: Int

  var isAtEnd: Bool { offset == bytes.count }

  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
      shift += 7
    }
    return nil
  }

  mutating func text() -> String? {
    guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
    let text = String(validating: bytes[offset..<offset + Int(count)], as: UTF8.self)
    offset += Int(count)
    return text
  }

  mutating func value(of family: MetricFamily) -> MetricValue? {
    let expected = family.kind == .histogram ? MetricFamily.boundsNanoseconds.count + 1 : 1
    guard number() == UInt64(expected) else { return nil }
    var counts: [UInt64] = []
    for _ in 0..<expected {
      guard let count = number() else { return nil }
      counts.append(count)
    }
    guard let sum = number() else { return nil }
    var exemplars: [MetricExemplar?] = []
    for _ in 0..<expected {
      switch number() {
      case 0: exemplars.append(nil)
      case 1:
        guard let traceID = text(), let value = number(), let wall = number() else { return nil }
        exemplars.append(
          MetricExemplar(
            traceID: traceID, value: value, wallNanoseconds: Int64(bitPattern: wall)))
      default: return nil
      }
    }
    return MetricValue(counts: counts, sumNanoseconds: sum, exemplars: exemplars)
  }
}
