// Decides whether durations grew: three things must agree, and too few captures decide nothing.

import TraceModel

/// Durations of one metric on one kind of device, before and after.
public struct TimingSamples: Hashable, Sendable {
  /// The bundle id of the app; empty if it isn't known.
  public var app: String
  /// The metric's name, for example `launch`.
  public var metric: String
  /// What is alike on both sides: the device and the system.
  public var stratum: String
  /// In nanoseconds.
  public var reference: [Int64]
  public var candidate: [Int64]

  public init(
    app: String = "", metric: String, stratum: String, reference: [Int64], candidate: [Int64]
  ) {
    self.app = app
    self.metric = metric
    self.stratum = stratum
    self.reference = reference
    self.candidate = candidate
  }
}

/// When a difference counts.
public struct TimingThresholds: Hashable, Sendable {
  /// Durations that each side must have.
  public var countMin = 8
  /// The chance of a false alarm that is accepted.
  public var chanceMax = 0.01
  /// The shift that matters to people: more than both.
  public var shiftShareMin = 0.05
  public var shiftNanosecondsMin = 20_000_000.0

  public init() {}
}

/// What the durations of one metric in one stratum say.
public struct TimingResult: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    case slower, faster, unchanged
    /// With the reason.
    case inconclusive(String)

    public var word: String {
      switch self {
      case .slower: "slower"
      case .faster: "faster"
      case .unchanged: "unchanged"
      case .inconclusive: "inconclusive"
      }
    }
  }

  public var app: String
  public var metric: String
  public var stratum: String
  public var referenceCount: Int
  public var candidateCount: Int
  public var referenceMedianNanoseconds: Double
  public var candidateMedianNanoseconds: Double
  /// The Hodges-Lehmann shift.
  public var shiftNanoseconds: Double
  public var interval: Bootstrap?
  /// The chance that the candidate looks slower by accident, and the same corrected for the number
  /// of tests.
  public var p = 1.0
  public var adjustedP = 1.0
  public var decision = Decision.unchanged

  fileprivate var oppositeP = 1.0
  fileprivate var adjustedOppositeP = 1.0
}

public enum TimingComparison {
  /// Numbers of one sample that are used: more decide nothing better and cost time.
  public static let samplesMax = 10_000

  /// Compares all samples of a call, as the correction depends on their number.
  public static func results(
    of samples: [TimingSamples], thresholds: TimingThresholds = TimingThresholds()
  ) -> [TimingResult] {
    var results = samples.map { result(of: $0, thresholds) }
    let tested = results.indices.filter { results[$0].interval != nil }
    let slower = FalseDiscoveries.adjusted(tested.map { results[$0].p })
    let faster = FalseDiscoveries.adjusted(tested.map { results[$0].oppositeP })
    for (place, index) in tested.enumerated() {
      results[index].adjustedP = slower[place]
      results[index].adjustedOppositeP = faster[place]
      results[index].decision = decision(results[index], thresholds)
    }
    return results
  }

  private static func result(
    of samples: TimingSamples, _ thresholds: TimingThresholds
  ) -> TimingResult {
    let reference = thinned(samples.reference)
    let candidate = thinned(samples.candidate)
    var result = TimingResult(
      app: samples.app, metric: samples.metric, stratum: samples.stratum,
      referenceCount: samples.reference.count, candidateCount: samples.candidate.count,
      referenceMedianNanoseconds: Location.median(ofSorted: reference),
      candidateMedianNanoseconds: Location.median(ofSorted: candidate), shiftNanoseconds: 0)
    if let reason = tooFew(samples, thresholds) {
      result.decision = .inconclusive(reason)
      return result
    }
    result.shiftNanoseconds = Location.shift(
      sortedReference: reference, sortedCandidate: candidate)
    result.interval = Bootstrap(sortedReference: reference, sortedCandidate: candidate)
    result.p = MannWhitney(reference: reference, candidate: candidate)?.p ?? 1
    result.oppositeP = MannWhitney(reference: candidate, candidate: reference)?.p ?? 1
    return result
  }

  private static func tooFew(_ samples: TimingSamples, _ thresholds: TimingThresholds) -> String? {
    let least = max(1, thresholds.countMin)
    let sides = [("reference", samples.reference.count), ("candidate", samples.candidate.count)]
    let few = sides.filter { $0.1 < least }.map {
      $0.1 == 0 ? "the \($0.0) has none" : "the \($0.0) has only \($0.1)"
    }
    return few.isEmpty ? nil : "\(few.joined(separator: " and ")) of at least \(least)"
  }

  private static func decision(
    _ result: TimingResult, _ thresholds: TimingThresholds
  ) -> TimingResult.Decision {
    guard let interval = result.interval else { return result.decision }
    let size = max(
      thresholds.shiftNanosecondsMin,
      thresholds.shiftShareMin * result.referenceMedianNanoseconds)
    if result.adjustedP < thresholds.chanceMax, interval.lower > 0, result.shiftNanoseconds > size {
      return .slower
    }
    if result.adjustedOppositeP < thresholds.chanceMax, interval.upper < 0,
      result.shiftNanoseconds < -size
    {
      return .faster
    }
    return .unchanged
  }

  /// The sample sorted, without negative numbers, and thinned evenly if it is too large.
  private static func thinned(_ sample: [Int64]) -> [Int64] {
    let sorted = sample.map { max(0, $0) }.sorted()
    guard sorted.count > samplesMax else { return sorted }
    return (0..<samplesMax).map { sorted[$0 * sorted.count / samplesMax] }
  }
}
