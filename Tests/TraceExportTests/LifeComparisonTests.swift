// Differences of two small lives, as they are told to people.

import Testing
import TraceCatalogue
import TraceExport
import TraceLifecycle
import TraceModel
import TraceNotation
import TraceRules

struct LifeComparisonTests {
  private static let before = """
    header app_bundle_id=com.example.notes app_version=1.0 os_version="8.1"
    0s   proc.start into=foreground reason=user_icon
    100ms  delegate.did_finish_launching for 400ms
    1s   delegate.did_become_active for 1ms
    2s   bgtask.begin token=3 name="save 17"
    3s   bgtask.end token=3
    5s   delegate.will_resign_active for 1ms
    6s   delegate.did_enter_background for 200ms
    20s  trace.end reason=clean
    """

  private static func differences(
    _ first: String, _ second: String, align: String = "launch",
    form: TimelineFormat = TimelineFormat.differences[0]
  ) throws -> String {
    var context = TimelineContext(toolVersion: "1.2.3")
    context.comparison.alignment = try #require(LifeAlignment(align))
    var writer = form.makeWriter(context)
    for (text, path) in [(first, "a.timeline"), (second, "b.timeline")] {
      let (header, batches) = readTimeline(text)
      var checker = Checker(header: header, options: CheckOptions())
      writer.begin(
        TimelineTrace(
          path: path, header: header, profile: ProfileSelection(header: header).profile))
      for var batch in batches {
        checker.consume(&batch)
        writer.consume(batch)
      }
      writer.endTrace(checker.finish(isDamaged: false))
    }
    writer.end()
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// The lines on the life itself.
  private static func lines(
    _ first: String, _ second: String, align: String = "launch"
  ) throws -> [String] {
    let lines = try differences(first, second, align: align).split(separator: "\n")
    let start = lines.firstIndex(of: "Life").map { $0 + 1 } ?? lines.count - 1
    return lines[start...].map { line in
      line.split(separator: " ").joined(separator: " ")
    }
  }

  @Test func numbersInNamesAndTokensAreNoDifference() throws {
    let after = Self.before.replacing("save 17", with: "save 4711").replacing("=3", with: "=9")
    #expect(try Self.lines(Self.before, after) == ["no differences"])
  }

  @Test func everyWayToDifferIsTold() throws {
    let after = """
      header app_bundle_id=com.example.notes app_version=1.1 os_version="8.1"
      10s   proc.start into=foreground reason=user_icon
      10.1s  delegate.did_finish_launching for 700ms
      11s   delegate.did_become_active for 1ms
      12s   bgtask.begin token=3 name="save 18"
      12.5s   bgtask.end token=3
      13s   bgtask.begin token=4 name="upload"
      13.5s   bgtask.end token=4
      15.6s   delegate.will_resign_active for 1ms
      16.6s   delegate.did_enter_background for 200ms
      30.6s  trace.end reason=clean
      """
    #expect(
      try Self.lines(Self.before, after) == [
        "slower +0.1s delegate.did_finish_launching (Main thread) 0.4s, now 0.7s (+0.3s)",
        "shorter +2s save 17 (Background tasks) 1s, now 0.5s (-0.5s)",
        "appeared +3s upload (Background tasks) 0.5s",
        "moved +5s delegate.will_resign_active (Main thread) +5s, now +5.6s: 0.6s later, and"
          + " what follows with it",
        "4 differences: 1 appeared, 1 moved, 1 slower, 1 shorter",
      ])
  }

