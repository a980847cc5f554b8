// Turns the events of a trace into the intervals of a life, for everything that draws or sums them.
// This file must not know what is drawn.

public import TraceModel

/// Finds the intervals of a trace in one walk over its events: launches, states, scenes, background
/// tasks, what services, graphics and the network have open, and the spans of threads.
///
///     var intervals = LifeIntervals(header: header, profile: profile)
///     intervals.consume(batch, into: &sink)   // for every batch
///     intervals.finish(into: &sink)
///
/// A restart of the device sets its clock back. What follows is told right behind what came before,
/// and ``shiftNanoseconds(ofLaunch:)`` says by how much.
///
/// Events are put in order of time first, as for a check. Memory follows what is open: at most
/// ``openMax`` pairs, ``threadsMax`` threads of ``depthMax`` rows each, ``namesMax`` names. Beyond
/// that an event is told as a mark, and a name as ``otherName``.
public struct LifeIntervals: Sendable {
  /// Pairs that are open at once, such as connections: an app that holds more is broken.
  public static let openMax = 65_536
  /// Threads with a track of their own; the others share one, on which everything is a mark.
  public static let threadsMax = 512
  /// Rows of a track. Deeper calls are marks.
  public static let depthMax = 96
  /// Tracks by name in a group, such as one for each name of a background task; then they share.
  public static let namedTracksMax = 64
  /// Different names: kinds, tasks, scenes.
  public static let namesMax = 65_536
  /// What a name is called that came too late to be kept.
  public static let otherName = "(another name)"

  private var orderer = TimeOrderer()
  private var walk: LifeWalk?

  /// - Parameter profile: The profile; nil for the one that the header selects.
  public init(header: TraceHeader, profile: Profile? = nil) {
    walk = LifeWalk(
      header: header, profile: profile ?? ProfileSelection(header: header).profile)
  }

  /// Takes the next block of the trace.
  public mutating func consume<Sink: LifeSink>(_ batch: EventBatch, into sink: inout Sink) {
    guard var walk = walk.take() else { return }
    orderer.consume(batch) { walk.take($0, $1, into: &sink) }
    self.walk = walk
  }

  /// Ends the trace: what is open is cut at its last event.
  public mutating func finish<Sink: LifeSink>(into sink: inout Sink) {
    guard var walk = walk.take() else { return }
    orderer.finish { walk.take($0, $1, into: &sink) }
    walk.end(into: &sink)
    self.walk = walk
  }

  /// What was added to the times of a launch, as the device had been restarted before it.
  ///
  /// - Parameter launch: The number of the launch, from 1.
  public func shiftNanoseconds(ofLaunch launch: Int) -> Int64 {
    walk?.shifts.last { $0.launch <= launch }?.nanoseconds ?? 0
  }

  /// The time of the first event; nil before there is one.
  public var firstNanoseconds: Int64? { walk?.firstNanoseconds }
  /// The time of the last event, with its shift; nil before there is one.
  public var lastNanoseconds: Int64? { walk?.lastNanoseconds }
}
