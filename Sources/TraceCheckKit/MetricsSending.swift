// Sends what `metrics` has found, and tells what became of it.

import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceServe

/// The receiver of one run's metrics.
///
/// A class, because what sends it is given to the end of the run.
final class MetricsSending {
  private let target: RemoteTarget
  private let labels: RemoteLabels
  private let timeoutNanoseconds: Int64
  private var report = RemoteReport()

  init(_ target: RemoteTarget, labels: RemoteLabels, timeoutNanoseconds: Int64) {
    self.target = target
    self.labels = labels
    self.timeoutNanoseconds = timeoutNanoseconds
  }

  /// Sends totals as they are now.
  func send(_ metrics: MetricSet, _ run: MetricRun) {
    let moment = RemoteMoment(milliseconds: ProcessEnvironment.nanosecondsSince1970() / 1_000_000)
    let writer = writer()
    metrics.write(run: run, at: moment, labels: labels) { writer.put($0) }
    report = writer.finish()
  }

  /// Sends each number at the time it had.
  func send(_ backfill: Backfill) {
    let writer = writer()
    backfill.write(labels: labels) { writer.put($0) }
    report = writer.finish()
  }

  private func writer() -> RemoteWriter {
    RemoteWriter(
      target, version: TraceCheck.version, timeoutNanoseconds: timeoutNanoseconds,
      isInterrupted: { Interrupt.isRaised })
  }

  /// Tells what became of all samples.
  ///
  /// - Throws: ``CommandExit`` if some weren't taken, and ``CaptureFailure`` after an interrupt.
  func finish() throws {
    printProblems(Array(lines.utf8))
    if report.unsentSampleCount > 0, Interrupt.isRaised { throw CaptureFailure.interrupted }
    if !report.isComplete { throw CommandExit(code: .damagedInput) }
  }

  private var lines: String {
    var lines = "\(report.sentSampleCount) samples sent to \(target.shown)\n"
    for refusal in report.refusals {
      lines += "tracecheck: \(target.shown) refused \(refusal.sampleCount) samples: "
      lines += refusal.reason + "\n"
    }
    if report.unsentSampleCount > 0 {
      let seconds = timeoutNanoseconds / 1_000_000_000
      let reason =
        Interrupt.isRaised
        ? "interrupted" : "given up within --remote-write-timeout \(seconds)s"
      lines += "tracecheck: \(report.unsentSampleCount) samples weren't sent (\(reason)): "
      lines += report.problem + "\n"
    }
    return lines
  }
}
