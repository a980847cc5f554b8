// Merges traces of one app into one, by the time of each event.
// This file must not know what is done with the merged trace.

public import TraceExport
public import TraceModel

/// Traces that become one: a block of each is in memory.
///
/// Times are compared on the clock on the wall where every trace carries an anchor, and taken for
/// those of one clock where none does, as of the parts of a trace. Equal times keep the order in
/// which the traces are named.
public struct TraceMerge {
  /// What headers say differently, in a sentence each.
  public private(set) var notes: [String] = []
  private var inputs: [MergeInput] = []
  private var header = TraceHeader()

  /// Traces of one call: each keeps a file open and a block in memory.
  public static let inputsMax = 256

  /// Opens the traces.
  ///
  /// - Parameters:
  ///   - format: The format that all have; nil to recognise each.
  ///   - overrides: Header fields that they lack.
  ///   - keepsNumbers: Whether events stay numbered where the merged trace is written, see
  ///     ``LossKeeper``.
  /// - Throws: ``Refusal``, which names the trace that can't be merged.
  public init(
    paths: [String], format: CaptureFormat? = nil,
    overrides: HeaderOverrides = HeaderOverrides(), keepsNumbers: Bool = true
  ) throws(Refusal) {
    for path in paths {
      try Self.attempt(path) { () throws(CaptureFailure) in
        inputs.append(try MergeInput(path: path, format: format, overrides: overrides))
      }
    }
    let shifts = try self.shifts()
    try joinHeaders()
    let traceIDs = Set(inputs.map { $0.header.string(.traceID) })
    // Numbers of events tell of losses within one recording; of several they contradict another.
    let isOneRecording = inputs.count == 1 || (traceIDs.count == 1 && !traceIDs.contains(nil))
    if !isOneRecording { header[.traceID] = nil }
    for (input, shift) in zip(inputs, shifts) {
      try Self.attempt(input.path) { () throws(CaptureFailure) in
        try input.adjust(byNanoseconds: shift, keepsNumbers: isOneRecording && keepsNumbers)
      }
    }
  }

  /// Why a trace can't be merged with the others.
  public struct Refusal: Error {
    public var path: String
    public var failure: CaptureFailure
  }

  private static func attempt(
    _ path: String, _ step: () throws(CaptureFailure) -> Void
  ) throws(Refusal) {
    do throws(CaptureFailure) { try step() } catch { throw Refusal(path: path, failure: error) }
  }

  /// Tells a visitor of the merged trace. It can be done once.
  public mutating func read<Visitor: CaptureVisitor>(
    into visitor: inout Visitor
  ) throws(CaptureFailure) {
    try visitor.begin(header)
    for input in inputs { tellProblems(of: input, &visitor) }
    var merger = BatchMerger()
    while let (first, limit) = next(), !visitor.isSatisfied {
      let input = inputs[first]
      let start = input.next
      var end = start + 1
      let times = input.batch.timesNanoseconds
      while end < times.count, limit.map({ (times[end], first) < $0 }) ?? true { end += 1 }
      try merger.add(input.batch, start..<end, numbers: &input.numbers) {
        (batch) throws(CaptureFailure) in try visitor.consume(batch)
      }
      input.next = end
      if input.isEmpty {
        try input.advance()
        tellProblems(of: input, &visitor)
      }
    }
    try merger.flush { (batch) throws(CaptureFailure) in try visitor.consume(batch) }
    try visitor.endTrace()
  }

  /// The input with the earliest next event, and the next event of the others.
  private func next() -> (input: Int, limit: (Int64, Int)?)? {
    var first: (Int64, Int)?
    var second: (Int64, Int)?
    for (place, input) in inputs.enumerated() where !input.isEmpty {
      let key = (input.nextNanoseconds, place)
      if first.map({ key < $0 }) ?? true {
        second = first
        first = key
      } else if second.map({ key < $0 }) ?? true {
        second = key
      }
    }
    return first.map { ($0.1, second) }
  }

  private func tellProblems<Visitor: CaptureVisitor>(
    of input: MergeInput, _ visitor: inout Visitor
  ) {
    for var problem in input.takeProblems() {
      problem.message = "\(input.path): \(problem.message)"
      visitor.problem(problem)
    }
  }

