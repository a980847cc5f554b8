// How the traces of one run become one trace: what is left out as told by another, when processes
// ended, and what nobody saw. This file must not know how traces are read.

import TraceExport
import TraceModel

/// The plan of one run.
struct RunPlan: Sendable {
  /// How the events of one trace are taken over.
  struct Member: Sendable {
    var source: Int
    var index: Int
    var shiftNanoseconds: Int64
    /// What is added to line numbers.
    var linesBefore: UInt32
    var isRecorded: Bool
    /// The places of events that others tell.
    var dropped: Set<Int> = []
    /// Lines of other captures that tell an event that has none.
    var lines: [Int: UInt32] = [:]
    /// Events of a process lie between its start and the start of the next.
    var earliestNanoseconds = Int64.min
    var latestNanoseconds = Int64.max
    /// Whether the recording's own end counts as that of the run.
    var keepsEnd = false
  }

  private(set) var members: [Member] = []
  /// In order of time.
  private(set) var added: [AddedEvent] = []
  private(set) var otherLines: [UInt32: [UInt32]] = [:]
  private(set) var conflicts: [String] = []
  /// How many ends the run has, each told by one capture or more.
  private(set) var endCount = 0

  private var lives: [TraceSurvey.Life] = []
  private var run: Run

  /// A stretch that is shorter is no gap.
  private static let unseenNanosecondsMin: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - linesBefore: By source, the lines of all files before it; 0 where lines are numbered on
  ///     already.
  ///   - windows: By source, when it was watching; none if its events tell.
  init(_ run: Run, linesBefore: [UInt32], windows: [[ClosedRange<Int64>]]) {
    self.run = run
    for member in run.members {
      members.append(
        Member(
          source: member.survey.source, index: member.survey.index,
          shiftNanoseconds: member.shift, linesBefore: linesBefore[member.survey.source],
          isRecorded: member.survey.isRecorded))
    }
    joinLives()
    bound()
    if run.members.count > 1 {
      let twins = TwinFinder(run, linesBefore: members.map(\.linesBefore))
      for index in members.indices {
        members[index].dropped = twins.dropped[index]
        members[index].lines = twins.lines[index]
      }
      otherLines = twins.otherLines
      joinEnds()
    }
    addBeginning()
    markUnseen(windows)
    added.sort { ($0.timeNanoseconds, $0.rank) < ($1.timeNanoseconds, $1.rank) }
    // What the surveys remember is needed no more.
    self.run = Run(members: [])
  }

  // MARK: Lives

  /// Lives by process id, or by time where none is known.
  private mutating func joinLives() {
    for member in run.members {
      for life in member.survey.lives {
        let start = life.startNanoseconds.map { $0.plus(member.shift) }
        let last =
          member.offset == nil || life.lastNanoseconds == .min
          ? Int64.min : life.lastNanoseconds.plus(member.shift)
        if let place = place(of: life.pid, start ?? last) {
          lives[place].pid = lives[place].pid ?? life.pid
          lives[place].startNanoseconds = lives[place].startNanoseconds ?? start
          lives[place].lastNanoseconds = max(lives[place].lastNanoseconds, last)
        } else {
          lives.append(
            TraceSurvey.Life(pid: life.pid, startNanoseconds: start, lastNanoseconds: last))
        }
      }
    }
  }

  private func place(of pid: Int64?, _ time: Int64) -> Int? {
    if let pid, let place = lives.lastIndex(where: { $0.pid == pid }) { return place }
    if pid != nil, lives.allSatisfy({ $0.pid != nil }) { return nil }
    if lives.count == 1 { return 0 }
    return lives.lastIndex { ($0.startNanoseconds ?? .min) <= time }
  }

  /// Nothing of a process happens before its start, or after that of the next.
  private mutating func bound() {
    for index in members.indices where !members[index].isRecorded {
      guard let pid = run.members[index].survey.pids.first, let place = place(of: pid, .min)
      else { continue }
      if let start = lives[place].startNanoseconds { members[index].earliestNanoseconds = start }
      if let next = nextStart(after: place) { members[index].latestNanoseconds = next.minus(1) }
    }
  }

  private func nextStart(after place: Int) -> Int64? {
    let start = lives[place].startNanoseconds ?? .min
    return lives.compactMap(\.startNanoseconds).filter { $0 > start }.min()
  }

