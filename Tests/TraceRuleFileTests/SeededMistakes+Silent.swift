// Mistakes that make a rule mean something else than was meant. `«` stands before the place that
// must be named.

import TraceRuleFile

extension SeededMistake {
  static let amounts: [SeededMistake] = [
    SeededMistake(
      .numberWithoutUnit, "5s",
      "parameters: { limit: «5 }\nafter: gl.call\nexpect: data.save\nwithin: $limit"),
    SeededMistake(
      .badNumber, nil, "parameters: { limit: 5s }\nat_most: { event: gl.call, count: «$limit }"),
    SeededMistake(.badNumber, nil, "at_most: { event: gl.call, count: «-1 }"),
    SeededMistake(
      .badNumber, nil,
      "at_least: { event: gl.call, count: «0 }\nbetween: [ui.touch, data.save]"),
    SeededMistake(.badNumber, nil, "limit: { event: gl.call, max: «70000, per: 1s }"),
    SeededMistake(.badDuration, nil, "lasts: { state: [gl.call, data.save], max: 1s, min: «2s }"),
    SeededMistake(
      .unsupported, nil, "lasts: { span: work.span, max: «\"argument(timeout_s, 1s)\" }"),
    SeededMistake(.misplacedKey, nil, "never: gl.call\n«clock: watchdog"),
    SeededMistake(
      .misplacedKey, nil, "limit: { event: gl.call, max: 3, per: 1s }\n«clock: watchdog"),
    SeededMistake(.tooMany, nil, "never: gl.call\nkey: [context, kind, «count]"),
  ]

  static let meanings: [SeededMistake] = [
    SeededMistake(.missingKey, nil, "order: «{ start: a, a: {} }"),
    SeededMistake(.unsupported, nil, "lasts: { span: «gl.context_create, max: 1s }"),
    SeededMistake(.badWhere, nil, "never: { event: bgtask.begin, where: token == «yes }"),
    SeededMistake(.badWhere, "true", "never: { event: bgtask.begin, where: is_invalid == «yes }"),
    SeededMistake(.badWhere, nil, "never: { event: bgtask.begin, where: is_invalid > «3 }"),
    SeededMistake(.badWhere, nil, "never: { event: gl.call, where: «kind }"),
    SeededMistake(.vacuous, nil, "never: gl.call\nwhere: «kind == draw and kind == present"),
    SeededMistake(.vacuous, nil, "never: gl.call\nwhere: «count > 5 and count < 3"),
    SeededMistake(.vacuous, nil, "never: gl.call\nwhile: «phase == active and phase == background"),
    SeededMistake(.vacuous, nil, "never: gl.call\nwhile: «may_run and not may_run"),
    SeededMistake(
      .badWhere, nil,
      "facts: [{ name: open, set: bgtask.begin }]\n"
        + "never: { event: gl.call, while: \"fact(«open, token)\" }"),
    SeededMistake(
      .unknownFact, "task open",
      "facts: [{ name: task open, set: bgtask.begin }]\n"
        + "never: { event: gl.call, while: any_fact(\"task open\") or «task_opn }"),
    SeededMistake(.badMessage, nil, "never: gl.call\nmessage: \"took {«duration}\""),
    SeededMistake(.badMessage, nil, "never: gl.call\nmessage: \"task {«token}\""),
    SeededMistake(
      .unsupported, nil,
      "at_most: { event: gl.call, count: 3 }\nbetween: «[ui.touch, data.save]"),
    SeededMistake(
      .unsupported, nil,
      "paired: { open: ui.touch, close: data.save, «reopen: error }\n"
        + "between: [gl.call, data.dirty]"),
  ]

  static let names: [SeededMistake] = [
    SeededMistake(.badWord, "bgtask", "never: gl.call\nneeds: [gl, «bgtsk]"),
    SeededMistake(.badWord, "LC003", "never: gl.call\nyields: [{ to: «LC03, same: event }]"),
    SeededMistake(
      .vacuous, "audio", "never: gl.call\nunless: { declared: background_modes, has: «audoi }"),
    SeededMistake(
      .badType, "true",
      "never: gl.call\nunless: { declared: multitasking_supported, has: «yes }"),
    SeededMistake(
      .badID, "user/my-rule",
      "tracecheck: 1\nrules:\n  - id: a\n    slug: «My Rule\n    never: gl.call"),
    SeededMistake(.noTags, nil, "never: «!!str gl.call"),
    SeededMistake(.noTags, nil, "needs: «!gl [gl]\nnever: gl.call"),
  ]
}
