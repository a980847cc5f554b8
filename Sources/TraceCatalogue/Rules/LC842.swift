// LC842: the app uses as much memory in the background as it did in the foreground.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC842 {
  static let rule = Rule(
    id: "LC842",
    slug: "memory/footprint-not-reduced",
    severity: .note,
    summary: """
      An app that uses much memory uses at least a tenth less when it is suspended than when it \
      was last active.
      """,
    rationale: """
      The system keeps as many apps in memory as it can, and when it can't, the largest suspended \
      ones go first. An app that frees nothing on its way to the background chooses itself.
      """,
    consequence: "The app is a likely victim when memory runs low, and starts from scratch then.",
    advice: """
      Release images, caches and data that can be loaded again in applicationDidEnterBackground:, \
      and look with Instruments at what remains.
      """,
    sources: [.appStates("Memory Usage for Background Apps")],
    needs: ["proc", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter("fall", .percent, 10, .toolDefault),
      RuleParameter("floor", .bytes, 52_428_800, .toolDefault),
    ],
    clauses: [
      Clause(
        .note,
        .handWritten(
          .footprintFall, because: "two samples of memory are compared by their quotient"),
        message: "")
    ],
    explains: ["memory-background", "memory"],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "Of 300 MiB 295 are still in use.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=309329920
      +500ms  proc.suspend inferred=false  # here
      """),
    .violates(
      "A byte less than a tenth was freed; the last sample before the suspension counts.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +100ms  proc.footprint bytes=104857600
      +100ms  proc.footprint bytes=283115521
      +500ms  proc.suspend inferred=false  # here
      """),
    .violates(
      "A byte over 50 MiB is much enough; the last sample while active counts.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      +1s     proc.footprint bytes=53477376
      \(Step.resign)
      +100ms  proc.footprint bytes=314572800
      +100ms  >delegate.did_enter_background
      +10ms   <delegate.did_enter_background
      +100ms  proc.footprint bytes=52428801
      +500ms  proc.suspend inferred=false  # here
      """),
    .violates(
      "A suspension that is only inferred stands, as the app is resumed without having run.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=314572800
      +500ms  proc.suspend inferred=true evidence=heartbeat_gap  # here
      +60s    proc.resume inferred=true
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Each way to the background is judged.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +100ms  proc.footprint bytes=314572800
      +500ms  proc.suspend inferred=false  # here
      \(Step.resumed)
      \(Step.toForeground)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +100ms  proc.footprint bytes=314572800
      +500ms  proc.suspend inferred=false  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "What is used after a resume in the background is for something new.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=104857600
      +500ms  proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=fetch
      +10ms   proc.footprint bytes=314572800
      +10ms   proc.suspend inferred=false
      """),
    .holds(
      "Most of it is freed.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=41943040
      +500ms  proc.suspend inferred=false
      """),
    .holds(
      "Exactly a tenth is freed.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=283115520
      +500ms  proc.suspend inferred=false
      """),
    .holds(
      "Exactly 50 MiB are not much.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=53477376
      \(Step.toBackground)
      +500ms  proc.footprint bytes=52428800
      +500ms  proc.suspend inferred=false
      """),
    .holds(
      "Without a sample in the background nothing is compared.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.resign)
      +10ms   proc.footprint bytes=314572800
      +10ms   >delegate.did_enter_background
      +10ms   <delegate.did_enter_background
      +500ms  proc.suspend inferred=false
      """),
    .holds(
      "An app that was launched into the background was never active.",
      """
      \(Step.backgroundLaunch)
      +1s     proc.footprint bytes=314572800
      +1s     proc.footprint bytes=314572800
      +500ms  proc.suspend inferred=false
      """),
    .holds(
      "A sample after the resume comes too late, and back in front memory may be used again.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=104857600
      +500ms  proc.suspend inferred=false
      \(Step.resumed)
      +10ms   proc.footprint bytes=314572800
      \(Step.toForeground)
      +10ms   proc.footprint bytes=314572800
      \(Step.end)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops before the suspension; memory may still have been freed.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=309329920
      """),
    .unknown(
      "A sample with less may have been lost.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      \(Step.toBackground)
      +500ms  proc.footprint bytes=309329920
      +100ms  trace.lost count=3
      +500ms  proc.suspend inferred=false
      """),
  ]
}
