// Which file goes on with what was read before, and which one only began like another.

import TraceIO

extension CaptureShelf {
  /// Captures that changed of which a new file may be a copy: each costs a look into the file.
  private static let originalsMax = 64

  /// What the file of a capture that was checked held when it was read before, under whatever name
  /// and however long ago; nil if that isn't known.
  ///
  /// - Parameter begins: Whether the file at a path begins as a file did.
  mutating func earlierReading(
    of record: CaptureRecord, begins: (FileBeginning?, String) -> Bool
  ) -> CaptureTrack? {
    if record.traces.isEmpty { return nil }
    let number = record.version.number
    let paths = [record.path] + makeIndex().paths(of: number)
    var tracks = paths.compactMap { records[$0]?.track }
    if let track = vanished.track(of: number) { tracks.append(track) }
    for track in tracks
    where record.version.mayContinue(track.version) && begins(track.beginning, record.path) {
      return track
    }
    if records[record.path] != nil { return nil }
    // A copy of a capture that grew since it was read, and that is to be read again or was cut.
    let changed = changedPaths.sorted().prefix(Self.originalsMax)
    let originals = changed.compactMap { records[$0]?.track } + cut
    for track in originals where track.format == record.format && !track.isNameless {
      if begins(track.beginning, record.path) { return track }
    }
    return nil
  }

  /// Whether a capture that grew was only alike so far with another that grew too and is counted
  /// under the same name: then the two are no copies, and each is to be counted.
  ///
  /// - Parameter id: The id that the trace has now.
  mutating func hasParted(
    _ record: CaptureRecord, from earlier: CaptureTrack.Trace, to id: String,
    begins: (FileBeginning?, String) -> Bool
  ) -> Bool {
    func mayHaveParted(_ track: CaptureTrack) -> Bool {
      track.version.number != record.version.number && track.format == record.format
        && track.traces.contains {
          $0.key == earlier.key && $0.hasGrown && $0.traceID != earlier.traceID && $0.traceID != id
        }
    }
    for path in makeIndex().paths(countedAs: earlier.key) where path != record.path {
      if let track = records[path]?.track, mayHaveParted(track),
        !begins(track.beginning, record.path), !begins(record.beginning, path)
      {
        return true
      }
    }
    for track in vanished.tracks(countedAs: earlier.key) where mayHaveParted(track) {
      if !begins(track.beginning, record.path) { return true }
    }
    return false
  }

  /// What each trace of a file that grew was when it was read before; nil for those that are new.
  ///
  /// Traces that have ended keep their ids, and show between which of them the others are.
  static func earlierReadings(
    of traces: [TraceRecord], in old: [CaptureTrack.Trace]
  ) -> [CaptureTrack.Trace?] {
    let ids = Set(traces.map(\.traceID))
    let places = Dictionary(
      old.enumerated().map { ($0.element.traceID, $0.offset) }, uniquingKeysWith: { $1 })
    var next = 0
    var earlier: [CaptureTrack.Trace?] = []
    for trace in traces {
      if let place = places[trace.traceID] {
        earlier.append(old[place])
        next = place + 1
      } else if next < old.count, !ids.contains(old[next].traceID) {
        earlier.append(old[next])
        next += 1
      } else {
        earlier.append(nil)
      }
    }
    return earlier
  }
}
