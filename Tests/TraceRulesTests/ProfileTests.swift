// Which profile a trace is judged by, and how the choice shows in what is found.

import Testing
import TraceLifecycle

@testable import TraceCatalogue
@testable import TraceRules

struct ProfileTests {
  /// A header that selects each profile, and the version of its system.
  static let headers: [Profile: String] = [
    .os3: JudgedLife.system("3.1"),
    .sdk3: "os_version=4.2 sdk_linked=3.2",
    .nomt: JudgedLife.system("4.2", "multitasking_supported=false"),
    .optout: JudgedLife.system("8.0", "exits_on_suspend=true"),
    .ios4: JudgedLife.system("4.3"),
    .ios5: JudgedLife.system("5.1"),
    .ios7: JudgedLife.system("7.1"),
    .ios8: JudgedLife.system("8.1"),
    .ios13: JudgedLife.system("14.2", "scene_manifest=false"),
    .scene: JudgedLife.system("15.0", "scene_manifest=true"),
  ]

  /// A parameter of the profiles: a life, and what it gives by profile; nothing where none is
  /// listed.
  struct Parameter: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var about: Set<String>
    /// Fields besides those that select the profile.
    var fields = ""
    var life: String
    /// The life of an app with scenes; nil: the same one.
    var scenes: String?
    var findings: [Profile: [String]]

    func life(_ profile: Profile) -> JudgedLife {
      JudgedLife(
        testDescription, about: about, "\(headers[profile] ?? "") \(fields)",
        profile == .scene ? scenes ?? life : life, findings[profile] ?? [])
    }
  }

  @Test(arguments: Profile.allCases, entries + endings + services)
  func parameter(_ profile: Profile, _ parameter: Parameter) {
    let life = parameter.life(profile)
    #expect(life.judge().profile == profile.rawValue)
    life.check()
  }

  /// Lists the same findings for several profiles.
  static func all(_ profiles: [Profile], _ findings: [String]) -> [Profile: [String]] {
    Dictionary(uniqueKeysWithValues: profiles.map { ($0, findings) })
  }

  // MARK: The rows of the selection

  /// The lock without the background: a note from iOS 5 on, with delegates.
  private static let lock = """
    \(Step.launch)
    +1s     sys.lock cause=button
    +10ms   delegate.will_resign_active for 1ms
    +60s    sys.unlock
    \(Step.becomeActive)
    """

  @Test(arguments: [
    (1, "os_version=3.2 sdk_linked=3.2 multitasking_supported=false", Profile.os3),
    (1, "os_version=3.9.9 sdk_linked=8.0 exits_on_suspend=true", .os3),
    (2, "os_version=14.2 sdk_linked=3.2 scene_manifest=true", .sdk3),
    (2, "os_version=4.0 sdk_linked=3.2 multitasking_supported=false", .sdk3),
    (2, "os_version sdk_linked=3.2", .sdk3),
    (3, "os_version=4.2 multitasking_supported=false exits_on_suspend=true", .nomt),
    (3, "os_version=13.1 multitasking_supported=false", .nomt),
    (4, "os_version=12.4.9 exits_on_suspend=true", .optout),
    (5, "os_version=13.0 exits_on_suspend=true scene_manifest=true", .scene),
    (6, "os_version=13.0 exits_on_suspend=true", .ios13),
    (6, "os_version=26.1 scene_manifest=false", .ios13),
    (7, "os_version=8.0", .ios8), (7, "os_version=12.4 scene_manifest=true", .ios8),
    (8, "os_version=7.0", .ios7), (8, "os_version=7.1.2", .ios7),
    (9, "os_version=5.0", .ios5), (9, "os_version=6.1.6", .ios5),
    (10, "os_version=4.0", .ios4), (10, "os_version=4.3.5", .ios4),
    (11, "os_version", .ios8), (11, "os_version exits_on_suspend=true", .ios8),
    (11, "os_version=soon scene_manifest=true", .ios8),
  ])
  func theFirstRowThatMatchesJudges(_ row: Int, _ fields: String, _ profile: Profile) {
    let locking: Set<Profile> = [.ios5, .ios7, .ios8, .ios13]
    let life = JudgedLife(
      "row \(row)", about: ["LC513"], fields, Self.lock,
      locking.contains(profile) ? ["note LC513"] : [])
    #expect(life.judge().profile == profile.rawValue)
    life.check()
  }

  @Test(arguments: Profile.allCases, Profile.allCases)
  func aChosenProfileJudgesInsteadOfTheHeaders(_ header: Profile, _ chosen: Profile) {
    var options = CheckOptions()
    options.profile = chosen
    let told = JudgedLife("chosen", Self.headers[header] ?? "", Self.lock, []).judge(options)
    let locking: Set<Profile> = [.ios5, .ios7, .ios8, .ios13]
    #expect(told.profile == chosen.rawValue)
    #expect(told.findings.contains { $0.rule == "LC513" } == locking.contains(chosen))
    // A rule that the profile doesn't have says nothing, not even that it isn't evaluated.
    for rule in Catalogue.all where !rule.profiles.contains(chosen) {
      #expect(told.verdicts[rule.id] == nil, "\(rule.id)")
    }
  }

  @Test func anUnknownSystemIsIOS8WithNotes() {
    let life = """
      \(Step.launch)
      +1s     delegate.did_enter_background for 1ms
      +1s     gl.call context=1 kind=draw
      """
    JudgedLife("known", "os_version=8.0", life, ["warning LC503", "error LC004"]).check()
    JudgedLife("unknown", "os_version", life, ["note LC503", "error LC004"]).check()
  }
}
