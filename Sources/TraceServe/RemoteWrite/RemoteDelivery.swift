// Brings one request after another to the receiver: again and again while it can't take one, and
// never twice what it has refused.

import TraceExport
import TraceIO
import TraceModel

/// Delivers requests in their order.
struct RemoteDelivery: ~Copyable {
  /// What became of a request.
  enum Outcome: Equatable {
    case taken
    /// It will never be taken; why, in the receiver's words.
    case refused(String)
    /// The time was over; why the last attempt failed, nil if there was none.
    case givenUp(String?)
  }

  private static let sliceNanoseconds: Int64 = 50_000_000

  private var client: RemoteClient
  private var backoff = RemoteBackoff()

  init(_ target: RemoteTarget, version: String) {
    client = RemoteClient(target, version: version)
  }

  /// - Parameters:
  ///   - limit: When it must be over at the latest, by the monotonic clock; asked again and again.
  ///   - failed: Called with the reason of each attempt that failed and may be made again.
  mutating func deliver(
    _ batch: RemoteBatch, limit: () -> Int64, failed: (String) -> Void
  ) -> Outcome {
    backoff.reset()
    var last: String?
    while ProcessEnvironment.monotonicNanoseconds() < limit() {
      var wait: Int64?
      let reason: String
      do throws(RemoteFailure) {
        let answer = try client.post(batch.body, limit: limit)
        switch answer.status {
        case 200..<300: return .taken
        case 429, 500...:
          reason = answer.words(hiding: client.target.secrets)
          wait = answer.retryAfterSeconds.map(RemoteBackoff.nanoseconds)
        default: return .refused(answer.words(hiding: client.target.secrets))
        }
      } catch {
        reason = error.text
      }
      last = reason
      failed(reason)
      if let wait, wait > 0, Self.isLater(wait, than: limit()) {
        return .givenUp("\(reason); it asks for more patience than there is time")
      }
      // A receiver that asks for less patience than there is gets no more than usual.
      pause(max(wait ?? 0, backoff.wait(chance: Double.random(in: 0...1))), limit)
    }
    return .givenUp(last)
  }

  private static func isLater(_ wait: Int64, than limit: Int64) -> Bool {
    ProcessEnvironment.monotonicNanoseconds() > limit - wait
  }

  private func pause(_ nanoseconds: Int64, _ limit: () -> Int64) {
    let end = ProcessEnvironment.monotonicNanoseconds() + nanoseconds
    while true {
      let now = ProcessEnvironment.monotonicNanoseconds()
      let rest = min(end, limit()) - now
      if rest <= 0 { return }
      RemoteHost.pause(milliseconds: Int32(min(rest, Self.sliceNanoseconds) / 1_000_000) + 1)
    }
  }
}
