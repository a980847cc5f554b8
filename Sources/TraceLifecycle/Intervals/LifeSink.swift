// What a life looks like on a timeline: tracks with spans and marks, told in order of time.
// This file must not know how they are found or drawn.

public import TraceModel

/// The part of a timeline that a track belongs to, from top to bottom.
public enum LifeTrackGroup: UInt8, CaseIterable, Hashable, Sendable {
  case launches, state, scenes, tasks, services, system, graphics, network, resources, threads

  /// What people call it.
  public var title: String {
    switch self {
    case .launches: "Launches"
    case .state: "App state"
    case .scenes: "Scenes"
    case .tasks: "Background tasks"
    case .services: "Services"
    case .system: "System"
    case .graphics: "Graphics"
    case .network: "Network"
    case .resources: "Files, locks, timers"
    case .threads: "Threads"
    }
  }
}

/// A line of a timeline.
public struct LifeTrack: Hashable, Sendable {
  /// The track's number in the trace, from 0 and without gaps.
  public var number: Int
  public var group: LifeTrackGroup
  /// The state and the launches have one track each, which has no name of its own.
  public var name: String
  /// The thread that the track shows; nil for tracks of other groups.
  public var thread: Int64?
}

/// A stretch of time on a track.
public struct LifeSpan: Hashable, Sendable {
  /// The span's number in the trace, from 0 in the order in which spans begin.
  public var number: Int
  public var track: Int
  /// The row on the track: spans of one row never overlap. On threads a span lies inside the one
  /// of the row above it; elsewhere rows only keep apart what overlaps.
  public var depth: Int
  /// The number of the name, as told by ``LifeSink/name(_:_:)``.
  public var name: Int
  /// The state that the span stands for, on tracks of the state and of scenes.
  public var state: LifecycleState?
  /// Nanoseconds on the header's clock.
  public var startNanoseconds: Int64
  /// The end, once it is known; until then the start.
  public var endNanoseconds: Int64
  /// The place in the trace of the event that began it.
  public var startOrdinal: Int
  /// Whether no event ended it: the process, the trace, a loss of events or a span around it did.
  /// It took at least as long as is told.
  public var isCut = false
  /// Whether it was cut because the process ended, or because the recording stopped or lost events:
  /// it might have ended soon after.
  public var isInterrupted = false

  public var durationNanoseconds: Int64 { endNanoseconds.minus(startNanoseconds) }
}

/// What a mark stands for where no row was left for a span.
public enum LifeRowless: Hashable, Sendable {
  case begin, end
}

/// A moment on a track.
public struct LifeMark: Hashable, Sendable {
  public var track: Int
  public var name: Int
  public var timeNanoseconds: Int64
  public var ordinal: Int
  /// The part of a stretch for which the track had no row left; nil if it is just a moment.
  public var rowless: LifeRowless?

  public init(
    track: Int, name: Int, timeNanoseconds: Int64, ordinal: Int, rowless: LifeRowless? = nil
  ) {
    self.track = track
    self.name = name
    self.timeNanoseconds = timeNanoseconds
    self.ordinal = ordinal
    self.rowless = rowless
  }
}

/// Takes a life in order of time: names and tracks before they are used, and each span twice, when
/// it begins and when it ends. Only ends that no event tells may be told late.
///
/// Times go on where a restart of the device set its clock back, see ``LifeIntervals``; those of
/// events that are handed over do too.
public protocol LifeSink {
  /// A name is used from here on. Numbers begin at 0 and have no gaps.
  mutating func name(_ number: Int, _ text: String)
  mutating func track(_ track: LifeTrack)
  /// A track's name is known now, or known better.
  mutating func rename(_ track: LifeTrack)
  /// A span begins with an event.
  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch)
  /// A span has ended without an event that tells of it alone.
  mutating func end(_ span: LifeSpan)
  /// A span has ended with an event.
  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch)
  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch)
}
