// Which reports a check makes, and what they need to know of the place they are read at.

import ArgumentParser
import TraceExport
import TraceGate
import TraceIO
import TraceLifecycle
import TracePipeline
import TraceRules

/// What is reported, and how.
struct ReportOptions: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Report as text, json, jsonl, sarif, junit, github, gitlab, markdown or html, to a file if"
        + " one is named. Repeatable; text on standard output if not given.",
      valueName: "format[=file]"))
  var reports: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file of the repository that SARIF results are shown at, as captures seldom lie in the"
        + " repository.", valueName: "path"))
  var sarifAnchor: String?

  @Option(
    help: ArgumentHelp(
      "Where timelines of the captures can be opened, for links in reports; {name} stands for the"
        + " capture's file name without its ending, {trace_id} for the trace's id.",
      valueName: "address"))
  var timelineLink: String?

  @Option(help: "Use colours.")
  var color: ColorChoice = .auto

  @Flag(help: "List the rules that couldn't be decided or were not checked, and how often.")
  var undecided = false

  @Flag(
    help: ArgumentHelp(
      "Add what was measured to each trace of the reports json and jsonl: launches, durations, ends"
        + " and states."))
  var measures = false

  @Flag(name: .shortAndLong, help: "Print findings only.")
  var quiet = false

  /// What the writers of reports know.
  ///
  /// - Parameter failOn: The level that fails the call.
  func context(_ rules: [Rule], failOn: FailureLevel) throws(UsageError) -> ReportContext {
    if sarifAnchor == "" { throw UsageError("--sarif-anchor names no file") }
    let names = reports.map { String($0.prefix { $0 != "=" }) }
    if measures, !names.contains(ReportFormat.json.name), !names.contains(ReportFormat.jsonl.name) {
      throw UsageError(
        "--measures adds to the reports json and jsonl, and none of them is asked for; add for"
          + " example --report jsonl=FILE")
    }
    if timelineLink == "" { throw UsageError("--timeline-link names no address") }
    let texts = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
    var context = ReportContext(
      toolVersion: TraceCheck.version, isQuiet: quiet, listsUndecided: undecided
    ) { id in texts[id].map(RuleText.init) ?? GateRule.text(id) }
    context.failsFrom =
      switch failOn {
      case .error: .error
      case .warning: .warning
      case .note: .note
      case .never: nil
      }
    context.tellsMeasures = measures
    context.ruleExplaining = { measure, judgement in
      guard let ending = Ending(measure) else { return nil }
      return WhyStory(
        capture: JudgedCapture(path: ""), traceNumber: nil, judgement: judgement, endings: []
      ).account(of: ending).rule
    }
    context.sarifAnchor = sarifAnchor
    context.timelineLink = timelineLink.map(TimelineLink.init)
    context.paths = Self.paths()
    return context
  }

  /// Folders above the working one that are looked at for the repository's root.
  private static let foldersMax = 64

  /// Paths are told from the root of the repository: the nearest folder with a `.git`.
  private static func paths() -> ReportPaths {
    guard let folder = ProcessEnvironment.workingFolder() else { return ReportPaths() }
    var root = folder
    for _ in 0..<foldersMax {
      if DirectoryListing.kind(of: root + "/.git") != .missing {
        return ReportPaths(workingFolder: folder, root: root)
      }
      guard let slash = root.lastIndex(of: "/"), slash != root.startIndex else { break }
      root = String(root[..<slash])
    }
    return ReportPaths(workingFolder: folder)
  }
}
