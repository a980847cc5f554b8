// Makes a recorded life happen again to an implementation under test, process by process.
// This file must not know how what happened is compared.

import TraceModel

/// Replays a recording.
///
///     let report = Replay(recording).run { NotesDelegate() }
///     #expect(report.divergences.isEmpty, "\(report)")
public struct Replay: Sendable {
  private let recording: Recording
  /// How much later or earlier than recorded a call may be, in nanoseconds. Negative values count
  /// as 0.
  public var toleranceNanoseconds: Int64 = 100_000_000

  public init(_ recording: Recording) { self.recording = recording }

  /// Makes the life happen again.
  ///
  /// - Parameter makeDelegate: Makes the implementation under test, once for each process.
  /// - Returns: What differs. Costs time in proportion to the recording; what the app does while
  ///   it waits isn't bounded by the driver.
  public func run(_ makeDelegate: () -> any ApplicationDelegate) -> ReplayReport {
    var report = ReplayReport()
    let tolerance = max(0, toleranceNanoseconds)
    let hasScenes = recording.header.boolean(.sceneManifest) == true
    for (number, process) in RecordedProcess.all(of: recording).enumerated() {
      var driver = ReplayDriver(
        process, delegate: makeDelegate(), application: ReplayedApplication(hasScenes: hasScenes),
        toleranceNanoseconds: tolerance)
      let calls = driver.run()
      report.add(
        CallComparison.compare(
          recorded: process.events.filter(\.isCallOfApp), replayed: calls.filter(\.isCallOfApp),
          stimuli: process.events.filter(\.isStimulus), launch: number + 1,
          toleranceNanoseconds: tolerance))
    }
    return report
  }
}
