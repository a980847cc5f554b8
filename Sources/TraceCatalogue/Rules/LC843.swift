// LC843: the app is ended for its memory after warnings that it did nothing about.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC843 {
  static let rule = Rule(
    id: "LC843",
    slug: "memory/warning-ignored",
    severity: .warning,
    summary: "The app releases memory within 30 seconds after a memory warning.",
    rationale: """
      A memory warning is the system's last word before it ends the app itself; suspended apps \
      have mostly been ended already.
      """,
    consequence: """
      The system ends the app in the middle of its work; to the user it looks like a crash.
      """,
    advice: """
      Drop caches and everything that can be loaded again in \
      applicationDidReceiveMemoryWarning: and in the view controllers' didReceiveMemoryWarning, \
      at once and not in parts.
      """,
    sources: [
      .cocoanetics("The World Before Multitasking"),
      .appStates("Being a Responsible Background App"),
    ],
    needs: ["delegate", "mem", "proc"],
    profiles: Profile.allCases,
    parameters: [
      RuleParameter("limit", .nanoseconds, 30_000_000_000, .toolDefault),
      RuleParameter("kill", .nanoseconds, 60_000_000_000, .toolDefault),
    ],
    clauses: [
      Clause(
        .warning,
        .handWritten(
          .memoryWarnings,
          because: "samples of memory before and after a warning are compared, before a kill"),
        message: "")
    ],
    explains: [
      "memory-limit-background", "memory-limit", "memory-high-water", "memory-foreground",
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "Nothing is released, and the active app is ended.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning for 1ms
      +5s     proc.kill cause=jetsam  # here
      """),
    .violates(
      "The kill comes 60 seconds after the time was over, to an app in the background.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +1s     delegate.did_receive_memory_warning for 1ms
      +90s    proc.kill cause=jetsam  # here
      """),
    .violates(
      "What is released a nanosecond too late is released too late; the app was inactive.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     delegate.did_receive_memory_warning
      +30.000000001s mem.cache op=drop cache=1
      +10s    proc.kill cause=jetsam  # here
      """),
    .violates(
      "Both levels of pressure are ignored, in a trace of the system's own events.",
      """
      \(Step.launch)
      +1s     sys.memory_pressure level="1"
      +10s    sys.memory_pressure level="2"
      +5s     proc.kill cause=jetsam  # here
      """),
    .violates(
      "The app uses as much memory as before, and more.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      +1s     delegate.did_receive_memory_warning for 1ms
      +1s     proc.footprint bytes=314572800
      +1s     proc.footprint bytes=419430400
      +5s     proc.kill cause=jetsam  # here
      """),
    .violates(
      "The first sample comes when the time for releasing is over.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning
      +30.000000001s proc.footprint bytes=314572800
      +5s     proc.kill cause=jetsam  # here
      """),
    .violates(
      "The first warning is followed, the second isn't.",
      """
      \(Step.launch)
      +1s     >delegate.did_receive_memory_warning
      +1ms    mem.cache op=drop cache=1
      +1ms    <delegate.did_receive_memory_warning
      +60s    delegate.did_receive_memory_warning for 1ms
      +5s     proc.kill cause=jetsam  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A cache is dropped inside the callback; the kill has other causes.",
      """
      \(Step.launch)
      +1s     >delegate.did_receive_memory_warning
      +1ms    mem.cache op=drop cache=1
      +1ms    <delegate.did_receive_memory_warning
      +40s    proc.kill cause=jetsam
      """),
    .holds(
      "A cache is dropped at the last moment.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning
      +30s    mem.cache op=drop cache=1
      +10s    proc.kill cause=jetsam
      """),
    .holds(
      "The footprint falls.",
      """
      \(Step.launch)
      +1s     proc.footprint bytes=314572800
      +1s     delegate.did_receive_memory_warning for 1ms
      +1s     proc.footprint bytes=209715200
      +40s    proc.kill cause=jetsam
      """),
    .holds(
      "The footprint falls from the first sample on.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning for 1ms
      +1s     proc.footprint bytes=314572800
      +1s     proc.footprint bytes=209715200
      +40s    proc.kill cause=jetsam
      """),
    .holds(
      "Without a kill an ignored warning did no harm.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning for 1ms
      +120s   trace.end reason=clean
      """),
    .holds(
      "A kill a nanosecond later has nothing to do with the warning.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning
      +90.000000001s proc.kill cause=jetsam
      """),
    .holds(
      "A suspended app is purged without a chance to release anything.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.did_receive_memory_warning for 1ms
      +1s     proc.suspend inferred=false
      +20s    proc.kill cause=jetsam
      """),
    .holds(
      "The last warning counts: it was followed, though the one before wasn't.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning for 1ms
      +40s    delegate.did_receive_memory_warning for 1ms
      +1s     mem.cache op=drop cache=1
      +5s     proc.kill cause=jetsam
      """),
    .holds(
      "Pressure of the first level was followed.",
      """
      \(Step.launch)
      +1s     sys.memory_pressure level="1"
      +1s     mem.cache op=drop cache=1
      +5s     sys.memory_pressure level="2"
      +5s     proc.kill cause=jetsam
      """),
    .holds(
      "Another cause than memory.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning for 1ms
      +5s     proc.kill cause=user_force_quit
      """),
    .holds(
      "Pressure of the first level, and pressure that another launch had, are no warnings to this.",
      """
      \(Step.launch)
      +1s     sys.memory_pressure level="1"
      +5s     sys.memory_pressure level="2"
      +1s     proc.exit code=0 by=app
      +5s     trace.marker text=between
      \(Step.launch)
      +1s     sys.memory_pressure level="1"
      +5s     proc.kill cause=jetsam
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Memory was only measured after the warning: nobody knows what there was before.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning
      +30s    proc.footprint bytes=209715200
      +1s     proc.footprint bytes=209715200
      +5s     proc.kill cause=jetsam
      """),
    .unknown(
      "The same after the system's own word on both levels.",
      """
      \(Step.launch)
      +1s     sys.memory_pressure level="1"
      +1s     sys.memory_pressure level="2"
      +1s     proc.footprint bytes=209715200
      +5s     proc.kill cause=jetsam
      """),
    .unknown(
      "Where the app stands isn't known: it may have been suspended.",
      """
      +0s     trace.start reason=attach
      +1s     sys.memory_pressure level="1"
      +1s     delegate.did_receive_memory_warning for 1ms
      +5s     proc.kill cause=jetsam
      """),
    .unknown(
      "Caches may have been dropped in the gap.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_memory_warning for 1ms
      +1s     trace.lost count=3
      +1s     delegate.did_become_active for 1ms
      +5s     proc.kill cause=jetsam
      """),
  ]
}
