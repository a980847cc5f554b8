// LM20: whether a finding of the trace explains the exits that the system counted.
// Hand-written: the findings of other rules decide, those of the whole trace.

import TraceLifecycle
import TraceModel

/// Adds up imported exits by cause, of which there are few, and looks for their explanation when
/// the trace has ended.
final class UnexplainedExits: Monitor {
  private struct Exits {
    var cause: ExitCause
    var category: String
    var first: PendingWitness
    var count: Int
    var lastNanoseconds: Int64
    var launch: Int
    var launchStartNanoseconds: Int64?
  }

  private var exits: [Exits] = []
  /// Why the trace may lack what explains an exit; nil if it doesn't.
  private var doubt: String?

  /// The rules that must be judged with the rule for exits, though nobody asked for them.
  static func silentRules(beside told: [Rule], _ profile: Profile) -> [Rule] {
    let isWanted = told.contains { rule in
      rule.clauses.contains {
        if case .handWritten(.unexplainedExits, because: _) = $0.pattern { true } else { false }
      }
    }
    guard isWanted else { return [] }
    let ids = Set(told.map(\.id))
    return Catalogue.all.filter {
      ExitCause.allRules.contains($0.id) && !ids.contains($0.id) && $0.profiles.contains(profile)
    }
  }

  override var hearsBetweenLaunches: Bool { true }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    kind == .exitImport && phase != .return
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let count = Int(clamping: batch.integer(.count, of: event) ?? 1)
    guard count > 0, let category = batch.text(.category, of: event),
      let cause = ExitCause(category)
    else { return }
    if let place = exits.firstIndex(where: { $0.cause == cause }) {
      let (sum, overflow) = exits[place].count.addingReportingOverflow(count)
      exits[place].count = overflow ? .max : sum
      exits[place].lastNanoseconds = event.timeNanoseconds
      return
    }
    exits.append(
      Exits(
        cause: cause, category: category, first: PendingWitness(event), count: count,
        lastNanoseconds: event.timeNanoseconds, launch: judge.model.launch?.number ?? 1,
        launchStartNanoseconds: judge.model.launch?.startNanoseconds))
  }

  override func traceEnds(_ judge: Judge) {
    for exits in exits {
      let rules = judge.rules.indices.filter { exits.cause.rules.contains(judge.rules[$0].id) }
      let isExplained = judge.findings.entries.contains {
        !$0.isWithdrawn && rules.contains($0.ruleIndex)
      }
      if isExplained { continue }
      if let doubt {
        judge.unknown(ruleIndex, doubt)
        continue
      }
      if !rules.contains(where: { !judge.verdicts[$0].notEvaluated }) {
        judge.unknown(ruleIndex, "not-evaluated")
      } else if rules.contains(where: { judge.verdicts[$0].unknown > 0 }) {
        judge.unknown(ruleIndex, "undecided-rules")
      } else {
        report(exits, judge)
      }
    }
  }

  private func report(_ exits: Exits, _ judge: Judge) {
    let event = exits.first.event
    let what = exits.count == 1 ? "1 exit" : "\(exits.count) exits"
    _ = judge.findings.add(
      FindingStore.Entry(
        ruleIndex: ruleIndex,
        draft: Draft(
          clause: 0,
          message:
            "\(what) of category \(exits.category) \(exits.count == 1 ? "is" : "are") explained by no finding of \(exits.cause.rules.joined(separator: ", "))",
          subject: exits.category, timeNanoseconds: event.timeNanoseconds,
          thread: event.thread, count: exits.count, lastTimeNanoseconds: exits.lastNanoseconds,
          witness: [exits.first.witness(role: "offender", in: EventBatch())], context: []),
        launch: exits.launch, launchStartNanoseconds: exits.launchStartNanoseconds))
  }

  override func launchBegan(_ judge: Judge) {
    if judge.model.launch?.isMidLife == true { doubt = doubt ?? "mid-life" }
  }

  override func lost(_ judge: Judge) { doubt = doubt ?? "gap" }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    for place in exits.indices { exits[place].first.keep(from: batch) }
  }
}

/// A cause for which the system ends apps and counts it, and the rules that foresee it.
package enum ExitCause: String, CaseIterable {
  case watchdog, processorTime, memoryLimit, memoryPressure, fileLock, backgroundTask
  case graphics, urlSession, fetch, incomingCall, wakeRate

  /// The words that importers and the system use, without case and separators.
  private var words: [String] {
    switch self {
    case .watchdog: ["appwatchdog", "watchdog", "0x8badf00d"]
    case .processorTime: ["cpuresourcelimit", "highcpu", "cpulimit"]
    case .memoryLimit: ["memoryresourcelimit", "memorylimit"]
    case .memoryPressure: ["memorypressure", "systempressure"]
    case .fileLock: ["suspendedwithlockedfile", "filelock", "0xdead10cc"]
    case .backgroundTask:
      ["backgroundtaskassertiontimeout", "tasktimeout", "bgtaskexpired", "0x2182bad2"]
    case .graphics: ["gpuinbackground"]
    case .urlSession: ["0x2182bad3"]
    case .fetch: ["0x2182bad4"]
    case .incomingCall: ["0xbaadca11"]
    case .wakeRate: ["0xbad22222"]
    }
  }

  /// The rules whose findings explain such an exit.
  var rules: [String] {
    switch self {
    case .watchdog:
      [
        "LC003", "LC301", "LC306", "LC310", "LC613", "LM12", "LM13", "LM14", "LM18", "LM19",
      ]
    case .processorTime: ["LC207"]
    case .memoryLimit: ["LC841", "LC843"]
    case .memoryPressure: ["LC205", "LC842"]
    case .fileLock: ["LC204", "LM11"]
    case .backgroundTask: ["LC001", "LC102", "LC105", "LM02"]
    case .graphics: ["LC004", "LC401"]
    case .urlSession: ["LM19"]
    case .fetch: ["LC613", "LM18"]
    case .incomingCall: ["LM12"]
    case .wakeRate: ["LM13"]
    }
  }

  /// The cause that a category means, in any of its spellings: `app_watchdog`,
  /// `cumulativeAppWatchdogExitCount`, `0x8badf00d`; nil for exits that no rule foresees.
  package init?(_ category: String) {
    var word = category.lowercased()
    word.removeAll { $0 == "_" || $0 == "-" || $0 == " " }
    if word.hasPrefix("cumulative") { word.removeFirst("cumulative".count) }
    for end in ["exitcount", "terminationcount", "exit", "termination"] where word.hasSuffix(end) {
      word.removeLast(end.count)
      break
    }
    guard let cause = Self.allCases.first(where: { $0.words.contains(word) }) else { return nil }
    self = cause
  }

  /// All rules that explain exits.
  static let allRules = Set(allCases.flatMap(\.rules))
}
