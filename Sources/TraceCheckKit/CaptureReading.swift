// How the commands that look at one capture read it: problems are kept, told, and become the exit
// status.

import TraceExport
import TraceFormat
import TraceImport
import TraceModel
import TracePipeline

/// Hands on what a capture says, and keeps its problems.
private struct ProblemKeeper<Base: CaptureVisitor>: CaptureVisitor {
  var base: Base
  var capture: JudgedCapture

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try base.begin(header) }
  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) { try base.consume(batch) }
  mutating func endTrace() throws(CaptureFailure) { try base.endTrace() }
  static var takesTracesAtOnce: Bool { Base.takesTracesAtOnce }
  mutating func stream(_ step: StreamStep) throws(CaptureFailure) { try base.stream(step) }
  mutating func remark(_ remark: CaptureRemark) { base.remark(remark) }
  mutating func account(_ ledger: LineLedger) { base.account(ledger) }
  mutating func idle(silentNanoseconds: Int64) {
    base.idle(silentNanoseconds: silentNanoseconds)
  }
  var isSatisfied: Bool { base.isSatisfied }
  var skipsBlocks: Bool { base.skipsBlocks }
  func wants(_ block: BlockSummary) -> Bool { base.wants(block) }

  mutating func problem(_ problem: InputProblem) {
    capture.add(problem)
    base.problem(problem)
  }
}

extension InputOptions {
  /// Reads the one capture of a command. If it can't be read, the command ends.
  ///
  /// - Returns: The visitor, and the capture's format and problems.
  func read<Visitor: CaptureVisitor>(
    _ path: String, lines: LineOptions = LineOptions(), into visitor: Visitor
  ) throws -> (visitor: Visitor, capture: JudgedCapture) {
    do {
      return try readOne(path, lines: lines, into: visitor)
    } catch let error as CaptureFailureAt where allowDamaged {
      printProblems(error.line)
      throw CommandExit(code: .done)
    }
  }

  /// Reads one of several captures.
  ///
  /// - Throws: ``CaptureFailureAt`` if it can't be read.
  func readOne<Visitor: CaptureVisitor>(
    _ path: String, lines: LineOptions = LineOptions(), into visitor: Visitor
  ) throws -> (visitor: Visitor, capture: JudgedCapture) {
    let result = try readKeeping(path, lines: lines, into: visitor)
    if let failure = result.failure { throw failure }
    return (result.visitor, result.capture)
  }

  /// Reads one capture, and gives what was read of it even if it turns out to be none.
  func readKeeping<Visitor: CaptureVisitor>(
    _ path: String, lines: LineOptions, into visitor: Visitor
  ) throws -> (visitor: Visitor, capture: JudgedCapture, failure: CaptureFailureAt?) {
    var keeper = ProblemKeeper(base: visitor, capture: JudgedCapture(path: path))
    let format = try format()
    let overrides = try overrides()
    var recognised: CaptureFormat?
    var failure: CaptureFailureAt?
    do throws(CaptureFailure) {
      try CaptureReader.read(
        path: path, format: format, overrides: overrides, lines: lines, into: &keeper,
        opened: { recognised = $0 })
    } catch {
      if error.kind == .output || error.kind == .interrupted { throw error }
      failure = CaptureFailureAt(path: path, failure: error)
    }
    keeper.capture.format = recognised?.name ?? ""
    return (keeper.base, keeper.capture, failure)
  }

  /// Reads captures of one run, and hands over a visitor for each run and for what is of none.
  ///
  /// - Parameters:
  ///   - makeVisitor: Makes the visitor of a capture of which nothing is known but its files.
  ///   - told: Takes a visitor when its capture has been read.
  /// - Returns: Whether some of it can't be read.
  func readTogether<Visitor: CaptureVisitor>(
    _ inputs: CaptureInputs, lines: LineOptions, into makeVisitor: (JudgedCapture) -> Visitor,
    told: (Visitor) throws -> Void
  ) throws -> Bool {
    for logs in inputs.binaryLogs { printProblems(ProblemText.lines(of: logs)) }
    let together = try Together(
      inputs, format: format(), overrides: overrides(), lines: lines)
    var isDamaged = false
    for failure in together.failures {
      printProblems(ProblemText.lines(of: failure))
      isDamaged = isDamaged || failure.failure != nil
    }
    for capture in together.captures {
      var judged = JudgedCapture(path: capture.path, format: capture.format)
      judged.sources = capture.sources
      var keeper = ProblemKeeper(base: makeVisitor(judged), capture: judged)
      do throws(CaptureFailure) {
        try together.read(capture, into: &keeper)
      } catch {
        if error.kind == .output || error.kind == .interrupted { throw error }
        keeper.capture.failure = error
      }
      try told(keeper.base)
      printProblems(ProblemText.lines(of: keeper.capture))
      isDamaged = isDamaged || keeper.capture.isDamaged || keeper.capture.failure != nil
    }
    return isDamaged
  }

  /// Tells the problems of a capture, and ends the command with the status they deserve.
  func end(_ capture: JudgedCapture) throws -> Never {
    printProblems(ProblemText.lines(of: capture))
    throw CommandExit(code: capture.isDamaged && !allowDamaged ? .damagedInput : .done)
  }
}
