// LC803: a local notification names a sound in a format that the system doesn't play.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC803 {
  static let rule = Rule(
    id: "LC803",
    slug: "notification/sound-format",
    severity: .warning,
    summary: """
      The custom sound of a local notification is in linear PCM, MA4, µ-law or a-law format.
      """,
    rationale: """
      The system decodes the sound by simple means that are always at hand. A compressed format \
      such as MP3 or AAC isn't among them, though the app itself could play it.
      """,
    consequence: "The system plays its default sound, or none.",
    advice: """
      Convert the sound with afconvert, for example into linear PCM or IMA4 in a CAF file.
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
                .isPresent(.soundFormat),
                .not(.isText(.soundFormat, ["linear_pcm", "ma4", "ulaw", "alaw"])),
                .not(LC802.noCustomSound),
              ])),
            per: .key, key: [.argument(.soundName)])),
        message: "{what} names a sound of the format {sound_format}, which the system can't play")
    ],
    examples: [
      .violates(
        "An MP3 file.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=a.mp3 sound_format=other  # here
        \(Step.end)
        """),
      .violates(
        "Each sound is one finding, however often it is used.", reasons: [nil, nil],
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=a.mp3 sound_format=other  # here
        +1s     localnote.schedule id=n2 sound_name=b.m4a sound_format=aac  # here
        +1s     localnote.schedule id=n3 sound_name=a.mp3 sound_format=other
        \(Step.end)
        """),
      .holds(
        "The four formats that the system plays.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=a.caf sound_format=ma4
        +1s     localnote.schedule id=n2 sound_name=b.wav sound_format=linear_pcm
        +1s     localnote.schedule id=n3 sound_name=c.caf sound_format=ulaw
        +1s     localnote.schedule id=n4 sound_name=d.caf sound_format=alaw
        \(Step.end)
        """),
      .holds(
        "A format that isn't told, and sounds that are not the app's own.",
        """
        \(Step.launch)
        +1s     localnote.schedule id=n1 sound_name=a.mp3
        +1s     localnote.schedule id=n2 sound_name=default sound_format=other
        +1s     localnote.schedule id=n3 sound_name=none sound_format=other
        \(Step.end)
        """),
    ])
}
