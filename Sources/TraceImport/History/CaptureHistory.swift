// The histories of all processes of a capture while it is read: which facts still wait, which
// events go out, and which trace is whose. This file must not know line formats or wordings.

import TraceModel

/// Turns facts into the steps of a decoder, as early as their truth allows.
///
/// A fact waits until the capture's clock has gone on by ``lagNanoseconds``, so that a line that
/// says more of the same thing can come; its events wait as long again, as a call of UIKit's is
/// told by up to three lines. A capture whose lines name no process id waits for as many facts as
/// there is room for: only later lines tell whose they are. So does a line of a pattern for certain
/// apps until the bundle of its process is known. Everything depends on the lines alone and not on
/// when they come, but for the silence of a live input.
struct CaptureHistory: Sendable {
  /// What the columns of the lines show, and facts don't.
  struct Circumstances: Sendable {
    var levelNames: [String] = []
    var resolutionNanoseconds: Int64?
    /// What the clock on the wall showed at time 0.
    var wallClock: WallAnchor?
    var isOfSimulator = false
    var hasProcessIDs = true
    var firstLine: UInt32 = 0
    /// Grows with every change.
    var version = 0
  }

  /// One process that has a trace, or will.
  private struct Process {
    /// Its place in the directory.
    let root: Int
    var plan = HistoryPlan()
    var assembler: BatchAssembler?
    var traceNumber = 0
    var sentHeader = TraceHeader()
    var sentVersion = Version(log: -1, circumstances: -1, namespaceCount: -1, setBackCount: -1)
    /// Events that are settled and not given out.
    var outgoing: [PlannedEvent] = []
    var outgoingHead = 0
    /// How far the clock had come with its last fact.
    var lastProgressNanoseconds: Int64 = 0
  }

  /// As of when a header is.
  private struct Version: Equatable {
    var log: Int
    var circumstances: Int
    /// Namespaces of which patterns made events.
    var namespaceCount: Int
    /// Sets of the clock that are known.
    var setBackCount: Int
  }

  private enum Step {
    case said(DecoderStep)
    /// The next events of the process with a number.
    case events(Int)
    case ended(Int)
  }

  /// How long a line may come after another one about the same thing.
  static let lagNanoseconds: Int64 = 1_000_000_000
  /// How long the line may come that says why a process has ended.
  private static let explanationNanoseconds: Int64 = 3_000_000_000
  /// How long a live input must be silent before nothing more is expected about the same thing.
  static let silentNanosecondsMin: Int64 = 1_000_000_000
  /// Facts that wait, of all processes: they take some hundred bytes each, and with the arguments
  /// of a user's pattern at most some kilobytes.
  static let heldMax = 4_096
  /// Events of a process that wait before some are given out.
  private static let batchEvents = 256
  /// After how long nothing more is expected of a process that ended, and of one that is silent.
  private static let endedNanoseconds: Int64 = 10_000_000_000
  private static let forgottenNanoseconds: Int64 = 600_000_000_000

  var log = FactLog()
  var circumstances = Circumstances()
  /// How often the clock of the lines was set up to the line at hand.
  var clockStepCount: UInt32 = 0
  /// Whether it was set between lines that say something.
  private(set) var hasClockStep = false
  private(set) var traceCount = 0
  /// Whether a process was left out because the capture holds too many traces.
  private(set) var hasTooManyTraces = false

  private var held = HeldFacts()
  /// The processes by number, in the order of their first facts.
  private var processes: [Int: Process] = [:]
  /// The numbers of processes by their places in the directory, which are used again.
  private var numbers: [Int: Int] = [:]
  private var processCount = 0
  /// How many facts of each place of the directory wait.
  private var heldCounts = [Int](repeating: 0, count: ImportLimits.processesMax)
  /// How far the clock must have come before another process may find room.
  private var roomProgressNanoseconds: Int64 = 0
  private var steps: [Step] = []
  private var nextStep = 0
  private var selectedTrace = -1
  /// The place of the fact that waits for a bundle, and the version of what was known of processes.
  private var unnamed = (place: -1, version: -1)
  /// Lines whose pattern is for other apps, of processes that are forgotten.
  private var forgottenLinesOfOtherApps: [Int: Int] = [:]

