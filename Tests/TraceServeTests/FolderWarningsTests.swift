// What is told of a directory: once as long as it lasts, again when it comes back, never too much.

import Testing

@testable import TraceServe

struct FolderWarningsTests {
  private static let hour: Int64 = 3_600_000_000_000

  @Test func aWarningIsToldOnceAsLongAsItLasts() {
    var warnings = FolderWarnings()
    var told: [[String]] = []
    for look in [["a", "a"], ["a", "b"], ["b"], ["a", "b"], []] {
      told.append(warnings.news(look, now: 0))
    }
    #expect(told == [["a"], ["b"], [], ["a"], []])
  }

  @Test func whatThereIsNoRoomForIsToldLater() {
    var warnings = FolderWarnings()
    let all = (0...FolderWarnings.toldMax).map { "\($0)" }
    let first = warnings.news(all, now: 7)
    #expect(first.dropLast() == all.dropLast())
    #expect(first.last?.hasPrefix("more of the directory can't be looked at") == true)
    let silent = warnings.news(all, now: 6 + Self.hour)
    #expect(silent.isEmpty)
    let later = warnings.news(all, now: 7 + Self.hour)
    #expect(later == [all[FolderWarnings.toldMax]])
  }

  @Test func aServerThatToldMuchIsNotSilentForEver() {
    var warnings = FolderWarnings()
    for number in 0..<FolderWarnings.toldMax {
      let told = warnings.news(["\(number)"], now: 0)
      #expect(told == ["\(number)"])
    }
    let full = warnings.news(["a"], now: 0)
    #expect(full.count == 1)
    let silent = warnings.news(["b"], now: 1)
    #expect(silent.isEmpty)
    let told = warnings.news(["c"], now: Self.hour)
    #expect(told == ["c"])
  }
}
