// The rows of the table of profile parameters, each as a life in every profile.

import TraceLifecycle

@testable import TraceCatalogue
@testable import TraceRules

/// Steps of an app with one scene.
enum SceneStep {
  static let launch = """
    +0s     proc.start into=foreground reason=user_icon
    +10ms   delegate.did_finish_launching for 100ms
    +150ms  scene.will_connect for 1ms scene=main
    +10ms   scene.will_enter_foreground for 1ms scene=main
    +10ms   scene.did_become_active for 1ms scene=main
    """
  static let resign = "+1s     scene.will_resign_active for 1ms scene=main"
  static let enter = "+10ms   scene.did_enter_background for 20ms scene=main"
  static let toBackground = "\(resign)\n\(enter)"
  static let becomeActive = "+1s     scene.did_become_active for 1ms scene=main"
}

extension ProfileTests {
  private static let withoutBackground: [Profile] = [.os3, .sdk3, .nomt, .optout]

  // MARK: Leaving the app

  static let entries = [
    Parameter(
      testDescription: "leaving the app ends it", about: ["LC511", "LC519"],
      life: "\(Step.launch)\n\(Step.toSuspended)",
      scenes: "\(SceneStep.launch)\n\(SceneStep.toBackground)\n+1s proc.suspend inferred=false",
      findings: all([.os3, .sdk3, .nomt], ["warning LC519"])
        .merging(all([.optout], ["warning LC511"])) { $1 }),
    Parameter(
      testDescription: "will_resign_active before leaving", about: ["LC501", "LC503", "LM15"],
      life: """
        \(Step.launch)
        +1s     sys.home_button
        +10ms   delegate.did_enter_background for 20ms
        +100ms  delegate.will_terminate for 10ms
        +20ms   proc.exit code=0 by=uikit_after_will_terminate
        """,
      scenes: "\(SceneStep.launch)\n+1s sys.home_button\n\(SceneStep.enter)",
      findings: all([.ios4, .ios5, .ios7, .ios8, .ios13], ["warning LC503"])
        .merging([.scene: ["warning LM15"], .os3: ["warning LC501"]]) { $1 }),
    Parameter(
      testDescription: "did_enter_background before will_terminate", about: ["LC501"],
      life: """
        \(Step.launch)
        +1s     sys.home_button
        \(Step.toBackground)
        \(JudgedLife.ended)
        """,
      findings: [.os3: ["warning LC501"]]),
    Parameter(
      testDescription: "no did_enter_background before will_terminate", about: ["LC501"],
      life: "\(Step.launch)\n+1s sys.shutdown cause=user\n\(Step.resign)\n\(JudgedLife.ended)",
      findings: [:]),
    Parameter(
      testDescription: "the lock sends did_enter_background", about: ["LC501", "LC513"],
      life: """
        \(Step.launch)
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +10ms   delegate.did_enter_background for 1ms
        +60s    sys.unlock
        """,
      scenes: """
        \(SceneStep.launch)
        +1s     sys.lock cause=button
        \(SceneStep.toBackground)
        +60s    sys.unlock
        """,
      findings: [.ios4: ["note LC513"], .os3: ["warning LC501"]]),
    Parameter(
      testDescription: "the lock sends no did_enter_background", about: ["LC501", "LC513"],
      life: """
        \(Step.launch)
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +60s    sys.unlock
        \(Step.becomeActive)
        """,
      scenes: """
        \(SceneStep.launch)
        +1s     sys.lock cause=button
        \(SceneStep.resign)
        +60s    sys.unlock
        \(SceneStep.becomeActive)
        """,
      findings: all([.ios5, .ios7, .ios8, .ios13], ["note LC513"])),
    Parameter(
      testDescription: "a notification as a banner", about: ["LC501", "LC510"],
      life: """
        \(Step.launch)
        +1s     sys.banner id=chat
        +10ms   delegate.will_resign_active for 1ms
        +3s     delegate.did_become_active for 1ms
        """,
      findings: all(Profile.ios5Plus, ["note LC510"])),
    Parameter(
      testDescription: "alerts dismissed by the system on leaving", about: ["LC822"],
      life: "\(Step.launch)\n+1s ui.alert_show id=1 type=UIAlertView\n\(Step.toBackground)",
      scenes: """
        \(SceneStep.launch)
        +1s     ui.alert_show id=1 type=UIAlertView
        \(SceneStep.toBackground)
        """,
      findings: all(Profile.ios4Plus, ["warning LC822"])),
  ]

  // MARK: Force quits

  private static let quit = "+1s sys.force_quit\n+10ms proc.kill cause=user_force_quit"

  private static func relaunch(_ reason: String, _ silent: [Profile]) -> Parameter {
    Parameter(
      testDescription: "relaunch after a force quit: \(reason)", about: ["LC517"],
      life: """
        \(Step.launch)
        \(Step.toSuspended)
        \(quit)
        +60s    proc.start into=background reason=\(reason)
        +10ms   delegate.did_finish_launching for 10ms
        """,
      findings: all(Profile.ios4Plus.filter { !silent.contains($0) }, ["note LC517"]))
  }

