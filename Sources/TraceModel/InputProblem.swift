// What is wrong with an input, and where. Every reader reports through it; upper layers add the
// file's name.

/// A defect of an input: what was found, what was expected, where, and what that costs.
///
/// A problem is reported beside the events that can be read; only ``Consequence/refused`` ends
/// the reading.
public struct InputProblem: Error, Hashable, Sendable {
  public enum Consequence: String, Hashable, Sendable {
    /// A part was skipped; the rest is read.
    case skipped
    /// The input stops in the middle of a record, which is how the trace of a killed app ends.
    case truncated
    /// Nothing more can be read.
    case refused
  }

  public enum Location: Hashable, Sendable {
    case input
    /// Bytes of the input, from 0.
    case bytes(Range<UInt64>)
    /// A place in a text: line and column from 1, the column counted in bytes.
    case line(Int, column: Int)
  }

  public var consequence: Consequence
  public var location: Location
  /// One sentence without a final dot: what was found, and what was expected.
  public var message: String
  /// What the reader of the message can do; empty if nothing helps.
  public var advice: String

  public init(
    _ consequence: Consequence, at location: Location, _ message: String, advice: String = ""
  ) {
    self.consequence = consequence
    self.location = location
    self.message = message
    self.advice = advice
  }
}
