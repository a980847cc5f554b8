// The tracks that go by name, and which of their rows are taken.
// This file must not know what is on the tracks.

import TraceModel

/// The tracks of all groups but the threads.
struct LifeLanes: Sendable {
  private struct Key: Hashable {
    var group: LifeTrackGroup
    var name: String
  }

  private var tracks: [Key: Int] = [:]
  private var named = [Int](repeating: 0, count: LifeTrackGroup.allCases.count)
  private var plain = [Int](repeating: -1, count: LifeTrackGroup.allCases.count)
  /// For each track the rows that are taken.
  private var taken: [Int: [Bool]] = [:]

  /// The number of a track, which is told if it is new. An empty name stands for the group's own.
  mutating func track<Sink: LifeSink>(
    _ group: LifeTrackGroup, _ name: String, _ count: inout Int, _ sink: inout Sink
  ) -> Int {
    let place = Int(group.rawValue)
    if name.isEmpty, plain[place] >= 0 { return plain[place] }
    var key = Key(group: group, name: name)
    if let number = tracks[key] { return number }
    if !name.isEmpty {
      if named[place] >= LifeIntervals.namedTracksMax { key.name = "Others" }
      if let number = tracks[key] { return number }
      named[place] += 1
    }
    let number = count
    count += 1
    tracks[key] = number
    if name.isEmpty { plain[place] = number }
    sink.track(LifeTrack(number: number, group: group, name: key.name, thread: nil))
    return number
  }

  /// Takes the first free row of a track; nil if all are taken.
  mutating func takeRow(of track: Int) -> Int? {
    if let row = taken[track]?.firstIndex(of: false) {
      taken[track]?[row] = true
      return row
    }
    let row = taken[track]?.count ?? 0
    guard row < LifeIntervals.depthMax else { return nil }
    taken[track, default: []].append(true)
    return row
  }

  mutating func freeRow(_ row: Int, of track: Int) {
    if let rows = taken[track], row < rows.count { taken[track]?[row] = false }
  }
}

extension ArgumentKey {
  /// The key for people, shortened.
  var title: String {
    switch self {
    case .absent: "(unnamed)"
    case .bits(let bits): bits > UInt64(Int64.max) ? "\(bits)" : "\(Int64(bits))"
    case .fraction(let bits): "\(Double(bitPattern: bits))"
    case .boolean(let value): "\(value)"
    case .text(let text): text.isEmpty ? "(unnamed)" : String(text.prefix(80))
    }
  }
}