  // MARK: Clocks and headers

  /// What to add to the times of each trace to have those of the first.
  private mutating func shifts() throws(Refusal) -> [Int64] {
    var anchors = inputs.map(\.headerAnchor)
    if anchors.allSatisfy({ $0 == nil }) || !inputs.contains(where: { $0.anchor == nil }) {
      anchors = inputs.map(\.anchor)
      // Of the parts of a trace only the first one holds its start.
      if let silent = anchors.firstIndex(of: nil) {
        if anchors.contains(where: { $0 != nil }) {
          notes.append(
            "\(inputs[silent].path) has no trace.start that tells its time on the clock on the wall;"
              + " the times of all are taken for those of one clock")
        }
        return inputs.map { _ in 0 }
      }
    }
    let first = anchors.first ?? nil
    var shifts: [Int64] = []
    for (input, anchor) in zip(inputs, anchors) {
      guard let anchor, let first else {
        let (says, other) = anchor == nil ? ("doesn't tell", "does") : ("tells", "doesn't")
        throw Refusal(
          path: input.path,
          failure: CaptureFailure(
            "it \(says) its time on the clock on the wall, and \(inputs[0].path) \(other)",
            advice: "merge traces of one recorder"))
      }
      let (shift, overflow) = anchor.subtractingReportingOverflow(first)
      if overflow {
        throw Refusal(
          path: input.path,
          failure: CaptureFailure(
            "its time is centuries away from that of \(inputs[0].path)", advice: "leave it out"))
      }
      shifts.append(isOneClock(shift, input) ? 0 : shift)
    }
    return shifts
  }

  /// Whether a trace has the clock of the first one: clocks on the wall are set right now and then,
  /// and go at another pace, by up to 100 millionths.
  private func isOneClock(_ shift: Int64, _ input: MergeInput) -> Bool {
    guard !input.isEmpty, let first = inputs.first, !first.isEmpty else { return false }
    let (apart, overflow) = input.nextNanoseconds.subtractingReportingOverflow(
      first.nextNanoseconds)
    let drift = overflow ? 0 : apart.magnitude / 10_000
    return shift.magnitude <= Self.settingNanosecondsMax + drift
  }

  /// How far a clock on the wall is set right at once without being said to be set.
  private static let settingNanosecondsMax: UInt64 = 100_000_000

  /// Makes one header. What the first trace says counts; of two apps there is no one life.
  private mutating func joinHeaders() throws(Refusal) {
    guard let first = inputs.first else { return }
    header = first.header
    var coverage = Self.coverage(of: first.header)
    for input in inputs.dropFirst() {
      if let mine = header.string(.appBundleID), let theirs = input.header.string(.appBundleID),
        mine != theirs
      {
        throw Refusal(
          path: input.path,
          failure: CaptureFailure(
            "it is of the app \(theirs), and \(first.path) of \(mine)",
            advice: "merge the traces of one app; judge several with 'tracecheck check'"))
      }
      for field in HeaderField.allCases where !Self.ownFields.contains(field) {
        guard let value = input.header[field] else { continue }
        if header[field] == nil {
          header[field] = value
        } else if header[field] != value {
          notes.append(
            "\(input.path) says another \(field.name) than \(first.path), which counts")
        }
      }
      // What one of them doesn't tell may be missing anywhere in the life.
      let theirs = Self.coverage(of: input.header)
      if let known = coverage {
        coverage = theirs.map { known.intersection($0) } ?? known
      } else {
        coverage = theirs
      }
    }
    header[.coverage] = coverage.map { .strings($0.sorted()) }
  }

  /// The namespaces that a trace covers; nil for all.
  private static func coverage(of header: TraceHeader) -> Set<String>? {
    guard let names = header.strings(.coverage), !names.contains("*") else { return nil }
    return Set(names)
  }

  /// Fields that tell how a trace is stored, and those that are joined in a way of their own.
  private static let ownFields: Set<HeaderField> = [
    .formatVersion, .endianness, .tickNumer, .tickDenom, .recorderVersion, .traceID, .coverage,
    .timestampResolutionNanoseconds,
  ]
}
