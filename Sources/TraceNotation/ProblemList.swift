// The problems of one input, counted and bounded.

import TraceModel

/// Problems on their way out: each is handed out once, and after many only their number is.
struct ProblemList: Sendable {
  /// Problems handed out one by one: a file with more of them has one cause.
  static let listedMax = 1_000

  /// Whether there is nothing to take.
  private(set) var isEmpty = true
  private var queued: InputProblem?
  private var listed = 0
  private var unlisted = 0

  /// Adds a problem. The one before must have been taken.
  mutating func add(_ problem: InputProblem) {
    if problem.consequence == .skipped {
      guard listed < Self.listedMax else {
        unlisted += 1
        return
      }
      listed += 1
    }
    queued = problem
    isEmpty = false
  }

  mutating func take() -> InputProblem? {
    defer {
      queued = nil
      isEmpty = true
    }
    return queued
  }

  /// The closing problem that counts those that were not handed out; nil if there are none.
  mutating func takeSummary() -> InputProblem? {
    guard unlisted > 0 else { return nil }
    defer { unlisted = 0 }
    return InputProblem(
      .skipped, at: .input,
      "found \(unlisted) further problems after the first \(Self.listedMax)",
      advice: "repair the first ones: the rest often has the same cause")
  }
}
