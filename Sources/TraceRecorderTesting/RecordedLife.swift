// What an app's own tests assert on: a recorded life, judged by the rules, told as a timeline.

public import TraceCatalogue
import TraceFormat
public import TraceIO
public import TraceModel
import TraceNotation
public import TraceRecorder
public import TraceRules

/// Records during a test, and judges what was recorded.
///
///     let test = try LifeTest()
///     app.recorder = test.recorder
///     app.editAndSave()
///     try test.end().expectNoFindings()
///
/// The same lines work in Swift Testing and in XCTest: what is expected is said by throwing, and
/// the error's text holds the findings and the timeline.
public struct LifeTest: Sendable {
  /// The recorder for the app under test.
  public let recorder: TraceRecorder

  /// Starts to record into memory.
  ///
  /// - Parameter header: What the rules should know of the app; if nil, a current system, and that
  ///   the app records every event of every namespace. An app that doesn't gives a header of its
  ///   own, with its `coverage`.
  /// - Throws: ``FileError`` if the process may not have the memory: a little more than 1 MiB.
  public init(header: TraceHeader? = nil) throws(FileError) {
    try self.init(.inMemory, header)
  }

  /// Starts to record into a folder, whose trace is left for other tools.
  ///
  /// - Parameters:
  ///   - folder: A folder of the test's own, which the test removes.
  ///   - header: As in ``init(header:)``.
  /// - Throws: ``FileError`` if the folder can't be written.
  public init(folder: String, header: TraceHeader? = nil) throws(FileError) {
    try self.init(RecorderConfiguration(directory: folder), header)
  }

  private init(
    _ configuration: RecorderConfiguration, _ header: TraceHeader?
  ) throws(FileError) {
    var configuration = configuration
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
    return RecordedLife(try recorder.recordedBytes(), rules: rules ?? Catalogue.all)
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

  /// Judges the bytes of an `.lctrace` file.
  public init(_ trace: [UInt8], rules: [Rule] = Catalogue.all) {
    judge(trace: trace, rules)
  }

  /// Judges the youngest recording in a folder, whether its app still runs, ended or was killed.
  ///
  /// For UI tests, whose app is a process of its own: give it a folder by its launch environment,
  /// and end it with `terminate()`, which kills it.
  ///
  /// - Parameters:
  ///   - folder: The folder of the recordings. Nothing in it is changed.
  ///   - rules: The rules to judge by.
  /// - Throws: ``FileError`` if there is no recording, or it can't be read.
  public init(folder: String, rules: [Rule] = Catalogue.all) throws(FileError) {
    let names = try Folder.names(in: folder)
    let recordings = names.compactMap { name in
      [".lctrace", ".lcjournal"].first { name.hasSuffix($0) }.map {
        String(name.dropLast($0.count))
      }
    }
    // Names begin with the time of the start.
    guard let youngest = recordings.last else {
      throw FileError.refused(folder, "there is no recording in this folder")
    }
    let path = folder + "/" + youngest
    guard names.contains(youngest + ".lcjournal") else {
      judge(trace: try Self.bytes(path + ".lctrace"), rules)
      return
    }
    // The journal first: what is sealed between the two readings is then in both, not in neither.
    let journal = try Self.bytes(path + ".lcjournal")
    let trace = names.contains(youngest + ".lctrace") ? try Self.bytes(path + ".lctrace") : []
    var decoder = JournalDecoder(codec: .stored)
    decoder.feed(journal.span)
    decoder.endJournal()
    decoder.feed(trace.span)
    decoder.finish()
    judge(&decoder, rules)
  }

  private mutating func judge(trace: [UInt8], _ rules: [Rule]) {
    var decoder = LctraceDecoder(codec: .stored)
    decoder.feed(trace.span)
    decoder.finish()
    judge(&decoder, rules)
  }

  private static func bytes(_ path: String) throws(FileError) -> [UInt8] {
    var file = try InputFile(path: path)
    var bytes: [UInt8] = []
    while case .bytes = try file.read(into: &bytes, limit: 1 << 20) {}
    return bytes
  }

  private mutating func judge(_ decoder: inout some CaptureDecoder, _ rules: [Rule]) {
    var printer = TimelineEncoder()
    var checker: Checker?
    var batch = EventBatch()
    var isDamaged = false
    reading: while true {
      switch decoder.next(into: &batch) {
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
      case .problem(let problem):
        // A life that was cut off is no damage.
        if problem.consequence != .truncated { isDamaged = true }
      case .remark, .stream:
        break
      case .needsInput, .end:
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
  ///     try life.expectNoFindings { Attachment.record($0, named: "life.timeline") }  // Testing
  ///     try life.expectNoFindings { add(XCTAttachment(string: $0)) }                 // XCTest
  ///
  /// - Parameters:
  ///   - severity: The lowest severity that counts.
  ///   - attach: Takes the timeline if there are findings, to attach it to the failure.
  /// - Throws: ``UnexpectedFindings``, which says what was found and holds the timeline.
  public func expectNoFindings(
    atLeast severity: Severity = .error, attach: (String) -> Void = { _ in }
  ) throws(UnexpectedFindings) {
    let found = findings(atLeast: severity)
    if found.isEmpty { return }
    attach(timeline)
    throw UnexpectedFindings(findings: found, timeline: timeline)
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
