// What an app's own tests assert on: a recorded life, judged by the rules, told as a timeline.

import TraceFormat
public import TraceIO
public import TraceModel
import TraceNotation
public import TraceRecorder
public import TraceRules

/// Records during a test, and judges what was recorded.
///
///     let test = try LifeTest(folder: temporaryFolder)
///     app.recorder = test.recorder
///     app.editAndSave()
///     try test.end().expectNoFindings()
///
/// The same lines work in Swift Testing and in XCTest: what is expected is said by throwing, and
/// the error's text holds the findings and the timeline.
public struct LifeTest: Sendable {
  /// The recorder for the app under test.
  public let recorder: TraceRecorder

  /// Starts to record.
  ///
  /// - Parameters:
  ///   - folder: A folder of the test's own, which the test removes.
  ///   - header: What the rules should know of the app; if nil, a current system, and that the app
  ///     records every event of every namespace. An app that doesn't gives a header of its own,
  ///     with its `coverage`.
  /// - Throws: ``FileError`` if the folder can't be written.
  public init(folder: String, header: TraceHeader? = nil) throws(FileError) {
    var configuration = RecorderConfiguration(directory: folder)
    configuration.header = header ?? Self.currentSystem
    recorder = try TraceRecorder.start(configuration)
  }

  private static var currentSystem: TraceHeader {
    var header = TraceHeader()
    header[.osVersion] = .string("17.0")
    header[.sdkLinked] = .string("17.0")
    header[.multitaskingSupported] = .boolean(true)
    header[.backgroundModes] = .strings([])
    header[.coverage] = .strings(["*"])
    return header
  }

  /// Ends the recording and judges it.
  ///
  /// - Parameter rules: The rules to judge by; all of them if nil.
  /// - Throws: ``FileError`` if the recording can't be written or read back.
  public func end(rules: [Rule]? = nil) throws(FileError) -> RecordedLife {
    try recorder.stop()
    return try RecordedLife(tracePath: recorder.tracePath, rules: rules ?? Catalogue.all)
  }
}

/// A life that was recorded and judged.
public struct RecordedLife: Sendable {
  /// What the rules say.
  public private(set) var findings: [Finding] = []
  /// The events as text, one per line, as `tracecheck cat` prints them. Attach it to a failure.
  public private(set) var timeline = ""
  /// Every event, in the order of time.
  public private(set) var batches: [EventBatch] = []

  /// Reads a complete trace and judges it.
  ///
  /// - Throws: ``FileError`` if the file can't be read.
  public init(tracePath: String, rules: [Rule]) throws(FileError) {
    var file = try InputFile(path: tracePath)
    var decoder = LctraceDecoder(codec: .stored)
    var printer = TimelineEncoder()
    var checker: Checker?
    var chunk: [UInt8] = []
    var batch = EventBatch()
    var isDamaged = false
    reading: while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        chunk.removeAll(keepingCapacity: true)
        if case .bytes = try file.read(into: &chunk, limit: 65_536) {
          decoder.feed(chunk.span)
        } else {
          decoder.finish()
        }
      case .header(let header):
        var options = CheckOptions()
        options.rules = rules
        checker = Checker(header: header, options: options)
        printer.begin(header)
      case .batch:
        var source = batch
        checker?.consume(&source)
        printer.consume(batch)
        batches.append(batch)
      case .problem:
        isDamaged = true
      case .remark, .stream:
        break
      case .end:
        break reading
      }
    }
    printer.end()
    timeline = String(decoding: printer.output, as: UTF8.self)
    if var ended = checker.take() { findings = ended.finish(isDamaged: isDamaged).findings }
  }

  /// How many events of a kind there are.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - phase: The phase; nil for all.
  public func count(of kind: EventKind, _ phase: Phase? = nil) -> Int {
    batches.reduce(0) { sum, batch in
      sum
        + (0..<batch.count).count { index in
          let event = batch.event(at: index)
          return event.kind == kind && (phase == nil || event.phase == phase)
        }
    }
  }

  /// Findings of a severity or a higher one.
  public func findings(atLeast severity: Severity) -> [Finding] {
    findings.filter { $0.severity >= severity }
  }

  /// Expects that no rule found anything.
  ///
  /// - Parameter severity: The lowest severity that counts.
  /// - Throws: ``UnexpectedFindings``, which says what was found and holds the timeline.
  public func expectNoFindings(atLeast severity: Severity = .error) throws(UnexpectedFindings) {
    let found = findings(atLeast: severity)
    if !found.isEmpty { throw UnexpectedFindings(findings: found, timeline: timeline) }
  }
}

/// What an expectation threw: findings, and the life that they are about.
public struct UnexpectedFindings: Error, CustomStringConvertible, Sendable {
  public let findings: [Finding]
  /// The recorded life; a test may attach it as a file.
  public let timeline: String

  public var description: String {
    let lines = findings.map { finding in
      "\(finding.severity.rawValue) \(finding.rule) \(finding.slug): \(finding.message)"
    }
    return (lines + ["", timeline]).joined(separator: "\n")
  }
}
