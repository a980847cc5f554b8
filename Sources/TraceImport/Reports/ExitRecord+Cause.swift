// The cause of an end as all of its record tells it: who ended the app counts beside the code.
// This file must not know in which line or report a record stands.

import TraceModel

extension ExitRecord {
  /// The record of an end of a row of the table of ends, with its cause and its first code.
  init(endOf id: String) {
    let row = Terminations.named(id)
    self.init(cause: row?.cause ?? "unknown", code: row?.codes.first)
  }

  /// What the end means; nil where nothing of the record says why.
  var meaning: Termination? {
    if isMetalRefusal { return Terminations.named("metal-refusal") }
    let words = [explanation, watchdogEvent].compactMap { $0 }.joined(separator: " ")
    return Terminations.meaning(
      cause: weighedCause, code: code, namespace: namespace,
      description: words.isEmpty ? nil : words, visibility: visibility)
  }

  /// The parts of the system that watch over assertions, background tasks among them. What they
  /// wait for otherwise they say in words: "Failed to terminate gracefully".
  private static let assertionKeepers: Set<String> = ["RUNNINGBOARD", "ASSERTIOND"]

  /// Whether a keeper of assertions gave the watchdog's code and no words: then most likely a
  /// background task was not ended in time, as callbacks and scenes are others' to watch.
  var isWordlessExpiry: Bool {
    cause == "watchdog" && code == Terminations.watchdogCode && explanation == nil
      && watchdogEvent == nil && namespace.map(Self.assertionKeepers.contains) == true
  }

  /// The cause that is told of the end.
  var weighedCause: String {
    guard isWordlessExpiry else { return cause }
    return contradiction == nil ? "bgtask_expired" : "unknown"
  }
}
