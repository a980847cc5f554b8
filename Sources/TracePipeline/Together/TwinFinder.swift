// Which events of a run several captures tell, and which of them goes on telling each.
// This file must not know ends of processes.

import TraceModel

/// Finds events that are told twice.
struct TwinFinder {
  /// By member of the run: the places of events that others tell.
  private(set) var dropped: [Set<Int>]
  /// By member of the run: lines of others that tell an event that has none.
  private(set) var lines: [[Int: UInt32]]
  /// Lines that tell what a line tells, by that line.
  private(set) var otherLines: [UInt32: [UInt32]] = [:]

  private let run: Run
  private let linesBefore: [UInt32]

  /// How far apart two captures may stamp what they know by a name or a number of its own.
  private static let pairNanosecondsMax: Int64 = 2_000_000_000
  /// Events of one kind in as short a time that are compared; no app has as many.
  private static let nearMax = 64

  /// - Parameter linesBefore: What is added to the line numbers of each member.
  init(_ run: Run, linesBefore: [UInt32]) {
    self.run = run
    self.linesBefore = linesBefore
    dropped = Array(repeating: [], count: run.members.count)
    lines = Array(repeating: [:], count: run.members.count)
    find()
  }

  private struct Kept {
    var member: Int
    var mark: TraceSurvey.Mark
    var timeNanoseconds: Int64
    var pairedWith: Set<Int> = []
  }

  /// Events that may be the same stand in one stretch of time, or in two that touch.
  private struct Near: Hashable {
    let key: UInt64
    let stretch: Int64

    init(_ entry: Kept, slot: Int64 = 0) {
      key = entry.mark.key
      stretch = entry.timeNanoseconds / TwinFinder.pairNanosecondsMax + slot
    }
  }

  private mutating func find() {
    var kept: [Near: [Kept]] = [:]
    for (index, member) in run.members.enumerated() {
      for mark in member.survey.marks {
        let time = mark.shownNanoseconds.plus(member.shift)
        let entry = Kept(member: index, mark: mark, timeNanoseconds: time)
        // Two recordings of one run are compared event by event while they are read.
        guard !member.survey.isRecorded else {
          kept[Near(entry), default: []].append(entry)
          continue
        }
        if let twin = nearest(kept, entry) {
          guard let old = kept[twin.near]?.remove(at: twin.place) else { continue }
          let told = pair(old, entry)
          kept[Near(told), default: []].append(told)
        } else if Kinds.shared.isCallback(mark.kind), isRecorded(mark.kind, at: time) {
          // A log concludes callbacks from what the system says later; the recorder saw them.
          dropped[index].insert(mark.ordinal)
        } else {
          kept[Near(entry), default: []].append(entry)
        }
      }
    }
  }

  /// Where the nearest event of another member stands that may be the same.
  private func nearest(
    _ kept: [Near: [Kept]], _ entry: Kept
  ) -> (near: Near, place: Int)? {
    var best: (near: Near, place: Int)?
    var bestDistance = UInt64.max
    for slot in -1...1 as ClosedRange<Int64> {
      let near = Near(entry, slot: slot)
      for (place, other) in (kept[near] ?? []).prefix(Self.nearMax).enumerated()
      where other.member != entry.member && !other.pairedWith.contains(entry.member) {
        let distance = other.timeNanoseconds.minus(entry.timeNanoseconds).magnitude
        if distance <= Self.pairNanosecondsMax.magnitude, distance < bestDistance {
          best = (near, place)
          bestDistance = distance
        }
      }
    }
    return best
  }

  /// Has one of two captures tell an event; that of `old` stands among those that are kept.
  ///
  /// - Returns: The event as it is told.
  private mutating func pair(_ old: Kept, _ new: Kept) -> Kept {
    var winner = old
    var loser = new
    // Who saw a suspension knows better than who concluded it from silence.
    if old.mark.isInferred, !new.mark.isInferred { swap(&winner, &loser) }
    winner.pairedWith = old.pairedWith.union([old.member, new.member])
    dropped[loser.member].insert(loser.mark.ordinal)
    let line = self.line(loser.mark.line, of: loser.member)
    guard line != 0 else { return winner }
    let own = self.line(winner.mark.line, of: winner.member)
    if own != 0 {
      otherLines[own, default: []].append(line)
    } else if lines[winner.member][winner.mark.ordinal] == nil {
      lines[winner.member][winner.mark.ordinal] = line
    }
    return winner
  }

  private func isRecorded(_ kind: EventKind, at time: Int64) -> Bool {
    run.members.contains { member in
      let survey = member.survey
      guard survey.isRecorded, survey.header.covers("delegate") else { return false }
      let start = (survey.firstNanoseconds ?? 0).plus(member.shift)
      let end = survey.recordingEndNanoseconds.map { $0.plus(member.shift) } ?? .max
      return time >= start.minus(Self.pairNanosecondsMax)
        && time <= end.plus(Self.pairNanosecondsMax)
    }
  }

  private func line(_ line: UInt32, of member: Int) -> UInt32 {
    if line == 0 { return 0 }
    let (sum, overflow) = line.addingReportingOverflow(linesBefore[member])
    return overflow ? 0 : sum
  }
}
