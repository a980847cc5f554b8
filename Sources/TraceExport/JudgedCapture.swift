// What reports say of one input: its traces with their judgements, and what was wrong with it.
// This file must not know how captures are read or how reports look.

public import TraceModel
public import TraceRules

/// An input after it was read and judged, or why it couldn't be.
public struct JudgedCapture: Sendable {
  /// The path as it is to be shown; `-` for standard input.
  public var path: String
  /// The format's name, for example `ndjson`; empty if it wasn't recognised.
  public var format: String
  /// The traces of the capture, in their order. A capture usually holds one.
  public var traces: [Judgement] = []
  /// What was measured of each trace, in the same order; empty if nobody asked.
  public var measures: [TraceMeasures] = []
  /// A hash of the events of each trace, in the same order; empty if nobody asked.
  public var contentHashes: [String] = []
  /// What was wrong with the capture, in the order of its bytes; at most ``problemsMax``.
  public var problems: [InputProblem] = []
  /// Problems that were counted and not kept.
  public var problemsOmittedCount = 0
  /// Whether a part of the capture was skipped as wrong. A capture that simply stops isn't.
  public var isDamaged = false
  /// Why nothing at all could be read; nil for a capture that was read.
  public var failure: CaptureFailure?
  /// Why it has no traces, though nothing is wrong with it; nil for any other capture.
  public var notice: CaptureFailure?
  /// The path of the input whose traces these are too; then the capture isn't reported again.
  public var copyOf: String?
  /// Where the lines of events stand if the capture was made of several files; nil for one file.
  public var sources: SourceMap?

  /// Problems kept of one capture: the first few tell what is wrong, and memory stays bounded.
  public static let problemsMax = 100

  public init(path: String, format: String = "") {
    self.path = path
    self.format = format
  }

  public init(path: String, failure: CaptureFailure) {
    self.init(path: path)
    fail(failure)
  }

  /// Takes note of why it has no more traces. A log that tells nothing of apps is in good order.
  public mutating func fail(_ failure: CaptureFailure) {
    if failure.kind == .eventless { notice = failure } else { self.failure = failure }
  }

  /// Whether it stands for what a gate found, and not for a capture that was read.
  public var isGate: Bool { format == Self.gateFormat }

  /// The format's name of what a gate found.
  public static let gateFormat = "gate"

  /// A file of the capture, for machines that can name only one.
  var anyPath: String { sources?.paths.first ?? path }

  /// Where an event was read: the best place first; none if its source is no text.
  public func places(of event: WitnessEvent) -> [SourcePlace] { places(ofLine: event.line) }

  /// Where an event with this line was read.
  public func places(ofLine line: UInt32) -> [SourcePlace] {
    if line == 0 { return [] }
    return sources?.places(of: line) ?? [SourcePlace(path: path, line: line)]
  }

  public var eventCount: Int { traces.reduce(0) { $0 + $1.eventCount } }

  /// Keeps a problem, or counts it if enough are kept.
  public mutating func add(_ problem: InputProblem) {
    if problem.consequence != .truncated { isDamaged = true }
    if problems.count < Self.problemsMax {
      problems.append(problem)
    } else {
      problemsOmittedCount += 1
    }
  }
}

/// Why an input is no capture, or couldn't be read.
public struct CaptureFailure: Error, Hashable, Sendable {
  /// One sentence without a final dot.
  public var message: String
  /// What the reader of the message can do; empty if nothing helps.
  public var advice: String

  public var kind: Kind

  public enum Kind: Hashable, Sendable {
    case unreadable
    /// It is no capture at all, which is nothing to mention among the files of a directory.
    case foreign
    /// It is a capture in good order that tells nothing of an app.
    case eventless
    /// It is a place of captures, a directory or a list, and there are none in it.
    case captureless
    /// What was to be written couldn't be.
    case output
    /// The user asked for the end before it said anything.
    case interrupted
  }

  /// The failure of an input, or of a whole call, that the user ended.
  public static let interrupted = CaptureFailure("it was interrupted", .interrupted)

  public init(_ message: String, advice: String = "", _ kind: Kind = .unreadable) {
    self.message = message
    self.advice = advice
    self.kind = kind
  }
}
