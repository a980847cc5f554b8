// An event of a trace before it is written, and how it is written.
// This file must not know what the event was concluded from.

import TraceModel

/// An event that can still be changed by a later line about the same thing.
struct PlannedEvent: Sendable {
  enum Content: Sendable {
    case plain
    /// Overdue is a task of which only a warning tells that it is open for long.
    case taskBegin(name: String?, hasHandler: Knowledge, isFramework: Bool, isOverdue: Bool)
    case taskEnd(isRefused: Bool)
    case suspension(isInferred: Bool)
    /// One record.
    case exit([ExitRecord])
    case metalRefusal
    /// What was done with an assertion.
    case assertion(AssertionStep, identifier: String, name: String?)
    /// A line of the pattern at a place, and the event's arguments.
    case mapped(pattern: Int, values: [ArgumentValue])
    /// The beginning of a capture.
    case attach
    /// Nobody knows how much time passed, and nothing is missing.
    case nothingLost
    /// Turned out to be no event.
    case dropped
  }

  /// The words for what is done with an assertion.
  enum AssertionStep: String {
    case acquire, release, invalidate
  }

  /// How long a task is open at least of which UIKit warns.
  private static let overdueSeconds = 30.0

  var kind: EventKind
  var timeNanoseconds: Int64
  var line: UInt32
  var thread: Int64
  var token = LogToken.none
  var content = Content.plain
  /// How far the capture's clock had come with the fact; what settles the event comes soon after.
  var progressNanoseconds: Int64 = 0

  init(_ kind: EventKind, _ fact: Fact, _ content: Content = .plain) {
    self.kind = kind
    timeNanoseconds = fact.timeNanoseconds
    line = fact.line
    thread = fact.thread
    token = fact.token
    self.content = content
  }

  var isDropped: Bool {
    if case .dropped = content { true } else { false }
  }

  /// Appends the event. The assembler must not be full.
  ///
  /// - Parameter patterns: Those by whose places mapped lines name them.
  func append(to assembler: inout BatchAssembler, patterns: CapturePatterns) {
    var phase = Phase.instant
    if case .mapped(let pattern, _) = content { phase = patterns.all[pattern].phase }
    assembler.begin(
      kind, phase, thread: thread, timeNanoseconds: timeNanoseconds, line: line)
    switch token {
    case .none: break
    case .hidden: assembler.add(.token, .string("<private>"))
    case .number(let number):
      if let signed = Int64(exactly: number) {
        assembler.add(.token, .integer(signed))
      } else {
        assembler.add(.token, .unsigned(number))
      }
    }
    switch content {
    case .plain, .dropped: break
    case .taskBegin(let name, let hasHandler, let isFramework, let isOverdue):
      if let name { assembler.add(.name, .string(name)) }
      if hasHandler != .unknown {
        assembler.add(.hasExpirationHandler, .boolean(hasHandler == .yes))
      }
      if isFramework { assembler.add(.by, .string("uikit")) }
      if isOverdue { assembler.add(.elapsedS, .number(Self.overdueSeconds)) }
    case .taskEnd(let isRefused):
      if isRefused { assembler.add(.refused, .boolean(true)) }
    case .suspension(let isInferred):
      assembler.add(.inferred, .boolean(isInferred))
      if kind == .procSuspend { assembler.add(.evidence, .string("os_log")) }
    case .exit(let records): records.first?.append(to: &assembler)
    case .assertion(let step, let identifier, let name):
      assembler.add(.op, .string(step.rawValue))
      assembler.add(.id, .string(identifier))
      if let name { assembler.add(.name, .string(name)) }
      if step == .acquire { assembler.add(.reason, .string("FinishTask")) }
    case .mapped(let pattern, let values):
      for (argument, value) in zip(patterns.all[pattern].arguments, values) {
        assembler.add(argument.name, value)
      }
    case .attach: assembler.add(.reason, .string("attach"))
    case .nothingLost: assembler.add(.count, .integer(0))
    case .metalRefusal:
      MetalRefusal.append(to: &assembler)
    }
    assembler.endEvent()
  }
}

extension ExitRecord {
  /// Adds the arguments of the event that the record is.
  func append(to assembler: inout BatchAssembler) {
    guard isKill else {
      if let code = exitCode { assembler.add(.code, .integer(code)) }
      return
    }
    if let signal { assembler.add(.signal, .integer(signal)) }
    assembler.add(.cause, .string(weighedCause))
    if let code { assembler.add(.code, .integer(code)) }
    if let namespace { assembler.add(.namespace, .string(namespace)) }
    if let explanation { assembler.add(.description, .string(explanation)) }
    if let allowanceSeconds { assembler.add(.allowanceS, .number(allowanceSeconds)) }
    if let elapsedSeconds { assembler.add(.elapsedS, .number(elapsedSeconds)) }
    if let appCpuSeconds { assembler.add(.appCpuS, .number(appCpuSeconds)) }
    if let totalCpuPercent { assembler.add(.totalCpuPercent, .number(totalCpuPercent)) }
    if let thermalState { assembler.add(.thermalState, .string(thermalState)) }
    if let visibility { assembler.add(.visibility, .string(visibility)) }
    if let role { assembler.add(.role, .string(role)) }
    if let thermalLevel { assembler.add(.thermalLevel, .integer(thermalLevel)) }
  }
}
