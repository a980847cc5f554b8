// Judges and measures one trace, and writes the rows of its life: launches, states, durations and
// ends. This file must not know how captures are read.

import TraceExport
import TraceImport
import TraceLifecycle
import TraceModel
import TracePipeline
import TraceQuery
import TraceRules

/// The life in one trace.
struct QueryLife {
  /// Ends whose rows are remembered, to be explained when the trace was judged.
  private static let endingsMax = LifeWatch.endingsMax

  private(set) var clock = QueryClock()
  private let trace: Int64
  private let terms: TraceTerms
  private let store: QueryStore
  private let states: RowWriter
  private let durations: RowWriter
  private var checker: Checker
  private var followers: Followers?
  private var orderer = TimeOrderer()
  private var stateCount = 0
  private var durationCount = 0
  private var terminations: [LifeMeasure] = []
  private var terminationCount = 0
  private let terminationRows: RowWriter

  init(
    trace: Int64, header: TraceHeader, terms: TraceTerms, store: QueryStore
  ) throws(QueryError) {
    self.trace = trace
    self.terms = terms
    self.store = store
    states = try store.rows(of: .states)
    durations = try store.rows(of: .durations)
    terminationRows = try store.rows(of: .terminations)
    checker = Checker(header: header, plans: terms.plans, measures: true)
    followers = Followers(
      watch: LifeWatch(header: header),
      launches: LaunchRows(trace: trace, rows: try store.rows(of: .launches)))
  }

  /// What takes the events one by one, in order of time.
  private struct Followers {
    var watch: LifeWatch
    var launches: LaunchRows

    mutating func follow(_ batch: EventBatch, _ range: Range<Int>, _ clock: QueryClock) {
      for index in range {
        let event = batch.event(at: index)
        watch.take(event, batch)
        launches.follow(watch.launch, at: event.timeNanoseconds, clock)
      }
    }
  }

  mutating func add(_ remark: CaptureRemark) {
    checker.add(remark)
  }

  mutating func consume(_ batch: EventBatch) throws(QueryError) {
    var source = batch
    checker.consume(&source)
    try take(checker.takeMeasures())
    try takeCounted(batch)
    guard var followers = followers.take() else { return }
    let clock = clock
    orderer.consume(batch) { followers.follow($0, $1, clock) }
    self.followers = followers
    if let failure = followers.launches.failure { throw failure }
  }

  /// Ends the trace, and writes what waited for that.
  ///
  /// - Returns: The judgement, without the findings that are suppressed.
  mutating func finish(
    traceID: String, path: String, traceNumber: Int, isDamaged: Bool
  ) throws(QueryError) -> Judgement {
    guard var followers = followers.take() else {
      preconditionFailure("a trace ends once")
    }
    let clockBefore = clock
    orderer.finish { followers.follow($0, $1, clockBefore) }
    followers.launches.finish(clock)
    if let failure = followers.launches.failure { throw failure }
    var judgement = checker.finish(isDamaged: isDamaged)
    try take(checker.takeMeasures())
    judgement.traceID = traceID
    var counted: [Finding] = []
    for finding in judgement.findings {
      if let kept = terms.suppression(finding, traceID) {
        judgement.suppressed.append(kept)
      } else {
        counted.append(finding)
      }
    }
    judgement.findings = counted
    let story = WhyStory(
      capture: JudgedCapture(path: path), traceNumber: traceNumber > 1 ? traceNumber : nil,
      judgement: judgement, endings: followers.watch.endings)
    try writeTerminations(story)
    return judgement
  }

  // MARK: Measures

  private mutating func take(_ measures: [LifeMeasure]) throws(QueryError) {
    for measure in measures {
      switch measure.subject {
      case .duration(let duration): try write(duration, measure)
      case .state(let state): try write(state, measure)
      case .termination(let cause, let count, _):
        if terminations.count < Self.endingsMax {
          terminations.append(measure)
        } else {
          try write(cause, count, measure, nil, nil)
        }
      case .wallClock(let wall): clock.add(wall, at: measure.timeNanoseconds)
      case .lostEvents, .launched, .foreground: break
      }
    }
  }

