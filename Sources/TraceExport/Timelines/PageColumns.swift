// The data of a page: sections of little-endian columns, each behind a head of four numbers.
// This file must not know what pages do with them. `Page/data.js` reads what is written here.

import TraceModel

/// Bytes of columns.
struct ColumnBytes: Sendable {
  private(set) var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ value: UInt8) { bytes.append(value) }

  mutating func append(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append(_ value: UInt32) {
    for shift in [0, 8, 16, 24] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func append(_ value: Double) {
    let bits = value.bitPattern
    append(UInt32(truncatingIfNeeded: bits))
    append(UInt32(truncatingIfNeeded: bits >> 32))
  }

  mutating func append(contentsOf other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  mutating func pad() { while bytes.count % 8 != 0 { bytes.append(0) } }

  /// A section: its kind, how many rows it has, the bytes of its columns; padded to eight.
  mutating func section(_ kind: PageSection, rows: Int, _ columns: [ColumnBytes]) {
    append(kind.rawValue)
    append(UInt32(truncatingIfNeeded: rows))
    let start = bytes.count
    append(UInt32(0))
    append(UInt32(0))
    let payload = bytes.count
    for column in columns {
      append(contentsOf: column.bytes)
      pad()
    }
    let count = UInt32(truncatingIfNeeded: bytes.count - payload)
    for place in 0..<4 {
      bytes[start + place] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(place)))
    }
  }
}

/// The kinds of sections.
enum PageSection: UInt32 {
  case texts = 1
  case trace, track, spans, marks, finding, fields, end, alignment, difference
}

/// Spans of which the page has not been told yet, column by column.
struct SpanColumns: Sendable {
  private(set) var count = 0
  private var starts = ColumnBytes()
  private var durations = ColumnBytes()
  private var names = ColumnBytes()
  private var details = ColumnBytes()
  private var ordinals = ColumnBytes()
  private var tracks = ColumnBytes()
  private var depths = ColumnBytes()
  private var flags = ColumnBytes()

  mutating func append(
    start: Double, duration: Double, name: UInt32, detail: UInt32, ordinal: UInt32, track: Int,
    depth: Int, flags: UInt8
  ) {
    starts.append(start)
    durations.append(duration)
    names.append(name)
    details.append(detail)
    ordinals.append(ordinal)
    tracks.append(UInt16(clamping: track))
    depths.append(UInt8(clamping: depth))
    self.flags.append(flags)
    count += 1
  }

  mutating func take(into bytes: inout ColumnBytes) {
    if count == 0 { return }
    bytes.section(
      .spans, rows: count,
      [starts, durations, names, details, ordinals, tracks, depths, flags])
    count = 0
    starts.removeAll()
    durations.removeAll()
    names.removeAll()
    details.removeAll()
    ordinals.removeAll()
    tracks.removeAll()
    depths.removeAll()
    flags.removeAll()
  }
}

/// Marks of which the page has not been told yet, column by column.
struct MarkColumns: Sendable {
  private(set) var count = 0
  private var times = ColumnBytes()
  private var names = ColumnBytes()
  private var details = ColumnBytes()
  private var ordinals = ColumnBytes()
  private var tracks = ColumnBytes()

  mutating func append(
    time: Double, name: UInt32, detail: UInt32, ordinal: UInt32, track: Int
  ) {
    times.append(time)
    names.append(name)
    details.append(detail)
    ordinals.append(ordinal)
    tracks.append(UInt16(clamping: track))
    count += 1
  }

  mutating func take(into bytes: inout ColumnBytes) {
    if count == 0 { return }
    bytes.section(.marks, rows: count, [times, names, details, ordinals, tracks])
    count = 0
    times.removeAll()
    names.removeAll()
    details.removeAll()
    ordinals.removeAll()
    tracks.removeAll()
  }
}
