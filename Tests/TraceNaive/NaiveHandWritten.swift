// The door to second writings of the monitors that are no combination of patterns, one file each.

import TraceRules

enum NaiveHandWritten {
  /// What a monitor of its own reports for a clause; nil if it hasn't been written a second time.
  static func hits(
    _ written: HandWritten, _ clause: Clause, _ rule: Rule, _ trace: NaiveTrace,
    _ isUnknown: inout Bool
  ) -> [NaiveHit]? {
    nil
  }
}
