// What a replay found: where the app under test diverges from the recording.

public import TraceModel

/// A call that differs from the recording.
public struct Divergence: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable {
    /// Recorded, and not made.
    case missing
    /// Made, and not recorded.
    case new
    /// Made with other arguments than recorded, or by the main thread instead of another one, or
    /// the other way round.
    case changed
    /// Made before or after other calls of its thread than recorded, or before or after the call of
    /// the system returned in which it was recorded.
    case reordered
    /// Made later than the tolerance allows.
    case later
    /// Made earlier than the tolerance allows.
    case earlier
  }

  public var kind: Kind
  /// The call, with phase and arguments, as a line of a timeline.
  public var call: String
  /// The call as it was made; nil for a missing call.
  public var replayedCall: String?
  /// The kind of the call.
  public var event: EventKind
  /// The thread that made it in the recording, or in the replay if it is new; 1 is the main thread.
  public var thread: Int64
  /// The thread that made it in the replay; nil for a missing call.
  public var replayedThread: Int64?
  /// The process, from 1.
  public var launch: Int
  /// Nanoseconds on the clock of the recording; nil for a new call.
  public var recordedNanoseconds: Int64?
  /// Nanoseconds on the clock of the recording; nil for a missing call.
  public var replayedNanoseconds: Int64?
  /// The call of the system that came last before it in the recording; empty if there was none.
  public var after: String
  /// The call of the system in which it was recorded; nil outside of all.
  public var recordedInside: EventKind?
  /// The call of the system in which it was made; nil outside of all.
  public var replayedInside: EventKind?

  private static func place(_ kind: EventKind?) -> String {
    kind.map { "inside \(Vocabulary.description(of: $0)?.name ?? "")" } ?? "outside of it"
  }

  /// Where a call moved to or from the main thread.
  private var otherThread: String {
    guard let replayedThread, (thread == 1) != (replayedThread == 1) else { return "" }
    return replayedThread == 1 ? " on the main thread" : " on thread \(replayedThread)"
  }

  public var description: String {
    let place = after.isEmpty ? "" : " after \(after)"
    switch kind {
    case .missing: return "missing: \(call), recorded at \(seconds(recordedNanoseconds))\(place)"
    case .new: return "new: \(call), at \(seconds(replayedNanoseconds))\(place)"
    case .changed:
      return "changed: \(call), made as \(replayedCall ?? "")\(otherThread), at"
        + " \(seconds(replayedNanoseconds))\(place)"
    case .reordered where recordedInside != replayedInside:
      let outside = recordedInside == nil ? "outside of any call" : Self.place(recordedInside)
      return "reordered: \(call), recorded \(outside) and made \(Self.place(replayedInside)), at"
        + " \(seconds(replayedNanoseconds))"
    case .reordered:
      return "reordered: \(call), recorded at \(seconds(recordedNanoseconds)) and made at"
        + " \(seconds(replayedNanoseconds))\(place)"
    case .later, .earlier:
      return "\(kind.rawValue): \(call), recorded at \(seconds(recordedNanoseconds)) and made at"
        + " \(seconds(replayedNanoseconds))\(place)"
    }
  }
}

/// Seconds with milliseconds, without a locale.
func seconds(_ nanoseconds: Int64?) -> String {
  guard let nanoseconds else { return "" }
  let milliseconds = nanoseconds / 1_000_000
  let fraction = String(abs(milliseconds % 1_000))
  let padded = String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
  let sign = milliseconds < 0 && milliseconds > -1_000 ? "-" : ""
  return "\(sign)\(milliseconds / 1_000).\(padded)s"
}

/// The outcome of a replay.
public struct ReplayReport: Sendable, CustomStringConvertible {
  /// What differs, launch by launch, in the order of time.
  public private(set) var divergences: [Divergence] = []
  /// How many calls of the app were compared.
  public private(set) var callCount = 0
  private var rows: [Row] = []

  /// A line of the two timelines.
  struct Row: Hashable, Sendable {
    var launch: Int
    var timeNanoseconds: Int64
    var recorded: String
    var replayed: String
    var mark: String
  }

  init() {}

  mutating func add(_ comparison: CallComparison) {
    divergences += comparison.divergences
    callCount += comparison.callCount
    rows += comparison.rows
  }

  /// The recorded and the replayed timeline side by side, with a mark before lines that differ: the
  /// text of a failing test. Calls of the system stand in the middle of both.
  public var sideBySide: String {
    let width = min(60, max(9, rows.map(\.recorded.count).max() ?? 0))
    var lines = ["   \(pad("time", 12)) \(pad("recorded", width)) | replayed"]
    var launch = 1
    for row in rows {
      if row.launch != launch {
        launch = row.launch
        lines.append("   launch \(launch)")
      }
      lines.append(
        "\(pad(row.mark, 2)) \(pad(seconds(row.timeNanoseconds), 12))"
          + " \(pad(row.recorded, width)) | \(row.replayed)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  public var description: String {
    if divergences.isEmpty { return "\(callCount) calls as recorded" }
    let lines = divergences.map { "\($0)" } + ["", sideBySide]
    return lines.joined(separator: "\n")
  }
}
