// Users' rules at the ends and gaps of traces, with what they must say of examples.

extension VerdictTests {
  static let ends = """
    tracecheck: 1
    kinds: [a.one, b.two, s.open, s.close]
    rules:
      - id: open-span
        lasts: { span: work.span, max: 1s }
        examples:
          - violates: A span that never returns.
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s >work.span class=upload
              +5s trace.end reason=clean
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s >work.span class=upload
              +1s <work.span
              +1s trace.end reason=clean
      - id: span-may-stay-open
        lasts: { span: work.span, max: 1s, at_end: ok }
        examples:
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s >work.span class=upload
              +5s trace.end reason=clean
      - id: span-on-a-clock
        lasts: { span: work.span, max: 2s }
        clock: watchdog
        examples:
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s >work.span class=upload
              +3s <work.span
              +1s trace.end reason=clean
      - id: nested-balance
        paired: { open: a.one, close: b.two, reopen: nest }
        examples:
          - violates: One close too many.
            reasons: [unbalanced]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s a.one
              +1s b.two
              +1s b.two
              +1s b.two
              +1s trace.end reason=clean
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s a.one
              +1s b.two
              +1s b.two
              +1s trace.end reason=clean
          - unknown: It may have been opened before the recording.
            trace: |
              +0s gl.call kind=draw
              +1s b.two
              +1s b.two
      - id: held
        holds: { resource: [a.one, b.two], at: data.save }
        examples:
          - unknown: It may have been acquired before the recording.
            trace: |
              +0s gl.call kind=draw
              +1s data.save
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s data.save
              +1s trace.end reason=clean
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s b.two
              +1s data.save
              +1s trace.end reason=clean
      - id: answered-by-the-end
        after: a.one
        expect: b.two
        within: 5s
        examples:
          - violates: After the end nothing comes.
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s trace.end reason=clean
          - unknown: unknown
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s gl.call kind=draw
      - id: answered-or-ended
        after: a.one
        expect: b.two
        within: 5s
        at_end: ok
        examples:
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s trace.end reason=clean
      - id: in-order
        order: { start: a, a: { a.one: b }, b: { a.one: c, b.two: a }, c: { b.two: c } }
        examples:
          - violates: After it the machine may be in a or in c.
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s b.two  # here
              +1s a.one
              +1s trace.end reason=clean
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s a.one
              +1s a.one  # here
              +1s trace.end reason=clean
          - unknown: In state a it would be wrong.
            trace: |
              +0s gl.call kind=draw
              +1s b.two
          - unknown: Events were lost.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s trace.lost
              +1s a.one
      - id: balanced
        paired: { open: a.one, close: b.two }
        examples:
          - unknown: It may have been opened before the recording.
            trace: |
              +0s gl.call kind=draw
              +1s b.two
          - violates: violates
            reasons: [unbalanced]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s b.two  # here
              +1s trace.end reason=clean
      - id: large-numbers
        never:
          event: bgtask.begin
          where: token == 18446744073709551615 or token == 9007199254740993
        examples:
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s bgtask.begin token=18446744073709551614
              +1s bgtask.begin token=9007199254740992
              +1s bgtask.begin token=18446744073709551615  # here
              +1s trace.end reason=clean
    """
}
