// The exit status as a table.

import Testing
import TraceExport
import TracePipeline

struct CommandStatusTests {
  private static func status(
    errors: Int = 0, warnings: Int = 0, notes: Int = 0, unreadable: Int = 0, damaged: Int = 0,
    failOn: FailureLevel = .error, allowsDamaged: Bool = false
  ) -> CommandStatus {
    var summary = ReportSummary()
    summary.errors = errors
    summary.warnings = warnings
    summary.notes = notes
    summary.unreadable = unreadable
    summary.damaged = damaged
    return .ofCheck(summary, failOn: failOn, allowsDamaged: allowsDamaged)
  }

  @Test func findingsFailFromTheirLevelOn() {
    #expect(Self.status() == .done)
    #expect(Self.status(errors: 1) == .findings)
    #expect(Self.status(warnings: 1) == .done)
    #expect(Self.status(warnings: 1, failOn: .warning) == .findings)
    #expect(Self.status(notes: 1, failOn: .warning) == .done)
    #expect(Self.status(notes: 1, failOn: .note) == .findings)
    #expect(Self.status(errors: 1, warnings: 1, notes: 1, failOn: .never) == .done)
  }

  @Test func damageWeighsMoreUnlessItIsAllowed() {
    #expect(Self.status(unreadable: 1) == .damagedInput)
    #expect(Self.status(errors: 1, damaged: 1) == .damagedInput)
    #expect(Self.status(damaged: 1, failOn: .never) == .damagedInput)
    #expect(Self.status(errors: 1, unreadable: 1, allowsDamaged: true) == .findings)
    #expect(Self.status(damaged: 1, allowsDamaged: true) == .done)
  }

  @Test func theNumbersAreAContract() {
    let statuses: [CommandStatus] = [
      .done, .findings, .usage, .damagedInput, .slower, .internalError,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4, 70])
  }
}
