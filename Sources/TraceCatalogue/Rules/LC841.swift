// LC841: large caches are kept in memory when the app enters the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC841 {
  private static func held(_ classes: [String], while condition: Condition?) -> Pattern {
    .openAtMost(
      OpenAtMost(
        opens: [
          .on(.memCache, where: .all([.isText(.op, ["hold"]), .isText(.class, classes)]))
        ],
        closes: [.on(.memCache, where: .isText(.op, ["drop"]))],
        key: [.argument(.cache)], max: .parameter("bytes"), weight: .bytes,
        at: [.end(.delegateDidEnterBackground, while: condition)], per: .background))
  }

  private static let message: MessageTemplate =
    "caches of more than {limit} were still held when the app entered the background"

  static let rule = Rule(
    id: "LC841",
    slug: "memory/cache-held-in-background",
    severity: .warning,
    summary: """
      Caches of images, media and files are dropped when the app enters the background, down to \
      8 MiB.
      """,
    rationale: """
      When memory runs low, the system ends suspended apps, and those that use the most of it \
      first. What can be made or loaded again isn't worth that.
      """,
    consequence: """
      The app is among the first to be purged, and the user waits for a full launch in place of a \
      quick return.
      """,
    advice: """
      Empty the caches in applicationDidEnterBackground:, or use NSCache; keep media only while \
      the app plays them in the background.
      """,
    sources: [
      .appStates("Memory Usage for Background Apps"),
      .appStates("Being a Responsible Background App"),
    ],
    needs: ["mem", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("bytes", .bytes, 8_388_608, .toolDefault)],
    clauses: [
      Clause(.warning, held(["image", "file"], while: nil), message: message),
      // An app that plays or navigates in the background may keep its media.
      Clause(
        .warning, needs: ["audio", "loc"],
        held(["image", "media", "file"], while: .not(.hasReason([.audio, .location]))),
        message: message),
    ],
    explains: ["memory-limit-background"],
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "A cache of images of 64 MiB.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=67108864 class=image
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A size that no device has, dropped again, hides no other cache.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=9223372036854775807 class=image
      +1s     mem.cache op=hold cache=2 bytes=104857600 class=image
      +1s     mem.cache op=drop cache=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Caches count together: one byte over 8 MiB.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=4194304 class=image
      +1s     mem.cache op=hold cache=2 bytes=4194304 class=file
      +1s     mem.cache op=hold cache=3 bytes=1 class=media
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "While the app plays, its images are of no use in the background.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     mem.cache op=hold cache=1 bytes=4194304 class=image
      +1s     mem.cache op=hold cache=2 bytes=4194305 class=file
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     audio.play op=stop stream=1
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Of two caches one is dropped in time, and the other one too late.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=67108864 class=image
      +1s     mem.cache op=hold cache=2 bytes=67108864 class=image
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +10ms   mem.cache op=drop cache=2
      +10ms   <delegate.did_enter_background  # here
      +100ms  mem.cache op=drop cache=1
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The cache is dropped inside the callback.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=67108864 class=image
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms   mem.cache op=drop cache=1
      +10ms   <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Exactly 8 MiB may stay.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=4194304 class=image
      +1s     mem.cache op=hold cache=2 bytes=4194304 class=file
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "An app that plays in the background keeps what it plays.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     mem.cache op=hold cache=1 bytes=67108864 class=media
      \(Step.toBackground)
      +60s    audio.play op=stop stream=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "An app that navigates in the background keeps its maps and voices.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location]
      \(Step.launch)
      +1s     loc.start service=standard
      +1s     mem.cache op=hold cache=1 bytes=67108864 class=media
      \(Step.toBackground)
      +60s    loc.stop service=standard
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Of other objects nobody knows whether they can be made again.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=67108864 class=other
      +1s     mem.cache op=hold cache=2 bytes=67108864
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "In the foreground a cache may be large.",
      """
      \(Step.launch)
      +1s     mem.cache op=hold cache=1 bytes=67108864 class=image
      \(Step.resign)
      \(Step.becomeActive)
      \(Step.end)
      """),
  ]
}
