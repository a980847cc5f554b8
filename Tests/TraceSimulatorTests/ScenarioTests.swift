// Scenarios in their text form: what can be said, and what the errors say.

import Testing
import TraceSimulator

struct ScenarioTests {
  @Test func everyStepCanBeWrittenAndRead() throws {
    let text = """
      profile ios5
      app documents, timers
      0s open user_icon
      250ms touch 3
      2s interruption phone_call accepted 4s
      1s switcher leave
      1s purchase 2
      1s wake location
      1s notice NSCurrentLocaleDidChangeNotification
      1s refresh denied
      1s kill jetsam
      1s call ui.touch
      1s leave-out bgtask.expire
      60s reclaim
      1s prewarm
      1s open remote_notification
      1s interruption siri begins
      1s switcher open
      1s switcher close
      1s interruption ends accepted
      1s throttle wake_rate

      """
    let scenario = try ScenarioText.parse(text)
    #expect(scenario.profile == .ios5)
    #expect(scenario.parts == [.documents, .timers])
    #expect(scenario.steps.count == 19)
    #expect(ScenarioText.text(of: scenario) == text)
  }

  @Test func anAppMayHaveNoParts() throws {
    let text = "app none\n0s open user_icon\n"
    let scenario = try ScenarioText.parse(text)
    #expect(scenario.parts == [])
    #expect(ScenarioText.text(of: scenario) == text)
    #expect(throws: ScenarioError.self) { try ScenarioText.parse("app none, timers") }
  }

  @Test func commentsAndUnitsAreUnderstood() throws {
    let scenario = try ScenarioText.parse("# why\n\n1min home # leave\n2h\twait\r\n3s open")
    #expect(scenario.steps.map(\.waitNanoseconds) == [60, 7_200, 3].map { $0 * 1_000_000_000 })
  }

  @Test(arguments: [
    ("home", "line 1: 'home' is no wait"),
    ("0s open\n3s", "line 2: a wait without what happens then"),
    ("3s dance", "line 1: 'dance' can't happen; there are banner"),
    ("3s home now", "line 1: 'home' stands alone"),
    ("0s home\nprofile ios8", "line 2: 'profile' stands before the first step"),
    ("profile ios99", "line 1: 'profile' takes one of os3"),
    ("app music", "line 1: 'music' is no part of an app; there are none, or documents"),
    ("app none, timers", "line 1: 'none' is no part of an app"),
    ("1s wake", "line 1: 'wake' takes one of location"),
    ("1s touch 0", "line 1: 'touch' takes a number from 1 to 1000"),
    ("1s touch 1001", "line 1: 'touch' takes a number from 1 to 1000"),
    ("1s interruption phone_call", "line 1: 'interruption' takes a kind"),
    ("1s interruption phone_call ends", "line 1: 'interruption' takes a kind"),
    ("1s interruption ends", "line 1: 'interruption' takes a kind"),
    ("1s throttle disk", "line 1: 'throttle' takes one of cpu, wake_rate"),
    ("1s call nothing.known", "line 1: 'call' takes one of delegate."),
    ("1s call bgtask.begin", "line 1: 'call' takes one of delegate."),
    ("1s call proc.start", "line 1: 'call' takes one of delegate."),
    ("1s leave-out sys.snapshot", "line 1: 'leave-out' takes one of delegate."),
    ("99999999999h home", "line 1: '99999999999h' is no wait"),
    ("9999999999999999999999s home", "line 1: '9999999999999999999999s' is no wait"),
    ("168h home\n1ms home", "line 2: the waits and steps are more than seven days together"),
    ("1s interruption siri dismissed 168h", "line 1: the waits and steps are more than"),
    ("168h home\n0s touch 2", "line 2: the waits and steps are more than seven days"),
    ("168h home\n0s purchase", "line 2: the waits and steps are more than seven days"),
    ("168h home\n0s force-quit", "line 2: the waits and steps are more than seven days"),
    ("168h home\n0s banner", "line 2: the waits and steps are more than seven days"),
    ("-3s home", "line 1: '-3s' is no wait"),
    ("3.5s home", "line 1: '3.5s' is no wait"),
  ])
  func mistakesAreNamed(_ text: String, _ message: String) {
    #expect {
      try ScenarioText.parse(text)
    } throws: { error in
      "\(error)".hasPrefix(message)
    }
  }

  @Test func theLongestScenarioIsRead() throws {
    let most = ScenarioText.stepsMax
    let steps = String(repeating: "1ms wait\n", count: most)
    #expect(try ScenarioText.parse(steps).steps.count == most)
    #expect(throws: ScenarioError(line: most + 1, message: "more than \(most) steps")) {
      try ScenarioText.parse(steps + "1ms wait")
    }
    #expect(throws: ScenarioError.self) {
      try ScenarioText.parse(String(repeating: "#", count: ScenarioText.bytesMax + 1))
    }
  }
}
