// Limits that a team sets for durations: `launch.p95=400ms`.

import TraceModel
import TraceNotation

/// The most that a duration may take, for a share of the captures.
public struct Budget: Hashable, Sendable {
  public var metric: String
  /// From 0 to 100; 100 is the greatest duration.
  public var percent: Double
  public var limitNanoseconds: Int64
  /// As it was written.
  public var text: String

  /// Why a text is no budget.
  public struct Refusal: Error, Hashable, Sendable {
    public var expected: String
  }

  /// - Parameter text: `METRIC.STATISTIC=DURATION`, the statistic being `median`, `max`, or `p`
  ///   with a number up to 100.
  public init(_ text: String) throws(Refusal) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, let dot = sides[0].lastIndex(of: ".") else {
      throw Refusal(expected: "METRIC.STATISTIC=DURATION, for example launch.p95=400ms")
    }
    metric = String(sides[0][..<dot])
    let statistic = sides[0][sides[0].index(after: dot)...]
    switch statistic {
    case "median": percent = 50
    case "max": percent = 100
    default:
      guard statistic.first == "p", let number = Int(statistic.dropFirst()),
        (1...100).contains(number)
      else { throw Refusal(expected: "median, max, or p1 to p100 behind the metric's name") }
      percent = Double(number)
    }
    do throws(DurationText.Failure) {
      limitNanoseconds = try DurationText.nanoseconds(String(sides[1]))
    } catch {
      throw Refusal(expected: "a duration such as 400ms or 1.5s behind =")
    }
    if limitNanoseconds < 0 { throw Refusal(expected: "a duration that isn't negative behind =") }
    self.text = text
  }

  /// What the sample's statistic is; nil for an empty one.
  public func value(of sample: [Int64]) -> Int64? {
    sample.isEmpty ? nil : Location.percentile(percent, ofSorted: sample.sorted())
  }
}
