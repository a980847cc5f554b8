// Collects the durations of two sets of captures, by what makes them comparable.
// This file must not know when a difference counts.

public import TraceExport
import TraceLifecycle
import TraceModel
import TraceRules

/// Durations of the captures that are compared, kept until all captures were read.
public struct TimingIntake: Sendable {
  /// Which of the two sets a capture belongs to.
  public enum Side: Hashable, Sendable {
    case reference, candidate
  }

  /// Durations kept of both sides together: 8 bytes each, far more than a comparison needs.
  public static let durationsMax = 4_000_000

  /// What durations have in common that may be compared.
  private struct Key: Hashable, Sendable {
    var app: String
    var metric: LifeDuration
    var stratum: String
  }

  private var reference: [Key: [Int64]] = [:]
  private var candidate: [Key: [Int64]] = [:]
  private var count = 0
  /// Whether there were more durations than are kept.
  public private(set) var isIncomplete = false

  public init() {}

  /// Takes the durations of a capture that was checked with times; those of a copy don't count.
  public mutating func add(_ capture: JudgedCapture, to side: Side) {
    if capture.copyOf != nil { return }
    for (trace, measures) in zip(capture.traces, capture.measures) {
      if measures.isMissingTimes { isIncomplete = true }
      let app = trace.header.string(.appBundleID) ?? ""
      let stratum = Self.stratum(of: trace.header)
      measures.forEachTimedDuration { duration, nanoseconds in
        guard count < Self.durationsMax else {
          isIncomplete = true
          return
        }
        count += 1
        let key = Key(app: app, metric: duration, stratum: stratum)
        switch side {
        case .reference: reference[key, default: []].append(nanoseconds)
        case .candidate: candidate[key, default: []].append(nanoseconds)
        }
      }
    }
  }

  /// Durations depend on the device and on the system, of which corrections don't matter.
  private static func stratum(of header: TraceHeader) -> String {
    let device = header.string(.deviceModel) ?? "unknown device"
    let system = header.version(.osVersion).map { "\($0.major).\($0.minor)" } ?? "unknown system"
    return "\(device), \(system)"
  }

  /// What is compared, sorted by app, stratum and metric.
  public var samples: [TimingSamples] {
    Set(reference.keys).union(candidate.keys).sorted { Self.precedes($0, $1) }.map { key in
      TimingSamples(
        app: key.app, metric: key.metric.word, stratum: key.stratum,
        reference: reference[key] ?? [], candidate: candidate[key] ?? [])
    }
  }

  private static func precedes(_ a: Key, _ b: Key) -> Bool {
    (a.app, a.stratum, a.metric.word) < (b.app, b.stratum, b.metric.word)
  }
}
