// Which logs can be read as one, and by how much their clocks differ.
// This file must not know traces.

import TraceExport
import TraceImport
import TraceModel

/// A log as one pass over it shows it.
struct LogSurvey: Sendable {
  /// The place among the inputs.
  var input: Int
  var path: String
  var format: CaptureFormat
  var view = ClockView()
  var processes: [String: [Int64: ClosedRange<Int64>]] = [:]
  var lineMax: UInt32 = 0
  /// The log when all of it had been read.
  var log: CollectedLog

  /// Names of processes that are remembered: a device runs a few hundred.
  private static let processesMax = 512
  /// Numbers of one name that are remembered: as many runs of one app as a log can hold.
  private static let idsMax = 1_024

  /// Reads a log to its end; nil if there is no life-cycle message in it.
  init?(input: Int, path: String, reader: LogReader) throws(CaptureFailure) {
    self.input = input
    self.path = path
    format = reader.format
    log = reader.log
    var count = 0
    while true {
      let messages = try reader.readMessages()
      for message in messages { take(message, isFirst: count == 0) }
      count += messages.count
      if messages.isEmpty, reader.hasEnded { break }
    }
    guard count > 0 else { return nil }
    log = reader.log
    view.wallClock = log.wallClock
    view.resolutionNanoseconds = log.resolutionNanoseconds
    // The window of the capture begins with its first line and ends with its last.
    view.firstNanoseconds = min(view.firstNanoseconds, 0)
    view.lastNanoseconds = max(view.lastNanoseconds, log.endNanoseconds)
  }

  private mutating func take(_ message: LogMessage, isFirst: Bool) {
    let time = message.timeNanoseconds
    view.firstNanoseconds = isFirst ? time : min(view.firstNanoseconds, time)
    view.lastNanoseconds = isFirst ? time : max(view.lastNanoseconds, time)
    view.marks.add(message.textHash, at: time)
    lineMax = max(lineMax, message.line)
    guard let pid = message.pid,
      processes[message.process] != nil
        || processes.count < Self.processesMax
    else { return }
    let known = processes[message.process]?[pid]
    guard known != nil || processes[message.process]?.count ?? 0 < Self.idsMax else { return }
    processes[message.process, default: [:]][pid] =
      min(known?.lowerBound ?? time, time)...max(known?.upperBound ?? time, time)
  }
}

/// Logs that are read as one, on the clock of the first.
struct LogGroup: Sendable {
  struct Member: Sendable {
    var input: Int
    var path: String
    var format: CaptureFormat
    var part: MergedPart
    var note: String
  }

  /// What a reader should know of how a log was brought together with others.
  struct Note: Sendable {
    var path: String
    var text: String
  }

  private(set) var logs: [Member] = []
  private(set) var processIDs = ProcessIDs()
  private(set) var wallClock: WallAnchor?
  private var surveys: [LogSurvey] = []

  /// Brings logs together as far as their clocks can be compared. `linesBefore` are the lines of
  /// the inputs before each. Also says why a log isn't among the others.
  static func groups(
    of surveys: [LogSurvey], linesBefore: [UInt32]
  ) -> (groups: [LogGroup], refusals: [Int: String]) {
    var groups: [LogGroup] = []
    var refusals: [Int: String] = [:]
    for survey in surveys.sorted(by: { rank($0) < rank($1) }) {
      var refusal: String?
      var isPlaced = false
      placing: for index in groups.indices where groups[index].mayJoin(survey) {
        for reference in groups[index].surveys {
          do throws(ClockRefusal) {
            let offset = try ClockAlignment.offset(
              of: survey.view, to: reference.view, named: reference.path)
            let start = groups[index].offset(ofInput: reference.input)
            groups[index].add(
              survey, offset, start: start, linesBefore[survey.input])
            isPlaced = true
            break placing
          } catch {
            refusal = refusal ?? "\(error.reason) (\(reference.path))"
          }
        }
      }
      if !isPlaced {
        var group = LogGroup()
        group.wallClock = survey.view.wallClock
        group.add(survey, ClockOffset(), start: 0, linesBefore[survey.input])
        groups.append(group)
        refusals[survey.input] = refusal
      }
    }
    for index in groups.indices { groups[index].sort() }
    groups.sort { $0.logs[0].path < $1.logs[0].path }
    return (groups, refusals)
  }

  /// Whether messages of two logs can be put in one order: not where the clock of one was set back,
  /// and only its lines tell where. What they tell of one process is brought together after that.
  private func mayJoin(_ survey: LogSurvey) -> Bool {
    !survey.log.hasSetBack && !surveys.contains { $0.log.hasSetBack }
  }

  /// The clocks that say most go first, as the others are compared with them.
  private static func rank(_ survey: LogSurvey) -> (Int, Int64, String) {
    let clock = survey.view.wallClock
    let lacks = [clock?.hasZone, clock?.hasDate, clock?.hasYear].count { $0 != true }
    return (clock == nil ? 4 : lacks, survey.view.resolutionNanoseconds, survey.path)
  }

  private func offset(ofInput input: Int) -> Int64 {
    logs.first { $0.input == input }?.part.offsetNanoseconds ?? 0
  }

  private mutating func add(
    _ survey: LogSurvey, _ offset: ClockOffset, start: Int64, _ linesBefore: UInt32
  ) {
    let shift = offset.nanoseconds.plus(start)
    logs.append(
      Member(
        input: survey.input, path: survey.path, format: survey.format,
        part: MergedPart(
          path: survey.path, log: survey.log, offsetNanoseconds: shift,
          uncertaintyNanoseconds: offset.uncertaintyNanoseconds, lineOffset: linesBefore),
        note: offset.note))
    surveys.append(survey)
  }

  /// Puts the logs in the order of their paths, so that it doesn't matter how they were named.
  private mutating func sort() {
    logs.sort { $0.path < $1.path }
    for survey in surveys.sorted(by: { $0.path < $1.path }) {
      let shift = offset(ofInput: survey.input)
      for (name, ids) in survey.processes.sorted(by: { $0.key < $1.key }) {
        for (pid, times) in ids.sorted(by: { $0.key < $1.key }) {
          processIDs.note(name, pid: pid, at: times.lowerBound.plus(shift))
          processIDs.note(name, pid: pid, at: times.upperBound.plus(shift))
        }
      }
    }
  }

  /// When one of the logs was written: stretches of time with gaps between them.
  var windows: [ClosedRange<Int64>] {
    let own = surveys.map { survey in
      let shift = offset(ofInput: survey.input)
      let start = survey.view.firstNanoseconds.plus(shift)
      return start...max(start, survey.view.lastNanoseconds.plus(shift))
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var joined: [ClosedRange<Int64>] = []
    for window in own {
      guard let last = joined.last,
        window.lowerBound.minus(last.upperBound) <= Self.holeNanosecondsMin
      else {
        joined.append(window)
        continue
      }
      joined[joined.count - 1] = last.lowerBound...max(last.upperBound, window.upperBound)
    }
    return joined
  }

  /// What a reader should know of how the logs were brought together.
  func notes(_ refusals: [Int: String]) -> [Note] {
    logs.compactMap { log in
      if let refusal = refusals[log.input] {
        return Note(path: log.path, text: "not merged: \(refusal)")
      }
      return log.note.isEmpty ? nil : Note(path: log.path, text: log.note)
    }
  }

  /// Between two lines of one log lies less than this.
  private static let holeNanosecondsMin: Int64 = 1_000_000_000
}
