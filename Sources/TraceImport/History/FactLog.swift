// Collects the facts of a capture: who they are about, duplicates left out.
// This file must not know line formats, nor which events facts become.

import TraceModel

/// The facts of a capture in the order of its lines.
struct FactLog: Sendable {
  private(set) var facts: [Fact] = []
  private(set) var texts = StringPool()
  private(set) var exits: [ExitRecord] = []
  var directory = ProcessDirectory()
  /// What patterns made of lines.
  var mapped = MappedEvents()
  /// Warnings of the system that no event can carry.
  private(set) var warnings: [String] = []
  private var hasSceneWarning = false
  /// Whether a fact was left out for want of room.
  private(set) var isFull = false
  /// Whether lines of the beginning and of the end of tasks were seen in the capture.
  private(set) var hasTaskBegins = false
  private(set) var hasTaskEnds = false
  private(set) var hasTaskFacts = false

  private var seen: Set<FactKey> = []
  /// Assertions that are held: by whom, and the text of the identifier.
  private var assertions: [String: (process: Int, text: Int)] = [:]

  /// Facts alike within a millisecond are one fact that was logged or pasted twice.
  private struct FactKey: Hashable {
    var kind: FactKind
    var process: UInt16
    var name: Int32
    var token: LogToken
    var number: UInt64
    var from: UInt64
    var to: UInt64
    var slice: Int64
  }

  /// Who logged a line, and when.
  struct Origin {
    var name: String
    var pid: Int64?
    var thread: Int64?
    var timeNanoseconds: Int64
    var line: UInt32
    /// Whether the line has no prefix, so that its process is only known from lines around it.
    var isBare: Bool
  }

  /// What became of a message.
  enum Outcome {
    case taken
    case ignored(LineLedger.Reason)
  }

  /// Takes what a message says.
  @discardableResult
  mutating func add(
    _ content: MessageContent, of message: Span<UInt8>, from origin: Origin
  ) -> Outcome {
    guard facts.count < ImportLimits.factsMax else {
      isFull = true
      return .ignored(.noRoom)
    }
    let bundle = content.bundle.isEmpty ? nil : message.text(content.bundle)
    if content.kind == .stateReport, let pid = content.pid, let bundle {
      directory.report(by: origin.name, pid: origin.pid, of: pid, bundle: bundle)
      guard content.from != 0 else { return .taken }
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
      return .taken
    case .simulator:
      directory.markSimulated(process)
      return .taken
    case .stateReport: fact.kind = .suspension
    case .suspension where content.from == 0: return .ignored(.notUnderstood)
    case .taskOverdue:
      warn(content, message, origin)
      return .taken
    case .sceneWarning:
      warnOfScenes(origin)
      return .taken
    default: break
    }
    if !content.assertion.isEmpty {
      guard let text = assertion(content, message, process) else { return .ignored(.notOfAnApp) }
      fact.number = UInt64(text)
    }
    if content.kind == .exit, origin.isBare { directory.markDebugged(process) }
    if content.subject == .logger { fact.thread = origin.thread ?? 1 } else { fact.thread = 0 }
    if !content.name.isEmpty, texts.bytes.count < ImportLimits.textBytesMax {
      fact.name = Int32(texts.intern(message.text(content.name)))
    }
    if let exit = content.exit {
      guard exits.count < ImportLimits.exitsMax else { return .ignored(.noRoom) }
      fact.number = UInt64(exits.count)
      exits.append(exit)
    }
    // A bare line has no time of its own that could tell a second one from the same one.
    guard origin.isBare || isNew(fact) else { return .ignored(.repeated) }
    if origin.pid == nil { renewIfRestarted(&fact) }
    note(fact)
    facts.append(fact)
    return .taken
  }

  /// Takes a line of which a pattern made an event.
  ///
  /// - Parameters:
  ///   - alternative: Its place among the patterns of the same line, from 0.
  ///   - identity: What tells the line from another of the same millisecond; nil where the
  ///     capture's times are too coarse for that.
  mutating func add(
    mapped first: Int, pattern: Int, alternative: Int, thread: Int64?, identity: UInt64?,
    from origin: Origin
  ) -> Outcome {
    guard facts.count < ImportLimits.factsMax else {
      isFull = true
      return .ignored(.noRoom)
    }
    guard let process = loggingProcess(origin) else { return .ignored(.notOfAnApp) }
    var fact = Fact(kind: .mapped)
    fact.process = UInt16(process)
    fact.line = origin.line
    fact.timeNanoseconds = origin.timeNanoseconds
    fact.thread =
      thread ?? (mapped.patterns.all[pattern].isCallback ? 1 : origin.thread ?? 1)
    (fact.number, fact.from, fact.to) = (identity ?? 0, UInt64(pattern), UInt64(alternative))
    if identity != nil, !origin.isBare, !isNew(fact) { return .ignored(.repeated) }
    fact.number = UInt64(first)
    facts.append(fact)
    return .taken
  }

