// What the clauses that explain kills have in common: which kills they mean, and how their examples
// begin. This file must not know any rule.

import TraceModel
import TraceRules

extension Clause {
  /// A clause for kills that say themselves what the app did.
  ///
  /// - Parameters:
  ///   - ends: The ids of the rows of the table of ends that it is about.
  ///   - test: Which kills these are; nil for all that mean one of the rows by themselves.
  static func kill(
    _ severity: Severity, _ ends: String..., where test: FieldTest? = nil,
    applies: HeaderTest? = nil, message: MessageTemplate
  ) -> Clause {
    let test = test ?? (ends.count == 1 ? .end(ends[0]) : .any(ends.map { .end($0) }))
    var clause = Clause(
      severity, applies: applies, .never(Never(.on(.procKill, where: test), per: .launch)),
      evidence: .kill, message: message)
    clause.ends = ends
    return clause
  }
}

extension FieldTest {
  /// Kills that mean a row of the table of ends by themselves: by its code, its cause where that is
  /// enough, or its words where they are.
  static func end(_ id: String) -> FieldTest {
    guard let row = Terminations.named(id) else { return .any([]) }
    var tests = row.codes.map { FieldTest.compare(.code, .equal, .fixed($0)) }
    if row.isOfCause, let cause = row.cause { tests.append(.isText(.cause, [cause])) }
    if row.wordsAreEnough { tests += row.words.map { .matches(.description, "*\($0)*") } }
    return tests.count == 1 ? tests[0] : .any(tests)
  }

  /// Kills by the watchdog with the words of a row of the table of ends.
  static func watchdog(_ id: String) -> FieldTest {
    .all([
      end("watchdog"),
      .any((Terminations.named(id)?.words ?? []).map { .matches(.description, "*\($0)*") }),
    ])
  }

  /// The same for the words of systems that know no scenes.
  static func watchdogWithoutScene(_ id: String) -> FieldTest {
    .all([
      watchdog(id),
      .not(.any(["scene-update", "scene-create"].map { .matches(.description, "*\($0)*") })),
    ])
  }

  /// Kills of which nothing but the watchdog's code is known.
  static let wordlessWatchdog: FieldTest = .all([
    .compare(.code, .equal, .fixed(Terminations.watchdogCode)),
    .any([.not(.isPresent(.cause)), .isText(.cause, ["watchdog"])]),
    .not(
      .any(Terminations.words(ofCause: "watchdog").map { .matches(.description, "*\($0)*") })),
  ])
}

/// The beginnings of examples of reports.
enum Report {
  /// A report of a system of this version: nothing but the end of the process is known.
  static func of(_ system: String) -> String {
    "header os_version=\(system) coverage=[\"proc\"]\n+0s     trace.start reason=attach"
  }
}