  /// Takes the ends that the system counted: they are no events of a life.
  private mutating func takeCounted(_ batch: EventBatch) throws(QueryError) {
    guard batch.templates.contains(where: { $0.kind == .exitImport }) else { return }
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      guard event.kind == .exitImport, let category = batch.text(.category, of: event),
        let count = batch.integer(.count, of: event), count > 0
      else { continue }
      let cause = TerminationCause(metricKit: category) ?? .unknown
      try take([
        LifeMeasure(
          .termination(cause, count: Int(clamping: count)),
          timeNanoseconds: event.timeNanoseconds)
      ])
    }
  }

  private mutating func write(
    _ duration: LifeDuration, _ measure: LifeMeasure
  ) throws(QueryError) {
    durationCount += 1
    durations.add(trace)
    durations.add(durationCount)
    durations.add(measure.launch)
    durations.add(duration.word)
    durations.add(measure.timeNanoseconds)
    durations.add(clock.wall(at: measure.timeNanoseconds))
    durations.add(measure.durationNanoseconds)
    try durations.insert()
  }

  private mutating func write(
    _ state: LifecycleState, _ measure: LifeMeasure
  ) throws(QueryError) {
    stateCount += 1
    let start = measure.timeNanoseconds.minus(measure.durationNanoseconds)
    states.add(trace)
    states.add(stateCount)
    states.add(measure.launch)
    states.add(state.word)
    states.add(start)
    states.add(clock.wall(at: start))
    states.add(measure.timeNanoseconds)
    states.add(measure.durationNanoseconds)
    try states.insert()
  }

  // MARK: Ends

  private mutating func writeTerminations(_ story: WhyStory) throws(QueryError) {
    var endings = story.endings
    for measure in terminations {
      guard case .termination(let cause, let count, _) = measure.subject else { continue }
      let place =
        Self.isOwn(cause) ? nil : endings.firstIndex { Self.explains($0, measure) }
      let told = place ?? endings.firstIndex { Self.tells($0, of: measure, cause, count) }
      let ending = told.map { endings.remove(at: $0) }
      try write(cause, count, measure, ending, story)
    }
    terminations.removeAll()
  }

  /// Whether an app ended itself, or nobody saw its end.
  private static func isOwn(_ cause: TerminationCause) -> Bool {
    [.exit, .exitAfterWillTerminate, .unrecorded].contains(cause)
  }

  /// Whether a kill is what a measured end came of: of an exit that a kill explains, the time of
  /// the exit was measured.
  private static func explains(_ ending: Ending, _ measure: LifeMeasure) -> Bool {
    ending.kind == .kill && ending.launch == measure.launch && measure.launch > 0
      && ending.timeNanoseconds >= measure.timeNanoseconds
  }

  /// Whether an event that tells of an end is the one that was measured.
  private static func tells(
    _ ending: Ending, of measure: LifeMeasure, _ cause: TerminationCause, _ count: Int
  ) -> Bool {
    guard ending.timeNanoseconds == measure.timeNanoseconds else { return false }
    switch ending.kind {
    case .counted:
      let known = ending.text("category").flatMap { TerminationCause(metricKit: $0) }
      return measure.launch == 0 && (known ?? .unknown) == cause
        && ending.number("count") == Int64(count)
    case .exit, .kill: return measure.launch > 0
    }
  }

  private mutating func write(
    _ cause: TerminationCause, _ count: Int, _ measure: LifeMeasure, _ ending: Ending?,
    _ story: WhyStory?
  ) throws(QueryError) {
    terminationCount += 1
    let rows = terminationRows
    rows.add(trace)
    rows.add(terminationCount)
    rows.add(measure.launch)
    rows.add(measure.timeNanoseconds)
    rows.add(clock.wall(at: measure.timeNanoseconds))
    rows.add(cause.rawValue)
    rows.add(count)
    rows.add(ending.map { "\($0.kind)" } ?? (cause == .exitAfterWillTerminate ? "exit" : nil))
    rows.add(ending?.number("signal"))
    rows.add(ending?.number("code"))
    rows.add(ending?.text("namespace"))
    rows.add(ending?.text("description"))
    let state = ending?.state.word
    rows.add(ending?.kind == .counted || state == "unknown" ? nil : state)
    let account = ending.flatMap { story?.account(of: $0) }
    rows.add(account?.rule)
    rows.add(account?.meaning)
    rows.add(ending.flatMap { story?.paragraph($0) })
    try rows.insert()
  }
}

/// Writes a row for each launch when the next one begins.
struct LaunchRows {
  private let trace: Int64
  private let rows: RowWriter
  private var current: Launch?
  private var endNanoseconds: Int64?
  private var lastNanoseconds: Int64?
  private(set) var failure: QueryError?

  init(trace: Int64, rows: RowWriter) {
    self.trace = trace
    self.rows = rows
  }

  /// Takes note of the launch after an event.
  mutating func follow(_ launch: Launch?, at time: Int64, _ clock: QueryClock) {
    if let known = current, launch?.number != known.number { write(known, clock) }
    if current?.number != launch?.number { endNanoseconds = nil }
    current = launch
    if launch?.hasEnded == true, endNanoseconds == nil { endNanoseconds = time }
    lastNanoseconds = time
  }

  mutating func finish(_ clock: QueryClock) {
    if let current { write(current, clock) }
    current = nil
  }

  private mutating func write(_ launch: Launch, _ clock: QueryClock) {
    if failure != nil { return }
    rows.add(trace)
    rows.add(launch.number)
    rows.add(launch.startNanoseconds)
    rows.add(launch.startNanoseconds.flatMap { clock.wall(at: $0) })
    rows.add(endNanoseconds ?? lastNanoseconds)
    rows.add(launch.into?.rawValue)
    rows.add(launch.reason.rawValue)
    rows.add(launch.pid)
    rows.add(launch.isMidLife)
    rows.add(launch.hasGap)
    rows.add(Int64?.none)
    rows.add(String?.none)
    do throws(QueryError) { try rows.insert() } catch { failure = error }
  }
}
