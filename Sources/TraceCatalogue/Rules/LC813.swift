// LC813: the iCloud account changed, and the app keeps what belongs to the old one.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC813 {
  private static let change = FieldTest.isText(.name, ["NSUbiquityIdentityDidChangeNotification"])

  static let rule = Rule(
    id: "LC813",
    slug: "notification/icloud-not-updated",
    severity: .note,
    summary: """
      An app that uses iCloud brings its caches and interface up to date within 2 seconds after \
      the account has changed.
      """,
    rationale: """
      The user may have logged out, logged in as somebody else, or switched off the sync of \
      documents. Paths, files and lists of the old account then mean nothing, or belong to \
      somebody else.
      """,
    consequence: """
      The app shows and opens files that are gone, and writes changes where nobody will find them.
      """,
    advice: """
      Compare ubiquityIdentityToken in the observer of NSUbiquityIdentityDidChangeNotification, \
      let go of everything of the old account, and fill the interface again.
      """,
    sources: [.appStates("Handling iCloud Changes")],
    needs: ["note", "app"],
    profiles: Profile.ios5Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 2_000_000_000, .toolDefault)],
    facts: [LC810.reacted("icloud", to: change)],
    clauses: [
      Clause(
        .note, applies: .all([.isTrue(.usesICloud), .system(6, 0)]),
        LC810.reaction("icloud", to: change),
        message: "{what} told of a changed iCloud account, and nothing followed within {limit}")
    ],
    examples: [
      .violates(
        "The app goes on as if nothing had happened.",
        """
        \(header)
        \(Step.launch)
        +1s     note.deliver \(changed)
        +5s     trace.end reason=clean  # here
        """),
      .violates(
        "A nanosecond too late, on the first system that has the notification.",
        """
        header os_version=6.0 sdk_linked=6.0 uses_icloud=true
        \(Step.launch)
        +1s     >note.deliver \(changed)
        +1s     <note.deliver
        +2.000000001s app.react subject=icloud  # here
        \(Step.end)
        """),
      .violates(
        "The first change is followed, the second isn't; another reaction is none to this.",
        """
        \(header)
        \(Step.launch)
        +1s     >note.deliver \(changed)
        +10ms   app.react subject=icloud
        +10ms   <note.deliver
        +60s    note.deliver for 10ms \(changed)
        +1s     app.react subject=settings
        +4s     trace.marker text=later  # here
        \(Step.end)
        """),
      .holds(
        "The handler brings everything up to date.",
        """
        \(header)
        \(Step.launch)
        +1s     >note.deliver \(changed)
        +10ms   app.react subject=icloud
        +10ms   <note.deliver
        +5s     trace.end reason=clean
        """),
      .holds(
        "A queue does it, at the last moment.",
        """
        \(header)
        \(Step.launch)
        +1s     note.deliver \(changed)
        +2s @3  app.react subject=icloud
        +5s     trace.end reason=clean
        """),
      .holds(
        "Another change than that of the account.",
        """
        \(header)
        \(Step.launch)
        +1s     note.deliver name=UIApplicationSignificantTimeChangeNotification
        +5s     trace.end reason=clean
        """),
      .holds(
        "Before iOS 6 the notification means nothing.",
        """
        header os_version=5.1 sdk_linked=5.1 uses_icloud=true
        \(Step.launch)
        +1s     note.deliver \(changed)
        +5s     trace.end reason=clean
        """),
      .holds(
        "An app without iCloud.",
        """
        header os_version=8.0 sdk_linked=8.0 uses_icloud=false
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

  private static let header = "header os_version=8.0 sdk_linked=8.0 uses_icloud=true"
  private static let changed = "name=NSUbiquityIdentityDidChangeNotification"
}
