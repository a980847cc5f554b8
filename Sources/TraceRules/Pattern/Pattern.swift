// The pattern language: what a clause of a rule asks of a trace. Data only; `Monitors/` runs it.

/// What a clause asks of a trace.
public enum Pattern: Sendable {
  case never(Never)
  case expect(Expect)
  case lasts(Lasts)
  case sums(Sums)
  case openAtMost(OpenAtMost)
  case limit(Limit)
  case order(Order)
  /// A violation if the header passes the test: once for a trace, at time 0 and launch 0.
  case header(HeaderTest)
  /// A monitor of its own; the text says in one sentence why the combinators don't suffice.
  case handWritten(HandWritten, because: String)
}
