// LC812: the locale changed, and views and cached formatters are not made anew.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC812 {
  private static let change = FieldTest.isText(.name, ["NSCurrentLocaleDidChangeNotification"])

  static let rule = Rule(
    id: "LC812",
    slug: "notification/locale-not-refreshed",
    severity: .note,
    summary: """
      An app that caches formatters or texts of a locale makes them anew within 2 seconds after \
      the locale has changed.
      """,
    rationale: """
      The user can change language and region while the app is suspended. A date or number \
      formatter keeps the locale it was made with, and so does every text that came from it.
      """,
    consequence: "Dates, times, numbers and prices are shown in the format of the old region.",
    advice: """
      Throw cached formatters away in the observer of NSCurrentLocaleDidChangeNotification and \
      fill the visible views again; autoupdatingCurrentLocale saves the first half.
      """,
    sources: [.appStates("Handling Locale Changes Gracefully")],
    needs: ["note", "app"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("limit", .nanoseconds, 2_000_000_000, .toolDefault)],
    facts: [LC810.reacted("locale", to: change)],
    clauses: [
      Clause(
        .note, applies: .isTrue(.usesLocalCachesOfLocale),
        LC810.reaction("locale", to: change),
        message: "{what} told of a changed locale, and nothing was refreshed within {limit}")
    ],
    examples: [
      .violates(
        "Nothing is refreshed after the resume.",
        """
        \(header)
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver \(changed) queued=true
        +100ms  delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_become_active for 1ms
        +5s     trace.end reason=clean  # here
        """),
      .violates(
        "A nanosecond too late, in a running app.",
        """
        \(header)
        \(Step.launch)
        +1s     >note.deliver \(changed) queued=false
        +1s     <note.deliver
        +2.000000001s app.react subject=locale  # here
        \(Step.end)
        """),
      .violates(
        "The first change is followed, the second isn't; another reaction is none to this.",
        """
        \(header)
        \(Step.launch)
        +1s     >note.deliver \(changed)
        +10ms   app.react subject=locale
        +10ms   <note.deliver
        +60s    note.deliver for 10ms \(changed)
        +1s     app.react subject=settings
        +4s     trace.marker text=later  # here
        \(Step.end)
        """),
      .holds(
        "Refreshed inside the handler.",
        """
        \(header)
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   >note.deliver \(changed) queued=true
        +10ms   app.react subject=locale
        +10ms   <note.deliver
        +5s     trace.end reason=clean
        """),
      .holds(
        "Refreshed after the handler, at the last moment.",
        """
        \(header)
        \(Step.launch)
        +1s     note.deliver \(changed)
        +2s     app.react subject=locale
        +5s     trace.end reason=clean
        """),
      .holds(
        "Another change than that of the locale.",
        """
        \(header)
        \(Step.launch)
        +1s     note.deliver name=UIApplicationSignificantTimeChangeNotification
        +5s     trace.end reason=clean
        """),
      .holds(
        "An app that keeps nothing of the locale.",
        """
        header os_version=8.0 sdk_linked=8.0 uses_local_caches_of_locale=false
        \(Step.launch)
        +1s     note.deliver \(changed)
        +5s     trace.end reason=clean
        """),
      .unknown(
        "The trace stops before the time is over.",
        """
        \(header)
        \(Step.launch)
        +1s     note.deliver \(changed)
        +1s     trace.marker text=last
        """),
    ])

  private static let header =
    "header os_version=8.0 sdk_linked=8.0 uses_local_caches_of_locale=true"
  private static let changed = "name=NSCurrentLocaleDidChangeNotification"
}