  // MARK: Facts

  /// Takes what a message says.
  mutating func add(
    _ content: MessageContent, of message: Span<UInt8>, from origin: FactLog.Origin,
    progressNanoseconds: Int64
  ) -> FactLog.Outcome {
    prepareRoom(progressNanoseconds)
    let outcome = log.fact(of: content, in: message, from: origin)
    if case .fact(let fact) = outcome { hold(fact, progressNanoseconds) }
    return outcome
  }

  /// Takes a line of which a pattern makes an event; the parameters are those of
  /// ``FactLog/fact(mapped:pattern:alternative:thread:identity:from:)``.
  mutating func add(
    mapped values: [ArgumentValue], pattern: Int, alternative: Int, thread: Int64?,
    identity: UInt64?, from origin: FactLog.Origin, progressNanoseconds: Int64
  ) -> FactLog.Outcome {
    prepareRoom(progressNanoseconds)
    let outcome = log.fact(
      mapped: values, pattern: pattern, alternative: alternative, thread: thread,
      identity: identity, from: origin)
    if case .fact(let fact) = outcome { hold(fact, progressNanoseconds) }
    return outcome
  }

  /// Lines whose pattern is for other apps than that of the process, by the pattern's place.
  var linesOfOtherApps: [Int: Int] {
    processes.values.reduce(into: forgottenLinesOfOtherApps) { sum, process in
      sum.merge(process.plan.linesOfOtherApps) { $0 + $1 }
    }
  }

  private mutating func prepareRoom(_ progressNanoseconds: Int64) {
    if progressNanoseconds >= roomProgressNanoseconds, log.directory.hasNoRoom {
      makeRoom(progressNanoseconds)
    }
  }

  private mutating func hold(_ fact: Fact, _ progressNanoseconds: Int64) {
    var fact = fact
    fact.clockStepCount = clockStepCount
    fact.setBackNanoseconds = log.setBackNanoseconds
    held.append(fact, progressNanoseconds: progressNanoseconds)
    heldCounts[Int(fact.process)] += 1
    while held.count > Self.heldMax { settleFirst() }
  }

  /// Settles what needn't wait any longer.
  @inline(__always)
  mutating func settle(at progressNanoseconds: Int64) {
    guard let first = held.firstProgressNanoseconds, circumstances.hasProcessIDs,
      progressNanoseconds - first >= Self.lagNanoseconds
    else { return }
    settleOld(progressNanoseconds)
  }

  private mutating func settleOld(_ now: Int64) {
    while let first = held.firstProgressNanoseconds,
      now - first >= lagNanoseconds(of: held[held.firstPlace]), !isFirstUnnamed()
    {
      settleFirst()
    }
  }

  private func lagNanoseconds(of fact: Fact) -> Int64 {
    guard fact.kind == .exit, let record = fact.exit.first, record.isUnexplained else {
      return Self.lagNanoseconds
    }
    return Self.explanationNanoseconds
  }

  /// Whether the next fact is of a pattern for certain apps, and the bundle that tells whether its
  /// process is one may still become known.
  private mutating func isFirstUnnamed() -> Bool {
    let fact = held[held.firstPlace]
    guard fact.kind == .mapped, log.patterns.all[Int(fact.from)].apps != nil else { return false }
    let known = (place: held.firstPlace, version: log.directory.version)
    if known == unnamed { return true }
    let root = log.directory.roots()[Int(fact.process)]
    let entry = log.directory.merged(root)
    let isNamedByCall = entry.name?.isEmpty != false && log.patterns.fallbackApp != nil
    guard entry.bundle == nil, !isNamedByCall else { return false }
    unnamed = known
    return true
  }

  private mutating func settleAll() {
    while held.count > 0 { settleFirst() }
  }

