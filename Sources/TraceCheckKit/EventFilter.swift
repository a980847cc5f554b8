// Which events of a trace are wanted, by time, kind and thread.

import TraceConfiguration
import TraceFormat
import TraceModel

/// Picks events. Times count from the trace's first event.
struct EventFilter {
  var afterNanoseconds: Int64?
  var beforeNanoseconds: Int64?
  /// Any of these; all kinds if there are none.
  let kinds: [Glob]
  /// Any of these; all threads if there are none.
  var threads: Set<Int64>

  private var startNanoseconds: Int64?
  private let wantedKinds: KindSet

  init(
    afterNanoseconds: Int64? = nil, beforeNanoseconds: Int64? = nil, kinds: [Glob] = [],
    threads: Set<Int64> = []
  ) {
    self.afterNanoseconds = afterNanoseconds
    self.beforeNanoseconds = beforeNanoseconds
    self.kinds = kinds
    self.threads = threads
    wantedKinds = Self.wanted(kinds)
  }

  var passesAll: Bool {
    afterNanoseconds == nil && beforeNanoseconds == nil && kinds.isEmpty && threads.isEmpty
  }

  /// Forgets the trace before; another begins.
  mutating func begin() { startNanoseconds = nil }

  /// The header of the trace that the wanted events make.
  func header(_ header: TraceHeader) -> TraceHeader {
    if passesAll { return header }
    var header = header
    header[.traceID] = nil
    if !threads.isEmpty { header[.coverage] = .strings([]) }
    if kinds.isEmpty || !threads.isEmpty { return header }
    let wantedKinds = wantedKinds
    let cut = Set(Vocabulary.kinds.filter { !wantedKinds.contains($0.kind) }.map(\.namespace))
    let whole = Set(Vocabulary.kinds.map(\.namespace)).subtracting(cut).filter(header.covers)
    let followed = Self.lifeNamespaces.filter { name in
      header.covers(name) && (name != "scene" || header.boolean(.sceneManifest) == true)
    }
    let isFollowed = cut.isDisjoint(with: followed)
    header[.coverage] = .strings(isFollowed ? whole.sorted() : [])
    return header
  }

  /// Without one of these nobody knows in what state the app was, nor what is lost: no rule is
  /// judged then.
  private static let lifeNamespaces: Set = ["delegate", "proc", "scene", "trace"]

  /// The wanted events of a batch, in batches.
  mutating func parts(of batch: EventBatch) -> [EventBatch] {
    guard batch.count > 0 else { return [] }
    let start = startNanoseconds ?? batch.timesNanoseconds[0]
    startNanoseconds = start
    let isTemplateWanted = batch.templates.map { template in
      (kinds.isEmpty || kinds.contains { $0.matches(batch.name(of: template.kind)) })
        && (threads.isEmpty || threads.contains(batch.threads[Int(template.thread)].id))
    }
    var parts: [EventBatch] = []
    var assembler = BatchAssembler()
    var texts = CopiedTexts(of: batch)
    for index in 0..<batch.count where isTemplateWanted[Int(batch.templateIndices[index])] {
      let time = Self.difference(batch.timesNanoseconds[index], start)
      if let afterNanoseconds, time < afterNanoseconds { continue }
      if let beforeNanoseconds, time >= beforeNanoseconds { continue }
      if assembler.isFull { parts.append(Self.take(&assembler)) }
      assembler.copy(index, of: batch, texts: &texts)
    }
    if assembler.batch.count > 0 { parts.append(Self.take(&assembler)) }
    return parts
  }

  /// Whether a block of the trace may hold a wanted event, by what its header says. The trace's
  /// first block must have been seen.
  func mayPass(_ block: BlockSummary) -> Bool {
    if !kinds.isEmpty, block.kinds.isDisjoint(with: wantedKinds) { return false }
    guard let start = startNanoseconds else { return true }
    if let afterNanoseconds, Self.difference(block.latestNanoseconds, start) < afterNanoseconds {
      return false
    }
    if let beforeNanoseconds,
      Self.difference(block.earliestNanoseconds, start) >= beforeNanoseconds
    {
      return false
    }
    return true
  }

  /// Kinds of the vocabulary that match, and all others, whose names only the blocks hold.
  private static func wanted(_ kinds: [Glob]) -> KindSet {
    var set = KindSet()
    for description in Vocabulary.kinds
    where kinds.contains(where: { $0.matches(description.name) }) {
      set.insert(description.kind)
    }
    set.insert(EventKind(rawValue: EventKind.firstUnknownNumber))
    return set
  }

  /// Times may be anything: a difference that doesn't fit 64 bits is cut to their range.
  private static func difference(_ time: Int64, _ start: Int64) -> Int64 {
    let (difference, overflow) = time.subtractingReportingOverflow(start)
    return overflow ? (start < 0 ? .max : .min) : difference
  }

  private static func take(_ assembler: inout BatchAssembler) -> EventBatch {
    var part = EventBatch()
    assembler.take(into: &part)
    return part
  }
}
