// LM20, the plain way: each imported cause is held against the verdicts of the rules that foresee
// it. How those rules come to their verdicts is compared elsewhere: here the checker is asked.

import TraceCatalogue
import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// The rules that foresee a cause, by the words of importers without case and separators.
  private static let explaining: [(words: [String], rules: [String])] = [
    (
      ["appwatchdog", "watchdog", "0x8badf00d"],
      ["LC003", "LC301", "LC306", "LC310", "LC613", "LM12", "LM13", "LM14", "LM18", "LM19"]
    ),
    (["cpuresourcelimit", "highcpu", "cpulimit"], ["LC207"]),
    (["memoryresourcelimit", "memorylimit"], ["LC841", "LC843"]),
    (["memorypressure", "systempressure"], ["LC205", "LC842"]),
    (["suspendedwithlockedfile", "filelock", "0xdead10cc"], ["LC204", "LM11"]),
    (
      ["backgroundtaskassertiontimeout", "tasktimeout", "bgtaskexpired", "0x2182bad2"],
      ["LC001", "LC102", "LC105", "LM02"]
    ),
    (["gpuinbackground"], ["LC004", "LC401"]),
    (["0x2182bad3"], ["LM19"]), (["0x2182bad4"], ["LC613", "LM18"]),
    (["0xbaadca11"], ["LM12"]), (["0xbad22222"], ["LM13"]),
  ]

  /// Imported causes that no verdict explains.
  func unexplainedExits() -> [NaiveHit] {
    Self.explaining.flatMap { words, rules -> [NaiveHit] in
      let exits = events.indices.compactMap { place -> NaiveHit? in
        let event = events[place]
        guard event.kind == .exitImport, let category = event.text("category"),
          words.contains(Self.plain(category))
        else { return nil }
        let count = event.arguments["count"]?.int64 ?? 1
        guard count > 0 else { return nil }
        return NaiveHit(
          offender: place, time: event.time, moment: place, weight: Int(clamping: count))
      }
      return exits.isEmpty || isExplained(rules) ? [] : joined(exits)
    }
  }

  private static func plain(_ category: String) -> String {
    var word = category.lowercased().filter { !"_- ".contains($0) }
    if word.hasPrefix("cumulative") { word.removeFirst("cumulative".count) }
    for end in ["exitcount", "terminationcount", "exit", "termination"] where word.hasSuffix(end) {
      return String(word.dropLast(end.count))
    }
    return word
  }

  /// Whether one of these rules is violated, or may be.
  private func isExplained(_ rules: [String]) -> Bool {
    let verdicts = Catalogue.all.filter { rules.contains($0.id) }.compactMap(verdict)
    if verdicts.contains(where: { $0.violated > 0 }) { return true }
    // What explains it may be among what nobody recorded.
    if events.contains(where: { $0.losesTrack }) {
      isUnknown = true
      return true
    }
    let isOpen = !verdicts.contains { !$0.notEvaluated } || verdicts.contains { $0.unknown > 0 }
    if isOpen { isUnknown = true }
    return isOpen
  }

  /// What the checker says of a rule alone; nil if the rule isn't for the profile.
  private func verdict(_ rule: Rule) -> VerdictCounts? {
    guard rule.profiles.contains(trace.profile) else { return nil }
    var options = CheckOptions()
    options.rules = [rule]
    options.profile = trace.profile
    var checker = Checker(header: trace.header, options: options)
    for var batch in trace.batches { checker.consume(&batch) }
    return checker.finish(isDamaged: false).verdicts[rule.id] ?? VerdictCounts()
  }
}
