// What the clauses that explain kills have in common: which kills they mean, and how their examples
// begin. This file must not know any rule.

import TraceModel

extension Clause {
  /// A clause for kills that say themselves what the app did.
  static func kill(
    _ severity: Severity, where test: FieldTest, applies: HeaderTest? = nil,
    message: MessageTemplate
  ) -> Clause {
    Clause(
      severity, applies: applies, .never(Never(.on(.procKill, where: test), per: .launch)),
      evidence: .kill, message: message)
  }
}

extension FieldTest {
  /// Kills by the watchdog whose description has one of these words.
  static func watchdog(_ words: String...) -> FieldTest {
    .all([
      .any([
        .compare(.code, .equal, .fixed(0x8bad_f00d)), .isText(.cause, ["watchdog"]),
      ]),
      .any(words.map { .matches(.description, "*\($0)*") }),
    ])
  }

  /// The same for the words of systems that know no scenes.
  static func watchdogWithoutScene(_ word: String) -> FieldTest {
    .all([
      watchdog(word),
      .not(.any(["scene-update", "scene-create"].map { .matches(.description, "*\($0)*") })),
    ])
  }

  /// Words by which a description says what the watchdog waited for.
  static let watchdogWords =
    launchWords + [
      "scene-update", "failed to resume", "failed to suspend", "process-exit",
      "terminate gracefully",
    ]
  private static let launchWords = ["scene-create", "process-launch", "failed to launch"]

  /// Kills of which nothing but the watchdog's code is known.
  static let wordlessWatchdog: FieldTest = .all([
    .compare(.code, .equal, .fixed(0x8bad_f00d)),
    .any([.not(.isPresent(.cause)), .isText(.cause, ["watchdog"])]),
    .not(.any(watchdogWords.map { .matches(.description, "*\($0)*") })),
  ])

  /// Kills by the watchdog for a launch that took too long, in the words of all systems.
  static let slowLaunch = watchdog("scene-create", "process-launch", "failed to launch")
}

/// The beginnings of examples of reports.
enum Report {
  /// A report of a system of this version: nothing but the end of the process is known.
  static func of(_ system: String) -> String {
    "header os_version=\(system) coverage=[\"proc\"]\n+0s     trace.start reason=attach"
  }
}