  private func line(_ line: UInt32, of member: Int) -> UInt32 {
    if line == 0 { return 0 }
    let (sum, overflow) = line.addingReportingOverflow(members[member].linesBefore)
    return overflow ? 0 : sum
  }

  // MARK: Ends

  private struct Candidate {
    var end: TraceSurvey.End
    var member: Int
    /// Nil for a report without a time.
    var timeNanoseconds: Int64?
    var isReport: Bool
    var resolutionNanoseconds: Int64
  }

  /// One end for each life, with what all captures say of it.
  private mutating func joinEnds() {
    var candidates: [Int: [Candidate]] = [:]
    for (index, member) in run.members.enumerated() {
      for end in member.survey.ends {
        members[index].dropped.insert(end.ordinal)
        let time = member.offset.map { end.timeNanoseconds.plus($0.nanoseconds) }
        let life = self.life(of: member.survey, time)
        candidates[life, default: []].append(
          Candidate(
            end: end, member: index, timeNanoseconds: time,
            isReport: member.survey.header.origin.isReport,
            resolutionNanoseconds: member.survey.header.integer(.timestampResolutionNanoseconds)
              ?? 1))
      }
    }
    endCount = candidates.count
    for (life, ends) in candidates.sorted(by: { $0.key < $1.key }) { add(ends, of: life) }
    // What a report without a time tells is of the moment of the end.
    for index in members.indices where run.members[index].offset == nil {
      let life = self.life(of: run.members[index].survey, nil)
      let time = lives.indices.contains(life) ? max(0, lives[life].lastNanoseconds) : 0
      members[index].earliestNanoseconds = time
      members[index].latestNanoseconds = time
    }
  }

  private func life(of survey: TraceSurvey, _ time: Int64?) -> Int {
    if survey.pids.count == 1, let pid = survey.pids.first,
      let place = lives.lastIndex(where: { $0.pid == pid })
    {
      return place
    }
    guard let time else { return max(0, lives.count - 1) }
    return lives.lastIndex { ($0.startNanoseconds ?? .min) <= time } ?? 0
  }

  private mutating func add(_ ends: [Candidate], of life: Int) {
    // What explains most; among equals what stands first.
    var best = ends[0]
    for end in ends where end.end.rank > best.end.rank { best = end }
    var arguments = best.end.arguments
    let cause = best.end.text("cause") ?? "unknown"
    for other in ends where other.member != best.member && other.end.isKill == best.end.isKill {
      let theirs = other.end.text("cause") ?? "unknown"
      guard theirs == cause || theirs == "unknown" else {
        conflicts.append(
          "the captures disagree about an end: one says \(cause), another \(theirs);"
            + " what explains more is used")
        continue
      }
      for argument in other.end.arguments
      where !arguments.contains(where: { $0.name == argument.name }) {
        if argument.name != "signal" || cause == "unknown" { arguments.append(argument) }
      }
    }
    let timed = ends.filter { $0.timeNanoseconds != nil }.min {
      ($0.isReport ? 1 : 0, $0.resolutionNanoseconds, $0.timeNanoseconds ?? 0)
        < ($1.isReport ? 1 : 0, $1.resolutionNanoseconds, $1.timeNanoseconds ?? 0)
    }
    var time = timed?.timeNanoseconds ?? .min
    if lives.indices.contains(life) {
      time = max(time, lives[life].lastNanoseconds)
      if let next = nextStart(after: life) { time = min(time, next.minus(1)) }
      lives[life].lastNanoseconds = max(lives[life].lastNanoseconds, time)
    }
    if time == .min { time = 0 }
    var lines = ([best] + ends.filter { $0.member != best.member }).map {
      line($0.end.line, of: $0.member)
    }
    lines.removeAll { $0 == 0 }
    if let first = lines.first {
      otherLines[first, default: []] += lines.dropFirst()
    }
    added.append(
      AddedEvent(
        timeNanoseconds: time, line: lines.first ?? 0,
        content: .end(isKill: best.end.isKill, arguments: arguments)))
  }

  // MARK: What nobody saw

