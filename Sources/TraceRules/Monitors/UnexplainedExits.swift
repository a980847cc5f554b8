// Whether a finding of the trace explains the exits that the system counted.
// Hand-written: the findings of other rules decide, those of the whole trace.

import TraceLifecycle
import TraceModel

/// Adds up imported exits by cause, of which there are few, and looks for their explanation when
/// the trace has ended.
final class UnexplainedExits: Monitor {
  private struct Exits {
    /// The row of the category's own counter.
    var meaning: Termination
    var category: String
    /// The rules that explain such exits and are judged here.
    var rules: [Int]
    /// The ids of all rules that explain them, also of other systems.
    var explainers: Set<String>
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
  static func silentRules(beside told: [Rule], _ profile: Profile, from explainers: [Rule])
    -> [Rule]
  {
    let isWanted = told.contains { rule in
      rule.clauses.contains {
        if case .handWritten(.unexplainedExits, because: _) = $0.pattern { true } else { false }
      }
    }
    guard isWanted else { return [] }
    let ids = Set(told.map(\.id))
    let counted = Set(Terminations.all.filter { !$0.counters.isEmpty }.map(\.id))
    return explainers.filter {
      !counted.isDisjoint(with: $0.explains) && !ids.contains($0.id)
        && $0.profiles.contains(profile)
    }
  }

  override var hearsBetweenLaunches: Bool { true }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    kind == .exitImport && phase != .return
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let count = Int(clamping: batch.integer(.count, of: event) ?? 1)
    guard count > 0, let category = batch.text(.category, of: event),
      let counted = Terminations.counted(category)
    else { return }
    if let place = exits.firstIndex(where: { $0.meaning.id == counted.meaning.id }) {
      let (sum, overflow) = exits[place].count.addingReportingOverflow(count)
      exits[place].count = overflow ? .max : sum
      exits[place].lastNanoseconds = event.timeNanoseconds
      return
    }
    let rules = judge.rules.indices.filter { judge.rules[$0].explains(anyOf: counted.rows) }
    // Ends that no rule foresees, such as those in good order, ask for no explanation.
    guard !rules.isEmpty else { return }
    exits.append(
      Exits(
        meaning: counted.meaning, category: category, rules: rules,
        explainers: Set(
          (rules.map { judge.rules[$0] } + judge.options.explainers)
            .filter { $0.explains(anyOf: counted.rows) }.map(\.id)),
        first: PendingWitness(event),
        count: count,
        lastNanoseconds: event.timeNanoseconds, launch: judge.model.launch?.number ?? 1,
        launchStartNanoseconds: judge.model.launch?.startNanoseconds))
  }

  override func traceEnds(_ judge: Judge) {
    for exits in exits {
      let rules = exits.rules
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
    let ids = exits.explainers.sorted().joined(separator: ", ")
    let what = exits.count == 1 ? "1 exit" : "\(exits.count) exits"
    _ = judge.findings.add(
      FindingStore.Entry(
        ruleIndex: ruleIndex,
        draft: Draft(
          clause: 0,
          message:
            "\(what) of category \(exits.category) \(exits.count == 1 ? "is" : "are") explained by no finding of \(ids)",
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
