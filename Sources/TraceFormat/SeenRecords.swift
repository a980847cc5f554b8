// Which records of a trace have been read: finds gaps, stragglers, duplicates and strangers.

/// The numbers and checksums of the records read last.
struct SeenRecords: Sendable {
  enum Place: Equatable {
    /// The number that was expected.
    case next
    /// So many numbers before it haven't been seen.
    case afterGap(Int)
    /// It comes after records with higher numbers.
    case late
    /// The same record was read before.
    case duplicate
    /// Another record with its number was read before: it belongs to another trace.
    case foreign
  }

  private struct Entry {
    var number: UInt32
    var checksum: UInt32
  }

  /// By number modulo the bound; grows up to the bound.
  private var entries: [Entry?] = []
  private var highest: UInt32?

  init() {}

  /// Adds a record, unless it is a duplicate or foreign, and says how it stands to those before.
  mutating func insert(_ number: UInt32, _ checksum: UInt32) -> Place {
    let slot = Int(number) % FormatLimits.seenRecordsMax
    var place = Place.late
    if let highest, number <= highest {
      if slot < entries.count, let entry = entries[slot], entry.number == number {
        return entry.checksum == checksum ? .duplicate : .foreign
      }
    } else {
      let gap = Int(number) - (highest.map { Int($0) + 1 } ?? 0)
      place = gap == 0 ? .next : .afterGap(gap)
      highest = number
    }
    if slot >= entries.count {
      entries.append(contentsOf: repeatElement(nil, count: slot + 1 - entries.count))
    }
    entries[slot] = Entry(number: number, checksum: checksum)
    return place
  }
}
