// Users' rules that look at parts of a trace, with what they must say of examples.

extension VerdictTests {
  static let scopes = """
    tracecheck: 1
    kinds: [a.one, b.two, s.open, s.close]
    rules:
      - id: at-most-in-each-scope
        at_most: { event: a.one, count: 1 }
        after_until: [s.open, s.close]
        examples:
          - violates: Two bad scopes; a second opening changes nothing.
            reasons: [null, null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +1s s.open
              +1s a.one
              +1s s.close
              +1s s.open
              +1s a.one
              +1s a.one
              +1s a.one
              +1s s.close
              +1s trace.end reason=clean
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +1s s.close
              +1s a.one
              +1s s.open
              +1s a.one
              +1s trace.end reason=clean
      - id: at-most-per-event
        at_most: { event: a.one, count: 1 }
        per: event
        examples:
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s a.one
              +1s a.one
              +1s trace.end reason=clean
      - id: at-most-in-scopes-of-keys
        at_most: { event: bgtask.expire, count: 1 }
        after_until: [bgtask.begin, bgtask.end]
        key: token
        examples:
          - violates: The end of another key's scope is none of this one's.
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s bgtask.begin token=1
              +1s bgtask.begin token=2
              +1s bgtask.expire token=1
              +1s bgtask.end token=2
              +1s bgtask.expire token=1
              +1s trace.end reason=clean
          - holds: Each scope counts anew.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s bgtask.begin token=1
              +1s bgtask.expire token=1
              +1s bgtask.end token=1
              +1s bgtask.begin token=1
              +1s bgtask.expire token=1
              +1s trace.end reason=clean
      - id: at-least-by-the-end
        at_least: { event: a.one, count: 2 }
        after_until: [s.open, s.close]
        examples:
          - violates: The end closes the scope.
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +1s trace.end reason=clean  # here
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +1s s.open
              +1s s.close
              +1s trace.end reason=clean
          - holds: A second opening changes nothing, before and after.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +1s s.open
              +1s a.one
              +1s s.open
              +1s s.close
              +1s trace.end reason=clean
          - unknown: unknown
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
      - id: at-least-between
        at_least: { event: a.one, count: 2 }
        between: [s.open, s.close]
        examples:
          - holds: The scope is never closed.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +1s trace.end reason=clean
          - unknown: Nobody knows whether it is closed.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
      - id: required-in-scope
        require: { event: b.two, before: a.one }
        after_until: [s.open, s.close]
        examples:
          - violates: It came before the scope.
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s b.two
              +1s s.open
              +1s a.one
              +1s trace.end reason=clean
          - holds: A second opening asks for nothing again.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s s.open
              +1s b.two
              +1s s.open
              +1s a.one
              +1s trace.end reason=clean
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s b.two
              +1s s.close
              +1s s.open
              +1s a.one
              +1s trace.end reason=clean
      - id: held-in-scope
        holds: { resource: [a.one, b.two], at: data.save }
        between: [s.open, s.close]
        examples:
          - violates: violates
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s s.open
              +1s data.save
              +1s s.close  # here
              +1s trace.end reason=clean
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s s.open
              +1s b.two
              +1s data.save
              +1s s.close
              +1s trace.end reason=clean
          - holds: Never closed.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s s.open
              +1s data.save
              +1s trace.end reason=clean
          - unknown: unknown
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s s.open
              +1s data.save
      - id: answered-in-scope
        after: a.one
        expect: b.two
        within: 2s
        between: [s.open, s.close]
        examples:
          - violates: An answer that came too late heals nothing.
            reasons: [null]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +3s b.two
              +1s a.one
              +1s b.two
              +1s s.close  # here
              +1s trace.end reason=clean
          - holds: In time; and each time counts anew.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s a.one
              +1s s.open
              +1s a.one
              +1s a.one
              +1s b.two
              +9s a.one
              +2s b.two
              +1s s.close
              +1s trace.end reason=clean
          - holds: The scope is never closed.
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +9s data.save
              +1s trace.end reason=clean
          - unknown: unknown
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +9s data.save
      - id: replaced-in-scope
        paired: { open: a.one, close: b.two, reopen: replace }
        within: 2s
        between: [s.open, s.close]
        examples:
          - holds: holds
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +1s a.one
              +2s b.two
              +1s s.close
              +1s trace.end reason=clean
          - violates: violates
            reasons: [unclosed]
            trace: |
              +0s proc.start into=foreground reason=user_icon
              +1s s.open
              +1s a.one
              +3s a.one
              +1s b.two
              +1s s.close  # here
              +1s trace.end reason=clean
    """
}