  private mutating func settleFirst() {
    let (fact, progress) = held.takeFirst()
    heldCounts[Int(fact.process)] -= 1
    let roots = log.directory.roots()
    let root = roots[Int(fact.process)]
    let entry = log.directory.merged(root)
    guard !entry.isSystem, let number = number(of: root) else { return }
    let around = HistoryPlan.Surroundings(
      held: held, roots: roots, root: root, source: entry.surestSource,
      resolutionNanoseconds: circumstances.resolutionNanoseconds ?? 1, patterns: log.patterns,
      app: app(of: entry))
    processes[number]?.plan.take(fact, progressNanoseconds: progress, around)
    if processes[number]?.plan.hasClockStep == true { hasClockStep = true }
    processes[number]?.lastProgressNanoseconds = progress
    if waitingCount(number) >= Self.batchEvents {
      release(number, upTo: progress - Self.lagNanoseconds)
      if waitingCount(number) >= 2 * Self.batchEvents { release(number, upTo: .max) }
    }
  }

  private func waitingCount(_ number: Int) -> Int { processes[number]?.plan.waitingCount ?? 0 }

  /// The number of the process at a place of the directory; nil if there are too many.
  private mutating func number(of root: Int) -> Int? {
    if let number = numbers[root] { return number }
    guard processCount < ImportLimits.logTracesMax else {
      hasTooManyTraces = true
      return nil
    }
    numbers[root] = processCount
    processes[processCount] = Process(root: root)
    processCount += 1
    return processCount - 1
  }

  // MARK: Room for processes

  /// Ends the trace of a process of which nothing more is to be expected, so that another one has
  /// a place: the one that ended first, else the one that has been silent for longest.
  private mutating func makeRoom(_ now: Int64) {
    let roots = log.directory.roots()
    var best: (number: Int, key: (Int, Int64, Int))?
    roomProgressNanoseconds = now + Self.endedNanoseconds
    for (root, number) in numbers {
      guard let process = processes[number] else { continue }
      let elapsed = now - process.lastProgressNanoseconds
      let isOver = process.plan.isOver
      roomProgressNanoseconds = min(
        roomProgressNanoseconds, process.lastProgressNanoseconds + Self.endedNanoseconds)
      guard elapsed >= (isOver ? Self.endedNanoseconds : Self.forgottenNanoseconds),
        !roots.indices.contains(where: { roots[$0] == root && heldCounts[$0] > 0 })
      else { continue }
      let key = (isOver ? 0 : 1, process.lastProgressNanoseconds, number)
      if best.map({ key < $0.key }) ?? true { best = (number, key) }
    }
    roomProgressNanoseconds = max(roomProgressNanoseconds, now + 1)
    guard let best, let root = processes[best.number]?.root else { return }
    roomProgressNanoseconds = 0
    processes[best.number]?.plan.finish()
    release(best.number, upTo: .max)
    if let process = processes[best.number], process.assembler != nil {
      select(process.traceNumber)
    }
    steps.append(.ended(best.number))
    numbers[root] = nil
    for place in roots.indices where roots[place] == root { log.retire(place) }
  }

  // MARK: Events

  /// Gives out what is settled, for a live input.
  mutating func flush(silentNanoseconds: Int64, progressNanoseconds: Int64) {
    let isSilent = silentNanoseconds >= Self.silentNanosecondsMin
    if isSilent { settleAll() }
    // What is held may still change the events of the facts before it.
    let settled = min(
      progressNanoseconds - Self.lagNanoseconds, held.firstProgressNanoseconds ?? .max)
    let end = circumstances.hasProcessIDs ? settled - Self.lagNanoseconds : Int64.min
    for number in processes.keys.sorted() {
      if isSilent { processes[number]?.plan.finish() }
      release(number, upTo: isSilent ? .max : end)
    }
  }

  mutating func finish() {
    settleAll()
    for number in processes.keys.sorted() {
      processes[number]?.plan.finish()
      release(number, upTo: .max)
    }
    if traceCount > 0 { select(traceCount - 1) }
  }

