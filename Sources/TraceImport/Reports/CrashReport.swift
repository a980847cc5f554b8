// One crash report, whatever text it stands in: who ended, when and why, and the trace of it.
// This file must not know any format.

import TraceModel

/// What a crash report says of one end of a process.
struct CrashReport: Sendable {
  var subject = ReportSubject()
  var exit = ExitRecord()
  var launch: ReportTime?
  var end: ReportTime?
  /// Where the report says why.
  var line: UInt32 = 1
  var firstLine: UInt32 = 1
  /// The word for the kind of exception, for example `EXC_CRASH`.
  var exceptionType = ""
  /// Whether the report says that the process went on.
  var isNonFatal = false
  var isGraphicsRefusal = false

  private var codes: [UInt8] = []

  /// Faults, whose codes are addresses and the like.
  private static let faults = ["EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC"]

  /// The frame in which OpenGL ES ends a process that draws in the background.
  static let graphicsRefusal = bytes("gpus_ReturnNotPermittedKillClient")

  /// Takes the kind of exception: `EXC_CRASH (SIGKILL)`, or a number on old systems.
  mutating func takeException(_ text: Span<UInt8>) {
    var end = 0
    while end < text.count, text[end] > Byte.space { end += 1 }
    exceptionType = text.text(0..<end)
    guard let bracket = text.first(Byte.openParenthesis, from: end, to: text.count),
      let close = text.first(Byte.closeParenthesis, from: bracket, to: text.count)
    else { return }
    takeSignal(text.text(bracket + 1..<close))
  }

  /// Takes what the app and its libraries wrote last, for example of an exception that nobody
  /// caught.
  mutating func takeLastWords(_ text: Span<UInt8>) {
    if MetalRefusal.isTold(in: text) { exit.isMetalRefusal = true }
  }

  /// Takes the name of the signal; the termination's own words go first.
  mutating func takeSignal(_ name: String) {
    if exit.signal == nil { exit.signal = TerminationSignal.number(name) }
  }

  /// Takes the codes of the exception.
  mutating func takeExceptionCodes(_ text: Span<UInt8>) {
    codes.removeAll()
    for offset in text.indices.prefix(ImportLimits.nameBytesMax) { codes.append(text[offset]) }
  }

  /// Reads the codes of the exception, which on old systems hold that of the termination, unless
  /// the exception is a fault of the app's own.
  mutating func readExceptionCodes() {
    if Self.faults.contains(exceptionType) { return }
    let codes = codes
    let text = codes.span
    var offset = 0
    for _ in 0..<4 {
      while offset < text.count, text[offset] == Byte.space || text[offset] == Byte.comma {
        offset += 1
      }
      guard offset < text.count else { return }
      let code = TerminationText.number(text, from: offset)
      if let code, exit.code == nil, Terminations.meaning(ofCode: code) != nil {
        TerminationReason.take(code: code, into: &exit)
      }
      while offset < text.count, text[offset] != Byte.comma { offset += 1 }
    }
  }

  /// Weighs everything, once the whole report has been read.
  mutating func conclude() {
    if isGraphicsRefusal, exit.cause == "unknown" || exit.cause == "crash" {
      exit.cause = "gpu_in_background"
    }
    TerminationReason.conclude(&exit)
    let isOwnFault =
      exceptionType.hasPrefix("EXC_") && exceptionType != "EXC_CRASH"
      && exceptionType != "EXC_RESOURCE"
    if exit.cause == "unknown", exit.code == nil, exit.signal == nil, isOwnFault {
      exit.cause = "crash"
    }
    // In the foreground nothing is refused: the words are of something else.
    if exit.cause != "crash" || exit.role == "Foreground" { exit.isMetalRefusal = false }
    // The signal by which every kill is carried out says nothing beside a code.
    if exit.signal == 9, exit.code != nil { exit.signal = nil }
  }

  /// Adds the report's trace to what is found.
  ///
  /// - Parameter isSimulated: Whether it was made up by Xcode, and nothing ended.
  func add(to content: inout ReportContent, isSimulated: Bool = false) {
    guard !subject.isForeign else {
      content.refuse("not a life-cycle capture: a report of \(subject.system ?? "another system")")
      return
    }
    var trace = ReportedTrace(subject)
    trace.firstLine = firstLine
    trace.resolutionNanoseconds = end?.resolutionNanoseconds
    if isSimulated { trace.note(CaptureRemark.simulatedMessage) }
    if exit.meaning?.id == "stackshot" {
      trace.note(CrashReport.stackshotRemark)
    } else if isSimulated {
      trace.note("what it tells of: \(exit.sentence)")
    } else if isNonFatal {
      trace.note("the report is of something that did not end the process")
    } else {
      trace.coverage = ["proc"]
      var event = ReportedEvent(content: .exit(exit), line: line)
      trace.wallClock = (launch ?? end)?.wallClock
      if let launch, let end {
        if let elapsed = end.since(launch) {
          event.timeNanoseconds = elapsed
        } else {
          trace.wallClock = end.wallClock
        }
      }
      if exit.isMetalRefusal {
        trace.coverage.append("metal")
        var refusal = event
        refusal.content = .metalRefusal
        trace.add(refusal)
      }
      trace.add(event)
      trace.note(exit)
    }
    content.add(trace)
  }

  static let stackshotRemark = "a snapshot of all processes; nothing was ended"
}