  @Test func everyDifferenceIsNamedAfterWhatItShows() throws {
    let task = "3.2s bgtask.begin token=4 name=\"save 18\"\n3.7s bgtask.end token=4\n"
    let both = Self.before.replacing("5s   delegate", with: task + "5s   delegate")
    #expect(
      try Self.lines(Self.before, both) == [
        "appeared +3.2s save 18 (Background tasks) 0.5s", "1 difference: 1 appeared",
      ])
    #expect(
      try Self.lines(both, Self.before) == [
        "vanished +3.2s save 18 (Background tasks) 0.5s", "1 difference: 1 vanished",
      ])
    let longer = both.replacing("3.7s bgtask.end", with: "4.7s bgtask.end")
    #expect(
      try Self.lines(both, longer) == [
        "longer +3.2s save 18 (Background tasks) 0.5s, now 1.5s (+1s)", "1 difference: 1 longer",
      ])
  }

  @Test func whatIsOnlyCountedIsLongerIfItIsNoWork() throws {
    func life(_ taskMilliseconds: Int) -> String {
      var text = """
        header app_bundle_id=com.example.notes
        0s proc.start into=foreground
        1s delegate.did_become_active for 1ms

        """
      for token in 1...70 {
        let start = 1_500 + 500 * token
        text += "\(start)ms bgtask.begin token=\(token) name=save\n"
        text += "\(start + taskMilliseconds)ms bgtask.end token=\(token)\n"
      }
      return text + "60s trace.end reason=clean\n"
    }
    #expect(
      try Self.lines(life(50), life(200)) == [
        "longer +2s save (Background tasks) on average 0.05s, now 0.2s (+0.15s); 70 times",
        "1 difference: 1 longer",
      ])
    #expect(
      try Self.lines(life(200), life(50)) == [
        "shorter +2s save (Background tasks) on average 0.2s, now 0.05s (-0.15s); 70 times",
        "1 difference: 1 shorter",
      ])
  }

  /// A life with as many background tasks as there are lengths; nil for one that never ends.
  private static func tasks(
    _ milliseconds: [Int?], end: String = "100s trace.end reason=clean\n"
  ) -> String {
    var text = """
      header app_bundle_id=com.example.notes
      0s proc.start into=foreground
      1s delegate.did_become_active for 1ms

      """
    for (place, length) in milliseconds.enumerated() {
      let start = 1_500 + 1_000 * place
      text += "\(start)ms bgtask.begin token=\(place + 1) name=save\n"
      if let length { text += "\(start + length)ms bgtask.end token=\(place + 1)\n" }
    }
    return text + end
  }

  @Test(arguments: [5, 70])
  func whatNeverEndsIsTold(_ count: Int) throws {
    let ended = Self.tasks(Array(repeating: 500, count: count))
    let open = Self.tasks([500, 500] + [Int?](repeating: nil, count: count - 2))
    #expect(try Self.lines(ended, open).last == "1 difference: 1 never ended")
    let words = try Self.lines(ended, open).first ?? ""
    #expect(words.hasPrefix("never ended +"), "\(words)")
    #expect(
      words.hasSuffix("save (Background tasks) 0 of \(count), now \(count - 2) of \(count)"),
      "\(words)")
    let back = try Self.lines(open, ended).first ?? ""
    #expect(back.hasPrefix("ended +"), "\(back)")
    #expect(back.hasSuffix("2 of \(count), now \(count) of \(count)"), "\(back)")
  }

  @Test(arguments: [5, 70])
  func whereARecordingStopsNobodyKnowsWhatWouldHaveEnded(_ count: Int) throws {
    let whole = Self.tasks(Array(repeating: 500, count: count))
    let lengths = [Int?](repeating: 500, count: count - 1) + [nil]
    let soon = 1_500 + 1_000 * (count - 1) + 300
    for end in ["", "\(soon)ms trace.end reason=rotated\n", "\(soon)ms proc.kill cause=jetsam\n"] {
      let stopped = Self.tasks(lengths, end: end)
      for lines in [try Self.lines(whole, stopped), try Self.lines(stopped, whole)] {
        #expect(lines.allSatisfy { !$0.contains("ended") }, "\(lines)")
      }
    }
    // A recording that goes on to its end shows that it never ended.
    #expect(try Self.lines(whole, Self.tasks(lengths)).last == "1 difference: 1 never ended")
    // What has been open for longer than any that ended shows it anyhow.
    let early = Self.tasks([nil] + [Int?](repeating: 500, count: count - 1), end: "")
    let words = try Self.lines(whole, early).first ?? ""
    #expect(words.hasPrefix("never ended"), "\(words)")
    #expect(words.hasSuffix("0 of \(count), now 1 of \(count)"), "\(words)")
    let back = try Self.lines(early, whole).first ?? ""
    #expect(back.hasSuffix("\(count - 1) of \(count), now \(count) of \(count)"), "\(back)")
  }

  @Test(arguments: [5, 70])
  func whereAsManyNeverEndNothingHasChanged(_ count: Int) throws {
    var one: [Int?] = Array(repeating: 500, count: count)
    var other = one
    one[1] = nil
    other[3] = nil
    #expect(try Self.lines(Self.tasks(one), Self.tasks(other)) == ["no differences"])
    other[4] = nil
    let lines = try Self.lines(Self.tasks(one), Self.tasks(other))
    #expect(lines.last == "1 difference: 1 never ended")
    #expect(lines.first?.hasSuffix("1 of \(count), now 2 of \(count)") == true, "\(lines)")
  }

  @Test func whatTheMeanHidesIsTold() throws {
    let same = Self.tasks(Array(repeating: 500, count: 70))
    var one: [Int?] = Array(repeating: 500, count: 70)
    one[3] = 900
    #expect(
      try Self.lines(same, Self.tasks(one)) == [
        "longer +1.5s save (Background tasks) the longest 0.5s, now 0.9s (+0.4s)",
        "1 difference: 1 longer",
      ])
    let half = (0..<70).map { $0 < 35 ? 100 : 900 }
    #expect(
      try Self.lines(same, Self.tasks(half)) == [
        "longer +1.5s save (Background tasks) the longest 0.5s, now 0.9s (+0.4s)",
        "shorter +1.5s save (Background tasks) the shortest 0.5s, now 0.1s (-0.4s)",
        "2 differences: 1 longer, 1 shorter",
      ])
    // A mean is one of what was measured, and the item that is shown keeps its length.
    let few = Self.tasks([900, 900] + [Int?](repeating: nil, count: 68))
    let words = "on average 0.5s, now 0.9s (+0.4s); 70 times, now 2"
    #expect(try Self.lines(same, few).first == "longer +1.5s save (Background tasks) \(words)")
    let json = try #require(TimelineFormat.differences.first { $0.name == "json" })
    var most: [Int?] = Array(repeating: 900, count: 70)
    most[0] = 200
    let told = try Self.differences(same, Self.tasks(most), form: json)
    #expect(told.contains("\"a_length_ns\":500000000,\"b_length_ns\":890000000"), "\(told)")
    #expect(told.contains("\"duration_ns\":200000000"), "\(told)")
  }

  @Test(arguments: [-20, -10, 0, 5])
  func aLifeIsAsLongWhereverItsClockBegins(start: Int) throws {
    let life = """
      header app_bundle_id=com.example.notes
      \(start)s proc.start into=foreground
      \(start + 1)s delegate.did_become_active for 1ms
      \(start + 15)s trace.end reason=clean
      """
    let text = try Self.differences(life, life)
    #expect(text.contains("  15s\n"), "\(text)")
    let json = try #require(TimelineFormat.differences.first { $0.name == "json" })
    let told = try Self.differences(life, life, form: json)
    let first = Int64(start) * 1_000_000_000
    let range = "\"first_ns\":\(first),\"last_ns\":\(first + 15_000_000_000)}"
    #expect(told.contains(range), "\(told)")
  }

  @Test func whatIsAlignedDoesNotMove() throws {
    let after = Self.before.replacing("\n2s ", with: "\n2.5s ").replacing("\n3s", with: "\n3.5s")
      .replacing("\n5s", with: "\n5.5s").replacing("\n6s", with: "\n6.5s")
      .replacing("\n20s", with: "\n20.5s")
    let lines = try Self.lines(Self.before, after, align: "bgtask.begin")
    #expect(lines.last == "1 difference: 1 moved")
    let end = "-2s, now -2.5s: 0.5s earlier, and what follows with it"
    #expect(lines.first?.hasSuffix(end) == true)
  }

  @Test(arguments: [
    ("launch", "launch"), ("proc.start", "proc.start"), ("proc.start#1", "proc.start"),
    ("proc.start#2", "proc.start#2"),
  ])
  func alignmentsAreRead(_ text: String, _ told: String) throws {
    #expect(LifeAlignment(text) == LifeAlignment(told))
  }

  @Test(arguments: ["", "#1", "x#0", "x#-1", "x#1000001", "x#1#2", "x#99999999999999999999"])
  func otherAlignmentsAreRefused(_ text: String) { #expect(LifeAlignment(text) == nil) }

  @Test func formsAreDeterministic() throws {
    let after = Self.before.replacing("for 400ms", with: "for 700ms")
    for form in TimelineFormat.differences {
      let told = try Self.differences(Self.before, after, form: form)
      #expect(told == (try Self.differences(Self.before, after, form: form)))
      #expect(told.utf8.count > 300)
    }
  }

  @Test func emptyLivesAreCompared() throws {
    let empty = "header app_bundle_id=com.example.notes\n"
    #expect(try Self.lines(empty, empty) == ["no differences"])
    #expect(try Self.lines(empty, Self.before).contains { $0.hasPrefix("appeared") })
  }
}