  private mutating func release(_ number: Int, upTo progressNanoseconds: Int64) {
    guard var process = processes.removeValue(forKey: number) else { return }
    defer { processes[number] = process }
    let events = process.plan.release(upTo: progressNanoseconds)
    let version = Version(
      log: log.version, circumstances: circumstances.version,
      namespaceCount: process.plan.mappedNamespaces.count,
      setBackCount: process.plan.setBacksNanoseconds.count)
    if process.assembler == nil {
      guard let first = events.first else { return }
      process.assembler = BatchAssembler()
      process.traceNumber = traceCount
      traceCount += 1
      process.sentVersion = version
      process.sentHeader = header(process.root, process.plan)
      select(process.traceNumber)
      steps.append(.said(.header(process.sentHeader)))
      process.outgoing.append(start(before: first))
    } else if version != process.sentVersion {
      process.sentVersion = version
      let header = header(process.root, process.plan)
      if header != process.sentHeader {
        process.sentHeader = header
        select(process.traceNumber)
        steps.append(.said(.stream(.amended(header))))
      }
    }
    if events.isEmpty, process.outgoing.isEmpty { return }
    process.outgoing += events
    select(process.traceNumber)
    steps.append(.events(number))
    // A process ends once, so that there is one remark for each trace at most.
    if let remark = events.lazy.compactMap(Self.remark(on:)).first { steps.append(.said(remark)) }
  }

  /// What is said of a kill, in the words in which reports tell of theirs.
  private static func remark(on event: PlannedEvent) -> DecoderStep? {
    guard event.kind == .procKill, case .exit(let records) = event.content,
      let record = records.first
    else { return nil }
    return .remark(record.remark)
  }

  /// The window of the capture begins with its first time, in the middle of the app's life.
  private func start(before first: PlannedEvent) -> PlannedEvent {
    var start = PlannedEvent(.traceStart, Fact(kind: .processState), .attach)
    start.timeNanoseconds = min(0, first.timeNanoseconds)
    start.line = circumstances.firstLine
    return start
  }

  private mutating func select(_ trace: Int) {
    guard trace != selectedTrace else { return }
    selectedTrace = trace
    steps.append(.said(.stream(.trace(trace))))
  }

  // MARK: Steps

  /// The next thing to say; nil if there is nothing for now.
  mutating func next(into batch: inout EventBatch) -> DecoderStep? {
    while nextStep < steps.count {
      switch steps[nextStep] {
      case .said(let step):
        advance()
        return step
      case .events(let number):
        if fill(&batch, number) { return .batch }
        advance()
      case .ended(let number):
        let process = processes.removeValue(forKey: number)
        forgottenLinesOfOtherApps.merge(process?.plan.linesOfOtherApps ?? [:]) { $0 + $1 }
        advance()
        if process?.assembler != nil { return .stream(.ended) }
      }
    }
    return nil
  }

  private mutating func advance() {
    nextStep += 1
    if nextStep == steps.count {
      steps.removeAll(keepingCapacity: true)
      nextStep = 0
    }
  }

  /// Fills a batch with events of a process.
  ///
  /// - Returns: Whether there are any.
  private mutating func fill(_ batch: inout EventBatch, _ number: Int) -> Bool {
    guard var process = processes.removeValue(forKey: number) else { return false }
    defer { processes[number] = process }
    guard var assembler = process.assembler.take() else { return false }
    let patterns = log.patterns
    while process.outgoingHead < process.outgoing.count, !assembler.isFull {
      process.outgoing[process.outgoingHead].append(to: &assembler, patterns: patterns)
      process.outgoingHead += 1
    }
    if process.outgoingHead == process.outgoing.count {
      process.outgoing.removeAll()
      process.outgoingHead = 0
    }
    let hasEvents = assembler.batch.count > 0
    if hasEvents { assembler.take(into: &batch) }
    process.assembler = assembler
    return hasEvents
  }
}
