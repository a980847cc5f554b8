// A writer ends in time and accounts for every sample, whoever is at the other end.

import Foundation
import Testing
import TraceExport
import TraceIO

@testable import TraceServe

struct RemoteWriterTests {
  private static let run = MetricRun(version: "1", endSeconds: 10, lastSuccessSeconds: 9)

  /// A request of three samples.
  private static func batch() throws -> RemoteBatch {
    var batches: [RemoteBatch] = []
    MetricSet().write(run: run, at: RemoteMoment(milliseconds: 1)) { batches.append($0) }
    return try #require(batches.first)
  }

  private func report(
    _ target: String, timeoutNanoseconds: Int64, count: Int
  ) throws -> RemoteReport {
    ProcessEnvironment.ignoreBrokenPipes()
    let writer = RemoteWriter(
      try RemoteTarget(target), version: "1", timeoutNanoseconds: timeoutNanoseconds)
    let batch = try Self.batch()
    #expect(batch.sampleCount == 3)
    for _ in 0..<count { writer.put(batch) }
    return writer.finish()
  }

  @Test func nobodyThereIsToldInTime() throws {
    let start = ProcessEnvironment.monotonicNanoseconds()
    // More than the queue holds: who puts them waits until the time is over.
    let report = try report("http://127.0.0.1:1/", timeoutNanoseconds: 300_000_000, count: 40)
    #expect(ProcessEnvironment.monotonicNanoseconds() - start < 5_000_000_000)
    #expect(report.sentSampleCount == 0)
    #expect(report.unsentSampleCount == 120)
    #expect(report.problem.contains("can't connect"))
    #expect(!report.isComplete)
  }

  /// Our own server takes no bodies, and says so. It may have to wait for a thread while other
  /// tests keep all of them busy.
  @Test func aRefusalIsCountedAndNotTriedAgain() async throws {
    let listener = try HTTPListener(
      HTTPListener.Address(host: "127.0.0.1", port: 0), hosts: AllowedHosts(listenHost: "127.0.0.1")
    ) { _ in HTTPResponse(.ok, text: "") }
    let server = Task { try await listener.run() }
    let port = listener.port
    let report = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<RemoteReport, any Error>) in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try self.report(
              "http://127.0.0.1:\(port)/", timeoutNanoseconds: 600_000_000_000, count: 20)
          })
      }
    }
    await listener.stop()
    _ = try? await server.value
    #expect(report.unsentSampleCount == 0)
    #expect(report.sentSampleCount == 0)
    #expect(report.refusals.map(\.sampleCount) == [60])
    let reason = report.refusals.first?.reason
    #expect(reason == "405 Method Not Allowed: only GET and HEAD are answered")
  }

  @Test func reasonsAreBounded() {
    var report = RemoteReport()
    for number in 0..<100 { report.addRefusal("400 \(number)", sampleCount: 1) }
    #expect(report.refusals.count == RemoteReport.refusalsMax)
    #expect(report.refusals.reduce(0) { $0 + $1.sampleCount } == 100)
    #expect(RemoteReport().isComplete)
  }
}
