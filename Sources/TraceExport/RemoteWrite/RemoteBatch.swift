// Series as requests of remote write 1.0, none of them larger than receivers take.
// This file must not know where the numbers come from, nor how they are sent.

import TraceModel

/// One request: as many samples as go together.
public struct RemoteBatch: Sendable {
  /// The body of the request, ready to be sent.
  public let body: [UInt8]
  public let sampleCount: Int
  /// Series that the receiver doesn't know before it has taken this.
  let newKeys: [SeriesKey]
}

/// Cuts series into requests.
struct RemoteBatcher {
  /// Samples of a request: what Prometheus itself sends at once.
  static let samplesMax = 2_000
  /// Bytes after which a request is full.
  static let bytesMax = 256 << 10

  private var request: [UInt8] = []
  private var sampleCount = 0
  private var newKeys: [SeriesKey] = []
  /// Requests that are full and weren't handed over yet.
  private var ready: [RemoteBatch] = []

  /// Adds samples of one series in the order of their times.
  ///
  /// - Parameter labels: The series' labels as they stand in a request.
  mutating func append(labels: [UInt8], milliseconds: [Int64], values: [Double]) {
    let count = min(milliseconds.count, values.count)
    var start = 0
    while start < count {
      if sampleCount >= Self.samplesMax || request.count >= Self.bytesMax { close() }
      let end = min(count, start + Self.samplesMax - sampleCount)
      append(labels, milliseconds[start..<end], values[start..<end])
      start = end
    }
  }

  /// Makes room for samples that go together: one more request, if need be.
  mutating func reserve(sampleCount count: Int) {
    if sampleCount + count > Self.samplesMax || request.count >= Self.bytesMax / 2 { close() }
  }

  /// Notes that the receiver learns of a series from the request that is being made.
  mutating func introduce(_ key: SeriesKey) { newKeys.append(key) }

  /// Ends the request that is being made.
  mutating func close() {
    if sampleCount == 0 { return }
    ready.append(
      RemoteBatch(
        body: SnappyBlock.literals(request), sampleCount: sampleCount, newKeys: newKeys))
    request.removeAll(keepingCapacity: true)
    sampleCount = 0
    newKeys = []
  }

  /// Hands over the requests that are full.
  mutating func handOver<Failure: Error>(
    _ output: (RemoteBatch) throws(Failure) -> Void
  ) throws(Failure) {
    for batch in ready { try output(batch) }
    ready.removeAll(keepingCapacity: true)
  }

  private mutating func append(
    _ labels: [UInt8], _ milliseconds: ArraySlice<Int64>, _ values: ArraySlice<Double>
  ) {
    var byteCount = labels.count
    for time in milliseconds { byteCount += 2 + Self.sampleBytes(time) }
    request.append(1 << 3 | 2)
    WireBytes.append(UInt64(byteCount), to: &request)
    request.append(contentsOf: labels)
    for (time, value) in zip(milliseconds, values) {
      request.append(2 << 3 | 2)
      // At most 20, so one byte.
      request.append(UInt8(truncatingIfNeeded: Self.sampleBytes(time)))
      request.append(1 << 3 | 1)
      let bits = value.bitPattern
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        request.append(UInt8(truncatingIfNeeded: bits >> shift))
      }
      request.append(2 << 3)
      WireBytes.append(UInt64(bitPattern: time), to: &request)
    }
    sampleCount += milliseconds.count
  }

  /// A number of eight bytes and a time, with their keys.
  private static func sampleBytes(_ time: Int64) -> Int {
    10 + WireBytes.count(UInt64(bitPattern: time))
  }
}
