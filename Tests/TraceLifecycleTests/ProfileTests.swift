// The rows that choose a profile, and the columns that say what a profile promises.

import Testing
import TraceLifecycle

struct ProfileTests {
  @Test(
    "the first matching row of the table wins",
    arguments: [
      (1, "os_version=3.2 sdk_linked=3.2 multitasking_supported=false", Profile.os3),
      (2, "os_version=8.0 sdk_linked=3.2 multitasking_supported=false", .sdk3),
      (2, "sdk_linked=3.2", .sdk3),
      (
        3, "os_version=4.2 sdk_linked=4.2 multitasking_supported=false exits_on_suspend=true", .nomt
      ),
      (3, "multitasking_supported=false", .nomt),
      (4, "os_version=12.4 sdk_linked=12.0 exits_on_suspend=true", .optout),
      (5, "os_version=13.0 scene_manifest=true exits_on_suspend=true", .scene),
      (6, "os_version=13.0 exits_on_suspend=true", .ios13),
      (6, "os_version=17.2 scene_manifest=false", .ios13),
      (7, "os_version=8.0", .ios8),
      (7, "os_version=12.4.1 scene_manifest=true", .ios8),
      (8, "os_version=7.0", .ios7), (8, "os_version=7.9", .ios7),
      (9, "os_version=5.0", .ios5), (9, "os_version=6.1.3", .ios5),
      (10, "os_version=4.0", .ios4), (10, "os_version=4.3", .ios4),
      (11, "sdk_linked=8.0", .ios8), (11, "os_version=nonsense exits_on_suspend=true", .ios8),
    ])
  func selection(_ row: Int, _ fields: String, _ profile: Profile) {
    let header = read("header \(fields)\n0s trace.end reason=clean\n").header
    let selection = ProfileSelection(header: header)
    #expect(selection.row == row)
    #expect(selection.profile == profile)
    #expect(selection.isAssumed == (row == 11))
  }

  @Test("groups of profiles")
  func groups() {
    #expect(Profile.ios4Plus == [.ios4, .ios5, .ios7, .ios8, .ios13, .scene])
    #expect(Profile.ios5Plus == Array(Profile.ios4Plus.dropFirst()))
    #expect(Profile.ios7Plus == Array(Profile.ios5Plus.dropFirst()))
    #expect(Profile.ios4ToIOS8 == [.ios4, .ios5, .ios7, .ios8])
    #expect(Profile.allCases.count == 10)
  }

  @Test("the budgets of background tasks")
  func budgets() {
    let seconds = Profile.allCases.map { $0.parameters.backgroundTaskBudgetNanoseconds }
      .map { $0 / 1_000_000_000 }
    #expect(seconds == [0, 0, 0, 0, 600, 600, 180, 180, 30, 30])
  }

  @Test("each parameter, profile by profile")
  func parameters() {
    func row<Value>(_ path: KeyPath<ProfileParameters, Value>) -> [Value] {
      Profile.allCases.map { $0.parameters[keyPath: path] }
    }
    let no = false
    #expect(row(\.leavingEndsApp) == [true, true, true, true, no, no, no, no, no, no])
    #expect(
      row(\.resignBeforeLeaving)
        == [.optional, .optional, .optional, .optional] + .init(repeating: .required, count: 6))
    #expect(
      row(\.enterBackgroundBeforeTerminate)
        == [.never, .required, .required, .optional]
        + .init(repeating: .notApplicable, count: 6))
    #expect(
      row(\.lockEntersBackground) == [no, no, no, no, no, true, true, true, true, true])
    #expect(
      row(\.showsNotificationsAsBanner)
        == [.no, .no, .no, .bySystem, .no, .yes, .yes, .yes, .yes, .yes])
    #expect(
      row(\.forceQuitOfRunningSendsTerminate)
        == .init(repeating: .notApplicable, count: 4) + [.no, .either, .yes, .yes, .yes, .yes])
    #expect(
      row(\.forceQuitOfSuspendedSendsEvents)
        == .init(repeating: .notApplicable, count: 4) + .init(repeating: .no, count: 6))
    #expect(
      row(\.backgroundLaunchesAfterForceQuit)
        == [
          nil, nil, nil, nil, [], [], [], [.location, .region], [.location, .region, .pushkit],
          [.location, .region, .pushkit],
        ])
    #expect(
      row(\.locationModePreventsSuspension)
        == .init(repeating: .notApplicable, count: 4) + [.yes, .yes]
        + .init(repeating: .notPromised, count: 4))
    #expect(
      row(\.accessorySessionCloses)
        == .init(repeating: .notApplicable, count: 4) + [.always]
        + .init(repeating: .withoutMode, count: 5))
    #expect(
      row(\.hasBackgroundAppRefresh) == [no, no, no, no, no, no, true, true, true, true])
    #expect(
      row(\.systemDismissesAlerts) == [true, true, no, no, no, no, no, no, no, no])
  }
}
