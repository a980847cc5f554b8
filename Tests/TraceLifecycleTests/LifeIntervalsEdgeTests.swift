// Intervals where events are missing, hidden or lost, and where the clock is set back.

import Testing
import TraceLifecycle
import TraceModel

struct LifeIntervalsEdgeTests {
  private static func lines(_ text: String, _ groups: String...) -> [String] {
    LifeIntervalsTests.lines(LifeIntervalsTests.launch + text, groups: groups)
  }

  // MARK: Graphics

  @Test func aCompletionEndsAllSubmitsUpToIt() {
    let lines = Self.lines(
      """
      2s  gl.call context=1 kind=draw submit_id=1
      3s  gl.call context=1 kind=draw submit_id=2
      4s  gl.call context=1 kind=draw submit_id=4
      5s  gl.complete submit_id=3
      6s  gl.complete submit_id=3
      7s  gl.complete submit_id=4
      """, "Graphics")
    #expect(
      lines == [
        "Graphics/gl.call row 0: draw 2000-5000 ms", "Graphics/gl.call row 1: draw 3000-5000 ms",
        "Graphics: gl.complete at 6000 ms", "Graphics/gl.call row 2: draw 4000-7000 ms",
      ])
  }

  @Test func aFinishEndsTheSubmitsOfItsContext() {
    let lines = Self.lines(
      """
      2s  gl.call context=1 kind=draw submit_id=1
      3s  gl.call context=2 kind=draw submit_id=2
      4s  gl.call context=1 kind=flush
      5s  gl.call context=1 kind=finish
      6s  proc.kill cause=jetsam
      """, "Graphics")
    #expect(
      lines == [
        "Graphics: gl.call at 4000 ms", "Graphics/gl.call row 0: draw 2000-5000 ms",
        "Graphics: gl.call at 5000 ms", "Graphics/gl.call row 1: draw 3000-6000 ms, cut",
      ])
  }

  // MARK: Ends that nobody tells

  @Test func anotherStartEndsALaunchAtItsLastSignOfLife() {
    let lines = Self.lines(
      """
      1s     >work.span
      5s     ui.touch
      90s    sys.user_launch from=icon
      100s   trace.start reason=launch
      100s   proc.start into=foreground reason=user_icon
      101s   proc.kill cause=jetsam
      """, "Launches", "App state", "Threads/Main thread row 0: work")
    #expect(
      lines == [
        "App state row 0: launching 0-200 ms",
        "Threads/Main thread row 0: work.span 1000-5000 ms, cut",
        "App state row 0: active 200-5000 ms, cut", "Launches row 0: Launch 1 0-5000 ms, cut",
        "App state row 0: launching 100000-101000 ms",
        "Launches row 0: Launch 2 100000-101000 ms",
      ])
  }

  @Test func aRestartOfTheDeviceSetsNoTimeBack() throws {
    let (header, batches) = read(
      """
      1000s  proc.start into=foreground reason=user_icon
      1010s  bgtask.begin token=1 name=save
      1020s  sys.lock
      """)
    let (_, later) = read(
      """
      5s     proc.start into=foreground reason=user_icon
      7s     bgtask.begin token=1 name=save
      8s     bgtask.end token=1
      9s     proc.kill cause=jetsam
      """)
    var teller = LifeTeller()
    var intervals = LifeIntervals(header: header)
    for batch in batches + later { intervals.consume(batch, into: &teller) }
    intervals.finish(into: &teller)
    #expect(intervals.firstNanoseconds == 1_000_000_000_000)
    #expect(intervals.lastNanoseconds == 1_024_000_000_000)
    #expect(intervals.shiftNanoseconds(ofLaunch: 1) == 0)
    #expect(intervals.shiftNanoseconds(ofLaunch: 2) == 1_015_000_000_000)
    let lines = teller.lines.filter { $0.hasPrefix("Launches") || $0.hasPrefix("Background") }
    #expect(
      lines == [
        "Background tasks/save row 0: save 1010000-1010000 ms, cut",
        "Launches row 0: Launch 1 1000000-1010000 ms, cut",
        "Background tasks/save row 0: save 1022000-1023000 ms",
        "Launches row 0: Launch 2, device restarted 1020000-1024000 ms",
      ])
  }

  @Test func aLossCutsTheSpansOfItsThread() {
    let lines = Self.lines(
      """
      2s @5  >work.span
      2s @6  >work.span
      3s     trace.lost count=5 thread=5
      4s @5  <work.span
      4s @6  <work.span
      5s @6  >work.span
      6s     trace.lost count=5
      """, "Threads/Thread")
    #expect(
      lines == [
        "Threads/Thread 5 row 0: work.span 2000-3000 ms, cut",
        "Threads/Thread 5: work.span at 4000 ms", "Threads/Thread 6 row 0: work.span 2000-4000 ms",
        "Threads/Thread 6 row 0: work.span 5000-6000 ms, cut",
      ])
  }

  @Test func aWakeUpThatNobodyEndsIsOverWithTheSuspension() {
    let lines = Self.lines(
      """
      1s   delegate.will_resign_active for 1ms
      2s   delegate.did_enter_background for 500ms
      3s   >wake.window id=a reason=fetch
      4s   proc.suspend
      5s   proc.resume
      6s   >wake.window id=b reason=fetch
      7s   <wake.window id=b
      8s   >wake.window id=c reason=fetch
      100s proc.kill cause=jetsam
      """, "System/wake.window")
    #expect(
      lines == [
        "System/wake.window row 1: fetch 6000-7000 ms",
        "System/wake.window row 0: fetch 3000-4000 ms, cut",
        "System/wake.window row 1: fetch 8000-38000 ms, cut",
      ])
  }

  @Test func anAssertionEndsWithItsProcess() {
    let lines = Self.lines(
      """
      2s   proc.assertion op=acquire id=a name=audio
      3s   >sys.interruption kind=siri
      4s   proc.kill cause=jetsam
      5s   <sys.interruption kind=siri
      """, "System/")
    #expect(
      lines == [
        "System/proc.assertion row 0: audio 2000-4000 ms, cut",
        "System/sys.interruption row 0: siri 3000-5000 ms",
      ])
  }

  // MARK: Words and defaults

  @Test func whatIsNotSaidHasItsMeaning() {
    let lines = Self.lines(
      """
      2s   loc.start
      3s   loc.stop service=standard
      4s   >audio.interruption kind=call phase=began
      5s   audio.interruption kind=call phase=ended
      6s   audio.interruption kind=call phase=began
      7s   audio.interruption kind=call phase=ended
      8s   voip.keepalive_set timeout_s=600 accepted=false
      9s   voip.keepalive_set timeout_s=600
      10s  voip.keepalive_clear
      """, "Services")
    #expect(
      lines == [
        "Services/loc.start row 0: loc.start 2000-3000 ms",
        "Services/audio.interruption row 0: call 4000-5000 ms",
        "Services/audio.interruption row 0: call 6000-7000 ms",
        "Services: voip.keepalive_set at 8000 ms",
        "Services/voip.keepalive_set row 0: voip.keepalive_set 9000-10000 ms",
      ])
  }

  @Test func hiddenTokensMatchNothing() {
    let lines = Self.lines(
      """
      2s   bgtask.begin token="<private>" name=a
      3s   bgtask.begin token="<private>" name=b
      4s   bgtask.end token="<private>"
      """, "Background tasks")
    #expect(
      lines == [
        "Background tasks: bgtask.begin at 2000 ms", "Background tasks: bgtask.begin at 3000 ms",
        "Background tasks: bgtask.end at 4000 ms",
      ])
  }

  @Test func tasksWithoutARowAreMarksOfTheirTrack() {
    var text = ""
    let count = LifeIntervals.depthMax + 2
    for token in 0..<count { text += "2s  bgtask.begin token=\(token) name=save\n" }
    for token in 0..<count { text += "3s  bgtask.end token=\(token)\n" }
    let lines = Self.lines(text, "Background tasks/save")
    #expect(lines.filter { $0.hasSuffix(": save 2000-3000 ms") }.count == LifeIntervals.depthMax)
    #expect(lines.filter { $0.hasSuffix(": save at 2000 ms, begin without a row") }.count == 2)
    #expect(lines.filter { $0.hasSuffix(": save at 3000 ms, end without a row") }.count == 2)
    #expect(lines.count == count + 2)
  }
}