  /// Keeps a remark for the reader of a report.
  mutating func warn(_ text: String) {
    if warnings.count < ImportLimits.warningsMax { warnings.append(text) }
  }

  private mutating func process(
    of content: MessageContent, _ bundle: String?, _ message: Span<UInt8>, _ origin: Origin
  ) -> Int? {
    switch content.subject {
    case .named, .leadingTarget: return directory.target(bundle: bundle, pid: content.pid)
    case .known: return directory.known(pid: content.pid, name: message.text(content.process))
    case .assertionHolder:
      guard !assertions.isEmpty else { return nil }
      return assertions[message.text(content.assertion)]?.process
    case .logger: return loggingProcess(origin)
    }
  }

  private mutating func loggingProcess(_ origin: Origin) -> Int? {
    if origin.isBare, origin.name.isEmpty { return directory.anonymous() }
    return directory.logger(name: origin.name, pid: origin.pid)
  }

  /// The text of an assertion's identifier; nil for one that isn't followed.
  private mutating func assertion(
    _ content: MessageContent, _ message: Span<UInt8>, _ process: Int
  ) -> Int? {
    let identifier = message.text(content.assertion)
    guard content.kind == .assertionAcquired else {
      return assertions.removeValue(forKey: identifier)?.text
    }
    guard assertions.count < ImportLimits.assertionsMax,
      texts.bytes.count < ImportLimits.textBytesMax
    else { return nil }
    let text = texts.intern(identifier)
    assertions[identifier] = (process, text)
    return text
  }

  /// Remembers a fact, unless it is there already.
  private mutating func isNew(_ fact: Fact) -> Bool {
    // Refusals of Metal have no identity: each line is one refused buffer.
    let sliceNanoseconds: Int64 = fact.kind == .metalRefused ? 1 : 1_000_000
    let slice = fact.timeNanoseconds / sliceNanoseconds
    var key = FactKey(
      kind: fact.kind, process: fact.process, name: fact.name, token: fact.token,
      number: fact.kind == .exit ? 0 : fact.number, from: fact.from, to: fact.to, slice: slice)
    if fact.kind == .metalRefused {
      key.number = UInt64(bitPattern: fact.thread)
      return seen.insert(key).inserted
    }
    // Ends of a process are few, and several lines may tell of one end.
    if fact.kind == .exit { return true }
    var isKnown = false
    for neighbour in [slice - 1, slice, slice + 1] {
      key.slice = neighbour
      if seen.contains(key) { isKnown = true }
    }
    key.slice = slice
    seen.insert(key)
    return !isKnown
  }

  /// A process counts its tasks from 1: the first task a second time is another process.
  private mutating func renewIfRestarted(_ fact: inout Fact) {
    guard fact.kind == .taskBegun, fact.token == .number(1) else { return }
    let index = Int(fact.process)
    if directory.entries[index].hasBegunFirstTask, let renewed = directory.renew(index) {
      fact.process = UInt16(renewed)
    }
    directory.markBegunFirstTask(Int(fact.process))
  }

  private mutating func note(_ fact: Fact) {
    switch fact.kind {
    case .taskBegun: hasTaskBegins = true
    case .taskEndCalled, .taskEndAccepted: hasTaskEnds = true
    case .taskEndRefused, .taskHandlerCalled: break
    default: return
    }
    hasTaskFacts = true
  }

  private mutating func warnOfScenes(_ origin: Origin) {
    guard !hasSceneWarning, warnings.count < ImportLimits.warningsMax else { return }
    hasSceneWarning = true
    warnings.append(
      "UIKit warned in line \(origin.line) that it will require the life cycle of scenes, "
        + "which the app doesn't use")
  }

  private mutating func warn(_ content: MessageContent, _ message: Span<UInt8>, _ origin: Origin) {
    guard warnings.count < ImportLimits.warningsMax else { return }
    var text = "UIKit warned in line \(origin.line) that background task "
    if case .number(let number) = content.token { text += "\(number) " }
    if !content.name.isEmpty { text += "\"\(message.text(content.name))\" " }
    warnings.append(text + "had been open for over 30 s")
  }
}
