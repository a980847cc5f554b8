// The captures that were there and aren't any more: their files may come back under any name, and
// may have grown while they were away.

import TraceIO

/// What is remembered of the last captures that went, or in whose files is something else now.
struct VanishedCaptures: Sendable {
  /// Those that went first come first.
  private(set) var tracks: [CaptureTrack] = []
  /// Whether all of them are kept for the next start.
  private(set) var isSaved = true
  private var byteCount = 0

  /// Captures that are remembered: more than are ever under way between two directories.
  static let tracksMax = 1_000
  /// Bytes that they take in all: a capture may hold many traces, and ids may be long.
  static let bytesMax = 2 << 20

  /// - Parameter kept: What an earlier run kept.
  init(_ kept: [CaptureTrack] = []) {
    for track in kept { add(track) }
    isSaved = true
  }

  /// Remembers a capture, and forgets the oldest ones for which there is no room then.
  mutating func add(_ track: CaptureTrack) {
    if track.isNameless || track.byteCount > Self.bytesMax { return }
    if let place = tracks.firstIndex(where: { $0.version.number == track.version.number }) {
      forget(at: place)
    }
    tracks.append(track)
    byteCount += track.byteCount
    while tracks.count > Self.tracksMax || byteCount > Self.bytesMax { forget(at: 0) }
    isSaved = false
  }

  mutating func markSaved() { isSaved = true }

  /// The capture that was in a file of the disk.
  func track(of number: FileVersion.Number) -> CaptureTrack? {
    tracks.first { $0.version.number == number }
  }

  /// The captures with a trace that is counted under a name.
  func tracks(countedAs key: String) -> [CaptureTrack] {
    tracks.filter { track in track.traces.contains { $0.key == key } }
  }

  private mutating func forget(at place: Int) {
    let track = tracks.remove(at: place)
    byteCount -= track.byteCount
  }
}
