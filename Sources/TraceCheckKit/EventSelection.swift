// The options that choose some of a trace's events, for the commands that print or keep those.

import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceModel
import TraceNotation

/// Which events are wanted.
struct EventSelection: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only events this long after the trace's first event, or later: 1.5s, 250ms.",
      valueName: "duration"))
  var after: String?

  @Option(
    help: ArgumentHelp(
      "Only events less than this long after the trace's first event.", valueName: "duration"))
  var before: String?

  @Option(
    help: ArgumentHelp(
      "Only events whose kind matches; * stands for any text, ? for any letter. Repeatable.",
      valueName: "glob"))
  var kind: [String] = []

  @Option(help: ArgumentHelp("Only events of this thread. Repeatable.", valueName: "n"))
  var thread: [Int64] = []

  func filter() throws(UsageError) -> EventFilter {
    EventFilter(
      afterNanoseconds: try Self.nanoseconds(after, "--after"),
      beforeNanoseconds: try Self.nanoseconds(before, "--before"),
      kinds: kind.map(Glob.init), threads: Set(thread))
  }

  private static func nanoseconds(_ text: String?, _ option: String) throws(UsageError) -> Int64? {
    guard let text else { return nil }
    do throws(DurationText.Failure) {
      return try DurationText.nanoseconds(text)
    } catch {
      throw UsageError(
        "\(option) takes a duration such as 1.5s or 250ms, and not"
          + " '\(PrintableText.printable(text, scalarsMax: 80))'")
    }
  }
}
