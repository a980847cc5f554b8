// LC624: a Newsstand app that was woken for a new issue doesn't download it.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC624 {
  static let rule = Rule(
    id: "LC624",
    slug: "background-mode/newsstand-no-download",
    severity: .note,
    summary: """
      A Newsstand app that is launched or woken for an issue starts its download, or takes care of \
      a finished one, before it is suspended.
      """,
    rationale: """
      The wake-up for a new issue comes once a day at most. The app has to hand the download to \
      Newsstand Kit; the system does the rest, even without the app.
      """,
    consequence: "The issue isn't there when the user opens the app.",
    advice: """
      Make the asset download in the call that announces the issue, and take up downloads under \
      way again at each launch.
      """,
    sources: [.appStates("Downloading Newsstand Content in the Background")],
    needs: ["proc", "news"],
    profiles: [.ios5, .ios7, .ios8],
    parameters: [],
    clauses: [
      Clause(
        .note,
        .expect(
          Expect(
            opens: [.on(.procStart, .wakeWindow, where: .isText(.reason, ["newsstand"]))],
            closes: [.on(.newsDownload)],
            due: [.suspension(inferred: false), .suspension(inferred: true)],
            per: .background)),
        message: "The app was woken for a new issue and started no download")
    ],
    examples: [
      .violates(
        "Launched for a new issue, the app is suspended without a download.",
        """
        +0s     proc.start into=background reason=newsstand
        +10ms   delegate.did_finish_launching for 100ms
        +3s     proc.suspend inferred=false  # here
        +60s    proc.resume inferred=false reason=user_icon
        """),
      .violates(
        "Woken from suspension, it does nothing either.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.resume inferred=false reason=newsstand
        +1ms    >wake.window reason=newsstand
        +1s     <wake.window
        +1s     proc.suspend inferred=false  # here
        +60s    proc.resume inferred=false reason=user_icon
        """),
      .violates(
        "The suspension was inferred from silence, and the clocks prove it.",
        """
        +0s     proc.start into=background reason=newsstand
        +10ms   delegate.did_finish_launching for 100ms
        +1s     trace.clock_sync continuous_ns=2000000000 uptime_ns=2000000000
        +1s     proc.suspend inferred=true  # here
        +60s    proc.resume inferred=true reason=user_icon
        +10ms   trace.clock_sync continuous_ns=63010000000 uptime_ns=3010000000
        \(Step.toForeground)
        """),
      .holds(
        "The download is started and goes on without the app.",
        """
        +0s     proc.start into=background reason=newsstand
        +10ms   delegate.did_finish_launching for 100ms
        +1s     news.download op=start issue="2014-09"
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "The app is woken because the download is there.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.resume inferred=false reason=newsstand
        +1ms    >wake.window reason=newsstand
        +10ms   news.download op=finish issue="2014-09"
        +1s     <wake.window
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "A launch for something else brings no issue.",
        """
        \(Step.backgroundLaunch)
        +1s     proc.suspend inferred=false
        """),
      .unknown(
        "The trace stops before the app is suspended.",
        """
        +0s     proc.start into=background reason=newsstand
        +10ms   delegate.did_finish_launching for 100ms
        +3s     trace.marker text=last
        """),
    ])
}
