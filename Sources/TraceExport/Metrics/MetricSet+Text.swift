// The metrics of some captures as text, to be scraped, pushed, or put into a file.

import TraceModel

/// What a text of metrics says of the run that made it.
public struct MetricRun: Hashable, Sendable {
  public var version: String
  /// When captures were last checked, in seconds since 1970; nil if they never were.
  public var endSeconds: Int64?
  /// When captures were last checked without an unreadable one, in seconds since 1970; nil if that
  /// isn't known.
  public var lastSuccessSeconds: Int64?
  /// Parts of a directory that couldn't be looked at last; nil if nobody looks again and again.
  public var unseenPathCount: Int?
  /// What became of samples that were sent; nil if none are.
  public var remoteWrite: RemoteWriteCounts?

  public init(
    version: String, endSeconds: Int64?, lastSuccessSeconds: Int64?, unseenPathCount: Int? = nil,
    remoteWrite: RemoteWriteCounts? = nil
  ) {
    self.version = version
    self.endSeconds = endSeconds
    self.lastSuccessSeconds = lastSuccessSeconds
    self.unseenPathCount = unseenPathCount
    self.remoteWrite = remoteWrite
  }

  /// The one sample of a family that is about the run.
  struct OwnSample {
    var label: (name: String, value: String)?
    var number: Int64
  }

  /// What a run says of a family.
  enum OwnFamily {
    case ofCaptures
    /// It isn't even named.
    case hidden
    case samples(OwnSample?)
  }

  func own(_ family: MetricFamily) -> OwnFamily {
    func shown(_ number: Int64?) -> OwnFamily {
      .samples(number.map { OwnSample(label: nil, number: $0) })
    }
    func counted(_ number: KeyPath<RemoteWriteCounts, UInt64>) -> OwnFamily {
      remoteWrite.map { shown(Int64(clamping: $0[keyPath: number])) } ?? .hidden
    }
    return switch family {
    case .lastRun: shown(endSeconds)
    case .lastSuccess: shown(lastSuccessSeconds)
    case .unseenPaths: shown(unseenPathCount.map { Int64($0) })
    case .build: .samples(OwnSample(label: ("version", version), number: 1))
    case .remoteSent: counted(\.sentSamples)
    case .remoteRefused: counted(\.refusedSamples)
    case .remoteSuperseded: counted(\.supersededSamples)
    case .remoteFailures: counted(\.failedRequests)
    case .remotePending: counted(\.pendingSamples)
    default: .ofCaptures
    }
  }
}

/// What became of the samples of a sender.
public struct RemoteWriteCounts: Hashable, Sendable {
  /// Samples that the receiver has taken.
  public var sentSamples: UInt64 = 0
  /// Samples that it has refused.
  public var refusedSamples: UInt64 = 0
  /// Samples that waited until newer ones took their places.
  public var supersededSamples: UInt64 = 0
  /// Requests that failed and were tried again.
  public var failedRequests: UInt64 = 0
  /// Samples that wait.
  public var pendingSamples: UInt64 = 0

  public init() {}
}

extension MetricSet {
  /// The text of all metrics, without timestamps.
  public func text(_ format: MetricFormat, run: MetricRun) -> [UInt8] {
    text(format, run: run) { value, _ in value }
  }

  /// The text for a reader who comes again: a series that it hasn't seen is shown as nothing, and
  /// with its value from the next text on.
  public func text(_ format: MetricFormat, run: MetricRun, seen: inout SeenSeries) -> [UInt8] {
    seen.begin()
    return text(format, run: run) { seen.value($0, of: $1) }
  }

  private func text(
    _ format: MetricFormat, run: MetricRun, shown: (MetricValue, SeriesKey) -> MetricValue
  ) -> [UInt8] {
    var text = MetricText(format)
    let table = table.capped
    for family in MetricFamily.all where family.kind != .stateset {
      switch run.own(family) {
      case .hidden: continue
      case .samples(let own):
        text.begin(family)
        guard let own else { continue }
        let key = SeriesKey(family: family, values: [])
        text.sample(key, label: own.label, value: "\(own.number)")
      case .ofCaptures:
        text.begin(family)
        for key in table.keys(of: family) {
          if let value = table[key] { text.sample(key, shown(value, key)) }
        }
      }
    }
    text.end()
    return text.output
  }
}
