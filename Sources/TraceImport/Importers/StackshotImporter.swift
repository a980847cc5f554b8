// Snapshots of all processes, which the user or the system takes of a device that hangs. Nothing
// ends by them. This file must not know codes.

public import TraceModel

extension CaptureFormat {
  /// Stackshots (`bug_type` 188 and 288). They tell of no termination.
  public static let stackshot = CaptureFormat(
    name: StackshotReader.formatName, title: "stackshot",
    recognise: { ReportHead.confidence($0, .stackshot) },
    makeDecoder: { ReportDecoder<StackshotReader>() })
}

/// Reads the header line only.
struct StackshotReader: ReportReading {
  static let formatName = "stackshot"
  static let kind = ReportHead.Kind.stackshot

  static func read(_ text: Span<UInt8>) -> ReportContent {
    var content = ReportContent()
    let head = ReportHead(text)
    var subject = head.header?.subject ?? ReportSubject()
    // A snapshot is of no app in particular.
    subject.name = nil
    subject.bundle = nil
    var trace = ReportedTrace(subject)
    trace.firstLine = head.bodyLine
    trace.note(CrashReport.stackshotRemark)
    content.add(trace)
    return content
  }
}