  /// A run whose start no recorder saw begins in the middle of a life.
  private mutating func addBeginning() {
    let isRecorded = run.members.contains { $0.survey.isRecorded }
    let first = firstNanoseconds
    let recordedFirst = run.members.filter(\.survey.isRecorded).compactMap { member in
      member.survey.firstNanoseconds.map { $0.plus(member.shift) }
    }.min()
    let startsInLife =
      lives.allSatisfy { $0.startNanoseconds == nil }
      || (lives.first?.startNanoseconds ?? .min) > first
    if !isRecorded || (startsInLife && first < recordedFirst ?? .max) {
      added.append(AddedEvent(timeNanoseconds: first, content: .attach))
    }
  }

  private func clamped(_ time: Int64, _ member: Int) -> Int64 {
    min(max(time, members[member].earliestNanoseconds), members[member].latestNanoseconds)
  }

  private var firstNanoseconds: Int64 {
    var first = Int64.max
    for (index, member) in run.members.enumerated() where member.offset != nil {
      // A report's own beginning is that of its process, or of nothing.
      if member.survey.header.origin.isReport, run.members.count > 1 { continue }
      let time = (member.survey.firstNanoseconds ?? 0).plus(member.shift)
      first = min(first, clamped(time, index))
    }
    for event in added { first = min(first, event.timeNanoseconds) }
    return first == .max ? 0 : first
  }

  private var lastNanoseconds: Int64 {
    (lives.map(\.lastNanoseconds) + added.map(\.timeNanoseconds)).max() ?? 0
  }

  /// Marks where somebody who showed a kind of events began or stopped watching.
  private mutating func markUnseen(_ windows: [[ClosedRange<Int64>]]) {
    let (first, last) = (firstNanoseconds, lastNanoseconds)
    var watched: [String: [ClosedRange<Int64>]] = [:]
    var everything: [ClosedRange<Int64>] = []
    for (index, member) in run.members.enumerated() where !member.survey.header.origin.isReport {
      var own = windows[member.survey.source].map { shifted($0, member.shift) }
      if own.isEmpty {
        let start = (member.survey.firstNanoseconds ?? 0).plus(member.shift)
        // A recorder watches until the process ends.
        let end = member.survey.recordingEndNanoseconds?.plus(member.shift) ?? .max
        own = [start...max(start, end)]
        members[index].keepsEnd =
          end != .max && end >= last && !added.contains { $0.timeNanoseconds >= end }
      }
      for namespace in member.survey.header.strings(.coverage) ?? ["*"] {
        if namespace == "*" {
          everything += own
        } else {
          watched[namespace, default: []] += own
        }
      }
    }
    if !everything.isEmpty { watched["*"] = [] }
    var cuts: [Int64: (Int64, Int64)] = [:]
    for (_, own) in watched.sorted(by: { $0.key < $1.key }) {
      let windows = (own + everything).sorted { $0.lowerBound < $1.lowerBound }
      for stretch in unseen(windows, first, last) {
        for time in [stretch.lowerBound, stretch.upperBound] where time > first && time < last {
          cuts[time] = (stretch.lowerBound, stretch.upperBound)
        }
      }
    }
    for (time, stretch) in cuts where !isResumed(at: time) {
      added.append(
        AddedEvent(
          timeNanoseconds: time,
          content: .lost(firstNanoseconds: stretch.0, lastNanoseconds: stretch.1)))
    }
  }

  /// Whether a recording begins there, which says itself what it didn't see.
  private func isResumed(at time: Int64) -> Bool {
    run.members.contains {
      $0.survey.isRecorded && $0.survey.firstNanoseconds?.plus($0.shift) == time
    }
  }

  private func shifted(_ range: ClosedRange<Int64>, _ shift: Int64) -> ClosedRange<Int64> {
    let start = range.lowerBound.plus(shift)
    return start...max(start, range.upperBound.plus(shift))
  }

  private func unseen(
    _ windows: [ClosedRange<Int64>], _ first: Int64, _ last: Int64
  ) -> [ClosedRange<Int64>] {
    var found: [ClosedRange<Int64>] = []
    var end = first
    for window in windows {
      if window.lowerBound.minus(end) > Self.unseenNanosecondsMin, window.lowerBound <= last {
        found.append(end...window.lowerBound)
      }
      end = max(end, window.upperBound)
    }
    if last.minus(end) > Self.unseenNanosecondsMin { found.append(end...last) }
    return found
  }
}
