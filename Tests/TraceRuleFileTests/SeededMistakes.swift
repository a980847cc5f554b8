// Mistakes in files of rules as people make them. `«` stands before the place that must be named.

import TraceRuleFile

/// A file with one mistake, and what must be said of it.
struct SeededMistake: Sendable, CustomStringConvertible {
  var code: RuleFileProblem.Code
  /// What must be suggested; nil where nothing can be.
  var suggestion: String?
  /// The keys of a rule, or a whole file if it begins with `tracecheck`.
  var keys: String

  init(_ code: RuleFileProblem.Code, _ suggestion: String?, _ keys: String) {
    self.code = code
    self.suggestion = suggestion
    self.keys = keys
  }

  var description: String { "\(code.rawValue): \(keys)" }

  /// The file with the mark, which stands before the mistake.
  private var marked: String {
    if keys.contains("tracecheck") { return keys }
    let lines = keys.split(separator: "\n", omittingEmptySubsequences: false)
    return "tracecheck: 1\nrules:\n  - id: it\n    severity: error\n"
      + lines.map { "    \($0)\n" }.joined()
  }

  var text: String { marked.filter { $0 != "«" } }

  /// Line and column of the mistake.
  var place: (line: Int, column: Int) {
    for (number, line) in marked.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if let index = line.unicodeScalars.firstIndex(of: "«") {
        return (number + 1, line.unicodeScalars.distance(from: line.startIndex, to: index) + 1)
      }
    }
    return (1, 1)
  }

  static let all: [SeededMistake] =
    events + keysAndTypes + numbers + expressions + shapes + amounts + meanings + names

  private static let events: [SeededMistake] = [
    SeededMistake(
      .unknownEvent, "delegate.did_enter_background",
      """
      after: delegate.will_resign_active
      expect: «delegate.did_enter_backgruond
      within: 5s
      """),
    SeededMistake(.unknownEvent, "bgtask.begin", "never: «bgtask.begn"),
    SeededMistake(.unknownEvent, "bgtask.begin", "never: «bg_task.begin"),
    SeededMistake(.unknownEvent, "delegate.did_enter_background", "never: «did_enter_background"),
    SeededMistake(
      .unknownEvent, "delegate.did_enter_background", "never: [«applicationDidEnterBackground]"),
    SeededMistake(
      .unknownEvent, "proc.suspend",
      "holds: { resource: [lock.acquire, lock.release], at: «proc.suspnd }"),
    SeededMistake(.unknownEvent, nil, "never: «net.config"),
    SeededMistake(.unknownEvent, "delegate.will_terminate", "never: <«delegate.will_terminat"),
    SeededMistake(
      .unknownEvent, "gl.call",
      "order: { start: a, a: { «gl.cal: b }, b: { gl.context_create: a } }"),
    SeededMistake(.needsQuotes, "\">delegate.will_terminate\"", "never: «>delegate.will_terminate"),
  ]

  private static let keysAndTypes: [SeededMistake] = [
    SeededMistake(.unknownKey, "within", "after: gl.call\nexpect: gl.call\n«whithin: 5s"),
    SeededMistake(.unknownKey, "never", "«nevr: gl.call"),
    SeededMistake(.unknownKey, "message", "never: gl.call\n«mesage: no"),
    SeededMistake(.unknownKey, "close", "paired: { open: gl.call, «closes: gl.call }"),
    SeededMistake(.unknownKey, "before", "require: { event: gl.call, «befor: gl.call }"),
    SeededMistake(.misplacedKey, nil, "never: gl.call\n«within: 5s"),
    SeededMistake(.missingKey, nil, "paired: «{ open: gl.call }"),
    SeededMistake(.missingKey, nil, "tracecheck: 1\nrules:\n  - «never: gl.call"),
    SeededMistake(.duplicateKey, nil, "never: gl.call\n«never: file.access"),
    SeededMistake(
      .duplicateID, nil,
      "tracecheck: 1\nrules:\n  - { id: a, never: gl.call }\n  - { id: «a, never: gl.call }"),
    SeededMistake(
      .badID, "no-gl", "tracecheck: 1\nrules:\n  - id: «no gl\n    never: gl.call"),
    SeededMistake(.badVersion, "1", "tracecheck: «2\nrules:\n  - { id: a, never: gl.call }"),
    SeededMistake(
      .badWord, "replace", "paired: { open: gl.call, close: gl.call, reopen: «replce }"),
    SeededMistake(.badWord, "launch", "never: gl.call\nper: «lanch"),
    SeededMistake(.badWord, "ios8", "never: gl.call\nprofiles: [ios7, «iso8]"),
    SeededMistake(.badType, "true", "never: gl.call\nclauses_are_independent: «yes"),
    SeededMistake(
      .badSeverity, "warning",
      "tracecheck: 1\nrules:\n  - id: a\n    severity: «warnng\n    never: gl.call"),
    SeededMistake(
      .badSeverity, "error",
      "tracecheck: 1\nrules:\n  - id: a\n    severity: «critical\n    never: gl.call"),
  ]

  private static let numbers: [SeededMistake] = [
    SeededMistake(.numberWithoutUnit, "5s", "after: gl.call\nexpect: gl.call\nwithin: «5"),
    SeededMistake(.numberWithoutUnit, "0.5s", "lasts: { span: gl.call, max: «0.5 }"),
    SeededMistake(.badDuration, "5s", "after: gl.call\nexpect: gl.call\nwithin: «5sec"),
    SeededMistake(.badDuration, "2m", "after: gl.call\nexpect: gl.call\nwithin: «2 minutes"),
    SeededMistake(.badNumber, nil, "at_most: { event: gl.call, count: «few }"),
    SeededMistake(
      .unknownParameter, "$limit",
      "parameters: { limit: 5s }\nlasts: { span: work.span, max: «$limt, up_to: $limit }"),
    SeededMistake(.unusedParameter, nil, "parameters: { «limit: 5s }\nnever: gl.call"),
  ]

  private static let expressions: [SeededMistake] = [
    SeededMistake(.unknownArgument, "kind", "never: gl.call\nwhere: «kinnd == draw"),
    SeededMistake(
      .unknownArgument, "token", "paired: { open: bgtask.begin, close: bgtask.end, key: «tokn }"),
    SeededMistake(.unknownArgument, "context", "never: gl.call\nkey: «contxt"),
    SeededMistake(.unknownArgument, nil, "never: { event: gl.call, key: «fps }"),
    SeededMistake(
      .unknownArgument, "count",
      "never: gl.call\nwhere: kind == draw\n  and submit_id > 3\n  and «cont > 3"),
    SeededMistake(
      .unknownArgument, "count", "never: gl.call\nwhere: >-\n  kind == draw\n  and «cont > 3"),
    SeededMistake(.badWhere, "==", "never: gl.call\nwhere: kind «= draw"),
    SeededMistake(.badWhere, "and", "never: gl.call\nwhere: kind == draw «&& count > 3"),
    SeededMistake(.vacuous, "draw", "never: gl.call\nwhere: kind == «drow"),
    SeededMistake(.unknownState, "background", "never: gl.call\nwhile: phase == «backgroud"),
    SeededMistake(.unknownState, "phase", "never: gl.call\nwhile: «phas == background"),
    SeededMistake(.unknownFact, "may_run", "never: gl.call\nwhile: not «may_rn"),
    SeededMistake(
      .unknownFact, "open",
      "facts: [{ name: open, set: gl.call }]\n"
        + "never: { event: file.access, while: fact(open) and fact(«opn) }"),
    SeededMistake(
      .unknownField, "background_modes",
      "never: gl.call\nunless: { declared: «backgroundmodes, has: audio }"),
    SeededMistake(.unknownField, "key", "never: gl.call\nmessage: \"call on {«ky}\""),
    SeededMistake(
      .unknownState, "open", "order: { start: «opn, open: { gl.call: open } }"),
    SeededMistake(
      .unknownState, "closed",
      "order: { start: closed, closed: { gl.call: open }, open: { file.access: «closd } }"),
    SeededMistake(
      .unreachableState, nil,
      "order: { start: a, a: { gl.call: b }, b: { file.access: a }, «c: { data.save: a } }"),
    SeededMistake(
      .unsupported, "continuous",
      "lasts: { state: [gl.call, data.save], max: 1s }\n"
        + "clock: «wall"),
  ]

  private static let shapes: [SeededMistake] = [
    SeededMistake(.noPattern, nil, "tracecheck: 1\nrules:\n  - «id: a\n    severity: error"),
    SeededMistake(.twoPatterns, nil, "never: gl.call\n«at_most: { event: gl.call, count: 3 }"),
    SeededMistake(.twoScopes, nil, "never: gl.call\nafter: data.save\n«until: data.dirty"),
    SeededMistake(.badType, nil, "never: gl.call\nbetween: «[data.save]"),
    SeededMistake(
      .noAliases, "\"*save\"", "never: work.span\nmessage: «*save"),
    SeededMistake(.notYAML, "\"no: no\"", "never: gl.call\nmessage: no«: no"),
    SeededMistake(.notYAML, nil, "never: gl.call\nmessage: «\"no end"),
    SeededMistake(
      .vacuous, nil,
      "facts: [«{ name: open, set: [] }]\n"
        + "never: { event: gl.call, while: fact(open) }"),
    SeededMistake(
      .vacuous, nil,
      "tracecheck: 1\nrules:\n  - «id: a\n    never: gl.call\n    while: phase == unknown"),
  ]
}
