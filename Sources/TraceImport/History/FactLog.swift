// Makes facts of what messages say: who they are about, duplicates left out.
// This file must not know line formats, nor which events facts become.

import TraceModel

/// Turns messages into facts, and knows who the processes are.
struct FactLog: Sendable {
  var directory = ProcessDirectory()
  /// The user's patterns, by whose places mapped facts name them.
  var patterns = CapturePatterns()
  /// Warnings of the system that no event can carry.
  private(set) var warnings: [String] = []
  private var hasSceneWarning = false
  /// Whether lines of the beginning and of the end of tasks were seen in the capture.
  private(set) var hasTaskBegins = false
  private(set) var hasTaskEnds = false
  private(set) var hasTaskFacts = false
  /// Lines about apps that tell of their launch, rights or state only, and make no event alone.
  private(set) var toldCount = 0
  private var changeCount = 0
  /// Grows with everything that is learned of a process or of what is logged.
  var version: Int { directory.version + changeCount }

  /// What the clock of the lines was set back by: so much later times are than lines show them.
  var setBackNanoseconds: Int64 = 0
  private var recent = RecentFacts()
  private var assertions = HeldAssertions()

  /// Who logged a line, and when.
  struct Origin {
    var name: String
    var pid: Int64?
    var thread: Int64?
    var timeNanoseconds: Int64
    var line: UInt32
    /// Whether the line has no prefix, so that its process is only known from lines around it.
    var isBare: Bool
    /// The file and the line, for people; nil where the line says it.
    var place: String?

    /// Where the line stands, in words.
    var words: String { place ?? "line \(line)" }
  }

  /// What became of a message.
  enum Outcome {
    case fact(Fact)
    /// It says something of which no event is made.
    case noted
    case ignored(LineLedger.Reason)
  }

  /// The fact that a message tells.
  mutating func fact(
    of content: MessageContent, in message: Span<UInt8>, from origin: Origin
  ) -> Outcome {
    if content.kind.isOnlyTold {
      toldCount += 1
      return .noted
    }
    let bundle = content.bundle.isEmpty ? nil : message.text(content.bundle)
    if content.kind == .stateReport, let pid = content.pid, let bundle {
      directory.report(by: origin.name, pid: origin.pid, of: pid, bundle: bundle)
      guard content.from != 0 else { return .noted }
    }
    guard let process = process(of: content, bundle, message, origin) else {
      return .ignored(.notOfAnApp)
    }
    var fact = Fact(kind: content.kind)
    fact.process = UInt16(process)
    fact.line = origin.line
    fact.timeNanoseconds = origin.timeNanoseconds
    fact.token = content.token
    fact.number = content.number
    fact.hasHandler = content.hasHandler
    (fact.from, fact.to) = (content.from, content.to)
    switch content.kind {
    case .debugger:
      directory.markDebugged(process)
      return .noted
    case .simulator:
      directory.markSimulated(process)
      return .noted
    case .stateReport: fact.kind = .suspension
    case .suspension where content.from == 0: return .ignored(.notUnderstood)
    case .taskOverdue: warn(content, message, origin, "had been open for over 30 s")
    case .taskHandlerCalled: warn(content, message, origin, "was open after its handlers had run")
    case .sceneWarning:
      warnOfScenes(origin)
      return .noted
    default: break
    }
    if !content.assertion.isEmpty {
      let identifier = message.text(content.assertion)
      guard takeAssertion(identifier, content.kind, process) else { return .ignored(.notOfAnApp) }
      fact.assertion = identifier
    }
    if content.kind == .exit, origin.isBare { directory.markDebugged(process) }
    if content.subject == .logger { fact.thread = origin.thread ?? 1 } else { fact.thread = 0 }
    if !content.name.isEmpty { fact.name = message.text(content.name) }
    // A bare line has no time of its own that could tell a second one from the same one, and ends
    // of a process are few: several lines may tell of one end.
    guard origin.isBare || content.kind == .exit || isNew(fact) else {
      return .ignored(.repeated)
    }
    if var exit = content.exit {
      exit.isMetalRefusal = exit.cause == "crash" && MetalRefusal.isTold(in: message)
      fact.exit = [exit]
      fact.isPrinted =
        content.subject == .logger && (origin.pid != nil || origin.isBare)
        && exit.cause == "crash"
    }
    if content.subject == .logger, !renewIfRestarted(&fact, origin) { return .ignored(.noRoom) }
    note(fact)
    return .fact(fact)
  }

  /// The fact of a line of which a pattern makes an event.
  ///
  /// - Parameters:
  ///   - values: The event's arguments.
  ///   - alternative: Its place among the patterns of the same line, from 0.
  ///   - thread: The thread, if the pattern says it.
  ///   - identity: What tells the line from another of the same millisecond; nil where the
  ///     capture's times are too coarse for that.
  mutating func fact(
    mapped values: [ArgumentValue], pattern: Int, alternative: Int, thread: Int64?,
    identity: UInt64?, from origin: Origin
  ) -> Outcome {
    guard let process = loggingProcess(origin) else { return .ignored(.notOfAnApp) }
    var fact = Fact(kind: .mapped)
    fact.process = UInt16(process)
    fact.line = origin.line
    fact.timeNanoseconds = origin.timeNanoseconds
    fact.thread = thread ?? (patterns.all[pattern].isCallback ? 1 : origin.thread ?? 1)
    (fact.number, fact.from, fact.to) = (identity ?? 0, UInt64(pattern), UInt64(alternative))
    if identity != nil, !origin.isBare, !isNew(fact) { return .ignored(.repeated) }
    guard renewIfRestarted(&fact, origin) else { return .ignored(.noRoom) }
    fact.values = values
    return .fact(fact)
  }

