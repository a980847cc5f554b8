// Says on a terminal how far a long check is.

import TraceIO
import TraceModel

/// One line on standard error that is written over and over, after half a second, on a terminal.
///
/// A class, because it counts from several closures.
final class Progress {
  private static let firstNanoseconds: Int64 = 500_000_000
  private static let intervalNanoseconds: Int64 = 200_000_000

  private var stream = OutputStream.standardError
  private let isShown: Bool
  private var nextNanoseconds: Int64
  private var captures = 0
  private var events = 0
  private var isVisible = false

  init(startNanoseconds: Int64) {
    isShown = stream.isTerminal
    nextNanoseconds = startNanoseconds + Self.firstNanoseconds
  }

  func add(events count: Int) {
    events += count
    guard isShown else { return }
    let now = ProcessEnvironment.monotonicNanoseconds()
    if now < nextNanoseconds { return }
    nextNanoseconds = now + Self.intervalNanoseconds
    isVisible = true
    try? stream.write("\r\u{1B}[Kchecked \(captures) captures, \(events) events")
  }

  func addCapture() { captures += 1 }

  /// Takes the line away before something else is printed.
  func clear() {
    if !isVisible { return }
    isVisible = false
    try? stream.write("\r\u{1B}[K")
  }
}
