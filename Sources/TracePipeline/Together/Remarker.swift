// Hands on the traces of one of several files: with remarks, and with lines counted on behind those
// of the files before it. This file must not know why a trace is judged alone.

import TraceExport
import TraceModel

/// Adds a remark to each trace of a capture, and tells its lines by their places among those of all
/// files.
struct Remarker<Base: CaptureVisitor>: CaptureVisitor {
  var base: Base
  private let remarks: [Int: CaptureRemark]
  private let linesBefore: UInt32
  private var index = -1

  init(base: Base, remarks: [Int: CaptureRemark], linesBefore: UInt32) {
    self.base = base
    self.remarks = remarks
    self.linesBefore = linesBefore
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    index += 1
    try base.begin(header)
    if let remark = remarks[index] { base.remark(remark) }
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    var counted = batch
    counted.countLines(onFrom: linesBefore)
    try base.consume(counted)
  }

  mutating func endTrace() throws(CaptureFailure) { try base.endTrace() }
  static var takesTracesAtOnce: Bool { Base.takesTracesAtOnce }
  mutating func stream(_ step: StreamStep) throws(CaptureFailure) { try base.stream(step) }
  mutating func problem(_ problem: InputProblem) { base.problem(problem) }
  mutating func remark(_ remark: CaptureRemark) { base.remark(remark) }
  var isSatisfied: Bool { base.isSatisfied }
}

extension EventBatch {
  /// Counts the lines on behind those of other files. An event without a line has none after it,
  /// and so has one whose number is too large.
  mutating func countLines(onFrom linesBefore: UInt32) {
    guard linesBefore > 0 else { return }
    for place in lines.indices where lines[place] != 0 {
      let (line, overflow) = lines[place].addingReportingOverflow(linesBefore)
      lines[place] = overflow ? 0 : line
    }
  }
}
