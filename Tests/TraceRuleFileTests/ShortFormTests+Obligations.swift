// The short forms of obligations: each means the same as patterns that are written out in full.

import Testing

extension ShortFormTests {
  @Test func pairedWithADeadline() {
    expectSame(
      """
      paired: { open: bgtask.begin, close: bgtask.end, key: token, reopen: error }
      within: 30s
      before: proc.suspend
      clock: continuous
      """,
      """
      clauses:
        - expect:
            opens: bgtask.begin
            closes: bgtask.end
            key: token
            due: [{ within: { time: 30s, clock: continuous } }, { at: proc.suspend }]
        - order:
            key: token
            start: closed
            edges:
              - { from: closed, event: bgtask.begin, to: open }
              - { from: open, event: bgtask.end, to: closed }
      """)
  }

  /// A close may belong to an open that doesn't count: nothing is said of it.
  @Test func pairedWhereSomeOpensCount() {
    expectSame(
      """
      paired: { open: bgtask.begin, close: bgtask.end, key: token }
      where: not is_invalid
      """,
      """
      expect:
        opens: { event: bgtask.begin, where: not is_invalid }
        closes: bgtask.end
        key: token
        due: [{ process_end: proc.exit }, recording_end]
      """)
  }

  /// The facts tell a close where as many closes as opens came before it, in launches of which
  /// nothing is missing.
  @Test func pairedThatNests() {
    expectSame(
      """
      paired: { open: lock.acquire, close: lock.release, reopen: nest }
      at_end: leak
      """,
      """
      facts:
        - name: surplus 1
          set: { event: lock.release, while: not fact("nested 1") and fact("whole 1") }
          clear: [lock.acquire, { event: lock.release, while: fact("nested 1") }]
        - { name: nested 1, set: lock.acquire, clear: lock.release, nests: true }
        - { name: whole 1, set: [], initially: true }
      clauses:
        - expect:
            opens: lock.acquire
            closes: lock.release
            reopening: nest
            due: [{ process_end: proc.exit }, recording_end]
        - never: { event: lock.release, while: fact("surplus 1"), per: event }
      """)
  }

  @Test func answeredInTime() {
    expectSame(
      """
      after: delegate.will_enter_foreground
      expect: ["<delegate.did_become_active", proc.kill]
      within: 500ms
      """,
      """
      expect:
        opens: delegate.will_enter_foreground
        closes: ["<delegate.did_become_active", proc.kill]
        due: [{ within: 500ms }, { process_end: proc.exit }, recording_end]
      """)
    expectSame(
      """
      after: delegate.will_enter_foreground
      expect: proc.kill
      within: 500ms
      at_end: ok
      """,
      """
      expect:
        opens: delegate.will_enter_foreground
        closes: proc.kill
        due: { within: 500ms }
        at_end: ok
      """)
  }

  /// What comes too late doesn't close: the facts tell what is late, and nothing is said before the
  /// scope is closed.
  @Test func answeredInTimeInsideBrackets() {
    expectSame(
      """
      after: gl.call
      expect: data.save
      within: 2s
      between: [ui.touch, data.dirty]
      """,
      """
      facts:
        - { name: scope 1, set: ui.touch, clear: data.dirty }
        - name: late 1
          set: { event: gl.call, while: fact("scope 1") and not fact("waiting 1") }
          clear_all: data.dirty
          after: 2s
        - name: waiting 1
          set: { event: gl.call, while: fact("scope 1") }
          clear: { event: data.save, while: not fact("late 1") }
          clear_all: data.dirty
      expect:
        opens: { event: gl.call, while: fact("scope 1") and not fact("late 1") }
        closes: { event: data.save, while: not fact("late 1") }
        due: { at: data.dirty }
        is_undecided_if_cut_off: true
      """)
  }

  @Test func answeredBeforeTheScopeEnds() {
    expectSame(
      """
      after: http.request
      expect: http.response
      key: session
      until: http.shutdown
      """,
      """
      facts:
        - { name: scope 1, set: http.shutdown, key: session }
      expect:
        opens: { event: http.request, while: not fact("scope 1") }
        closes: http.response
        key: session
        due: [{ at_same_key: http.shutdown }, { process_end: proc.exit }, recording_end]
      """)
  }
}
