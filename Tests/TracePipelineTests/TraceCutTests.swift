// In which parts of a trace a finding is looked for.

import Testing
import TraceModel
import TraceRules

@testable import TracePipeline

struct TraceCutTests {
  private static let second: Int64 = 1_000_000_000

  private static func finding(at time: Int64, launch: Int64?) -> Finding {
    Finding(
      rule: "LC101", slug: "x", severity: .error, reason: nil, message: "", timeNanoseconds: time,
      thread: 1, launch: 1, launchStartNanoseconds: launch, count: 1, lastTimeNanoseconds: time,
      subject: "", fingerprint: "", confidence: .certain, witness: [])
  }

  @Test func windowsGrowAndEndWithTheWhole() throws {
    let trace = TimeWindow(from: 0, through: 1_000 * Self.second)
    let finding = Self.finding(at: 500 * Self.second, launch: 100 * Self.second)
    let windows = TimeWindow.candidates(for: finding, margin: Self.second, in: trace)
    #expect(
      windows.first == TimeWindow(from: 499 * Self.second, through: 501 * Self.second))
    #expect(windows.last == .some(nil))
    #expect(windows.contains(TimeWindow(from: 100 * Self.second, through: 501 * Self.second)))
    let lengths = windows.compactMap { $0 }.map { $0.through - $0.from }
    #expect(lengths == lengths.sorted())
    for window in windows.compactMap({ $0 }) {
      #expect(window.contains(finding.timeNanoseconds))
    }
  }

  @Test(arguments: [Int64.min, -1, 0, .max]) func anyTimesWillDo(time: Int64) {
    for margin in [0, 1, Int64.max] {
      for launch in [nil, Int64.min, .max] as [Int64?] {
        let windows = TimeWindow.candidates(
          for: Self.finding(at: time, launch: launch), margin: margin,
          in: TimeWindow(from: .min, through: .max))
        #expect(windows.last == .some(nil))
        #expect(windows.count < 30)
      }
    }
  }

  /// What is found in a trace, each with a witness that is so many events long.
  private static func judged(_ found: [(subject: String, places: [Int])]) -> CutVisitor.Judged {
    let findings = found.map { subject, places in
      var finding = Self.finding(at: Self.second, launch: nil)
      finding.subject = subject
      finding.witness = places.map {
        WitnessEvent(
          ordinal: $0, timeNanoseconds: Int64($0), event: "bgtask.begin", phase: .instant,
          thread: 1, role: "open", arguments: [], line: 0)
      }
      return finding
    }
    return CutVisitor.Judged(
      number: 1, traceID: "", eventCount: 10, window: TimeWindow(from: 0, through: Self.second),
      findings: findings, isDamaged: false)
  }

  @Test func aHashedFindingIsToldFromOthersOfItsTime() throws {
    let plain = Self.judged([("save", [2, 7]), ("load", [3, 7])])
    let hashed = Self.judged([("r_b", [3, 7]), ("r_a", [2, 7])])
    let counterpart = try #require(hashed.counterpart(of: plain.findings[0]))
    #expect(counterpart.subject == "r_a")
    #expect(hashed.shows(counterpart, of: hashed))
    // A part in which only the other one is found doesn't do.
    #expect(!Self.judged([("r_b", [3, 7])]).shows(counterpart, of: hashed))
    #expect(Self.judged([("r_b", [3, 7])]).counterpart(of: plain.findings[0]) == nil)
  }
}
