// The short forms of patterns: each means the same as a pattern that is written out in full.

import Testing
import TraceModel
import TraceRuleFile
import TraceRules

@Suite struct ShortFormTests {
  /// The clauses and facts of the one rule of a file, as texts; problems otherwise.
  func meaning(_ lines: String) -> String {
    let indented = lines.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let text = "tracecheck: 1\nrules:\n  - id: it\n    message: m\n\(indented)\n"
    let (rules, problems) = RuleFile.parse(text, name: "it.yaml")
    guard problems.isEmpty, let rule = rules.first else {
      return problems.map(\.text).joined(separator: "\n")
    }
    let clauses = rule.clauses.map { CanonicalDump.text($0.pattern) }.joined(separator: "\n")
    return clauses + "\n" + CanonicalDump.text(rule.facts)
  }

  func expectSame(
    _ short: String, _ full: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(meaning(short) == meaning(full), sourceLocation: sourceLocation)
  }

  @Test func neverWithAState() {
    expectSame(
      """
      never: loc.update
      while: phase == background
      """,
      """
      never: { event: loc.update, while: phase == background, per: event }
      """)
  }

  @Test func neverSeveralKindsAtOnce() {
    expectSame(
      """
      never: [gl.call, gl.context_create]
      where: kind != delete
      per: thread
      """,
      """
      never: { event: [gl.call, gl.context_create], where: not kind == delete, per: key, key: thread }
      """)
  }

  @Test func neverInsideBracketsThatMustClose() {
    expectSame(
      """
      never: file.access
      between: [delegate.will_resign_active, delegate.did_become_active]
      """,
      """
      facts:
        - name: scope 1
          set: delegate.will_resign_active
          clear: delegate.did_become_active
      expect:
        opens: { event: file.access, while: fact("scope 1") }
        reopening: keep
        due: { at: delegate.did_become_active }
        per: event
        is_undecided_if_cut_off: true
      """)
  }

  @Test func neverAfterUntilWithAKey() {
    expectSame(
      """
      never: http.request
      key: session
      after_until: [http.close, http.open]
      """,
      """
      facts:
        - { name: scope 1, set: http.close, clear: http.open, key: session }
      never: { event: http.request, while: fact("scope 1"), per: key, key: session }
      """)
  }

  @Test func neverBeforeAnEvent() {
    expectSame(
      """
      never: ui.alert_show
      until: delegate.did_become_active
      """,
      """
      facts:
        - { name: scope 1, set: delegate.did_become_active }
      never: { event: ui.alert_show, while: not fact("scope 1"), per: event }
      """)
  }

  @Test func requireBefore() {
    expectSame(
      """
      require: { event: http.config, before: http.request }
      key: session
      after_until: [session.open, session.close]
      """,
      """
      facts:
        - { name: scope 1, set: session.open, clear: session.close, key: session }
        - name: required 1
          set: { event: http.config, while: fact("scope 1") }
          clear: session.close
          key: session
      never:
        event: http.request
        while: fact("scope 1") and not fact("required 1")
        per: key
        key: session
      """)
  }

  @Test func orderOfEvents() {
    expectSame(
      """
      order:
        key: session
        start: closed
        closed: { http.open: open }
        open: { http.request: open, http.close: closed }
      """,
      """
      order:
        key: session
        start: closed
        edges:
          - { from: closed, event: http.open, to: open }
          - { from: open, event: http.request, to: open }
          - { from: open, event: http.close, to: closed }
      """)
  }

  @Test func counted() {
    expectSame(
      """
      at_most: { event: loc.start, count: 3 }
      """,
      """
      never: { event: loc.start, max: 3, per: launch }
      """)
    expectSame(
      """
      at_most: { event: http.request, count: 3 }
      key: session
      after_until: [http.open, http.close]
      """,
      """
      facts:
        - { name: scope 1, set: http.open, clear: http.close, key: session }
      never:
        event: http.request
        while: fact("scope 1")
        max: 3
        key: session
        per: event
        resets: { event: http.close, key: session }
      """)
    expectSame(
      """
      at_least: { event: data.save, count: 2 }
      after_until: [delegate.will_resign_active, proc.suspend]
      """,
      """
      facts:
        - name: first 1
          set: { event: delegate.will_resign_active, while: not fact("scope 1") }
          clear: { event: delegate.will_resign_active, while: fact("scope 1") }
        - { name: scope 1, set: delegate.will_resign_active, clear: proc.suspend }
      expect:
        opens: { event: delegate.will_resign_active, while: fact("first 1") }
        closes: data.save
        closes_needed: 2
        due: [{ at: proc.suspend }, { process_end: proc.exit }, recording_end]
        per: event
      """)
  }

  @Test func rates() {
    expectSame(
      """
      limit: { event: loc.update, max: 10, per: 1s, for: 5s }
      while: phase == background
      """,
      """
      limit:
        event: { event: loc.update, while: phase == background }
        max: 10
        window: 1s
        for: 5s
        per: launch
      """)
  }

  @Test func lengthsFromEventToEvent() {
    expectSame(
      """
      lasts: { state: [http.open, http.close], max: 10s, min: 1s }
      key: session
      """,
      """
      facts:
        - { name: short 1, set: http.open, key: session, lasts: 1s }
      clauses:
        - expect: { opens: http.open, closes: http.close, key: session, due: { within: 10s } }
        - never: { event: http.close, while: fact("short 1"), per: event, key: session }
      """)
  }

  @Test func lengthsOfStates() {
    expectSame(
      """
      lasts: { state: phase == inactive, max: 10s }
      """,
      """
      lasts: { condition: phase == inactive, max: 10s, per: event }
      """)
  }

  @Test func nothingHeld() {
    expectSame(
      """
      holds: { resource: [lock.acquire, lock.release], at: proc.suspend }
      key: lock
      """,
      // The second clause is never violated: it tells where nobody knows what is held.
      """
      facts:
        - { name: held 1, set: lock.acquire, clear: lock.release, key: lock }
      clauses:
        - expect:
            opens: lock.acquire
            closes: lock.release
            key: lock
            due: { at: proc.suspend }
        - never:
            event: proc.suspend
            while: any_fact("held 1") and not any_fact("held 1")
            per: event
      """)
  }

  @Test func unlessDeclared() throws {
    let text = """
      tracecheck: 1
      rules:
        - id: no-location-in-background
          never: loc.update
          while: phase == background
          unless: { declared: background_modes, has: location }
          severity: error
      """
    let (rules, problems) = RuleFile.parse(text, name: "rules.yaml")
    #expect(problems.isEmpty)
    let clause = try #require(rules.first?.clauses.first)
    #expect(clause.applies == .not(.has(.backgroundModes, "location")))
    #expect(clause.severity == .error)
    #expect(rules.first?.needs == ["loc"])
  }

  @Test func parametersAndExpressions() throws {
    let text = """
      tracecheck: 1
      rules:
        - id: it
          parameters: { limit: 5s, calls: 3 }
          never:
            event: gl.call
            where: kind in (draw, "present") and not (count <= $calls or present(submit_id))
            max: $calls
            late: 5ms
      """
    let (rules, problems) = RuleFile.parse(text, name: "rules.yaml")
    #expect(problems.map(\.code) == [.unusedParameter])
    guard case .never(let never)? = rules.first?.clauses.first?.pattern else {
      Issue.record("no pattern")
      return
    }
    #expect(
      never.event.test
        == .all([
          .isText(.kind, ["draw", "present"]),
          .not(.any([.compare(.count, .atMost, .parameter("calls")), .isPresent(.submitId)])),
        ]))
    #expect(never.max == .parameter("calls"))
  }
}
