// Scenes: the app is as active as its most active scene, and the delegate's calls are echoes.

import Testing
import TraceLifecycle

struct SceneTests {
  static let header =
    "header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]\n"
  static let launch = """
    0s proc.start
    +1ms delegate.did_finish_launching for 1ms
    +1ms scene.will_connect for 1ms scene=a
    +1ms scene.will_enter_foreground for 1ms scene=a
    +1ms scene.did_become_active for 1ms scene=a

    """
  static func span(_ kind: String, _ scene: String) -> String {
    "+1ms >scene.\(kind) scene=\(scene)\n+1ms <scene.\(kind) scene=\(scene)\n"
  }
  static func leave(_ scene: String) -> String {
    span("will_resign_active", scene) + span("did_enter_background", scene)
  }
  static func come(_ scene: String) -> String {
    span("will_enter_foreground", scene) + span("did_become_active", scene)
  }

  @Test("one scene plays the part of the delegate")
  func oneScene() {
    let walk = Walk(Self.header + Self.launch + Self.leave("a") + Self.come("a"))
    #expect(walk.model.profile == .scene)
    #expect(walk.path == "NR LF AC RA IN EB BG EF IN AC")
  }

  @Test("the last foreground scene decides")
  func twoScenes() {
    let two = Self.header + Self.launch + Self.span("will_connect", "b") + Self.come("b")
    #expect(Walk(two + Self.leave("a")).path == "NR LF AC")
    #expect(Walk(two + Self.leave("a") + Self.leave("b")).path == "NR LF AC RA IN EB BG")
    let resigned = two + Self.span("will_resign_active", "a") + Self.leave("b")
    #expect(Walk(resigned).model.state == .inactive)
    #expect(Walk(two + Self.leave("a") + Self.span("did_disconnect", "a")).path == "NR LF AC")
    #expect(Walk(two + Self.leave("a") + Self.span("did_disconnect", "b")).path == "NR LF AC BG")
  }

  @Test("a scene on an external display or in a car keeps the app in the foreground")
  func externalScene() {
    let walk = Walk(
      Self.header + Self.launch
        + "+1ms scene.will_connect for 1ms scene=c role=CPTemplateApplicationSceneSessionRoleApplication\n"
        + Self.span("will_enter_foreground", "c") + Self.leave("a"))
    #expect(walk.model.state == .inactive)
  }

  @Test("calls of the delegate, seen through notifications, change nothing")
  func echoes() {
    let walk = Walk(
      Self.header + Self.launch + "+1ms delegate.did_become_active\n"
        + Self.span("will_resign_active", "a") + "+1ms delegate.will_resign_active\n"
        + Self.span("did_enter_background", "a") + "+1ms delegate.did_enter_background\n"
        + "+1ms delegate.will_enter_foreground\n")
    #expect(walk.path == "NR LF AC RA IN EB BG")
    #expect(walk.effects.values.count { $0.contains(.backgroundEntered) } == 1)
  }

  @Test("without any scene in the recording the delegate's calls count")
  func delegateOnly() {
    let walk = Walk(Self.header + Piece.launch + Piece.toBackground)
    #expect(walk.path == "NR LF AC RA IN EB BG")
  }

  @Test("a background launch is brought forward by a scene")
  func backgroundLaunch() {
    let walk = Walk(
      Self.header + Piece.backgroundLaunch + Self.span("will_connect", "a") + Self.come("a"))
    #expect(walk.path == "NR LB BG EF IN AC")
  }

  @Test("an interrupted launch reaches the background")
  func interruptedLaunch() {
    let walk = Walk(
      Self.header + "0s proc.start\n" + Self.span("will_connect", "a")
        + Self.span("will_enter_foreground", "a") + Self.span("did_enter_background", "a"))
    #expect(walk.path == "NR LF EB BG")
  }

  @Test("an unknown state is fixed by scenes as by the delegate")
  func midLife() {
    let start = Self.header + "0s trace.start reason=attach\n"
    #expect(Walk(start + "1s >scene.did_become_active scene=a\n").path == "NR UN AC")
    #expect(Walk(start + "1s >scene.will_resign_active scene=a\n").path == "NR UN")
    #expect(Walk(start + "1s <scene.will_resign_active scene=a\n").path == "NR UN IN")
    #expect(Walk(start + "1s <scene.did_enter_background scene=a\n").path == "NR UN BG")
    #expect(Walk(start + "1s >scene.will_enter_foreground scene=a\n").path == "NR UN EF")
  }

  @Test("where the header leaves scenes open, what comes first decides")
  func undeclaredScenes() {
    let header = "header os_version=15.0\n"
    #expect(Walk(header + Self.launch + Self.leave("a")).path == "NR LF AC RA IN EB BG")
    let delegate = Walk(header + Piece.launch + Self.leave("a"))
    #expect(delegate.path == "NR LF AC")
    // Before iOS 13 there are no scenes.
    #expect(Walk(Piece.header + Self.launch).path == "NR LF")
  }

  @Test("a return that doesn't name its scene belongs to the call entered on its thread")
  func returnsWithoutScene() {
    func oneLine(_ kind: String, _ scene: String, thread: Int = 1) -> String {
      "+1ms @\(thread) scene.\(kind) for 1ms scene=\(scene)\n"
    }
    let leave = oneLine("will_resign_active", "a") + oneLine("did_enter_background", "a")
    let back = oneLine("will_enter_foreground", "a") + oneLine("did_become_active", "a")
    #expect(
      Walk(Self.header + Self.launch + leave + back).path == "NR LF AC RA IN EB BG EF IN AC")
    let two = Self.header + Self.launch + Self.span("will_connect", "b") + Self.come("b")
    #expect(Walk(two + leave + oneLine("will_resign_active", "b")).path == "NR LF AC RA IN")
    // Calls on two threads, and a return that names its scene though the enter didn't.
    let crossed =
      two + "+1ms @1 >scene.will_resign_active scene=a\n+1ms @2 >scene.will_resign_active scene=b\n"
      + "+1ms @1 <scene.will_resign_active\n+1ms @2 <scene.will_resign_active\n"
    #expect(Walk(crossed).path == "NR LF AC RA IN")
    let named =
      Self.header + "0s proc.start\n+1ms >scene.did_enter_background\n"
      + "+1ms <scene.did_enter_background scene=a\n"
    #expect(Walk(named).path == "NR LF EB BG")
    // Nobody knows whose return it is: it tells the state of now, but makes no scene.
    let unknown =
      Self.header + "0s trace.start reason=attach\n1s <scene.will_resign_active\n"
      + Self.span("did_enter_background", "a")
    #expect(Walk(unknown).path == "NR UN IN EB BG")
  }

  @Test("the calls that wait for their return are bounded")
  func manyOpenCalls() {
    var text = Self.header + Self.launch
    for number in 0..<300 { text += "+1ms @\(number) >scene.will_resign_active scene=s\(number)\n" }
    text += "+1ms @1 <scene.will_resign_active\n+1ms @299 <scene.will_resign_active\n"
    #expect(Walk(text).model.state == .active)
  }

  @Test("a suspended scene app is woken by its scene")
  func suspended() {
    let walk = Walk(
      Self.header + Self.launch + Self.leave("a")
        + "+1s proc.suspend\n+1s scene.will_connect scene=b\n"
        + Self.come("a"))
    #expect(walk.path == "NR LF AC RA IN EB BG SU EF IN AC")
  }
}
