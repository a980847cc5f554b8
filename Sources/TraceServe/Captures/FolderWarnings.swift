// What is told of files and directories that can't be looked at: each once as long as it lasts, and
// never so much that nobody reads it.

import TraceModel

/// The warnings of one look after another. All times are of one clock that never goes back.
struct FolderWarnings: Sendable {
  /// What was told and lasts.
  private var lasting: Set<String> = []
  /// When the hour began that is counted now.
  private var startNanoseconds = Int64.min
  private var toldCount = 0
  private var hasToldOfMore = false

  /// Warnings in an hour: more help nobody.
  static let toldMax = 100
  private static let hourNanoseconds: Int64 = 3_600_000_000_000

  /// What is to be told after a look. What there is no room for is told by a look of a later hour,
  /// if it lasts until then.
  ///
  /// - Parameter warnings: All that the look found.
  mutating func news(_ warnings: [String], now: Int64) -> [String] {
    if startNanoseconds == .min || now - startNanoseconds >= Self.hourNanoseconds {
      startNanoseconds = now
      toldCount = 0
      hasToldOfMore = false
    }
    var told: [String] = []
    var seen: Set<String> = []
    for warning in warnings where !seen.contains(warning) {
      if !lasting.contains(warning) {
        if toldCount == Self.toldMax { continue }
        toldCount += 1
        told.append(warning)
      }
      seen.insert(warning)
    }
    let hasMore = warnings.contains { !seen.contains($0) }
    lasting = seen
    if hasMore, !hasToldOfMore {
      hasToldOfMore = true
      told.append("more of the directory can't be looked at; that is told within an hour")
    }
    return told
  }
}