  /// Keeps a remark for the reader of a report.
  mutating func warn(_ text: String) {
    if warnings.count < ImportLimits.warningsMax { warnings.append(text) }
  }

  /// Forgets a process whose place is to be free.
  mutating func retire(_ process: Int) {
    assertions.forget(process)
    directory.retire(process)
  }

  private mutating func process(
    of content: MessageContent, _ bundle: String?, _ message: Span<UInt8>, _ origin: Origin
  ) -> Int? {
    switch content.subject {
    case .named, .leadingTarget: return directory.target(bundle: bundle, pid: content.pid)
    case .known: return directory.known(pid: content.pid, name: message.text(content.process))
    case .assertionHolder:
      return assertions.isEmpty ? nil : assertions.holder(of: message.text(content.assertion))
    case .logger: return loggingProcess(origin)
    }
  }

  private mutating func loggingProcess(_ origin: Origin) -> Int? {
    if origin.isBare, origin.name.isEmpty { return directory.anonymous() }
    return directory.logger(name: origin.name, pid: origin.pid)
  }

  /// Whether an assertion is followed.
  private mutating func takeAssertion(
    _ identifier: String, _ kind: FactKind, _ process: Int
  ) -> Bool {
    guard kind == .assertionAcquired else { return assertions.release(identifier) }
    return assertions.acquire(identifier, by: process)
  }

  /// Whether a fact wasn't there before, whichever process of the name it was told of.
  private mutating func isNew(_ fact: Fact) -> Bool {
    // A part of a log that stands in it twice shows the same times again.
    var shown = fact
    shown.timeNanoseconds -= setBackNanoseconds
    return recent.insert(shown, of: UInt16(directory.firstPlace(Int(fact.process))))
  }

  /// How long after its end a process may still be told of by lines of its own: some lines tell of
  /// the request to end it, and it may go on for a while.
  private static let farewellNanoseconds: Int64 = 10_000_000_000

  /// A process that has ended logs no more, and it counts its tasks from 1: the first task a second
  /// time is another process.
  ///
  /// - Returns: Whether the process has a place.
  private mutating func renewIfRestarted(_ fact: inout Fact, _ origin: Origin) -> Bool {
    let index = Int(fact.process)
    let isFirstTask =
      origin.pid == nil && fact.kind == .taskBegun && fact.token == .number(1)
    let farewell = fact.timeNanoseconds.minus(
      isFirstTask ? CaptureHistory.lagNanoseconds : Self.farewellNanoseconds)
    if isFirstTask && directory.entries[index].hasBegunFirstTask
      || !origin.isBare && directory.hasEnded(index, before: farewell)
    {
      guard let renewed = directory.renew(index, pid: origin.pid) else { return false }
      fact.process = UInt16(renewed)
    }
    if isFirstTask { directory.markBegunFirstTask(Int(fact.process)) }
    return true
  }

  private mutating func note(_ fact: Fact) {
    directory.note(fact)
    let before = (hasTaskFacts, hasTaskBegins, hasTaskEnds)
    switch fact.kind {
    case .taskBegun: hasTaskBegins = true
    case .taskEndCalled, .taskEndAccepted: hasTaskEnds = true
    case .taskEndRefused, .taskHandlerCalled, .taskOverdue: break
    case .processState:
      toldCount += 1
      return
    default: return
    }
    hasTaskFacts = true
    if before != (hasTaskFacts, hasTaskBegins, hasTaskEnds) { changeCount += 1 }
  }

  private mutating func warnOfScenes(_ origin: Origin) {
    guard !hasSceneWarning, warnings.count < ImportLimits.warningsMax else { return }
    hasSceneWarning = true
    warnings.append(
      "UIKit warned in \(origin.words) that it will require the life cycle of scenes, "
        + "which the app doesn't use")
  }

  private mutating func warn(
    _ content: MessageContent, _ message: Span<UInt8>, _ origin: Origin, _ words: String
  ) {
    guard warnings.count < ImportLimits.warningsMax else { return }
    var text = "UIKit warned in \(origin.words) that background task "
    if case .number(let number) = content.token { text += "\(number) " }
    if !content.name.isEmpty { text += "\"\(message.text(content.name))\" " }
    warnings.append(text + words)
  }
}

/// Assertions that are held, and by whom.
private struct HeldAssertions: Sendable {
  private var holders: [String: (process: Int, number: Int)] = [:]
  private var acquiredCount = 0

  var isEmpty: Bool { holders.isEmpty }

  func holder(of identifier: String) -> Int? { holders[identifier]?.process }

  mutating func acquire(_ identifier: String, by process: Int) -> Bool {
    if holders.count >= ImportLimits.assertionsMax { forgetOlderHalf() }
    acquiredCount += 1
    holders[identifier] = (process, acquiredCount)
    return true
  }

  mutating func release(_ identifier: String) -> Bool {
    holders.removeValue(forKey: identifier) != nil
  }

  mutating func forget(_ process: Int) {
    if holders.isEmpty { return }
    holders = holders.filter { $0.value.process != process }
  }

  /// The lines that let go of them are lost.
  private mutating func forgetOlderHalf() {
    let numbers = holders.values.map(\.number).sorted()
    let middle = numbers[numbers.count / 2]
    holders = holders.filter { $0.value.number >= middle }
  }
}
