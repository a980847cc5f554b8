// The intervals of small lives, told line by line.

import Testing
import TraceLifecycle
import TraceModel

/// Writes down what it is told.
struct LifeTeller: LifeSink {
  var lines: [String] = []
  private var names: [String] = []
  private var tracks: [LifeTrack] = []

  mutating func name(_ number: Int, _ text: String) {
    #expect(number == names.count)
    names.append(text)
  }

  mutating func track(_ track: LifeTrack) {
    #expect(track.number == tracks.count)
    tracks.append(track)
  }

  mutating func rename(_ track: LifeTrack) { tracks[track.number] = track }
  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {}

  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    #expect(!span.isCut)
    #expect(event.timeNanoseconds == span.endNanoseconds)
    end(span)
  }

  mutating func end(_ span: LifeSpan) {
    let start = span.startNanoseconds / 1_000_000
    let end = span.endNanoseconds / 1_000_000
    lines.append(
      "\(title(span.track)) row \(span.depth): \(names[span.name]) \(start)-\(end) ms"
        + (span.isCut ? ", cut" : ""))
  }

  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    lines.append(
      "\(title(mark.track)): \(names[mark.name]) at \(mark.timeNanoseconds / 1_000_000) ms"
        + (mark.rowless.map { ", \($0) without a row" } ?? ""))
  }

  private func title(_ track: Int) -> String {
    let track = tracks[track]
    return track.name.isEmpty ? track.group.title : "\(track.group.title)/\(track.name)"
  }
}

struct LifeIntervalsTests {
  static let launch = """
    0s     proc.start into=foreground reason=user_icon
    10ms   delegate.did_finish_launching for 100ms
    200ms  delegate.did_become_active for 1ms

    """

  static func lines(_ text: String, groups: [String] = []) -> [String] {
    let (header, batches) = read(text)
    var teller = LifeTeller()
    var intervals = LifeIntervals(header: header)
    for batch in batches { intervals.consume(batch, into: &teller) }
    intervals.finish(into: &teller)
    return teller.lines.filter { line in groups.isEmpty || groups.contains { line.hasPrefix($0) } }
  }

  @Test func statesAndLaunches() {
    let lines = Self.lines(
      Self.launch + """
        1s  delegate.will_resign_active for 1ms
        2s  delegate.did_enter_background for 500ms
        3s  proc.suspend
        9s  proc.kill cause=jetsam
        """, groups: ["App state", "Launches"])
    #expect(
      lines == [
        "App state row 0: launching 0-200 ms", "App state row 0: active 200-1000 ms",
        "App state row 0: resigning active 1000-1001 ms",
        "App state row 0: inactive 1001-2000 ms",
        "App state row 0: entering background 2000-2500 ms",
        "App state row 0: background 2500-3000 ms", "App state row 0: suspended 3000-9000 ms",
        "Launches row 0: Launch 1 0-9000 ms",
      ])
  }

  @Test func tasksHaveTracksByNameAndRowsWhereTheyOverlap() {
    let lines = Self.lines(
      Self.launch + """
        1s  bgtask.begin token=1 name=save
        2s  bgtask.begin token=2 name=save
        3s  bgtask.end token=1
        4s  bgtask.begin token=3 name=save
        5s  bgtask.begin token=9 is_invalid=true name=save
        6s  bgtask.end token=77
        7s  proc.kill cause=watchdog
        """, groups: ["Background tasks"])
    #expect(
      lines == [
        "Background tasks/save row 0: save 1000-3000 ms",
        "Background tasks: bgtask.begin at 5000 ms", "Background tasks: bgtask.end at 6000 ms",
        "Background tasks/save row 1: save 2000-7000 ms, cut",
        "Background tasks/save row 0: save 4000-7000 ms, cut",
      ])
  }

  @Test func callsNestAndLostReturnsAreCut() {
    let lines = Self.lines(
      Self.launch + """
        1s @5  >work.span
        2s @5  >data.save
        3s @5  <work.span
        4s @5  <data.save
        5s @5  >x.own
        """, groups: ["Threads/Thread 5"])
    #expect(
      lines == [
        "Threads/Thread 5 row 1: data.save 2000-3000 ms, cut",
        "Threads/Thread 5 row 0: work.span 1000-3000 ms",
        "Threads/Thread 5: data.save at 4000 ms",
        "Threads/Thread 5 row 0: x.own 5000-5000 ms, cut",
      ])
  }

  @Test func scenesAndConnections() {
    let lines = Self.lines(
      """
      header os_version="17.0" scene_manifest=true
      0s     proc.start into=foreground reason=user_icon
      10ms   delegate.did_finish_launching for 10ms
      100ms  scene.will_connect for 1ms scene=left
      200ms  scene.will_enter_foreground for 1ms scene=left
      300ms  scene.did_become_active for 1ms scene=left
      1s     net.connect op=open socket=4 peer=example.com
      2s     net.connect op=close socket=4
      3s     scene.did_disconnect for 1ms scene=left
      4s     trace.end reason=clean
      """, groups: ["Scenes", "Network"])
    #expect(lines.contains("Scenes/left row 0: active 300-3000 ms"), "\(lines)")
    #expect(lines.contains("Network/net.connect row 0: example.com 1000-2000 ms"), "\(lines)")
  }

  @Test func deepCallsAreMarks() {
    var text = Self.launch
    for depth in 0..<(LifeIntervals.depthMax + 2) { text += "\(depth + 1)s @5  >x.deep\n" }
    let lines = Self.lines(text, groups: ["Threads/Thread 5"])
    #expect(lines.filter { $0.contains(" row ") }.count == LifeIntervals.depthMax)
    #expect(lines.filter { $0.contains(" at ") }.count == 2)
  }

  @Test func threadsBeyondTheLimitShareATrack() {
    var text = Self.launch
    for thread in 2..<(LifeIntervals.threadsMax + 3) { text += "1s @\(thread)  >x.call\n" }
    let lines = Self.lines(text, groups: ["Threads"])
    #expect(lines.filter { $0.hasPrefix("Threads/Other threads: x.call") }.count == 2)
  }
}