  static let endings = [
    Parameter(
      testDescription: "force quit of a running app in the background", about: ["LC514", "LC515"],
      life: "\(Step.launch)\n\(JudgedLife.task)\n\(Step.toBackground)\n\(quit)",
      scenes: "\(SceneStep.launch)\n\(JudgedLife.task)\n\(SceneStep.toBackground)\n\(quit)",
      findings: all(Profile.ios7Plus, ["note LC515"])),
    Parameter(
      testDescription: "force quit of a running app that is told", about: ["LC501", "LC515"],
      life: """
        \(Step.launch)
        \(JudgedLife.task)
        \(Step.toBackground)
        +1s     sys.force_quit
        \(JudgedLife.ended)
        """,
      scenes: """
        \(SceneStep.launch)
        \(JudgedLife.task)
        \(SceneStep.toBackground)
        +1s     sys.force_quit
        \(JudgedLife.ended)
        """,
      findings: [.os3: ["warning LC501"]]),
    Parameter(
      testDescription: "force quit of a suspended app", about: ["LC514", "LC515"],
      life: "\(Step.launch)\n\(Step.toSuspended)\n\(quit)",
      scenes: """
        \(SceneStep.launch)
        \(SceneStep.toBackground)
        +1s     proc.suspend inferred=false
        \(quit)
        """,
      findings: [:]),
    Parameter(
      testDescription: "force quit of a suspended app that is told", about: ["LC514", "LC515"],
      life: "\(Step.launch)\n\(Step.toSuspended)\n+1s sys.force_quit\n\(JudgedLife.ended)",
      scenes: """
        \(SceneStep.launch)
        \(SceneStep.toBackground)
        +1s     proc.suspend inferred=false
        +1s     sys.force_quit
        \(JudgedLife.ended)
        """,
      findings: all(Profile.ios4Plus, ["warning LC514"])),
    relaunch("fetch", []),
    relaunch("remote_notification", []),
    relaunch("voip_socket", []),
    relaunch("location", [.ios8, .ios13, .scene]),
    relaunch("region", [.ios8, .ios13, .scene]),
    relaunch("pushkit", Profile.ios4Plus),
  ]

  // MARK: Services

  private static func budget(_ limit: String, _ profiles: [Profile], longer: [Profile])
    -> [Parameter]
  {
    [
      ("\(limit)s", longer, "exactly \(limit) s"),
      ("\(limit).000000001s", longer + profiles, "a nanosecond over \(limit) s"),
    ].map { duration, over, name in
      Parameter(
        testDescription: "background task budget: \(name)", about: ["LC105"],
        life: """
          \(Step.launch)
          \(JudgedLife.task)
          \(Step.toBackground)
          +\(duration)  bgtask.end token=1
          +1s     proc.suspend inferred=false
          """,
        scenes: """
          \(SceneStep.launch)
          \(JudgedLife.task)
          \(SceneStep.resign)
          +10ms   >scene.did_enter_background scene=main
          +20ms   <scene.did_enter_background scene=main
          +\(duration)  bgtask.end token=1
          +1s     proc.suspend inferred=false
          """,
        findings: all(over, ["warning LC105"]))
    }
  }

  private static func accessory(_ name: String, _ fields: String, _ notes: [Profile]) -> Parameter {
    Parameter(
      testDescription: "accessory session at the suspension, \(name)", about: ["LC706"],
      fields: fields,
      life: """
        \(Step.launch)
        +1s     note.observe name=EAAccessoryDidDisconnectNotification
        +1s     ea.session op=open accessory=1
        \(Step.toSuspended)
        """,
      scenes: """
        \(SceneStep.launch)
        +1s     note.observe name=EAAccessoryDidDisconnectNotification
        +1s     ea.session op=open accessory=1
        \(SceneStep.toBackground)
        +1s     proc.suspend inferred=false
        """,
      findings: all(notes, ["note LC706"]))
  }

  static let services =
    budget("30", [.ios13, .scene], longer: [])
    + budget("180", [.ios7, .ios8], longer: [.ios13, .scene])
    + budget("600", [.ios4, .ios5], longer: Profile.ios7Plus) + [
      Parameter(
        testDescription: "the location mode keeps a running app from suspension",
        about: ["LC623"], fields: "background_modes=[location]",
        life: "\(Step.launch)\n+1s loc.start service=standard\n\(Step.toSuspended)",
        scenes: """
          \(SceneStep.launch)
          +1s     loc.start service=standard
          \(SceneStep.toBackground)
          +1s     proc.suspend inferred=false
          """,
        findings: all([.ios4, .ios5], ["note LC623"])),
      accessory("without the mode", "background_modes=[]", Profile.ios4Plus),
      accessory("with the mode", "background_modes=[external-accessory]", []),
      Parameter(
        testDescription: "Background App Refresh setting", about: ["LC622"],
        fields: "refresh_status=denied background_modes=[fetch]",
        life: """
          \(Step.launch)
          \(Step.toSuspended)
          +60s    proc.resume inferred=false reason=fetch
          +1ms    wake.window for 1s id=1 reason=fetch
          +2s     proc.suspend inferred=false
          """,
        scenes: """
          \(SceneStep.launch)
          \(SceneStep.toBackground)
          +1s     proc.suspend inferred=false
          +60s    proc.resume inferred=false reason=fetch
          +1ms    wake.window for 1s id=1 reason=fetch
          +2s     proc.suspend inferred=false
          """,
        findings: all(Profile.ios7Plus, ["warning LC622"])),
    ]
}
