// LC802: a local notification names a sound that is not in the app's main bundle.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC802 {
  /// Names that stand for no sound and for the system's own.
  static let noCustomSound = FieldTest.isText(
    .soundName, ["none", "default", "UILocalNotificationDefaultSoundName"])

  static let rule = Rule(
    id: "LC802",
    slug: "notification/sound-not-in-bundle",
    severity: .warning,
    summary: "The custom sound of a local notification is a file in the app's main bundle.",
    rationale: """
      The sound is played by the system, often while the app isn't running. It looks for the file \
      in the app's main bundle and nowhere else.
      """,
    consequence: "The system plays its default sound, or none.",
    advice: """
      Ship the sound file with the app, name it without a path, and use the default sound's name \
      where no sound of your own is needed.
      """,
    sources: [.appStates("Scheduling the Delivery of Local Notifications")],
    needs: ["localnote"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .localnoteSchedule,
              where: .all([
                .isPresent(.soundName), .not(noCustomSound), .isFalse(.soundInBundle),
              ])),
            per: .key, key: [.argument(.soundName)])),
        message: "{what} names the sound {sound_name}, which is not in the app's main bundle")
    ],
    examples: [
      .violates(
        "The sound was downloaded and lies elsewhere.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=a.caf sound_in_bundle=false  # here
        \(Step.end)
        """),
      .violates(
        "Each sound is one finding, however often it is used.", reasons: [nil, nil],
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=a.caf sound_in_bundle=false  # here
        +1s     localnote.schedule id=n2 sound_name=b.caf sound_in_bundle=false  # here
        +1s     localnote.schedule id=n3 sound_name=a.caf sound_in_bundle=false
        \(Step.end)
        """),
      .holds(
        "The default sound is the system's own.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=default sound_in_bundle=false
        +1s     localnote.schedule id=n2 sound_name=UILocalNotificationDefaultSoundName \
        sound_in_bundle=false
        \(Step.end)
        """),
      .holds(
        "A notification without a sound.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_in_bundle=false
        +1s     localnote.schedule id=n2 sound_name=none sound_in_bundle=false
        \(Step.end)
        """),
      .holds(
        "The sound is in the bundle, or the recorder doesn't say.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=a.caf sound_in_bundle=true
        +1s     localnote.schedule id=n2 sound_name=b.caf
        \(Step.end)
        """),
    ])
}
